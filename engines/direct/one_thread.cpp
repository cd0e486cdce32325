// SPDX-License-Identifier: Apache-2.0
#include "engines/direct/one_thread.hpp"

#include <dlfcn.h>

#include <mutex>

namespace gridiron {
namespace {

/// Looked up at run time, so that any BLAS can be linked.
class OpenBlas {
 public:
  static OpenBlas& instance() {
    static OpenBlas library;
    return library;
  }

  void enter() {
    const std::lock_guard lock(mutex_);
    if (guards_++ > 0 || !found_) return;
    threads_before_ = get_num_threads_();
    if (threads_before_ != 1) set_num_threads_(1);
  }
  void leave() {
    const std::lock_guard lock(mutex_);
    if (--guards_ == 0 && found_ && threads_before_ != 1) set_num_threads_(threads_before_);
  }

 private:
  template <class F>
  static F* find(const char* name) {
    return reinterpret_cast<F*>(dlsym(RTLD_DEFAULT, name));
  }
  int (*const get_num_threads_)() = find<int()>("openblas_get_num_threads");
  void (*const set_num_threads_)(int) = find<void(int)>("openblas_set_num_threads");
  const bool found_ = get_num_threads_ && set_num_threads_;
  std::mutex mutex_;
  int guards_ = 0, threads_before_ = 1;
};

}  // namespace

OneBlasThread::OneBlasThread() { OpenBlas::instance().enter(); }
OneBlasThread::~OneBlasThread() { OpenBlas::instance().leave(); }

OneThread::OneThread() { omp_set_max_active_levels(0); }
OneThread::~OneThread() { omp_set_max_active_levels(levels_before_); }

}  // namespace gridiron
