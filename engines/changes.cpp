// SPDX-License-Identifier: Apache-2.0
#include "engines/changes.hpp"

#include <algorithm>
#include <cmath>

namespace gridiron {
namespace {

constexpr std::int64_t kRowsOfBlock = 4096;
constexpr double kFar = 4;
constexpr std::int64_t kOneIn = 20;

bool is_far(double before, double now) {
  const double p = std::abs(before), q = std::abs(now);
  return !(q <= kFar * p && p <= kFar * q);
}

}  // namespace

Changes changes_between(const CsrMatrix& before, const CsrMatrix& now) {
  const std::int64_t blocks = (now.rows + kRowsOfBlock - 1) / kRowsOfBlock;
  std::vector<std::uint8_t> changed(blocks, 0);
  std::atomic<std::int64_t> far = 0;
  parallel_tasks(blocks, [&](std::int64_t block) {
    const std::int64_t begin = now.row_ptr[block * kRowsOfBlock],
                       end = now.row_ptr[std::min(now.rows, (block + 1) * kRowsOfBlock)];
    changed[block] = std::memcmp(before.value.data() + begin, now.value.data() + begin,
                                 static_cast<std::size_t>(end - begin) * sizeof(double)) != 0;
    if (!changed[block]) return;
    std::int64_t count = 0;
    for (std::int64_t k = begin; k < end; ++k) count += is_far(before.value[k], now.value[k]);
    far += count;
  });
  Changes changes;
  for (std::int64_t block = 0; block < blocks; ++block) {
    if (!changed[block]) continue;
    const std::int64_t first = block * kRowsOfBlock, last = std::min(now.rows, first + kRowsOfBlock);
    if (!changes.rows.empty() && changes.rows.back().last == first)
      changes.rows.back().last = last;
    else
      changes.rows.push_back({first, last});
  }
  changes.is_far = far * kOneIn > now.nonzeros();
  return changes;
}

}  // namespace gridiron
