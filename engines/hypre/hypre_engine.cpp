// SPDX-License-Identifier: Apache-2.0
#include "engines/hypre/hypre_engine.hpp"

#include <_hypre_parcsr_ls.h>
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <mutex>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "engines/hypre/parallel_matrix.hpp"
#include "linalg/block_columns.hpp"
#include "linalg/flexible_gmres.hpp"
#include "support/error_text.hpp"
#include "support/memory.hpp"

namespace gridiron {
namespace hypre {
namespace {

using D = AcrossRanks;

constexpr double kBytesPerNonzero = 50;  ///< of matrix and hierarchy, on power grids

struct Choice {
  std::string_view name;
  HYPRE_Int code;
};
constexpr Choice kCoarsenings[] = {{"hmis", 10}, {"pmis", 8}, {"falgout", 6}, {"cljp", 0}, {"ruge-stueben", 3}};
constexpr Choice kInterpolations[] = {{"extended+i", 6}, {"extended", 14}, {"standard", 8},
                                      {"classical", 0},  {"direct", 3},    {"multipass", 4}};
constexpr Choice kSmoothers[] = {{"l1-symmetric-gauss-seidel", 8},
                                 {"symmetric-gauss-seidel", 6},
                                 {"l1-gauss-seidel", 13},
                                 {"chebyshev", 16},
                                 {"l1-jacobi", 18},
                                 {"jacobi", 0}};

template <size_t N>
HYPRE_Int code_of(std::string_view parameter, const std::string& value, const Choice (&choices)[N]) {
  std::string known;
  for (const Choice& choice : choices) {
    if (choice.name == value) return choice.code;
    known += (known.empty() ? "" : ", ") + std::string(choice.name);
  }
  throw input_error("hypre: {}={}: expected one of {}", parameter, value, known);
}

HypreParams read(const Settings& settings) {
  auto params = read_params<HypreParams>("hypre", settings);
  code_of("coarsening", params.coarsening, kCoarsenings);
  code_of("interpolation", params.interpolation, kInterpolations);
  code_of("smoother", params.smoother, kSmoothers);
  require_choice("hypre", "cycle", params.cycle, {"v", "w"});
  require_choice("hypre", "krylov", params.krylov, {"auto", "cg", "gmres"});
  require_choice("hypre", "ordering", params.ordering, {"auto", "morton", "given"});
  require_range("hypre", "max_elements", params.max_elements, 0, 1000);
  require_range("hypre", "truncation", params.truncation, 0, 1);
  require_range("hypre", "strength", params.strength, 0, 1);
  require_range("hypre", "max_row_sum", params.max_row_sum, 0, 1);
  require_range("hypre", "aggressive_levels", params.aggressive_levels, 0, 25);
  require_range("hypre", "sweeps", params.sweeps, 1, 50);
  require_range("hypre", "relax_weight", params.relax_weight, 1e-3, 2);
  require_range("hypre", "max_levels", params.max_levels, 1, 100);
  require_range("hypre", "coarse_size", params.coarse_size, 1, 1000);
  require_range("hypre", "restart", params.restart, 1, 10000);
  return params;
}

/// One cycle of BoomerAMG for a matrix.
class Multigrid {
 public:
  Multigrid(const HypreParams& params, const ParallelMatrix& matrix, const Ranks& ranks)
      : matrix_(matrix), in_(ranks, matrix.first(), matrix.end()), out_(ranks, matrix.first(), matrix.end()) {
    HYPRE_Solver handle = nullptr;
    hypre_(hypre_.BoomerAMGCreate, &handle);
    handle_.reset(handle);
    hypre_(hypre_.BoomerAMGSetTol, handle, 0.0);
    hypre_(hypre_.BoomerAMGSetMaxIter, handle, 1);
    hypre_(hypre_.BoomerAMGSetPrintLevel, handle, 0);
    hypre_(hypre_.BoomerAMGSetCoarsenType, handle, code_of("coarsening", params.coarsening, kCoarsenings));
    hypre_(hypre_.BoomerAMGSetInterpType, handle, code_of("interpolation", params.interpolation, kInterpolations));
    hypre_(hypre_.BoomerAMGSetPMaxElmts, handle, params.max_elements);
    hypre_(hypre_.BoomerAMGSetTruncFactor, handle, params.truncation);
    hypre_(hypre_.BoomerAMGSetStrongThreshold, handle, params.strength);
    hypre_(hypre_.BoomerAMGSetMaxRowSum, handle, params.max_row_sum);
    hypre_(hypre_.BoomerAMGSetAggNumLevels, handle, params.aggressive_levels);
    hypre_(hypre_.BoomerAMGSetMaxLevels, handle, params.max_levels);
    hypre_(hypre_.BoomerAMGSetMaxCoarseSize, handle, params.coarse_size);
    hypre_(hypre_.BoomerAMGSetCycleType, handle, params.cycle == "v" ? 1 : 2);
    hypre_(hypre_.BoomerAMGSetNumSweeps, handle, params.sweeps);
    hypre_(hypre_.BoomerAMGSetRelaxWt, handle, params.relax_weight);
    hypre_(hypre_.BoomerAMGSetRelaxType, handle, code_of("smoother", params.smoother, kSmoothers));
    if (params.smoother == "l1-gauss-seidel") hypre_(hypre_.BoomerAMGSetCycleRelaxType, handle, 14, 2);
    hypre_(hypre_.BoomerAMGSetup, handle, matrix.get(), in_.get(), out_.get());
  }

  View<D, const double> apply(View<D, const double> r) const {
    in_.copy_from(r);
    hypre_(hypre_.ParVectorSetConstantValues, out_.get(), 0.0);
    hypre_(hypre_.BoomerAMGSolve, handle_.get(), matrix_.get(), in_.get(), out_.get());
    return out_.view();
  }

  /// Over all processes, but for the bytes, which are this one's.
  std::vector<LevelSummary> levels() const {
    auto* const data = reinterpret_cast<hypre_ParAMGData*>(handle_.get());
    std::vector<LevelSummary> levels;
    for (HYPRE_Int k = 0; k < hypre_ParAMGDataNumLevels(data); ++k) {
      hypre_ParCSRMatrix* const a = hypre_ParAMGDataAArray(data)[k];
      LevelSummary level;
      level.unknowns = hypre_ParCSRMatrixGlobalNumRows(a);
      level.nonzeros = static_cast<int64_t>(hypre_ParCSRMatrixDNumNonzeros(a));
      level.bytes = bytes_of(a);
      if (k + 1 < hypre_ParAMGDataNumLevels(data)) level.bytes += bytes_of(hypre_ParAMGDataPArray(data)[k]);
      levels.push_back(level);
    }
    return levels;
  }

 private:
  static int64_t bytes_of(hypre_ParCSRMatrix* matrix) {
    int64_t bytes = 0;
    for (hypre_CSRMatrix* part : {hypre_ParCSRMatrixDiag(matrix), hypre_ParCSRMatrixOffd(matrix)})
      bytes += static_cast<int64_t>(hypre_CSRMatrixNumNonzeros(part) * (sizeof(HYPRE_Int) + sizeof(double)) +
                                    hypre_CSRMatrixNumRows(part) * sizeof(HYPRE_Int));
    return bytes;
  }

  const Library& hypre_ = Library::started();
  const ParallelMatrix& matrix_;
  ParallelVector in_, out_;
  Owned<HYPRE_Solver> handle_;
};

/// The rows of this process, as an order of BlockColumns.
struct OwnRows {
  int64_t size;
  const ParallelMatrix& matrix;
  const RowOrder& order;
  EntryPair operator()(int64_t k) const { return {k, matrix.unknown(order, k)}; }
};

class HypreEngine : public Engine {
 public:
  /// Without `shares`, every process has the whole problem.
  HypreEngine(HypreParams params, std::shared_ptr<const Shares> shares)
      : params_(std::move(params)), shares_(std::move(shares)) {}

  int64_t bytes() const override {
    int64_t sum = bytes_of(order_, cg_, gmres_);
    for (const LevelSummary& level : levels()) sum += level.bytes;
    return matrix_ ? sum + 4 * matrix_->rows() * static_cast<int64_t>(sizeof(double)) : 0;
  }
  std::vector<LevelSummary> levels() const override {
    return multigrid_ ? multigrid_->levels() : std::vector<LevelSummary>();
  }
  std::string note() const override { return "hypre " HYPRE_RELEASE_VERSION " uses one thread"; }
  ParamList parameters() const override { return list_params(params_); }

 private:
  void run(const char*, const std::function<void()>& work) override {
    const std::lock_guard lock(Library::mutex());
    const Library& hypre = Library::started();
    ranks_.communicator = context().communicator ? *static_cast<MPI_Comm*>(context().communicator) : hypre.self;
    hypre.mpi_Comm_size(ranks_.communicator, &ranks_.count);
    hypre.mpi_Comm_rank(ranks_.communicator, &ranks_.rank);
    const AcrossRanks::Among scope(ranks_);
    work();
  }

  void do_setup(const Problem& problem) override {
    if (const auto reason = hypre_declines(problem)) throw SolverError("hypre: " + *reason);
    multigrid_.reset();
    matrix_.reset();
    order_ = {};
    if (problem.matrix.rows == 0 && !shares_) return;
    check(problem);
    require_memory(problem);
    if (params_.ordering != "given") {
      if (const auto places = coordinates_of(problem))
        order_ = morton_order(*places);
      else if (params_.ordering == "morton")
        throw SolverError("hypre: ordering=morton needs the places of nodes; take ordering=given");
    }
    matrix_ = std::make_unique<ParallelMatrix>(problem.matrix, shares_.get(), order_, ranks_);
    cg_ = BlockCg<D, double, ParallelMatrix, 1>(matrix_->rows());
    multigrid_ = std::make_unique<Multigrid>(params_, *matrix_, ranks_);
  }

  void do_update(const Problem& problem) override {
    if (problem.matrix.rows == 0 && !shares_) return;
    check(problem);
    multigrid_.reset();
    matrix_->set_values(problem.matrix, order_);
    multigrid_ = std::make_unique<Multigrid>(params_, *matrix_, ranks_);
  }

  SolveStats do_solve(Block<const double> b, Block<double> x, const StopRule& stop) override {
    const Preconditioner<D, double> cycle = [this](View<D, const double> r, double) { return multigrid_->apply(r); };
    const OwnRows order{matrix_->rows(), *matrix_, order_};
    std::vector<ColumnStats> stats;
    if (uses_cg()) {
      stats = cg_.solve(*matrix_, b, x, stop, cycle, order);
    } else {
      BlockColumns<D, 1> column(matrix_->rows());
      for (int64_t j = 0; j < b.columns; ++j) {
        column.load(b, x, {j}, stop.from_zero, order);
        stats.push_back(
            flexible_gmres<D, double>(*matrix_, column.b(), column.x(), stop, params_.restart, cycle, gmres_));
        column.store(x, {j}, order);
      }
    }
    for (int64_t j = 0; j < x.columns && ranks_.count > 1 && !shares_; ++j) gather(x.column(j));
    SolveStats all = summed_up(std::move(stats));
    require_a_finite_column(all, "hypre");
    return all;
  }

  /// Gives every process the parts of a solution that the others hold.
  void gather(std::span<double> x) const {
    const auto n = std::ssize(x);
    std::vector<double> in_order(x.size());
    for (int64_t k = matrix_->first(); k < matrix_->end(); ++k) in_order[k] = x[order_.unknown(k)];
    std::vector<int> count, first;
    for (int rank = 0; rank < ranks_.count; ++rank) {
      first.push_back(static_cast<int>(first_row(n, ranks_, rank)));
      count.push_back(static_cast<int>(first_row(n, ranks_, rank + 1)) - first.back());
    }
    const Library& hypre = Library::started();
    hypre.mpi_Allgatherv(MPI_IN_PLACE, 0, hypre.real, in_order.data(), count.data(), first.data(), hypre.real,
                         ranks_.communicator);
    for (int64_t k = 0; k < n; ++k) x[order_.unknown(k)] = in_order[k];
  }

  bool uses_cg() const {
    return params_.krylov == "cg" || (params_.krylov == "auto" && problem().symmetric_positive_definite);
  }

  /// Before the work rather than in the middle of it.
  void require_memory(const Problem& problem) const {
    const double bytes = kBytesPerNonzero * problem.matrix.nonzeros() / (shares_ ? 1 : ranks_.count);
    if (bytes > usable_memory_bytes())
      throw resource_error("hypre: matrix and hierarchy would take some {:.0f} GB", bytes / 1e9);
  }

  /// Errors: SolverError for what BoomerAMG would meet with an infinite loop, a crash or an answer of NaN.
  static void check(const Problem& problem) {
    const CsrMatrix& a = problem.matrix;
    for (int64_t i = 0; i < a.rows; ++i) {
      double diagonal = 0;
      for (int64_t k = a.row_ptr[i]; k < a.row_ptr[i + 1]; ++k) {
        if (!std::isfinite(a.value[k])) throw solver_error("hypre: not finite: the row of unknown {}", i);
        if (a.col[k] == i) diagonal = a.value[k];
      }
      if (diagonal == 0 || (problem.symmetric_positive_definite && diagonal < 0))
        throw solver_error("hypre: not positive on the diagonal: unknown {}", i);
    }
  }

  HypreParams params_;
  std::shared_ptr<const Shares> shares_;
  Ranks ranks_;
  RowOrder order_;
  std::unique_ptr<ParallelMatrix> matrix_;
  std::unique_ptr<Multigrid> multigrid_;
  BlockCg<D, double, ParallelMatrix, 1> cg_;
  GmresVectors<D, double> gmres_;
};

}  // namespace
}  // namespace hypre

std::optional<std::string> hypre_declines(const Problem& problem) {
  constexpr int64_t kMost = std::numeric_limits<HYPRE_Int>::max();
  if (problem.stokes_grid()) return "does not solve saddle-point problems";
  if (problem.matrix.nonzeros() > kMost)
    return fmt::format("counts nonzeros up to {} in this build of hypre, got {}", kMost, problem.matrix.nonzeros());
  return hypre::Library::missing();
}

std::unique_ptr<Engine> make_hypre(const Settings& settings) { return make_shared_hypre(settings, nullptr); }

std::unique_ptr<Engine> make_shared_hypre(const Settings& settings, std::shared_ptr<const Shares> shares) {
  return std::make_unique<hypre::HypreEngine>(hypre::read(settings), std::move(shares));
}

ParamList hypre_defaults() { return list_params(HypreParams{}); }

}  // namespace gridiron
