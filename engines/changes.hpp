// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>
#include <vector>

#include "engines/problem.hpp"
#include "support/parallel.hpp"

namespace gridiron {

/// Whether two arrays are identical byte by byte: values that compare equal but differ in their bits are different.
template <class T>
bool same_bytes(const std::vector<T>& p, const std::vector<T>& q) {
  if (p.size() != q.size()) return false;
  std::atomic<bool> same = true;
  parallel_ranges(std::ssize(p), [&](int64_t begin, int64_t end) {
    if (same.load(std::memory_order_relaxed) &&
        std::memcmp(p.data() + begin, q.data() + begin, (end - begin) * sizeof(T)) != 0)
      same = false;
  });
  return same;
}

/// Rows [first, last) of a matrix.
struct RowRange {
  int64_t first, last;
  int64_t count() const { return last - first; }
};

/// Rows where the values of a matrix differ from earlier ones in the same sparsity pattern: ascending and disjoint
/// ranges, some of whose rows may be unchanged.
std::vector<RowRange> changed_rows(const CsrMatrix& before, const CsrMatrix& now);

/// Whether more than one in twenty of all entries is now more than four times as large as before, or less than a
/// quarter. Choices based on the magnitude of entries should then be made anew.
bool is_far(const CsrMatrix& before, const CsrMatrix& now);

}  // namespace gridiron
