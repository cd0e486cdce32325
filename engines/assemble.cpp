// SPDX-License-Identifier: Apache-2.0
#include "engines/assemble.hpp"

#include <algorithm>

#include "support/parallel.hpp"

namespace gridiron {

CsrMatrix assemble(const MergedNetwork& network) {
  const std::int64_t n = network.nodes;
  struct Entry {
    std::int32_t col;
    double value;
  };
  // Add every edge to both of its rows, then sort each row and sum duplicates.
  std::vector<std::int64_t> begin(n + 1, 0);
  for (std::int64_t e = 0; e < network.edges(); ++e) {
    ++begin[network.a[e] + 1];
    ++begin[network.b[e] + 1];
  }
  for (std::int64_t i = 0; i < n; ++i) begin[i + 1] += begin[i] + 1;  // one entry for the diagonal
  std::vector<Entry> entries(begin[n]);
  std::vector<std::int64_t> next(begin.begin(), begin.end() - 1);
  for (std::int64_t i = 0; i < n; ++i) entries[next[i]++] = {static_cast<std::int32_t>(i), network.pad[i]};
  for (std::int64_t e = 0; e < network.edges(); ++e) {
    const std::int32_t i = network.a[e], j = network.b[e];
    entries[next[i]++] = {j, -network.conductance[e]};
    entries[next[j]++] = {i, -network.conductance[e]};
  }

  CsrMatrix matrix;
  matrix.rows = n;
  matrix.row_ptr.assign(n + 1, 0);
  parallel_ranges(n, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i) {
      double diagonal = entries[begin[i]].value;
      for (std::int64_t k = begin[i] + 1; k < begin[i + 1]; ++k) diagonal -= entries[k].value;
      entries[begin[i]].value = diagonal;
      const auto row = entries.begin() + begin[i], end = entries.begin() + begin[i + 1];
      std::stable_sort(row, end, [](const Entry& a, const Entry& b) { return a.col < b.col; });
      auto out = row;
      for (auto in = row + 1; in < end; ++in) {
        if (in->col == out->col)
          out->value += in->value;
        else
          *++out = *in;
      }
      next[i] = out + 1 - row;
    }
  });
  for (std::int64_t i = 0; i < n; ++i) matrix.row_ptr[i + 1] = matrix.row_ptr[i] + next[i];
  matrix.col.resize(matrix.row_ptr[n]);
  matrix.value.resize(matrix.row_ptr[n]);
  parallel_ranges(n, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i) {
      for (std::int64_t k = 0; k < next[i]; ++k) {
        matrix.col[matrix.row_ptr[i] + k] = entries[begin[i] + k].col;
        matrix.value[matrix.row_ptr[i] + k] = entries[begin[i] + k].value;
      }
    }
  });
  return matrix;
}

}  // namespace gridiron
