// SPDX-License-Identifier: Apache-2.0
#include "engines/assemble.hpp"

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "support/parallel_arrays.hpp"

namespace gridiron {
namespace {

struct Entry {
  int32_t col;
  double value;
};

/// Stable. Most rows are so short that insertion is fastest.
void sort_by_column(std::vector<Entry>& row) {
  constexpr size_t kShort = 16;
  if (row.size() > kShort)
    return std::stable_sort(row.begin(), row.end(), [](const Entry& a, const Entry& b) { return a.col < b.col; });
  for (size_t k = 1; k < row.size(); ++k) {
    const Entry entry = row[k];
    size_t at = k;
    for (; at > 0 && row[at - 1].col > entry.col; --at) row[at] = row[at - 1];
    row[at] = entry;
  }
}

/// The edges of every node, in their order. Index: of ends of edges.
template <class Index>
class EdgesOfNodes {
 public:
  explicit EdgesOfNodes(const MergedNetwork& network)
      : network_(network),
        is_upper_(holds_for_all(
            network.edges(),
            [&](int64_t e) { return network.a[e] < network.b[e] && (e == 0 || network.a[e - 1] <= network.a[e]); })),
        ends_at_(is_upper_ ? network.edges() : 2 * network.edges(), network.nodes,
                 [&](int64_t end) { return is_upper_ ? network.b[end] : node_at(end); }) {
    if (!is_upper_) return;
    resize_untouched(upper_, network.nodes + size_t{1});
    const auto first_edge = [&](int64_t i) {
      return static_cast<Index>(std::ranges::lower_bound(network.a, i) - network.a.begin());
    };
    parallel_ranges(network.nodes + 1, [&](int64_t begin, int64_t end) {
      Index e = first_edge(begin);
      for (int64_t i = begin; i < end; ++i) {
        while (e < network.edges() && network.a[e] < i) ++e;
        upper_[i] = e;
      }
    });
  }

  int64_t count_before(int64_t i) const {
    return static_cast<int64_t>(ends_at_.start[i]) + (is_upper_ ? upper_[i] : 0);
  }

  /// f(other node, conductance).
  void for_each(int64_t i, auto&& f) const {
    for (Index k = ends_at_.start[i]; k < ends_at_.start[i + 1]; ++k) {
      const int64_t item = ends_at_.item[k];
      if (is_upper_)
        f(network_.a[item], network_.conductance[item]);
      else
        f(node_at(item ^ 1), network_.conductance[item / 2]);
    }
    if (!is_upper_) return;
    for (Index e = upper_[i]; e < upper_[i + 1]; ++e) f(network_.b[e], network_.conductance[e]);
  }

 private:
  int32_t node_at(int64_t end) const { return (end % 2 == 0 ? network_.a : network_.b)[end / 2]; }

  const MergedNetwork& network_;
  /// Edges lead from lower nodes, which ascend, to higher ones, as elimination leaves them: those to lower nodes come
  /// before all others of a node, and only they have to be sorted.
  bool is_upper_;
  ItemsByNode<Index> ends_at_;  ///< or, where is_upper_, edges by their higher nodes
  std::vector<Index> upper_;    ///< where is_upper_: per node its first edge to a higher one, and the end
};

template <class Index>
CsrMatrix assemble_with(const MergedNetwork& network) {
  const int64_t n = network.nodes;
  const EdgesOfNodes<Index> edges(network);
  // Row i in the order of its edges, with the diagonal first; then by column, those of parallel edges summed.
  const auto fill_row = [&](int64_t i, std::vector<Entry>& row) {
    row.assign(1, {static_cast<int32_t>(i), network.pad[i]});
    edges.for_each(i, [&](int32_t other, double conductance) {
      row.push_back({other, -conductance});
      row[0].value += conductance;
    });
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

  // Every row has room for all its edges. Parallel edges, which reduction leaves few of, leave some of it empty.
  CsrMatrix matrix;
  matrix.rows = n;
  make_room_in_parallel(matrix.row_ptr, n + 1);
  make_room_in_parallel(matrix.col, 2 * network.edges() + n);
  make_room_in_parallel(matrix.value, 2 * network.edges() + n);
  const auto room_at = [&](int64_t i) { return edges.count_before(i) + i; };
  parallel_ranges(n, [&](int64_t first, int64_t last) {
    std::vector<Entry> row;
    for (int64_t i = first; i < last; ++i) {
      fill_row(i, row);
      matrix.row_ptr[i] = std::ssize(row);
      int64_t at = room_at(i);
      for (const Entry& entry : row) {
        matrix.col[at] = entry.col;
        matrix.value[at++] = entry.value;
      }
    }
  });
  const int64_t entries = parallel_scan(matrix.row_ptr.data(), n);
  matrix.row_ptr[n] = entries;
  if (entries == std::ssize(matrix.col)) return matrix;
  const auto close_up = [&](auto& column) {
    std::remove_reference_t<decltype(column)> closed;
    make_room_in_parallel(closed, entries);
    parallel_each(n, [&](int64_t i) {
      std::copy_n(column.begin() + room_at(i), matrix.row_ptr[i + 1] - matrix.row_ptr[i],
                  closed.begin() + matrix.row_ptr[i]);
    });
    column = std::move(closed);
  };
  close_up(matrix.col);
  close_up(matrix.value);
  return matrix;
}

}  // namespace

CsrMatrix assemble(const MergedNetwork& network) {
  return 2 * network.edges() <= UINT32_MAX ? assemble_with<uint32_t>(network) : assemble_with<int64_t>(network);
}

}  // namespace gridiron
