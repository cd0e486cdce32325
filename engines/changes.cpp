// SPDX-License-Identifier: Apache-2.0
#include "engines/changes.hpp"

#include <algorithm>
#include <cmath>

namespace gridiron {
namespace {

constexpr int64_t kRowsOfBlock = 4096;
constexpr double kFar = 4;
constexpr int64_t kOneIn = 20;

bool is_far(double before, double now) {
  const double p = std::abs(before), q = std::abs(now);
  return !(q <= kFar * p && p <= kFar * q);
}

/// A block of rows, and the range of its entries.
struct RowBlock {
  int64_t first, last, begin, end;

  RowBlock(const CsrMatrix& a, int64_t number)
      : first(number * kRowsOfBlock),
        last(std::min(a.rows, first + kRowsOfBlock)),
        begin(a.row_ptr[first]),
        end(a.row_ptr[last]) {}

  bool has_same_values(const CsrMatrix& p, const CsrMatrix& q) const {
    return std::memcmp(p.value.data() + begin, q.value.data() + begin, (end - begin) * sizeof(double)) == 0;
  }
};

int64_t blocks_of(const CsrMatrix& a) { return (a.rows + kRowsOfBlock - 1) / kRowsOfBlock; }

}  // namespace

std::vector<RowRange> changed_rows(const CsrMatrix& before, const CsrMatrix& now) {
  const int64_t blocks = blocks_of(now);
  std::vector<uint8_t> changed(blocks, 0);
  parallel_tasks(blocks, [&](int64_t b) { changed[b] = !RowBlock(now, b).has_same_values(before, now); });
  std::vector<RowRange> rows;
  for (int64_t b = 0; b < blocks; ++b) {
    if (!changed[b]) continue;
    const RowBlock block(now, b);
    if (!rows.empty() && rows.back().last == block.first)
      rows.back().last = block.last;
    else
      rows.push_back({block.first, block.last});
  }
  return rows;
}

bool is_far(const CsrMatrix& before, const CsrMatrix& now) {
  std::atomic<int64_t> far = 0;
  parallel_tasks(blocks_of(now), [&](int64_t b) {
    const RowBlock block(now, b);
    if (block.has_same_values(before, now)) return;
    int64_t count = 0;
    for (int64_t k = block.begin; k < block.end; ++k) count += is_far(before.value[k], now.value[k]);
    far += count;
  });
  return far * kOneIn > now.nonzeros();
}

}  // namespace gridiron
