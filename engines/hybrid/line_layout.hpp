// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "engines/hybrid/strong_lines.hpp"

namespace gridiron {

/// Lines side by side: 32 of about equal length form a slice, and row 32·(begin[s] + t) + l is unknown t of line l of
/// slice s. What a warp of a GPU or the lanes of a CPU do to 32 lines at once then lies side by side in memory, and a
/// step of a slice is a slice of a SellMatrix. Shorter lines end in rows that stand for no unknown: their equation is
/// x = 0.
struct LineLayout {
  static constexpr std::int32_t kNobody = -1;

  std::vector<std::int32_t> begin;    ///< slices + 1: steps before each slice
  std::vector<std::int32_t> unknown;  ///< per row; kNobody where there is none

  std::int64_t slices() const { return static_cast<std::int64_t>(begin.size()) - 1; }
  std::int64_t rows() const { return static_cast<std::int64_t>(unknown.size()); }
};

/// Lines are ordered by length among 1024 consecutive ones: near unknowns stay near, and few rows stand for nobody.
LineLayout lay_side_by_side(const StrongLines& lines);

}  // namespace gridiron
