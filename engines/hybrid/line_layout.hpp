// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/hybrid/strong_lines.hpp"

namespace gridiron {

/// Lines side by side: 32 of about equal length form a slice, and row 32·(begin[s] + t) + l is unknown t of line l of
/// slice s. What a warp of a GPU or the lanes of a CPU process for 32 lines at once is then contiguous in memory, and a
/// step of a slice is a slice of a SellMatrix. Shorter lines end in padding rows, which represent no unknown: their
/// equation is x = 0.
template <class D>
struct LineLayout {
  static constexpr int32_t kPadding = -1;

  int longest = 1;            ///< no slice has more steps
  Array<D, int32_t> begin;    ///< slices + 1: steps before each slice
  Array<D, int32_t> unknown;  ///< per row; kPadding for padding rows
};

/// Lines, numbered by their lower ends, in an order.
template <class D>
struct OrderedLines {
  Array<D, int32_t> lower_end, order;
};

/// By length within windows of 1024 consecutive ones: neighbouring unknowns stay close, and few rows are padding.
template <class D>
OrderedLines<D> order_by_length(const StrongLines<D>& lines) {
  constexpr int64_t kSorted = 1024;
  const int32_t longest = lines.longest();
  const View<D, const PathNode> node = lines.nodes();
  const int64_t n = node.size();
  Array<D, int32_t> is_lower_array(n), number_array(n + 1);
  const auto is_lower = is_lower_array.view(), number = number_array.view();
  D::for_each(
      n, GRIDIRON_KERNEL(int64_t i) { is_lower[i] = node[i].is_end() && node[i].other_end >= i; });
  const int64_t count = D::exclusive_scan(is_lower, number);

  OrderedLines<D> ordered{Array<D, int32_t>(count), Array<D, int32_t>(count)};
  Array<D, int32_t> key_array(count);
  const auto lower_end = ordered.lower_end.view(), key = key_array.view();
  D::for_each(
      n, GRIDIRON_KERNEL(int64_t i) {
        if (!is_lower[i]) return;
        lower_end[number[i]] = static_cast<int32_t>(i);
        key[number[i]] = static_cast<int32_t>(number[i] / kSorted * longest + (longest - node[i].length));
      });
  const int64_t groups = (count + kSorted - 1) / kSorted * longest;
  Array<D, int32_t> group_begin(groups + 1);
  D::group_by(key, groups, group_begin.view(), ordered.order.view());
  return ordered;
}

template <class D>
LineLayout<D> lay_side_by_side(const StrongLines<D>& lines) {
  const OrderedLines<D> ordered = order_by_length(lines);
  const auto lower_end = ordered.lower_end.view(), by_length = ordered.order.view();
  const View<D, const PathNode> node = lines.nodes();
  const int64_t count = lower_end.size();
  const int64_t slices = (count + 31) / 32;
  Array<D, int32_t> steps_array(slices);
  const auto steps = steps_array.view();
  LineLayout<D> layout;
  layout.longest = lines.longest();
  layout.begin = Array<D, int32_t>(slices + 1);
  const auto begin = layout.begin.view();
  D::for_each(
      slices, GRIDIRON_KERNEL(int64_t s) {
        int32_t most = 0;  // also of two windows that share a slice
        for (int64_t k = 32 * s; k < 32 * s + 32 && k < count; ++k) {
          const int32_t of_line = node[lower_end[by_length[k]]].length;
          most = of_line > most ? of_line : most;
        }
        steps[s] = most;
      });
  const int64_t all_steps = D::exclusive_scan(steps, begin);
  layout.unknown = Array<D, int32_t>(32 * all_steps);
  const auto unknown = layout.unknown.view();
  D::for_each(
      32 * slices, GRIDIRON_KERNEL(int64_t k) {
        const int64_t s = k / 32, end = int64_t{32} * begin[s + 1];
        int32_t at = k < count ? lower_end[by_length[k]] : LineLayout<D>::kPadding, before = at;
        for (int64_t row = int64_t{32} * begin[s] + k % 32; row < end; row += 32) {
          unknown[row] = at;
          if (at == LineLayout<D>::kPadding) continue;
          const PathNode here = node[at];
          const int32_t next = here.first != before ? here.first : here.second;
          before = at;
          at = next;
        }
      });
  return layout;
}

}  // namespace gridiron
