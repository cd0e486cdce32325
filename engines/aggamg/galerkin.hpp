// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "engines/aggamg/coarsen.hpp"
#include "engines/aggamg/level.hpp"
#include "support/error.hpp"

namespace gridiron::aggamg {

/// Entries of a fine row whose loads overlap when a thread gathers a coarse row.
inline constexpr int kEntriesAhead = 6;

/// Numbers the different coarse columns of each coarse row in the order of first appearance: slot[e] is that of fine
/// entry e, −1 when it stays within its aggregate; length[r] is how many there are. Rows that turn out to be wide are
/// marked and left to find_groups().
template <class D, class T>
void number_columns(const SellView<D, T>& a, const Aggregates<D>& aggregates, View<D, int32_t> slot,
                    View<D, int32_t> length, View<D, int32_t> is_wide) {
  const auto of_node = aggregates.of_node.view(), begin = aggregates.begin.view(), members = aggregates.members.view();
  D::for_each(
      aggregates.count, GRIDIRON_KERNEL(int64_t r) {
        int64_t entries = 0;
        for (int32_t m = begin[r]; m < begin[r + 1]; ++m) entries += length_of<D>(a, members[m]);
        is_wide[r] = entries > WideRows<D>::kEntries;
        if (is_wide[r]) return;
        int32_t seen[WideRows<D>::kColumns];
        int32_t different = 0;
        for (int32_t m = begin[r]; m < begin[r + 1] && different <= WideRows<D>::kColumns; ++m)
          a.template visit<kEntriesAhead>(
              members[m], [&](int64_t e) { return of_node[a.col[e]]; },
              [&](int64_t e, int32_t column) {
                slot[e] = -1;
                if (column == r || different > WideRows<D>::kColumns) return;
                int32_t k = 0;
                while (k < different && seen[k] != column) ++k;
                slot[e] = k;
                if (k < different) return;
                if (k < WideRows<D>::kColumns) seen[k] = column;
                ++different;
              });
        is_wide[r] = different > WideRows<D>::kColumns;
        length[r] = different;
      });
}

/// The values of wide coarse rows, as coarse_values() has the others: a tile per row, whose cells sum a group each.
template <class D, class T>
void wide_values(const Level<D, T>& fine, Level<D, T>& coarse) {
  constexpr int kCells = 256;
  const SellView<D, T> a = fine.matrix(), c = std::as_const(coarse).matrix();
  const WideRows<D>& wide = fine.wide;
  const auto diagonal = fine.diagonal.view();
  const auto row_sum = fine.row_sum.view();
  const auto row = wide.row.view(), groups = wide.groups.view(), first = wide.begin.view(), last = wide.end.view(),
             entry = wide.entry.view(), node = wide.node.view(), target = wide.target.view(),
             begin = fine.aggregates.begin.view(), members = fine.aggregates.members.view();
  const auto value = coarse.value.view(), coarse_diagonal = coarse.diagonal.view();
  const auto coarse_row_sum = coarse.row_sum.view();
  D::for_each_tile(
      wide.count(), kCells, 2 * (kCells * sizeof(double) + 64), GRIDIRON_KERNEL(typename D::Tile & tile) {
        const int64_t r = row[tile.index()], group = groups[tile.index()];
        const int64_t entries = length_of<D>(c, r), count = groups[tile.index() + 1] - group;
        const View<D, double> sum = tile.template shared<double>(kCells),
                              leaving = tile.template shared<double>(kCells);
        tile.each(entries, [&](int64_t k) { value[c.entry(r, k)] = 0; });
        tile.each(kCells, [&](int64_t cell) {
          sum[cell] = leaving[cell] = 0;
          for (int64_t m = begin[r] + cell; m < begin[r + 1]; m += kCells) sum[cell] += row_sum[members[m]];
          for (int64_t g = group + cell; g < group + count; g += kCells) {
            double coupling = 0;
            for (int32_t p = first[g]; p < last[g]; ++p) coupling += diagonal[node[p]] * a.value[entry[p]];
            value[target[g]] = static_cast<T>(coupling);
            leaving[cell] += coupling;
          }
        });
        for (int half = kCells / 2; half > 0; half /= 2)
          tile.each(half, [&](int64_t cell) {
            sum[cell] += sum[cell + half];
            leaving[cell] += leaving[cell + half];
          });
        const double own = sum[0] - leaving[0], inverse = own != 0 ? 1 / own : 0;
        tile.each(count, [&](int64_t g) {
          T& v = value[target[group + g]];
          v = static_cast<T>(inverse * v);
        });
        tile.each(1, [&](int64_t) {
          coarse_diagonal[r] = static_cast<T>(own);
          coarse_row_sum[r] = sum[0];
        });
      });
}

/// Values of the coarse matrix from those of the fine one: the segmented reduction of §3.1 alone. Each coarse row sums
/// the entries of its members where `fine.target` says. The diagonal follows from the row sum: adding up the diagonals
/// and the entries within the aggregate would suffer cancellation in fp32 where these are far larger than the couplings
/// that leave it.
template <class D, class T>
void coarse_values(const Level<D, T>& fine, Level<D, T>& coarse) {
  struct Entry {
    int32_t target;
    T value;
  };
  const SellView<D, T> a = fine.matrix(), c = std::as_const(coarse).matrix();
  const auto diagonal = fine.diagonal.view();
  const auto row_sum = fine.row_sum.view();
  const auto begin = fine.aggregates.begin.view(), members = fine.aggregates.members.view(),
             target = fine.target.view(), is_wide = fine.wide.is_wide.view();
  const auto value = coarse.value.view(), coarse_diagonal = coarse.diagonal.view();
  const auto coarse_row_sum = coarse.row_sum.view();
  D::for_each(
      c.rows, GRIDIRON_KERNEL(int64_t r) {
        if (is_wide[r]) return;
        const int64_t own = c.entry(r, 0), columns = c.width(r);
        static_assert(SellPattern<D>::kWidest <= WideRows<D>::kColumns);
        T couplings[WideRows<D>::kColumns];
        for (int64_t k = 0; k < columns; ++k) couplings[k] = 0;
        double sum = 0, leaving = 0;
        for (int32_t m = begin[r]; m < begin[r + 1]; ++m) {
          const T d = diagonal[members[m]];
          sum += row_sum[members[m]];
          a.template visit<kEntriesAhead>(
              members[m],
              [&](int64_t e) {
                return Entry{target[e], a.value[e]};
              },
              [&](int64_t, const Entry& entry) {
                if (entry.target < 0) return;
                const T v = d * entry.value;
                couplings[(entry.target - own) / 32] += v;
                leaving += v;
              });
        }
        const double diagonal_of_row = sum - leaving, inverse = diagonal_of_row != 0 ? 1 / diagonal_of_row : 0;
        for (int64_t k = 0; k < columns; ++k) value[own + 32 * k] = static_cast<T>(inverse * couplings[k]);
        coarse_diagonal[r] = static_cast<T>(diagonal_of_row);
        coarse_row_sum[r] = sum;
      });
  wide_values(fine, coarse);
}

/// Numbers aggregates anew: among some that follow each other, those with fewer columns first and wide ones last, as
/// sliced matrices fill up rows to the longest one next to them. Coarse matrices of openroad 1 M have 1.04 times the
/// entries that they need instead of 1.6 to 2.
template <class D>
void sort_by_length(Aggregates<D>& aggregates, Array<D, int32_t>& length_array, Array<D, int32_t>& is_wide_array) {
  constexpr int32_t kTogether = 1024, kLengths = WideRows<D>::kColumns + 2;
  const int64_t rows = aggregates.count, keys = (rows + kTogether - 1) / kTogether * kLengths;
  Array<D, int32_t> key_array(rows), order_array(rows), key_begin(keys + 1), number_array(rows);
  const auto key = key_array.view(), number = number_array.view(), length = length_array.view(),
             is_wide = is_wide_array.view();
  D::for_each(
      rows, GRIDIRON_KERNEL(int64_t r) {
        key[r] = static_cast<int32_t>(r / kTogether) * kLengths + (is_wide[r] ? kLengths - 1 : length[r]);
      });
  D::group_by(key_array.view(), keys, key_begin.view(), order_array.view());

  const View<D, const int32_t> order = order_array.view();
  Array<D, int32_t> size_array(rows), sorted_length(rows), sorted_is_wide(rows), begin_array(rows + 1),
      members_array(aggregates.members.size());
  const auto begin = aggregates.begin.view(), members = aggregates.members.view(), of_node = aggregates.of_node.view(),
             size = size_array.view(), to_length = sorted_length.view(), to_is_wide = sorted_is_wide.view(),
             to_begin = begin_array.view(), to_members = members_array.view();
  D::for_each(
      rows, GRIDIRON_KERNEL(int64_t r) {
        const int32_t from = order[r];
        number[from] = static_cast<int32_t>(r);
        size[r] = begin[from + 1] - begin[from];
        to_length[r] = length[from];
        to_is_wide[r] = is_wide[from];
      });
  D::exclusive_scan(size_array.view(), to_begin);
  D::for_each(
      rows, GRIDIRON_KERNEL(int64_t r) {
        for (int32_t m = 0; m < size[r]; ++m) to_members[to_begin[r] + m] = members[begin[order[r]] + m];
      });
  D::for_each(
      of_node.size(), GRIDIRON_KERNEL(int64_t i) { of_node[i] = number[of_node[i]]; });
  aggregates.begin = std::move(begin_array);
  aggregates.members = std::move(members_array);
  length_array = std::move(sorted_length);
  is_wide_array = std::move(sorted_is_wide);
}

/// The Galerkin product Pᵀ A P for piecewise constant P over fine.aggregates. The paper sorts all entries of the matrix
/// together; here the members of an aggregate are known, so each coarse row is gathered by itself. P is not normalised:
/// PᵀP = I only rescales coarse unknowns, to which Jacobi smoothing and Krylov cycles are indifferent. Fills
/// fine.target, so that new values cost one pass.
template <class D, class T>
Level<D, T> galerkin_product(Level<D, T>& fine) {
  struct Coupling {
    int32_t slot, column;
  };
  const int64_t rows = fine.aggregates.count;
  const SellView<D, T> a = fine.matrix();
  if (a.col.size() > INT32_MAX) throw ResourceError("aggamg: the matrix has more entries than 32 bits can number");
  fine.target = Array<D, int32_t>(a.col.size());
  Array<D, int32_t> length(rows);
  fine.wide = {};
  fine.wide.is_wide = Array<D, int32_t>(rows);
  number_columns<D, T>(a, fine.aggregates, fine.target.view(), length.view(), fine.wide.is_wide.view());
  sort_by_length<D>(fine.aggregates, length, fine.wide.is_wide);
  find_groups<D>(a, fine.aggregates, fine.wide, length.view());

  auto pattern = std::make_shared<SellPattern<D>>(sell_pattern<D>(rows, length.view()));
  const SellPatternView<D> c(*pattern);
  const auto of_node = fine.aggregates.of_node.view(), begin = fine.aggregates.begin.view(),
             members = fine.aggregates.members.view();
  const auto target = fine.target.view(), col = pattern->col.view();
  const View<D, const int32_t> is_wide = fine.wide.is_wide.view();
  D::for_each(
      rows, GRIDIRON_KERNEL(int64_t r) {
        if (is_wide[r]) return;
        const int64_t own = c.entry(r, 0);
        for (int32_t m = begin[r]; m < begin[r + 1]; ++m)
          a.template visit<kEntriesAhead>(
              members[m],
              [&](int64_t e) {
                return Coupling{target[e], of_node[a.col[e]]};
              },
              [&](int64_t e, const Coupling& coupling) {
                if (coupling.slot < 0) return;
                const int64_t place = own + 32 * coupling.slot;
                target[e] = static_cast<int32_t>(place);
                col[place] = coupling.column;
              });
      });
  const View<D, const int32_t> first = fine.wide.begin.view(), entry = fine.wide.entry.view(),
                               node = fine.wide.node.view();
  const auto group_target = fine.wide.target.view();
  D::for_each(
      first.size(), GRIDIRON_KERNEL(int64_t g) {
        const int32_t p = first[g];
        const int64_t place = c.entry(of_node[node[p]], group_target[g]);
        group_target[g] = static_cast<int32_t>(place);
        col[place] = of_node[a.col[entry[p]]];
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
