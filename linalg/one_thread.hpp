// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <omp.h>

namespace gridiron {

/// RAII guard: OpenBLAS uses one thread per call, so that its sums do not depend on the machine. OpenBLAS has one
/// setting per process: the first of several concurrent guards changes it and the last one restores it; with
/// OPENBLAS_NUM_THREADS=1, as the command-line tool sets it, nothing is ever changed.
///
/// It also has OpenBLAS allocate what each of `callers` threads needs that call it at once, 128 MB of address space,
/// as OpenBLAS tries for ever where memory is denied (`ulimit -v`). Errors: ResourceError if there is not so much.
class OneBlasThread {
 public:
  explicit OneBlasThread(int callers = omp_get_max_threads());
  ~OneBlasThread();
  OneBlasThread(const OneBlasThread&) = delete;
  OneBlasThread& operator=(const OneBlasThread&) = delete;

 private:
  int callers_;
};

/// RAII guard: a OneBlasThread for the calling thread, whose OpenMP regions also run on one thread. For calls into
/// libraries: CHOLMOD 3.0 asks for four threads for every supernode, however small; on two cores, switching that off
/// makes the factorization of a million-node Poisson matrix 26 % and that of ibmpg2 42 % cheaper.
///
/// The OpenMP setting is local to the calling thread.
class OneThread {
 public:
  OneThread();
  ~OneThread();
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  OneBlasThread blas_{1};
  int levels_before_ = omp_get_max_active_levels();
};

}  // namespace gridiron
