// SPDX-License-Identifier: Apache-2.0
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "device/cuda_device.cuh"
#include "engines/cudss/cudss_engine.hpp"
#include "engines/cudss/factorization.hpp"
#include "engines/direct/coordinates.hpp"
#include "engines/direct_engine.hpp"
#include "engines/engine_on.hpp"
#include "linalg/block_refinement.hpp"

namespace gridiron {
namespace {

/// psc_cuda.cu has kernels of BlockMatrix, too: a type of our own gives us copies of our own.
struct CudssDevice : CudaDevice {};

/// Levels of the tree that cuDSS is given: as many as it makes itself, with leaves of at least kLeaf unknowns.
constexpr int kMostLevels = 10;
constexpr int64_t kLeaf = 100;

/// Where cuts between coordinates leave a part with more than this share of the unknowns, cuDSS orders them.
constexpr double kLargestUndivided = 0.25;

constexpr int64_t kMostColumns = 256;
constexpr int kMostSteps = 4;

int levels_for(int64_t rows) {
  int levels = 1;
  while (levels < kMostLevels && rows >> levels >= kLeaf) ++levels;
  return levels;
}

/// Memory for cuDSS from Gridiron's pool, counted.
struct PoolMemory {
  int64_t bytes = 0;

  static int allocate(void* context, void** data, size_t bytes, void* stream) {
    const cudaError_t status =
        cudaMallocFromPoolAsync(data, bytes, cuda_kernels::memory_pool(), static_cast<cudaStream_t>(stream));
    if (status == cudaSuccess) static_cast<PoolMemory*>(context)->bytes += static_cast<int64_t>(bytes);
    cudaGetLastError();  // so that the next call does not report it again
    return status;
  }
  static int release(void* context, void* data, size_t bytes, void* stream) {
    static_cast<PoolMemory*>(context)->bytes -= static_cast<int64_t>(bytes);
    return cudaFreeAsync(data, static_cast<cudaStream_t>(stream));
  }
};

int64_t free_bytes() {
  size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total));
  uint64_t reserved = 0, used = 0;
  check(cudaMemPoolGetAttribute(cuda_kernels::memory_pool(), cudaMemPoolAttrReservedMemCurrent, &reserved));
  check(cudaMemPoolGetAttribute(cuda_kernels::memory_pool(), cudaMemPoolAttrUsedMemCurrent, &used));
  return static_cast<int64_t>(free + reserved - used);
}

class CudssEngine final : public EngineOn<CudssDevice, DirectEngine> {
 public:
  explicit CudssEngine(CudssParams params) : params_(std::move(params)) {}

  void do_setup(const Problem& problem) override {
    factor_.reset();
    const CsrMatrix& a = problem.matrix;
    const std::optional<PartitionTree> tree = partition(problem);
    ordering_ = tree ? "geometric" : "library";
    matrix_ = BlockMatrix<CudssDevice>(a);
    row_start_ = Array<CudssDevice, int32_t>(std::vector<int32_t>(a.row_ptr.begin(), a.row_ptr.end()));
    if (a.rows == 0) return;
    is_in_host_memory_ = params_.memory == "host";
    analyze(a, tree);
    if (params_.memory == "auto" && factor_->peak_bytes() > free_bytes()) {
      is_in_host_memory_ = true;
      analyze(a, tree);
    }
    factorize();
  }

  void do_update(const Problem& problem) override {
    matrix_.copy_values(problem.matrix);
    if (factor_) factorize();
  }

  SolveStats do_solve(Block<const double> b, Block<double> x, const StopRule& stop) override {
    if (std::isinf(stop.absolute_max)) return solve_unjudged(b, x, stop);
    const int64_t at_once = columns_at_once(b.rows, 4);  // the blocks of the refinement
    SolveStats stats = summed_up(refinement_.solve(
        matrix_, b, x, stop, at_once, kMostSteps,
        [this](PlainView<const double> r, PlainView<double> d, int64_t k) { factor_->solve(r.data(), d.data(), k); }));
    require_a_finite_column(stats, "cudss");
    return stats;
  }
  bool takes_device_memory() const override { return true; }

  int64_t bytes() const override { return bytes_of(matrix_, row_start_, refinement_, staged_) + memory_.bytes; }
  ParamList parameters() const override {
    CudssParams in_force = params_;
    in_force.ordering = ordering_;
    in_force.memory = is_in_host_memory_ ? "host" : "device";
    return list_params(in_force);
  }

 private:
  std::optional<PartitionTree> partition(const Problem& problem) const {
    if (params_.ordering == "library" || problem.matrix.rows == 0) return std::nullopt;
    const int levels = levels_for(problem.matrix.rows);
    if (levels == 1) return std::nullopt;
    const std::optional<Coordinates> places = coordinates_of(problem);
    if (!places) {
      if (params_.ordering == "auto") return std::nullopt;
      throw InputError(
          "cudss: ordering=geometric needs coordinates of at least half of the unknowns; library needs none");
    }
    return dissect_into_tree(problem.matrix, *places, levels, params_.ordering == "auto" ? kLargestUndivided : 1);
  }

  void analyze(const CsrMatrix& a, const std::optional<PartitionTree>& tree) {
    factor_.reset();
    factor_ = std::make_unique<cudss::Factorization>(
        cudss::DeviceMatrix{a.rows, a.nonzeros(), row_start_.view().data(), matrix_.column().data(),
                            matrix_.value().data()},
        tree ? &*tree : nullptr,
        cudss::Factorization::Options{.stream = CudssDevice::stream(),
                                      .host_threads = omp_get_max_threads(),
                                      .memory = {&memory_, PoolMemory::allocate, PoolMemory::release},
                                      .in_host_memory = is_in_host_memory_});
  }

  void factorize() {
    factor_->factorize();
    CudssDevice::synchronize();
  }

  /// Of columns that have so many vectors of ours on the device, and about as many as one solution of cuDSS's.
  static int64_t columns_at_once(int64_t rows, int vectors) {
    const int64_t bytes = (vectors + 2) * rows * static_cast<int64_t>(sizeof(double));
    return std::clamp<int64_t>(free_bytes() / bytes, 1, kMostColumns);
  }

  /// In one array, which holds right-hand sides and then solutions, where the block is in host memory.
  SolveStats solve_unjudged(Block<const double> b, Block<double> x, const StopRule& stop) {
    const int64_t at_once = columns_at_once(b.rows, b.memory == Memory::device ? 0 : 2);
    ColumnStats unjudged;
    unjudged.converged = true;
    for (int64_t first = 0; first < b.columns; first += at_once) {
      stop.throw_if_stopped();
      const int64_t k = std::min(at_once, b.columns - first), size = b.rows * k;
      const Block<const double> from = b.part(first, k);
      const Block<double> to = x.part(first, k);
      if (b.memory == Memory::device) {
        factor_->solve(from.data, to.data, k);
        continue;
      }
      if (staged_.size() < 2 * size) staged_ = Array<CudssDevice, double>(2 * size);
      double* const staged = staged_.view().data();
      CudssDevice::copy_to_device(staged, from.data, size);
      factor_->solve(staged, staged + size, k);
      CudssDevice::copy_to_host(to.data, staged + size, size);
    }
    CudssDevice::synchronize();  // without a stream of the caller's nothing else tells when they are done
    return summed_up(std::vector<ColumnStats>(b.columns, unjudged));
  }

  CudssParams params_;
  std::string ordering_ = params_.ordering;  ///< the one in force
  bool is_in_host_memory_ = false;
  BlockMatrix<CudssDevice> matrix_;
  Array<CudssDevice, int32_t> row_start_;
  PoolMemory memory_;
  std::unique_ptr<cudss::Factorization> factor_;  ///< none for no unknowns; uses all of the above
  BlockRefinement<CudssDevice> refinement_;
  Array<CudssDevice, double> staged_;
};

}  // namespace

std::unique_ptr<Engine> make_cudss_on_cuda(const Settings& settings) {
  return std::make_unique<CudssEngine>(read_cudss(settings));
}

}  // namespace gridiron
