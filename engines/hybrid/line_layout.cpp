// SPDX-License-Identifier: Apache-2.0
#include "engines/hybrid/line_layout.hpp"

#include <algorithm>
#include <numeric>

#include "support/parallel.hpp"

namespace gridiron {

LineLayout lay_side_by_side(const StrongLines& lines) {
  constexpr std::int64_t kSorted = 1024;
  const std::int64_t slices = (lines.count() + 31) / 32;
  const auto length = [&](std::int32_t line) { return lines.begin[line + 1] - lines.begin[line]; };
  std::vector<std::int32_t> by_length(lines.count());
  std::iota(by_length.begin(), by_length.end(), 0);
  parallel_ranges(
      lines.count(),
      [&](std::int64_t first, std::int64_t last) {
        std::stable_sort(by_length.begin() + first, by_length.begin() + last,
                         [&](std::int32_t a, std::int32_t b) { return length(a) > length(b); });
      },
      kSorted);

  LineLayout layout;
  layout.begin.push_back(0);
  for (std::int64_t s = 0; s < slices; ++s)
    layout.begin.push_back(layout.begin.back() + static_cast<std::int32_t>(length(by_length[32 * s])));
  layout.unknown.resize(std::int64_t{32} * layout.begin.back());
  parallel_ranges(
      slices,
      [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t s = first; s < last; ++s) {
          const std::int64_t steps = layout.begin[s + 1] - layout.begin[s];
          for (std::int64_t l = 0; l < 32; ++l) {
            const std::int64_t k = 32 * s + l;
            const std::int64_t filled = k < lines.count() ? length(by_length[k]) : 0;
            for (std::int64_t t = 0; t < steps; ++t)
              layout.unknown[32 * (layout.begin[s] + t) + l] =
                  t < filled ? lines.order[lines.begin[by_length[k]] + t] : LineLayout::kNobody;
          }
        }
      },
      256);
  return layout;
}

}  // namespace gridiron
