// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "device/disjoint_sets.hpp"
#include "linalg/sell.hpp"
#include "linalg/sum_runs.hpp"
#include "linalg/weak_parts.hpp"

namespace gridiron {

/// f(j) for the rows j < i that strong couplings tie row i to.
template <class D, class F>
GRIDIRON_HOST_DEVICE void for_strong_below(const SellView<D, double>& a, const View<D, const double>& diagonal,
                                           int64_t i, F f) {
  for (const int64_t e : a.entries(i)) {
    const int32_t j = a.col[e];
    if (j < i && weak::is_strong(a.value[e], diagonal[i], diagonal[j])) f(j);
  }
}

/// Per row: the lowest row of its cluster, which couplings that weak::is_strong() connect. The only kernels whose
/// iterations read what others write, through the atomic accesses of ParentLinks.
template <class D>
Array<D, int32_t> clusters_of_rows(const SellMatrix<D>& matrix) {
  const SellView<D, double> a = matrix.view();
  const auto diagonal = matrix.diagonal.view();
  Array<D, int32_t> parent_array(a.rows), root_array(a.rows);
  const auto parent = parent_array.view(), root = root_array.view();
  const ParentLinks sets(parent.data());
  // Rows begin as children of a neighbour, which leaves few unions to the threads (J. Jaiganesh, M. Burtscher, HPDC
  // 2018), and then of their roots, which leaves them short ways.
  D::for_each(
      a.rows, GRIDIRON_KERNEL(int64_t i) {
        int32_t lowest = i;
        for_strong_below<D>(a, diagonal, i, [&](int32_t j) { lowest = j < lowest ? j : lowest; });
        parent[i] = lowest;
      });
  D::for_each(
      a.rows, GRIDIRON_KERNEL(int64_t i) { sets.flatten(static_cast<int32_t>(i)); });
  D::for_each(
      a.rows, GRIDIRON_KERNEL(int64_t i) {
        int32_t own = sets.find(static_cast<int32_t>(i));
        for_strong_below<D>(a, diagonal, i, [&](int32_t j) { own = sets.unite(own, j); });
      });
  D::for_each(
      a.rows, GRIDIRON_KERNEL(int64_t i) { root[i] = sets.find(static_cast<int32_t>(i)); });
  return root_array;
}

/// What rows, by clusters, add to these.
template <class D>
struct SharesInOrder {
  View<D, const int32_t> order, root;
  View<D, const weak::Part> share;
  GRIDIRON_HOST_DEVICE KeyedSum<weak::Part> operator()(int64_t p) const { return {root[order[p]], share[order[p]]}; }
};

/// How many clusters of a symmetric M-matrix are weak, one number: the search of find_weak_parts() on device D, whose
/// sums differ by rounding. The host does not wait for it.
template <class D>
Array<D, double> count_weak_clusters(const SellMatrix<D>& matrix) {
  const SellView<D, double> a = matrix.view();
  const auto diagonal = matrix.diagonal.view();
  const Array<D, int32_t> root_array = clusters_of_rows(matrix);
  Array<D, weak::Part> share_array(a.rows), part_array(a.rows);
  Array<D, int32_t> begin_array(a.rows + 1), order_array(a.rows);
  const View<D, const int32_t> root = root_array.view(), order = order_array.view();
  const auto share = share_array.view(), part = part_array.view();
  Array<D, double> count_array(1);
  const auto count = count_array.view();
  D::for_each(
      a.rows, GRIDIRON_KERNEL(int64_t i) {
        double couplings = 0, leaving = 0, entries = 1;
        for (const int64_t e : a.entries(i)) {
          if (a.col[e] == i) continue;
          couplings += a.value[e];
          if (root[a.col[e]] != root[i]) leaving += a.value[e];
          ++entries;
        }
        share[i] = {weak::excess_of(diagonal[i], couplings, entries) - leaving, diagonal[i]};
      });
  fill<D, weak::Part>(part, weak::Part{});
  D::group_by(root, a.rows, begin_array.view(), order_array.view());
  add_runs<D, weak::Part>(a.rows, SharesInOrder<D>{order, root, share}, part);
  D::template sum_then<1>(
      a.rows, GRIDIRON_KERNEL(int64_t i) { return Sums<1>{{part[i].is_weak() ? 1.0 : 0.0}}; },
      GRIDIRON_KERNEL(const Sums<1>& sum) { count[0] = sum[0]; });
  return count_array;
}

template <class D>
bool has_weak_clusters(const SellMatrix<D>& matrix) {
  return count_weak_clusters(matrix).to_host()[0] > 0;
}

}  // namespace gridiron
