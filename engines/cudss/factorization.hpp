// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "engines/direct/dissection.hpp"

namespace gridiron::cudss {

/// Why NVIDIA's cuDSS cannot be used, in one line; none if it can. It is loaded when it is first asked for: version 1
/// by its name, libcudss.so.1, or from where the build found it. Others have different numbers for the same settings.
std::optional<std::string> why_missing();

/// A symmetric positive definite matrix in device memory by compressed sparse rows, both triangles stored. Pattern and
/// values stay where they are as long as a factorization of it exists.
struct DeviceMatrix {
  int64_t rows = 0, nonzeros = 0;
  const int32_t* row_start = nullptr;
  const int32_t* col = nullptr;
  const double* value = nullptr;
};

/// Where cuDSS gets device memory from: a stream-ordered allocator. Both functions return 0 on success.
struct DeviceMemory {
  void* context = nullptr;
  int (*allocate)(void* context, void** data, size_t bytes, void* stream) = nullptr;
  int (*release)(void* context, void* data, size_t bytes, void* stream) = nullptr;
};

/// A = L Lᵀ by cuDSS, on the GPU that is current, in the order of a cudaStream_t.
class Factorization {
 public:
  struct Options {
    void* stream = nullptr;
    int host_threads = 1;
    DeviceMemory memory = {};
    bool in_host_memory = false;  ///< factors live in host memory and visit the device (cuDSS's hybrid memory mode)
  };

  /// Orders the unknowns by `tree`, or by cuDSS's own nested dissection, and finds the pattern of the factor. Errors:
  /// ResourceError when there is no library or too little memory, SolverError.
  Factorization(const DeviceMatrix& a, const PartitionTree* tree, const Options& options);
  ~Factorization();
  Factorization(const Factorization&) = delete;
  Factorization& operator=(const Factorization&) = delete;

  /// Device memory that the factor will take at its peak, as cuDSS estimates it.
  int64_t peak_bytes() const;

  /// With the values that the matrix has now. Errors: those above; SolverError when it is not positive definite.
  void factorize();
  /// X = A⁻¹ B for n × k blocks in device memory. Errors: as above.
  void solve(const double* b, double* x, int64_t k);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gridiron::cudss
