// SPDX-License-Identifier: Apache-2.0
#include "engines/assemble.hpp"

#include <algorithm>

#include "support/parallel_arrays.hpp"

namespace gridiron {
namespace {

struct Entry {
  std::int32_t col;
  double value;
};

/// Stable. Most rows are so short that insertion is fastest.
void sort_by_column(std::vector<Entry>& row) {
  constexpr std::size_t kShort = 16;
  if (row.size() > kShort)
    return std::stable_sort(row.begin(), row.end(), [](const Entry& a, const Entry& b) { return a.col < b.col; });
  for (std::size_t k = 1; k < row.size(); ++k) {
    const Entry entry = row[k];
    std::size_t at = k;
    for (; at > 0 && row[at - 1].col > entry.col; --at) row[at] = row[at - 1];
    row[at] = entry;
  }
}

}  // namespace

CsrMatrix assemble(const MergedNetwork& network) {
  const std::int64_t n = network.nodes;
  const auto node_at = [&](std::int64_t end) { return (end % 2 == 0 ? network.a : network.b)[end / 2]; };
  const ItemsByNode<std::int64_t> ends_at(2 * network.edges(), n, node_at);
  // Row i in the order of its edges, with the diagonal first; then by column, those of parallel edges summed.
  const auto fill_row = [&](std::int64_t i, std::vector<Entry>& row) {
    row.assign(1, {static_cast<std::int32_t>(i), network.pad[i]});
    for (std::int64_t k = ends_at.start[i]; k < ends_at.start[i + 1]; ++k) {
      const std::int64_t end = ends_at.item[k];
      const double conductance = network.conductance[end / 2];
      row.push_back({node_at(end ^ 1), -conductance});
      row[0].value += conductance;
    }
    sort_by_column(row);
    auto out = row.begin();
    for (auto in = row.begin() + 1; in < row.end(); ++in) {
      if (in->col == out->col)
        out->value += in->value;
      else
        *++out = *in;
    }
    row.erase(out + 1, row.end());
  };

  // Ranges of rows are formed apart, then put together.
  constexpr std::int64_t kGrain = 1 << 13;
  struct Range {
    std::vector<std::int32_t> col;
    std::vector<double> value;
  };
  std::vector<Range> ranges(static_cast<std::size_t>((n + kGrain - 1) / kGrain));
  CsrMatrix matrix;
  matrix.rows = n;
  assign_in_parallel(matrix.row_ptr, n + 1);
  parallel_ranges(
      n,
      [&](std::int64_t first, std::int64_t last) {
        Range& range = ranges[first / kGrain];
        const auto most = static_cast<std::size_t>(ends_at.start[last] - ends_at.start[first] + last - first);
        range.col.reserve(most);
        range.value.reserve(most);
        std::vector<Entry> row;
        for (std::int64_t i = first; i < last; ++i) {
          fill_row(i, row);
          matrix.row_ptr[i] = static_cast<std::int64_t>(row.size());
          for (const Entry& entry : row) {
            range.col.push_back(entry.col);
            range.value.push_back(entry.value);
          }
        }
      },
      kGrain);
  parallel_scan(matrix.row_ptr.data(), n + 1);
  assign_in_parallel(matrix.col, matrix.row_ptr[n]);
  assign_in_parallel(matrix.value, matrix.row_ptr[n]);
  parallel_ranges(
      n,
      [&](std::int64_t first, std::int64_t) {
        Range& range = ranges[first / kGrain];
        std::copy(range.col.begin(), range.col.end(), matrix.col.begin() + matrix.row_ptr[first]);
        std::copy(range.value.begin(), range.value.end(), matrix.value.begin() + matrix.row_ptr[first]);
        range = {};
      },
      kGrain);
  return matrix;
}

}  // namespace gridiron
