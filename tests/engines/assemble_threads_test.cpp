// SPDX-License-Identifier: Apache-2.0
// Assembly on any number of threads against a plain one.

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "engines/assemble.hpp"
#include "support/context.hpp"

namespace gridiron {
namespace {

CsrMatrix assembled_plainly(const MergedNetwork& network) {
  using Entry = std::pair<int32_t, double>;
  std::vector<std::vector<Entry>> rows(network.nodes);
  std::vector<double> diagonal = network.pad;
  for (int64_t k = 0; k < network.edges(); ++k) {
    const int32_t a = network.a[k], b = network.b[k];
    rows[a].emplace_back(b, -network.conductance[k]);
    rows[b].emplace_back(a, -network.conductance[k]);
    diagonal[a] += network.conductance[k];
    diagonal[b] += network.conductance[k];
  }
  CsrMatrix matrix;
  matrix.rows = network.nodes;
  matrix.row_ptr = {0};
  for (int32_t i = 0; i < network.nodes; ++i) {
    rows[i].emplace_back(i, diagonal[i]);
    std::stable_sort(rows[i].begin(), rows[i].end(), [](const Entry& a, const Entry& b) { return a.first < b.first; });
    for (size_t k = 0; k < rows[i].size(); ++k) {
      if (k > 0 && rows[i][k].first == rows[i][k - 1].first) {
        matrix.value.back() += rows[i][k].second;
        continue;
      }
      matrix.col.push_back(rows[i][k].first);
      matrix.value.push_back(rows[i][k].second);
    }
    matrix.row_ptr.push_back(static_cast<int64_t>(matrix.col.size()));
  }
  return matrix;
}

/// With a hub, and parallel edges at it.
MergedNetwork network_of(int32_t nodes) {
  std::mt19937 random(9);
  std::uniform_real_distribution<double> value(0.1, 3.0);
  std::uniform_int_distribution<int32_t> any(0, std::max(0, nodes - 1));
  MergedNetwork network;
  network.nodes = nodes;
  for (int32_t i = 0; i < nodes; ++i) network.pad.push_back(i % 9 == 0 ? value(random) : 0.0);
  for (int32_t k = 0; k < 2 * nodes; ++k) {
    const int32_t a = k % 4 == 0 ? nodes / 2 : any(random), b = any(random);
    if (a == b) continue;
    network.a.push_back(a);
    network.b.push_back(b);
    network.conductance.push_back(value(random));
  }
  return network;
}

/// Every edge from its lower node, and these ascending, as elimination lists them.
MergedNetwork listed_by_lower_nodes(const MergedNetwork& from) {
  std::vector<int64_t> order(static_cast<size_t>(from.edges()));
  std::iota(order.begin(), order.end(), 0);
  const auto lower = [&](int64_t e) { return std::min(from.a[e], from.b[e]); };
  std::stable_sort(order.begin(), order.end(), [&](int64_t e, int64_t f) { return lower(e) < lower(f); });
  MergedNetwork network = from;
  for (size_t k = 0; k < order.size(); ++k) {
    network.a[k] = lower(order[k]);
    network.b[k] = std::max(from.a[order[k]], from.b[order[k]]);
    network.conductance[k] = from.conductance[order[k]];
  }
  return network;
}

TEST(AssembleOnThreads, MatrixIsThatOfOnePass) {
  for (const int32_t nodes : {0, 1, 2, 1000, (1 << 13) - 1, (1 << 13) + 1, 50000}) {
    const MergedNetwork in_any_order = network_of(nodes);
    for (const MergedNetwork& network : {in_any_order, listed_by_lower_nodes(in_any_order)}) {
      const CsrMatrix plain = assembled_plainly(network);
      for (const int threads : {1, 2, 3, 5}) {
        const ThreadCount count(threads);
        const CsrMatrix matrix = assemble(network);
        EXPECT_TRUE(matrix.rows == plain.rows && matrix.row_ptr == plain.row_ptr && matrix.col == plain.col &&
                    matrix.value == plain.value)
            << nodes << " nodes on " << threads << " threads";
      }
    }
  }
}

}  // namespace
}  // namespace gridiron
