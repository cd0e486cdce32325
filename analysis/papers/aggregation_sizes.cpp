// SPDX-License-Identifier: Apache-2.0
#include "analysis/papers/aggregation_sizes.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <span>
#include <utility>

#include "engines/aggamg/coarsen.hpp"

namespace gridiron {
namespace {

/// Strong neighbours, row after row.
struct Graph {
  std::vector<int64_t> begin{0};
  std::vector<int32_t> neighbour;

  std::span<const int32_t> of(int64_t i) const {
    return std::span(neighbour).subspan(begin[i], begin[i + 1] - begin[i]);
  }
};

Graph strong_graph(const CsrMatrix& a, double strength) {
  Graph graph;
  for (int64_t i = 0; i < a.rows; ++i) {
    double largest = 0;
    for (int64_t e = a.row_ptr[i]; e < a.row_ptr[i + 1]; ++e)
      if (a.col[e] != i) largest = std::max(largest, -a.value[e]);
    for (int64_t e = a.row_ptr[i]; e < a.row_ptr[i + 1]; ++e)
      if (a.col[e] != i && -a.value[e] > strength * largest) graph.neighbour.push_back(a.col[e]);
    graph.begin.push_back(std::ssize(graph.neighbour));
  }
  return graph;
}

/// Roots: in the order of Algorithm 2's ranks, every node without a root within distance two.
std::vector<bool> independent_set(const Graph& graph, int64_t n) {
  const auto rank = [&](int32_t i) { return aggamg::rank::make(aggamg::rank::kUndecided, std::ssize(graph.of(i)), i); };
  std::vector<int32_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, std::greater(), rank);
  std::vector<bool> is_root(n, false);
  for (const int32_t i : order) {
    const auto has_root = [&](int32_t j) {
      return is_root[j] || std::ranges::any_of(graph.of(j), [&](int32_t k) { return is_root[k]; });
    };
    is_root[i] = std::ranges::none_of(graph.of(i), has_root);
  }
  return is_root;
}

/// The aggregate of every node, and how many there are.
std::pair<std::vector<int32_t>, int32_t> aggregates(const Graph& graph, int64_t n) {
  const std::vector<bool> is_root = independent_set(graph, n);
  std::vector<int32_t> near(n, -1), leader(n);
  int32_t last_alone = -1;
  for (int32_t i = 0; i < n; ++i) {
    if (graph.of(i).empty()) last_alone = i;
    if (is_root[i]) near[i] = i;
    for (const int32_t j : graph.of(i))
      if (near[i] < 0 && is_root[j]) near[i] = j;
  }
  for (int32_t i = 0; i < n; ++i) {
    leader[i] = graph.of(i).empty() ? last_alone : near[i];
    for (const int32_t j : graph.of(i))
      if (leader[i] < 0) leader[i] = near[j];
    if (leader[i] < 0) leader[i] = i;
  }
  std::vector<int32_t> number(n, 0), of_node(n);
  int32_t count = 0;
  for (int32_t i = 0; i < n; ++i)
    if (leader[i] == i) number[i] = count++;
  for (int32_t i = 0; i < n; ++i) of_node[i] = number[leader[i]];
  return {std::move(of_node), count};
}

CsrMatrix product(const CsrMatrix& a, const CsrMatrix& b, int64_t columns) {
  CsrMatrix c{a.rows, {0}, {}, {}};
  std::vector<double> sum(columns, 0.0);
  std::vector<int64_t> seen(columns, -1);
  std::vector<int32_t> row;
  for (int64_t i = 0; i < a.rows; ++i) {
    row.clear();
    for (int64_t e = a.row_ptr[i]; e < a.row_ptr[i + 1]; ++e)
      for (int64_t f = b.row_ptr[a.col[e]]; f < b.row_ptr[a.col[e] + 1]; ++f) {
        const int32_t j = b.col[f];
        if (std::exchange(seen[j], i) != i) row.push_back(j), sum[j] = 0;
        sum[j] += a.value[e] * b.value[f];
      }
    std::ranges::sort(row);
    for (const int32_t j : row) c.col.push_back(j), c.value.push_back(sum[j]);
    c.row_ptr.push_back(std::ssize(c.col));
  }
  return c;
}

CsrMatrix transposed(const CsrMatrix& a, int64_t columns) {
  CsrMatrix t{columns, std::vector<int64_t>(columns + 1, 0), std::vector<int32_t>(a.nonzeros()),
              std::vector<double>(a.nonzeros())};
  for (const int32_t j : a.col) ++t.row_ptr[j + 1];
  std::partial_sum(t.row_ptr.begin(), t.row_ptr.end(), t.row_ptr.begin());
  std::vector<int64_t> next(t.row_ptr.begin(), t.row_ptr.end() - 1);
  for (int64_t i = 0; i < a.rows; ++i)
    for (int64_t e = a.row_ptr[i]; e < a.row_ptr[i + 1]; ++e) {
      const int64_t to = next[a.col[e]]++;
      t.col[to] = static_cast<int32_t>(i);
      t.value[to] = a.value[e];
    }
  return t;
}

/// Constant on every aggregate: 1, or of columns of length one (eq. 4).
CsrMatrix plain_interpolation(const std::vector<int32_t>& of_node, int32_t count, bool is_scaled) {
  const auto n = std::ssize(of_node);
  std::vector<double> nodes(count, 0.0);
  for (const int32_t k : of_node) ++nodes[k];
  CsrMatrix p{n, std::vector<int64_t>(n + 1), of_node, std::vector<double>(n, 1.0)};
  std::iota(p.row_ptr.begin(), p.row_ptr.end(), 0);
  for (int64_t i = 0; is_scaled && i < n; ++i) p.value[i] = 1 / std::sqrt(nodes[of_node[i]]);
  return p;
}

/// I − ω D⁻¹ A with ω = 4 / (3 ρ), ρ by power iteration.
CsrMatrix jacobi_step(CsrMatrix a) {
  constexpr int kSteps = 15;
  const int64_t n = a.rows;
  for (int64_t i = 0; i < n; ++i) {
    double diagonal = 1;
    for (int64_t e = a.row_ptr[i]; e < a.row_ptr[i + 1]; ++e)
      if (a.col[e] == i) diagonal = a.value[e];
    for (int64_t e = a.row_ptr[i]; e < a.row_ptr[i + 1]; ++e) a.value[e] /= diagonal;
  }
  std::vector<double> x(n), y(n);
  for (int64_t i = 0; i < n; ++i) x[i] = 1 + 0.5 * std::sin(static_cast<double>(i * i % 1009));
  double radius = 1;
  for (int step = 0; step < kSteps; ++step) {
    multiply(a, x.data(), y.data());
    radius = std::sqrt(std::inner_product(y.begin(), y.end(), y.begin(), 0.0) /
                       std::inner_product(x.begin(), x.end(), x.begin(), 0.0));
    for (int64_t i = 0; i < n; ++i) x[i] = y[i] / radius;
  }
  for (int64_t i = 0; i < n; ++i)
    for (int64_t e = a.row_ptr[i]; e < a.row_ptr[i + 1]; ++e)
      a.value[e] = (a.col[e] == i ? 1.0 : 0.0) - 4 / (3 * radius) * a.value[e];
  return a;
}

}  // namespace

std::vector<MatrixSize> aggregation_sizes(CsrMatrix a, double strength, int64_t coarsest, Interpolation interpolation) {
  std::vector<MatrixSize> sizes{{a.rows, a.nonzeros()}};
  while (a.rows > coarsest) {
    const auto [of_node, count] = aggregates(strong_graph(a, strength), a.rows);
    if (count == a.rows) break;
    const bool is_smoothed = interpolation == Interpolation::smoothed;
    CsrMatrix p = plain_interpolation(of_node, count, is_smoothed);
    if (is_smoothed) p = product(jacobi_step(a), p, count);
    a = product(transposed(p, count), product(a, p, count), count);
    sizes.push_back({a.rows, a.nonzeros()});
  }
  return sizes;
}

}  // namespace gridiron
