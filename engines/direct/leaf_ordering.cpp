// SPDX-License-Identifier: Apache-2.0
#include "engines/direct/leaf_ordering.hpp"

#include <camd.h>

#include <algorithm>
#include <vector>

#include "support/error.hpp"
#include "support/lists.hpp"

namespace gridiron {

void order_by_minimum_degree(const CsrMatrix& a, std::span<int32_t> nodes, std::span<int32_t> local) {
  if (nodes.size() < 2) return;
  for (size_t k = 0; k < nodes.size(); ++k) local[nodes[k]] = static_cast<int32_t>(k);

  std::vector<int32_t> outside;
  int64_t entries = 1;  // CAMD needs an array even for none
  for (const int32_t node : nodes) {
    entries += a.row_ptr[node + 1] - a.row_ptr[node];
    for (int64_t e = a.row_ptr[node]; e < a.row_ptr[node + 1]; ++e)
      if (local[a.col[e]] == -1) outside.push_back(a.col[e]);
  }
  sort_unique(outside);

  const size_t inner = nodes.size(), all = inner + outside.size();
  std::vector<SuiteSparse_long> start{0}, row, pivots(all), stage(all, 1);
  start.reserve(all + 1);
  row.reserve(entries);
  for (const int32_t node : nodes) {
    for (int64_t e = a.row_ptr[node]; e < a.row_ptr[node + 1]; ++e) {
      const int32_t other = a.col[e];
      if (local[other] == kLeftOut) continue;
      row.push_back(local[other] >= 0 ? local[other]
                                      : static_cast<SuiteSparse_long>(inner) +
                                            (std::ranges::lower_bound(outside, other) - outside.begin()));
    }
    start.push_back(static_cast<SuiteSparse_long>(row.size()));
  }
  start.resize(all + 1, start.back());  // CAMD adds the transpose
  std::fill_n(stage.begin(), inner, 0);

  if (camd_l_order(static_cast<SuiteSparse_long>(all), start.data(), row.data(), pivots.data(), nullptr, nullptr,
                   stage.data()) < CAMD_OK)
    throw ResourceError("no memory to order the unknowns; try an iterative engine");
  const std::vector<int32_t> before(nodes.begin(), nodes.end());
  for (const int32_t node : nodes) local[node] = -1;
  for (size_t k = 0; k < inner; ++k) nodes[k] = before[pivots[k]];
}

}  // namespace gridiron
