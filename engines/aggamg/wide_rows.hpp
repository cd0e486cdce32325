// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "engines/aggamg/coarsen.hpp"

namespace gridiron::aggamg {

/// Entries of a row, padding included.
template <class D>
GRIDIRON_HOST_DEVICE int64_t length_of(const SellPatternView<D>& a, int64_t i) {
  const int64_t s = i / 32, width = a.begin[s + 1] - a.begin[s];
  if (a.tail[s] < 0) return width;
  const int64_t t = a.tail[s] + i % 32;
  return width + a.tail_begin[t + 1] - a.tail_begin[t];
}

/// The coarse rows that many fine entries form, hubs above all: a thread that gathers such a row by itself would keep
/// all others waiting. Their entries are sorted together instead, as the paper sorts those of the whole matrix (§3.1),
/// by coarse row and column: each group becomes one coarse entry.
template <class D>
struct WideRows {
  /// Rows of more are wide. On a GPU one thread with 512 entries keeps all others waiting: with 128 the setup of
  /// openroad 1 M takes an H200 7.0 instead of 8.7 ms, of porous3d 220³ 12.0 instead of 13.3.
  static constexpr int32_t kEntries = D::shares_host_memory ? 512 : 128, kColumns = 64;

  Array<D, int32_t> is_wide;      ///< per coarse row
  Array<D, int32_t> row, groups;  ///< the wide ones, ascending; where the groups of each begin, and one more
  Array<D, int32_t> begin, end;   ///< of each group; entries within an aggregate lie between groups
  Array<D, int32_t> entry, node;  ///< fine entries and their rows, group by group
  Array<D, int32_t> target;       ///< of each group: which entry of the coarse matrix

  int64_t count() const { return row.size(); }
  int64_t bytes() const { return bytes_of(is_wide, row, groups, begin, end, entry, node, target); }
};

/// Fills wide.row from wide.is_wide. False if there is none.
template <class D>
bool number_wide_rows(WideRows<D>& wide) {
  const auto is_wide = wide.is_wide.view();
  const int64_t rows = is_wide.size();
  Array<D, int32_t> number_array(rows + 1);
  const auto number = number_array.view();
  const int32_t count = D::exclusive_scan(is_wide, number);
  if (count == 0) return false;
  wide.row = Array<D, int32_t>(count);
  const auto wide_row = wide.row.view();
  D::for_each(
      rows, GRIDIRON_KERNEL(int64_t r) {
        if (is_wide[r]) wide_row[number[r]] = static_cast<int32_t>(r);
      });
  return true;
}

/// The fine entries of wide rows.
template <class D>
struct WideEntries {
  Array<D, int32_t> entry, node, column;  ///< and their rows and coarse columns, member after member
  Array<D, int32_t> by_column, by_row;    ///< entry number by_column[by_row[p]] is at p of those by row and column
  Array<D, int32_t> begin;                ///< per coarse row: where its own begin, and one more
};

template <class D>
WideEntries<D> gather_entries(const SellPatternView<D>& a, const Aggregates<D>& aggregates, const WideRows<D>& wide) {
  const int64_t rows = aggregates.count, n = a.rows;
  const auto of_node = aggregates.of_node.view(), members = aggregates.members.view(), is_wide = wide.is_wide.view();
  Array<D, int32_t> room_array(n), start_array(n + 1);
  const auto room = room_array.view(), start = start_array.view();
  D::for_each(
      n, GRIDIRON_KERNEL(int64_t m) {
        const int64_t i = members[m];
        room[m] = is_wide[of_node[i]] ? static_cast<int32_t>(length_of<D>(a, i)) : 0;
      });
  const int32_t total = D::exclusive_scan(room, start);
  WideEntries<D> all;
  for (auto* array : {&all.entry, &all.node, &all.column, &all.by_column, &all.by_row})
    *array = Array<D, int32_t>(total);
  all.begin = Array<D, int32_t>(rows + 1);
  Array<D, int32_t> row_array(total);
  const auto entry = all.entry.view(), node = all.node.view(), column = all.column.view(),
             by_column = all.by_column.view(), row = row_array.view();
  D::for_each(
      total, GRIDIRON_KERNEL(int64_t t) {
        int64_t low = 0, high = n;  // the last member that begins at or before t
        while (high - low > 1) {
          const int64_t middle = (low + high) / 2;
          (start[middle] <= t ? low : high) = middle;
        }
        const int32_t i = members[low];
        const int64_t e = a.entry(i, t - start[low]);
        node[t] = i;
        entry[t] = static_cast<int32_t>(e);
        column[t] = of_node[a.col[e]];
      });
  D::group_by(column, rows, all.begin.view(), by_column);
  D::for_each(
      total, GRIDIRON_KERNEL(int64_t t) { row[t] = of_node[node[by_column[t]]]; });
  D::group_by(row, rows, all.begin.view(), all.by_row.view());
  return all;
}

/// The entries of wide rows, sorted.
template <class D>
struct SortedEntries {
  View<D, const int32_t> node, column, of_node;

  /// Whether entry p is of another coarse row or column than entry q.
  GRIDIRON_HOST_DEVICE bool differ(int64_t p, int64_t q) const {
    return column[q] != column[p] || of_node[node[q]] != of_node[node[p]];
  }
};

/// Finds the groups of the rows that is_wide marks. Fills `length`, the number of different columns, for these rows,
/// and for each group `target`: its place among the columns of its row, which ascend.
template <class D>
void find_groups(const SellPatternView<D>& a, const Aggregates<D>& aggregates, WideRows<D>& wide,
                 View<D, int32_t> length) {
  if (!number_wide_rows(wide)) return;
  const WideEntries<D> all = gather_entries(a, aggregates, wide);
  const int64_t total = all.entry.size(), count = wide.count();
  for (auto* array : {&wide.entry, &wide.node}) *array = Array<D, int32_t>(total);
  Array<D, int32_t> head_array(total), place_array(total + 1), column_array(total);
  const auto entry = all.entry.view(), node = all.node.view(), column = all.column.view(),
             by_column = all.by_column.view(), by_row = all.by_row.view(), begin = all.begin.view();
  const auto sorted_entry = wide.entry.view(), sorted_node = wide.node.view(), head = head_array.view(),
             place = place_array.view(), sorted_column = column_array.view();
  D::for_each(
      total, GRIDIRON_KERNEL(int64_t p) {
        const int32_t t = by_column[by_row[p]];
        sorted_entry[p] = entry[t];
        sorted_node[p] = node[t];
        sorted_column[p] = column[t];
      });
  // Which ones begin a group, and which coarse entry each group becomes.
  const auto of_node = aggregates.of_node.view();
  const SortedEntries<D> sorted{sorted_node, sorted_column, of_node};
  D::for_each(
      total, GRIDIRON_KERNEL(int64_t p) {
        const bool is_first = p == 0 || sorted.differ(p, p - 1);
        head[p] = is_first && sorted_column[p] != of_node[sorted_node[p]];
      });
  const int32_t groups = D::exclusive_scan(head, place);
  for (auto* array : {&wide.begin, &wide.end, &wide.target}) *array = Array<D, int32_t>(groups);
  wide.groups = Array<D, int32_t>(count + 1);
  const auto group_begin = wide.begin.view(), group_end = wide.end.view(), slot = wide.target.view(),
             first_group = wide.groups.view(), wide_row = wide.row.view();
  D::for_each(
      total, GRIDIRON_KERNEL(int64_t p) {
        const int32_t r = of_node[sorted_node[p]];
        if (sorted_column[p] == r) return;
        const int32_t group = place[p + 1] - 1;
        if (head[p]) {
          group_begin[group] = static_cast<int32_t>(p);
          slot[group] = group - place[begin[r]];
        }
        if (p + 1 == total || sorted.differ(p, p + 1)) group_end[group] = static_cast<int32_t>(p + 1);
      });
  D::for_each(
      count, GRIDIRON_KERNEL(int64_t w) {
        const int32_t r = wide_row[w];
        first_group[w] = place[begin[r]];
        length[r] = place[begin[r + 1]] - place[begin[r]];
        if (w + 1 == count) first_group[count] = groups;
      });
}

}  // namespace gridiron::aggamg
