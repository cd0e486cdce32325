// SPDX-License-Identifier: Apache-2.0
#pragma once

// Aggregates by a maximal independent set at distance two: Gandham, Esler, Zhang, "A GPU accelerated aggregation
// algebraic multigrid method", Computers & Mathematics with Applications 68 (2014), §2.1.

#include "engines/linalg/csr.hpp"

namespace gridiron::aggamg {

/// Pattern of strong couplings: those of eq. (3), without the diagonal.
template <class D>
struct StrongGraph {
  std::int64_t rows;
  Array<D, std::int64_t> row_ptr;
  Array<D, std::int32_t> col;
};

/// j is strong for i when −sign(a_ii) a_ij > α · max over the row of the same (eq. 3).
template <class D, class T>
StrongGraph<D> strong_graph(const CsrView<D, T>& a, double alpha) {
  const std::int64_t n = a.rows;
  Array<D, T> threshold_array(n);
  Array<D, std::int32_t> count_array(n);
  const View<D, T> threshold = threshold_array.view();
  const View<D, std::int32_t> count = count_array.view();
  D::for_each_row(
      n, GRIDIRON_KERNEL(std::int64_t i) {
        T sign = 1, largest = 0;
        for (std::int64_t k = a.row_ptr[i]; k < a.row_ptr[i + 1]; ++k)
          if (a.col[k] == i && a.value[k] < 0) sign = -1;
        for (std::int64_t k = a.row_ptr[i]; k < a.row_ptr[i + 1]; ++k) {
          const T coupling = -sign * a.value[k];
          if (a.col[k] != i && coupling > largest) largest = coupling;
        }
        const T limit = static_cast<T>(alpha) * largest;
        std::int32_t strong = 0;
        for (std::int64_t k = a.row_ptr[i]; k < a.row_ptr[i + 1]; ++k)
          strong += a.col[k] != i && -sign * a.value[k] > limit;
        threshold[i] = sign < 0 ? -limit : limit;
        count[i] = strong;
      });
  StrongGraph<D> graph{n, Array<D, std::int64_t>(n + 1), {}};
  const std::int64_t total =
      D::template exclusive_scan<std::int32_t, std::int64_t>(View<D, const std::int32_t>(count), graph.row_ptr.view());
  graph.col = Array<D, std::int32_t>(total);
  const View<D, const std::int64_t> row_ptr = std::as_const(graph).row_ptr.view();
  const View<D, std::int32_t> col = graph.col.view();
  D::for_each_row(
      n, GRIDIRON_KERNEL(std::int64_t i) {
        // A negative threshold carries the sign of a negative diagonal.
        const bool negative = threshold[i] < 0;
        const T limit = negative ? -threshold[i] : threshold[i];
        std::int64_t out = row_ptr[i];
        for (std::int64_t k = a.row_ptr[i]; k < a.row_ptr[i + 1]; ++k)
          if (a.col[k] != i && (negative ? a.value[k] : -a.value[k]) > limit) col[out++] = a.col[k];
      });
  return graph;
}

/// A node's rank in Algorithm 2 as one number, so that "larger" is one comparison: state, then degree plus a random
/// fraction, then index. The random bits are a hash of the index: the same everywhere.
namespace rank {
constexpr std::uint64_t kOut = 0, kUndecided = std::uint64_t{1} << 62, kRoot = std::uint64_t{2} << 62,
                        kState = std::uint64_t{3} << 62;

GRIDIRON_HOST_DEVICE inline std::uint64_t make(std::uint64_t state, std::int64_t degree, std::int64_t i) {
  std::uint32_t h = static_cast<std::uint32_t>(i) * 0x9e3779b9u;
  h = (h ^ (h >> 15)) * 0x85ebca6bu;
  h ^= h >> 13;
  const std::uint64_t capped = degree < 1023 ? static_cast<std::uint64_t>(degree) : 1023;
  return state | capped << 52 | static_cast<std::uint64_t>(h & 0xfffffu) << 32 | static_cast<std::uint64_t>(i);
}
}  // namespace rank

/// Aggregates of the nodes of a strong graph: which one each node belongs to, and the nodes of each.
template <class D>
struct Aggregates {
  std::int64_t count = 0;
  Array<D, std::int32_t> of_node;
  Array<D, std::int64_t> begin;    ///< count + 1
  Array<D, std::int32_t> members;  ///< nodes, aggregate after aggregate, ascending within each
};

/// Maximal independent set at distance two (Algorithm 2): 1 for roots, else 0.
template <class D>
Array<D, std::int32_t> independent_set(const StrongGraph<D>& graph) {
  const std::int64_t n = graph.rows;
  const View<D, const std::int64_t> row_ptr = graph.row_ptr.view();
  const View<D, const std::int32_t> col = graph.col.view();
  Array<D, std::uint64_t> rank_array(n), near_array(n), far_array(n);
  const View<D, std::uint64_t> own = rank_array.view(), near = near_array.view(), far = far_array.view();
  D::for_each(
      n, GRIDIRON_KERNEL(std::int64_t i) { own[i] = rank::make(rank::kUndecided, row_ptr[i + 1] - row_ptr[i], i); });
  for (double undecided = 1; undecided > 0;) {
    D::for_each_row(
        n, GRIDIRON_KERNEL(std::int64_t i) {
          std::uint64_t t = own[i];
          for (std::int64_t k = row_ptr[i]; k < row_ptr[i + 1]; ++k) t = own[col[k]] > t ? own[col[k]] : t;
          near[i] = t;
        });
    D::for_each_row(
        n, GRIDIRON_KERNEL(std::int64_t i) {
          if ((own[i] & rank::kState) != rank::kUndecided) return;
          std::uint64_t t = near[i];
          for (std::int64_t k = row_ptr[i]; k < row_ptr[i + 1]; ++k) t = near[col[k]] > t ? near[col[k]] : t;
          far[i] = t;
        });
    undecided = D::template sum<1>(
        n, GRIDIRON_KERNEL(std::int64_t i) {
          if ((own[i] & rank::kState) != rank::kUndecided) return Sums<1>{};
          if (far[i] == own[i]) {
            own[i] = (own[i] & ~rank::kState) | rank::kRoot;
            return Sums<1>{};
          }
          if ((far[i] & rank::kState) == rank::kRoot) {
            own[i] = (own[i] & ~rank::kState) | rank::kOut;
            return Sums<1>{};
          }
          return Sums<1>{{1.0}};
        })[0];
  }
  Array<D, std::int32_t> roots(n);
  const View<D, std::int32_t> root = roots.view();
  D::for_each(
      n, GRIDIRON_KERNEL(std::int64_t i) { root[i] = (own[i] & rank::kState) == rank::kRoot; });
  return roots;
}

/// Every node joins its nearest root: a neighbour, else through the neighbour that has one. With unsymmetric strength a
/// node may see no root within two steps; it stays alone.
template <class D>
Aggregates<D> aggregate(const StrongGraph<D>& graph) {
  const std::int64_t n = graph.rows;
  const View<D, const std::int64_t> row_ptr = graph.row_ptr.view();
  const View<D, const std::int32_t> col = graph.col.view();
  const Array<D, std::int32_t> roots = independent_set(graph);
  const View<D, const std::int32_t> root = roots.view();
  Array<D, std::int32_t> near_array(n), far_array(n), alone_array(n), number_array(n + 1);
  const View<D, std::int32_t> near = near_array.view(), far = far_array.view(), leader = alone_array.view(),
                              number = number_array.view();
  D::for_each_row(
      n, GRIDIRON_KERNEL(std::int64_t i) {
        std::int32_t best = root[i] ? static_cast<std::int32_t>(i) : -1;
        for (std::int64_t k = row_ptr[i]; best < 0 && k < row_ptr[i + 1]; ++k)
          if (root[col[k]]) best = col[k];
        near[i] = best;
      });
  D::for_each_row(
      n, GRIDIRON_KERNEL(std::int64_t i) {
        std::int32_t best = near[i];
        for (std::int64_t k = row_ptr[i]; best < 0 && k < row_ptr[i + 1]; ++k) best = near[col[k]];
        far[i] = best < 0 ? static_cast<std::int32_t>(i) : best;
      });
  D::for_each(
      n, GRIDIRON_KERNEL(std::int64_t i) { leader[i] = far[i] == i; });

  Aggregates<D> out;
  out.count = D::template exclusive_scan<std::int32_t, std::int32_t>(View<D, const std::int32_t>(leader), number);
  out.of_node = Array<D, std::int32_t>(n);
  const View<D, std::int32_t> of_node = out.of_node.view();
  D::for_each(
      n, GRIDIRON_KERNEL(std::int64_t i) { of_node[i] = number[far[i]]; });
  out.begin = Array<D, std::int64_t>(out.count + 1);
  out.members = Array<D, std::int32_t>(n);
  D::group_by(std::as_const(out).of_node.view(), out.count, out.begin.view(), out.members.view());
  return out;
}

}  // namespace gridiron::aggamg
