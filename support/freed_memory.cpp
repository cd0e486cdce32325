// SPDX-License-Identifier: Apache-2.0
#include "support/freed_memory.hpp"

#include <omp.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "support/memory.hpp"
#include "support/parallel.hpp"

namespace gridiron {
namespace {

bool is_kept = false;

bool is_address_space_limited() {
  rlimit address_space{};
  return ::getrlimit(RLIMIT_AS, &address_space) != 0 || address_space.rlim_cur != RLIM_INFINITY;
}

/// The first and the last multiple of `page` in a block.
struct WholePages {
  uintptr_t begin, end;
  WholePages(void* block, size_t bytes, uintptr_t page)
      : begin((reinterpret_cast<uintptr_t>(block) + page - 1) / page * page),
        end((reinterpret_cast<uintptr_t>(block) + bytes) / page * page) {}
  void advise(int advice) const {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): an address within the block
    if (begin < end) ::madvise(reinterpret_cast<void*>(begin), end - begin, advice);
  }
};

}  // namespace

void keep_freed_memory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, -1);
  mallopt(M_ARENA_MAX, 1);
  is_kept = true;
#endif
}

void expect_memory(size_t bytes) {
#ifdef MADV_HUGEPAGE
  constexpr int kManyThreads = 8;
  constexpr size_t kHugePage = size_t{2} << 20, kWorthIt = 16 * kHugePage;
  if (!is_kept || bytes < kWorthIt || is_address_space_limited()) return;
  if (static_cast<int64_t>(bytes) > usable_memory_bytes() / 2) return;
  void* const heap = std::malloc(bytes);  // its end, which is free again below
  if (!heap) return;
  if (std::min(omp_get_max_threads(), omp_get_num_procs()) >= kManyThreads)
    WholePages(heap, bytes, kHugePage).advise(MADV_HUGEPAGE);
  std::free(heap);
#endif
}

void give_back_freed_memory() {
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
  constexpr size_t kPart = size_t{64} << 20;
  if (is_address_space_limited()) return;  // where the heap is in pieces, parts may take more of it
  std::vector<void*> parts(mallinfo2().fordblks / kPart);
  for (void*& part : parts) part = std::malloc(kPart);
  std::erase(parts, nullptr);
  const uintptr_t page = ::sysconf(_SC_PAGESIZE);
  parallel_tasks(std::ssize(parts), [&](int64_t k) { WholePages(parts[k], kPart, page).advise(MADV_DONTNEED); });
#endif
}

}  // namespace gridiron
