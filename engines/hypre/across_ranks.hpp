// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>

#include "device/cpu_device.hpp"
#include "engines/hypre/hypre_library.hpp"

namespace gridiron::hypre {

/// The processes that share a system, and this one's place among them.
struct Ranks {
  MPI_Comm communicator{};
  int count = 1, rank = 0;
};

/// A CPU that holds a part of every vector: loops run over the part, sums and maxima over all of them. The processes
/// are those of the innermost Among of the calling thread. With it the outer iteration is our flexible CG or GMRES
/// rather than hypre's, so that stop rules, stop requests and true residuals are those of all engines.
struct AcrossRanks : CpuDevice, SynchronousSums<AcrossRanks> {
  class Among {
   public:
    explicit Among(const Ranks& ranks) : before_(std::exchange(current_, &ranks)) {}
    ~Among() { current_ = before_; }
    Among(const Among&) = delete;
    Among& operator=(const Among&) = delete;

   private:
    const Ranks* before_;
  };

  template <int K, class F>
  static Sums<K> sum(int64_t n, F f) {
    return of_all<K>(CpuDevice::sum<K>(n, f));
  }
  template <int K, class F>
  static Sums<K> sum_of_columns(int64_t n, F f) {
    return of_all<K>(CpuDevice::sum_of_columns<K>(n, f));
  }
  using SynchronousSums<AcrossRanks>::sum_of_columns_then;
  template <std::same_as<double> Value = double, class F>
  static Value max(int64_t n, F f) {
    double largest = CpuDevice::max(n, f);
    reduce(&largest, 1, Library::started().largest);
    return largest;
  }

 private:
  template <int K>
  static Sums<K> of_all(Sums<K> mine) {
    reduce(&mine[0], K, Library::started().plus);
    return mine;
  }
  static void reduce(double* values, int count, MPI_Op operation) {
    const Library& hypre = Library::started();
    if (current_->count > 1)
      hypre.mpi_Allreduce(MPI_IN_PLACE, values, count, hypre.real, operation, current_->communicator);
  }

  static inline thread_local const Ranks* current_ = nullptr;
};

}  // namespace gridiron::hypre
