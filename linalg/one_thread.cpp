// SPDX-License-Identifier: Apache-2.0
#include "linalg/one_thread.hpp"

#include <dlfcn.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <vector>

#include "support/error_text.hpp"

namespace gridiron {
namespace {

/// What OpenBLAS maps for a thread that calls it (BUFFER_SIZE of x86-64), and what other threads of this process may
/// take between a look at how much there is and OpenBLAS's taking it.
constexpr size_t kBuffer = size_t{128} << 20, kMeanwhile = size_t{16} << 20;
/// Debian's build has a table of so many; beyond them it prints a warning and makes another one.
constexpr int kMostBuffers = 128;

bool can_map(size_t bytes) {
  void* const at = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return at != MAP_FAILED && ::munmap(at, bytes) == 0;
}

/// Looked up at run time, so that any BLAS can be linked.
class OpenBlas {
 public:
  static OpenBlas& instance() {
    static OpenBlas library;
    return library;
  }

  void enter(int callers) {
    const std::lock_guard lock(mutex_);
    provide_buffers(std::min(callers_ + callers, kMostBuffers));
    callers_ += callers;
    if (guards_++ > 0 || !found_) return;
    threads_before_ = get_num_threads_();
    if (threads_before_ != 1) set_num_threads_(1);
  }
  void leave(int callers) {
    const std::lock_guard lock(mutex_);
    callers_ -= callers;
    if (--guards_ == 0 && found_ && threads_before_ != 1) set_num_threads_(threads_before_);
  }

 private:
  /// OpenBLAS keeps its buffers. To have it make `count`, they are taken all at once.
  void provide_buffers(int count) {
    if (count <= buffers_ || !take_buffer_ || !give_back_buffer_) return;
    std::vector<void*> taken(count);
    if (!can_map(static_cast<size_t>(count - buffers_) * kBuffer + kMeanwhile))
      throw resource_error(
          "out of memory: no {} MB of address space are left for the linear algebra of {} thread{}; raise "
          "the limit (ulimit -v), or lower {}",
          (static_cast<size_t>(count - buffers_) * kBuffer + kMeanwhile) >> 20, count, count == 1 ? "" : "s",
          field("threads"));
    for (void*& buffer : taken) buffer = take_buffer_(0);
    for (void* const buffer : taken) give_back_buffer_(buffer);
    buffers_ = count;
  }

  template <class F>
  static F* find(const char* name) {
    return reinterpret_cast<F*>(dlsym(RTLD_DEFAULT, name));
  }
  int (*const get_num_threads_)() = find<int()>("openblas_get_num_threads");
  void (*const set_num_threads_)(int) = find<void(int)>("openblas_set_num_threads");
  void* (*const take_buffer_)(int) = find<void*(int)>("blas_memory_alloc");
  void (*const give_back_buffer_)(void*) = find<void(void*)>("blas_memory_free");
  const bool found_ = get_num_threads_ && set_num_threads_;
  std::mutex mutex_;
  int guards_ = 0, threads_before_ = 1;
  int callers_ = 0;  ///< of all guards
  int buffers_ = 0;  ///< that OpenBLAS has made, at least
};

}  // namespace

OneBlasThread::OneBlasThread(int callers) : callers_(callers) { OpenBlas::instance().enter(callers); }
OneBlasThread::~OneBlasThread() { OpenBlas::instance().leave(callers_); }

OneThread::OneThread() { omp_set_max_active_levels(0); }
OneThread::~OneThread() { omp_set_max_active_levels(levels_before_); }

}  // namespace gridiron
