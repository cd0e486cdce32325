// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/aggamg/coarsen.hpp"

namespace gridiron::aggamg {

/// Where the entries of a coarse matrix come from: coarse entry c is the sum of the fine entries source[begin[c] …
/// begin[c + 1]). Kept, so that new values cost one pass of sums.
template <class D>
struct GalerkinPlan {
  Array<D, std::int64_t> begin;
  Array<D, std::uint32_t> source;

  std::int64_t bytes() const { return begin.bytes() + source.bytes(); }
};

/// One fine entry on its way to its coarse row: its coarse column and its place in the fine matrix.
struct Relabelled {
  std::int32_t col;
  std::uint32_t source;
};

/// Sorts by column, then source, in place: Shell's method with Ciura's gaps, short rows being the rule.
template <class V>
GRIDIRON_HOST_DEVICE void sort_row(const V& entries, std::int64_t begin, std::int64_t end) {
  for (const std::int64_t gap : {701, 301, 132, 57, 23, 10, 4, 1}) {
    for (std::int64_t i = begin + gap; i < end; ++i) {
      const Relabelled moving = entries[i];
      std::int64_t j = i;
      for (; j >= begin + gap; j -= gap) {
        const Relabelled other = entries[j - gap];
        if (other.col < moving.col || (other.col == moving.col && other.source < moving.source)) break;
        entries[j] = other;
      }
      entries[j] = moving;
    }
  }
}

/// Values of the coarse matrix from those of the fine one (§3.1 of the paper: the segmented reduction alone).
template <class D, class T>
void coarse_values(const GalerkinPlan<D>& plan, View<D, const T> fine, View<D, T> coarse) {
  const View<D, const std::int64_t> begin = plan.begin.view();
  const View<D, const std::uint32_t> source = plan.source.view();
  D::for_each_row(
      coarse.size(), GRIDIRON_KERNEL(std::int64_t c) {
        double sum = 0;
        for (std::int64_t s = begin[c]; s < begin[c + 1]; ++s) sum += static_cast<double>(fine[source[s]]);
        coarse[c] = static_cast<T>(sum);
      });
}

/// The Galerkin product Pᵀ A P for piecewise constant P: entries relabelled by aggregate, sorted, equal ones summed.
/// The paper sorts all entries of the matrix together; here the members of an aggregate are known, so each coarse row
/// is gathered and sorted by itself, which needs no global sort. P is not normalised: PᵀP = I only rescales coarse
/// unknowns, to which Jacobi smoothing and Krylov cycles are indifferent.
template <class D, class T>
DeviceCsr<D, T> galerkin_product(const CsrView<D, T>& a, const Aggregates<D>& aggregates, GalerkinPlan<D>& plan) {
  const std::int64_t rows = aggregates.count;
  const View<D, const std::int32_t> of_node = aggregates.of_node.view(), members = aggregates.members.view();
  const View<D, const std::int64_t> member_begin = aggregates.begin.view();

  // Room for every fine entry in its coarse row.
  Array<D, std::int32_t> room_array(rows);
  Array<D, std::int64_t> start_array(rows + 1);
  const View<D, std::int32_t> room = room_array.view();
  const View<D, std::int64_t> start = start_array.view();
  D::for_each_row(
      rows, GRIDIRON_KERNEL(std::int64_t r) {
        std::int64_t entries = 0;
        for (std::int64_t m = member_begin[r]; m < member_begin[r + 1]; ++m)
          entries += a.row_ptr[members[m] + 1] - a.row_ptr[members[m]];
        room[r] = static_cast<std::int32_t>(entries);
      });
  const std::int64_t total =
      D::template exclusive_scan<std::int32_t, std::int64_t>(View<D, const std::int32_t>(room), start);

  // Relabel and sort row by row; count the different columns.
  Array<D, Relabelled> relabelled_array(total);
  const View<D, Relabelled> relabelled = relabelled_array.view();
  const View<D, std::int32_t> different = room;
  D::for_each_row(
      rows, GRIDIRON_KERNEL(std::int64_t r) {
        std::int64_t at = start[r];
        for (std::int64_t m = member_begin[r]; m < member_begin[r + 1]; ++m)
          for (std::int64_t k = a.row_ptr[members[m]]; k < a.row_ptr[members[m] + 1]; ++k)
            relabelled[at++] = {of_node[a.col[k]], static_cast<std::uint32_t>(k)};
        sort_row(relabelled, start[r], at);
        std::int32_t columns = 0;
        for (std::int64_t k = start[r]; k < at; ++k)
          columns += k == start[r] || relabelled[k].col != relabelled[k - 1].col;
        different[r] = columns;
      });

  DeviceCsr<D, T> coarse;
  coarse.rows = rows;
  coarse.row_ptr = Array<D, std::int64_t>(rows + 1);
  const std::int64_t nonzeros = D::template exclusive_scan<std::int32_t, std::int64_t>(
      View<D, const std::int32_t>(different), coarse.row_ptr.view());
  coarse.col = Array<D, std::int32_t>(nonzeros);
  coarse.value = Array<D, T>(nonzeros);
  plan.begin = Array<D, std::int64_t>(nonzeros + 1);
  plan.source = Array<D, std::uint32_t>(total);
  const View<D, const std::int64_t> row_ptr = std::as_const(coarse).row_ptr.view();
  const View<D, std::int32_t> col = coarse.col.view();
  const View<D, std::int64_t> begin = plan.begin.view();
  const View<D, std::uint32_t> source = plan.source.view();
  D::for_each_row(
      rows, GRIDIRON_KERNEL(std::int64_t r) {
        std::int64_t c = row_ptr[r] - 1;
        for (std::int64_t k = start[r]; k < start[r + 1]; ++k) {
          if (k == start[r] || relabelled[k].col != relabelled[k - 1].col) {
            ++c;
            col[c] = relabelled[k].col;
            begin[c] = k;
          }
          source[k] = relabelled[k].source;
        }
        if (r + 1 == rows) begin[nonzeros] = total;
      });
  coarse_values<D, T>(plan, a.value, coarse.value.view());
  return coarse;
}

}  // namespace gridiron::aggamg
