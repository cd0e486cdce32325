// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>

#include "engines/aggamg/coarsen.hpp"
#include "engines/aggamg/level.hpp"
#include "support/error.hpp"

namespace gridiron::aggamg {

/// A fine entry being gathered into its coarse row: its coarse column and its index in the fine matrix.
struct Relabelled {
  std::int32_t col;
  std::int64_t source;
};

/// Sorts by column, in place, by Shell's method.
template <class V>
GRIDIRON_HOST_DEVICE void sort_by_column(const V& entries, std::int64_t begin, std::int64_t end) {
  for (std::int64_t gap = (end - begin) * 4 / 9; gap > 0; gap = gap > 2 ? gap * 4 / 9 : gap - 1) {
    for (std::int64_t i = begin + gap; i < end; ++i) {
      const Relabelled moving = entries[i];
      std::int64_t j = i;
      for (; j >= begin + gap && moving.col < entries[j - gap].col; j -= gap) entries[j] = entries[j - gap];
      entries[j] = moving;
    }
  }
}

/// Numbers the different coarse columns of each coarse row in the order of first appearance: slot[e] is that of fine
/// entry e, −1 when it stays within its aggregate; length[r] is how many there are. A few columns are looked up in
/// registers; rows with more columns are sorted in separate memory.
template <class D, class T>
void number_columns(const SellView<D, T>& a, const Aggregates<D>& aggregates, View<D, std::int32_t> slot,
                    View<D, std::int32_t> length) {
  constexpr std::int32_t kFew = 64;
  const std::int64_t rows = aggregates.count;
  const View<D, const std::int32_t> of_node = aggregates.of_node.view(), begin = aggregates.begin.view(),
                                    members = aggregates.members.view();
  Array<D, std::int32_t> room_array(rows);
  const View<D, std::int32_t> room = room_array.view();
  D::for_each_row(
      rows, GRIDIRON_KERNEL(std::int64_t r) {
        std::int32_t seen[kFew];
        std::int32_t different = 0, entries = 0;
        for (std::int32_t m = begin[r]; m < begin[r + 1]; ++m) {
          for (const std::int64_t e : a.entries(members[m])) {
            const std::int32_t column = of_node[a.col[e]];
            ++entries;
            if (column == r) {
              slot[e] = -1;
              continue;
            }
            std::int32_t k = 0;
            while (k < different && k < kFew && seen[k] != column) ++k;
            if (k == different) {
              if (k < kFew) seen[k] = column;
              ++different;
            }
            slot[e] = k;
          }
        }
        length[r] = different;
        room[r] = different > kFew ? entries : 0;
      });

  Array<D, std::int64_t> start_array(rows + 1);
  const View<D, std::int64_t> start = start_array.view();
  const std::int64_t total =
      D::template exclusive_scan<std::int32_t, std::int64_t>(View<D, const std::int32_t>(room), start);
  if (total == 0) return;
  Array<D, Relabelled> relabelled_array(total);
  const View<D, Relabelled> relabelled = relabelled_array.view();
  D::for_each_row(
      rows, GRIDIRON_KERNEL(std::int64_t r) {
        if (room[r] == 0) return;
        std::int64_t at = start[r];
        for (std::int32_t m = begin[r]; m < begin[r + 1]; ++m)
          for (const std::int64_t e : a.entries(members[m])) relabelled[at++] = {of_node[a.col[e]], e};
        sort_by_column(relabelled, start[r], at);
        std::int32_t different = 0, last = -1;
        for (std::int64_t k = start[r]; k < at; ++k) {
          if (relabelled[k].col == r) {
            slot[relabelled[k].source] = -1;
            continue;
          }
          different += relabelled[k].col != last;
          last = relabelled[k].col;
          slot[relabelled[k].source] = different - 1;
        }
        length[r] = different;
      });
}

/// Values of the coarse matrix from those of the fine one: the segmented reduction of §3.1 alone. Each coarse row sums
/// the entries of its members where `fine.target` says. The diagonal follows from the row sum: adding up the diagonals
/// and the entries within the aggregate would suffer cancellation in fp32 where these are far larger than the couplings
/// that leave it.
template <class D, class T>
void coarse_values(const Level<D, T>& fine, Level<D, T>& coarse) {
  const SellView<D, T> a = fine.matrix(), c = std::as_const(coarse).matrix();
  const View<D, const T> diagonal = fine.diagonal.view();
  const View<D, const double> row_sum = fine.row_sum.view();
  const View<D, const std::int32_t> begin = fine.aggregates.begin.view(), members = fine.aggregates.members.view(),
                                    target = fine.target.view();
  const View<D, T> value = coarse.value.view(), coarse_diagonal = coarse.diagonal.view();
  const View<D, double> coarse_row_sum = coarse.row_sum.view();
  D::for_each_row(
      c.rows, GRIDIRON_KERNEL(std::int64_t r) {
        for (const std::int64_t e : c.entries(r)) value[e] = 0;
        double sum = 0, leaving = 0;
        for (std::int32_t m = begin[r]; m < begin[r + 1]; ++m) {
          const T d = diagonal[members[m]];
          sum += row_sum[members[m]];
          for (const std::int64_t e : a.entries(members[m])) {
            if (target[e] < 0) continue;
            const T v = d * a.value[e];
            value[target[e]] += v;
            leaving += v;
          }
        }
        const double own = sum - leaving, inverse = own != 0 ? 1 / own : 0;
        for (const std::int64_t e : c.entries(r)) value[e] = static_cast<T>(inverse * value[e]);
        coarse_diagonal[r] = static_cast<T>(own);
        coarse_row_sum[r] = sum;
      });
}

/// The Galerkin product Pᵀ A P for piecewise constant P over fine.aggregates. The paper sorts all entries of the matrix
/// together; here the members of an aggregate are known, so each coarse row is gathered by itself. P is not normalised:
/// PᵀP = I only rescales coarse unknowns, to which Jacobi smoothing and Krylov cycles are indifferent. Fills
/// fine.target, so that new values cost one pass.
template <class D, class T>
Level<D, T> galerkin_product(Level<D, T>& fine) {
  const std::int64_t rows = fine.aggregates.count;
  const SellView<D, T> a = fine.matrix();
  fine.target = Array<D, std::int32_t>(a.col.size());
  Array<D, std::int32_t> length(rows);
  number_columns<D, T>(a, fine.aggregates, fine.target.view(), length.view());

  auto pattern = std::make_shared<SellPattern<D>>(sell_pattern<D>(rows, std::as_const(length).view()));
  if (pattern->col.size() > std::numeric_limits<std::int32_t>::max())
    throw ResourceError("aggamg: the matrix has more entries than 32 bits can number");
  const SellPatternView<D> c(*pattern);
  const View<D, const std::int32_t> of_node = fine.aggregates.of_node.view(), begin = fine.aggregates.begin.view(),
                                    members = fine.aggregates.members.view();
  const View<D, std::int32_t> target = fine.target.view(), col = pattern->col.view();
  D::for_each_row(
      rows, GRIDIRON_KERNEL(std::int64_t r) {
        for (std::int32_t m = begin[r]; m < begin[r + 1]; ++m)
          for (const std::int64_t e : a.entries(members[m])) {
            if (target[e] < 0) continue;
            const std::int64_t place = c.entry(r, target[e]);
            target[e] = static_cast<std::int32_t>(place);
            col[place] = of_node[a.col[e]];
          }
      });

  Level<D, T> coarse;
  coarse.pattern = std::move(pattern);
  coarse.value = Array<D, T>(coarse.pattern->col.size());
  coarse.diagonal = Array<D, T>(rows);
  coarse.row_sum = Array<D, double>(rows);
  coarse_values<D, T>(fine, coarse);
  return coarse;
}

}  // namespace gridiron::aggamg
