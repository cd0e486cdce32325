// SPDX-License-Identifier: Apache-2.0
#include "engines/direct/one_thread.hpp"

#include <dlfcn.h>
#include <omp.h>

namespace gridiron {
namespace {

/// Looked up at run time, so that any BLAS can be linked.
struct OpenBlas {
  template <class F>
  static F* find(const char* name) {
    return reinterpret_cast<F*>(dlsym(RTLD_DEFAULT, name));
  }
  int (*const get_num_threads)() = find<int()>("openblas_get_num_threads");
  void (*const set_num_threads)(int) = find<void(int)>("openblas_set_num_threads");
  const bool found = get_num_threads && set_num_threads;
};

const OpenBlas& openblas() {
  static const OpenBlas library;
  return library;
}

}  // namespace

OneThread::OneThread()
    : blas_threads_(openblas().found ? openblas().get_num_threads() : 1), openmp_levels_(omp_get_max_active_levels()) {
  if (openblas().found) openblas().set_num_threads(1);
  omp_set_max_active_levels(0);
}

OneThread::~OneThread() {
  omp_set_max_active_levels(openmp_levels_);
  if (openblas().found) openblas().set_num_threads(blas_threads_);
}

}  // namespace gridiron
