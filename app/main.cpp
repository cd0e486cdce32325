// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <malloc.h>
#include <omp.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "app/command_line.hpp"
#include "app/session/analysis_options.hpp"
#include "support/parallel.hpp"

namespace {

/// What one step of an analysis frees serves the next, on whatever thread, instead of going back to the system, which
/// has to clear every page that it hands out again: a quarter of the processor time of a million nodes. Huge pages for
/// the heap are not asked for: 10 million nodes take a tenth less time with them on some hosts of 16 cores, but a tenth
/// more on a virtual machine of two, where such pages are always new.
void keep_freed_memory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, -1);
  mallopt(M_ARENA_MAX, 1);
#endif
}

/// A standard stream that is closed would give its number to the next file opened: what is printed would go into it.
/// Closed ones become streams that nothing can be read from or written to.
void keep_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(stream, F_GETFD) < 0 && errno == EBADF)
      ::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);  // the lowest number that is free: this one
}

/// What is free by now goes back to the system on all threads: as a process ends, one core takes 0.07 s per GB for it.
void give_back_freed_memory() {
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
  constexpr size_t kPart = size_t{64} << 20;
  rlimit address_space{};  // where the heap is in pieces, parts may take more of it
  if (::getrlimit(RLIMIT_AS, &address_space) != 0 || address_space.rlim_cur != RLIM_INFINITY) return;
  std::vector<void*> parts(mallinfo2().fordblks / kPart);
  for (void*& part : parts) part = std::malloc(kPart);
  std::erase(parts, nullptr);
  const uintptr_t page = ::sysconf(_SC_PAGESIZE);
  gridiron::parallel_tasks(std::ssize(parts), [&](int64_t k) {
    const uintptr_t part = reinterpret_cast<uintptr_t>(parts[k]), begin = (part + page - 1) / page * page,
                    end = (part + kPart) / page * page;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): an address within a part
    ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
  });
#endif
}

}  // namespace

int main(int argc, char** argv) {
  keep_standard_streams();
  std::signal(SIGXFSZ, SIG_IGN);  // a write beyond `ulimit -f` fails like one to a full disk
  keep_freed_memory();
  gridiron::use_threads(omp_get_max_threads());  // OMP_NUM_THREADS may ask for any number
  const int code = gridiron::run_command_line(argc, argv);
  give_back_freed_memory();
  return code;
}
