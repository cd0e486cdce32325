// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace gridiron {

/// While it lives, OpenBLAS and OpenMP regions that this thread enters run on one thread; for calls into libraries.
///
/// OpenBLAS splits its sums by the number of threads: with one, factors are bitwise the same on every machine. CHOLMOD
/// 3.0 asks for four OpenMP threads for every supernode, however small; on two cores, switching that off makes the
/// factorization of a million-node Poisson matrix 26 % and that of ibmpg2 42 % cheaper. Both switches are process-wide.
/// A BLAS other than OpenBLAS is left as it is.
class OneThread {
 public:
  OneThread();
  ~OneThread();
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  int blas_threads_;
  int openmp_levels_;
};

}  // namespace gridiron
