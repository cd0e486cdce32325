// SPDX-License-Identifier: Apache-2.0
#include "engines/cudss/factorization.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstring>
#include <string_view>

#include "support/error_text.hpp"

#ifndef GRIDIRON_CUDSS
#define GRIDIRON_CUDSS "libcudss.so.1"
#endif

namespace gridiron::cudss {
namespace {

// What we use of the interface of version 1.0 (cudss.h of NVIDIA's wheel), so that building needs neither.
using Handle = struct LibraryHandle*;
using Config = struct LibraryConfig*;
using Data = struct LibraryData*;
using Matrix = struct LibraryMatrix*;

enum Status { kSuccess, kNotInitialized, kAllocationFailed, kInvalidValue, kNotSupported, kExecutionFailed };
enum Phase { kAnalysis = 3, kFactorization = 4, kRefactorization = 8, kSolve = 0x3f0 };
enum ConfigParameter { kMatching = 3, kHybridMemory = 11, kHostThreads = 14, kTreeLevels = 17 };
enum DataParameter { kInfo = 0, kUserPermutation = 9, kMemoryEstimates = 13, kUserTree = 21 };
constexpr int kPositiveDefinite = 3, kUpperTriangle = 2, kZeroBased = 0, kColumnMajor = 0;
constexpr int kNoMatching = 0;
constexpr int kInt32 = 10, kDouble = 1;  // cudaDataType_t

struct MemoryHandler {
  void* context;
  int (*allocate)(void* context, void** data, size_t bytes, void* stream);
  int (*release)(void* context, void* data, size_t bytes, void* stream);
  char name[64];
};

struct Library {
  int (*property)(int which, int* value);
  int (*create)(Handle*);
  int (*destroy)(Handle);
  int (*set_stream)(Handle, void* stream);
  int (*set_memory)(Handle, const MemoryHandler*);
  int (*set_threading)(Handle, const char* file);
  int (*config_create)(Config*);
  int (*config_destroy)(Config);
  int (*config_set)(Config, int parameter, const void* value, size_t bytes);
  int (*data_create)(Handle, Data*);
  int (*data_destroy)(Handle, Data);
  int (*data_set)(Handle, Data, int parameter, const void* value, size_t bytes);
  int (*data_get)(Handle, Data, int parameter, void* value, size_t bytes, size_t* written);
  int (*matrix_csr)(Matrix*, int64_t rows, int64_t columns, int64_t nonzeros, const void* row_start,
                    const void* row_end, const void* col, const void* value, int row_type, int index_type,
                    int value_type, int type, int view, int base);
  int (*matrix_dense)(Matrix*, int64_t rows, int64_t columns, int64_t leading, const void* value, int value_type,
                      int layout);
  int (*matrix_destroy)(Matrix);
  int (*execute)(Handle, int phase, Config, Data, Matrix a, Matrix x, Matrix b);

  std::string threading_layer;  ///< the library that lets it use OpenMP's threads; empty: it uses one
};

struct Loaded {
  Library library{};
  std::string missing;  ///< why there is none

  Loaded() {
    void* file = dlopen("libcudss.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!file) file = dlopen(GRIDIRON_CUDSS, RTLD_NOW | RTLD_LOCAL);
    if (!file) {
      missing =
          "needs NVIDIA's cuDSS 1.0, and libcudss.so.1 is not found; ./dev setup --cuda or pip install "
          "nvidia-cudss-cu13==1.0.* has it";
      return;
    }
    const auto find = [&]<class F>(F& function, const char* symbol) {
      function = reinterpret_cast<F>(dlsym(file, symbol));
      if (!function && missing.empty()) missing = fmt::format("libcudss.so.1 has no function {}", symbol);
    };
    find(library.property, "cudssGetProperty");
    find(library.create, "cudssCreate");
    find(library.destroy, "cudssDestroy");
    find(library.set_stream, "cudssSetStream");
    find(library.set_memory, "cudssSetDeviceMemHandler");
    find(library.set_threading, "cudssSetThreadingLayer");
    find(library.config_create, "cudssConfigCreate");
    find(library.config_destroy, "cudssConfigDestroy");
    find(library.config_set, "cudssConfigSet");
    find(library.data_create, "cudssDataCreate");
    find(library.data_destroy, "cudssDataDestroy");
    find(library.data_set, "cudssDataSet");
    find(library.data_get, "cudssDataGet");
    find(library.matrix_csr, "cudssMatrixCreateCsr");
    find(library.matrix_dense, "cudssMatrixCreateDn");
    find(library.matrix_destroy, "cudssMatrixDestroy");
    find(library.execute, "cudssExecute");
    if (!missing.empty()) return;
    int major = 0, minor = 0;
    library.property(0, &major);
    library.property(1, &minor);
    if (major != 1) {
      missing = fmt::format("needs cuDSS 1, and libcudss.so.1 is version {}.{}", major, minor);
      return;
    }
    find_threading_layer();
  }

  void find_threading_layer() {
    Dl_info where{};
    if (!dladdr(reinterpret_cast<void*>(library.create), &where) || !where.dli_fname) return;
    const std::string_view path = where.dli_fname;
    const std::string layer = std::string(path.substr(0, path.rfind('/') + 1)) + "libcudss_mtlayer_gomp.so.1";
    if (dlopen(layer.c_str(), RTLD_NOW | RTLD_LOCAL)) library.threading_layer = layer;
  }
};

const Loaded& loaded() {
  static const Loaded once;
  return once;
}

void check(int status, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  if (status == kSuccess) return;
  if (status == kAllocationFailed)
    throw ResourceError("cudss: the factorization does not fit into memory; try an iterative engine");
  throw solver_error("cudss: failed with status {} ({}:{})", status, file, line);
}

/// A block of columns as the library sees it.
class Dense {
 public:
  Dense(const Library& library, int64_t rows, int64_t columns, const double* data) : library_(library) {
    check(library.matrix_dense(&matrix_, rows, columns, rows, data, kDouble, kColumnMajor));
  }
  ~Dense() { library_.matrix_destroy(matrix_); }
  Dense(const Dense&) = delete;
  Dense& operator=(const Dense&) = delete;
  operator Matrix() const { return matrix_; }

 private:
  const Library& library_;
  Matrix matrix_ = nullptr;
};

}  // namespace

std::optional<std::string> why_missing() {
  return loaded().missing.empty() ? std::nullopt : std::optional(loaded().missing);
}

struct Factorization::State {
  const Library& library = loaded().library;
  DeviceMatrix a;
  Handle handle = nullptr;
  Config config = nullptr;
  Data data = nullptr;
  Matrix matrix = nullptr;
  bool is_factored = false;

  ~State() {
    if (matrix) library.matrix_destroy(matrix);
    if (data) library.data_destroy(handle, data);
    if (config) library.config_destroy(config);
    if (handle) library.destroy(handle);
  }

  template <class T>
  void set(ConfigParameter parameter, T value) {
    check(library.config_set(config, parameter, &value, sizeof value));
  }
  template <class T>
  T get(DataParameter parameter) const {
    T value{};
    size_t written = 0;
    check(library.data_get(handle, data, parameter, &value, sizeof value, &written));
    return value;
  }
  template <class T>
  void give(DataParameter parameter, const std::vector<T>& values) {
    check(library.data_set(handle, data, parameter, values.data(), values.size() * sizeof(T)));
  }
  void run(Phase phase, Matrix x, Matrix b) { check(library.execute(handle, phase, config, data, matrix, x, b)); }
};

Factorization::Factorization(const DeviceMatrix& a, const PartitionTree* tree, const Options& options)
    : state_(std::make_unique<State>()) {
  if (const auto missing = why_missing()) throw ResourceError("cudss: " + *missing);
  State& s = *state_;
  s.a = a;
  const Library& library = s.library;
  check(library.create(&s.handle));
  check(library.set_stream(s.handle, options.stream));
  if (options.memory.allocate) {
    MemoryHandler handler{options.memory.context, options.memory.allocate, options.memory.release, "gridiron"};
    check(library.set_memory(s.handle, &handler));
  }
  if (!library.threading_layer.empty()) check(library.set_threading(s.handle, library.threading_layer.c_str()));
  check(library.config_create(&s.config));
  check(library.data_create(s.handle, &s.data));
  check(library.matrix_csr(&s.matrix, a.rows, a.rows, a.nonzeros, a.row_start, nullptr, a.col, a.value, kInt32, kInt32,
                           kDouble, kPositiveDefinite, kUpperTriangle, kZeroBased));
  s.set(kMatching, kNoMatching);  // which would permute what positive pivots need not
  s.set(kHostThreads, options.host_threads);
  if (options.in_host_memory) s.set(kHybridMemory, 1);
  if (tree) {
    s.set(kTreeLevels, tree->levels);
    s.give(kUserPermutation, tree->order);
    s.give(kUserTree, tree->sizes);
  }
  const Dense unused(library, a.rows, 1, a.value);
  s.run(kAnalysis, unused, unused);
}

Factorization::~Factorization() = default;

int64_t Factorization::peak_bytes() const {
  struct Estimates {
    int64_t device, peak_device, host, peak_host, others[12];
  };
  return state_->get<Estimates>(kMemoryEstimates).peak_device;
}

void Factorization::factorize() {
  State& s = *state_;
  const Dense unused(s.library, s.a.rows, 1, s.a.value);
  s.run(s.is_factored ? kRefactorization : kFactorization, unused, unused);
  s.is_factored = true;
  if (const int pivot = s.get<int>(kInfo); pivot != 0)
    throw solver_error(
        "cudss: the matrix is not positive definite: no usable pivot at position {} of the order of "
        "elimination; is part "
        "of the system not tied to any fixed value, or are its values 15 decades apart?",
        pivot);
}

void Factorization::solve(const double* b, double* x, int64_t k) {
  State& s = *state_;
  const Dense rhs(s.library, s.a.rows, k, b), solution(s.library, s.a.rows, k, x);
  s.run(kSolve, solution, rhs);
}

}  // namespace gridiron::cudss
