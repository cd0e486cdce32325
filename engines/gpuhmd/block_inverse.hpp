// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "engines/gpuhmd/table_level.hpp"
#include "linalg/dense_inverse.hpp"
#include "support/lists.hpp"

namespace gridiron::gpuhmd {

/// A row of one block: its grid's cells are entries[first … first + size).
struct BlockRow {
  int64_t first, size, coefficients;
};

/// The coarsest tables solved by products with the dense inverse of each grid: all work stays on the device.
template <class D, class T>
class BlockInverse {
 public:
  BlockInverse() = default;

  template <class L>
  explicit BlockInverse(const TableLevel<D, T, L>& level) {
    std::vector<BlockRow> rows;
    std::vector<int64_t> entries;
    int64_t coefficients = 0;
    for (const GridShape& g : level.shape.grids) {
      const int64_t nx = g.used_nx, ny = g.used_ny, n = nx * ny * g.layers;
      const auto first_entry = std::ssize(entries);
      for (int64_t i = 0; i < n; ++i) {
        rows.push_back({first_entry, n, coefficients + i * n});
        entries.push_back(g.first + (i / (nx * ny) * g.ny + i / nx % ny) * g.nx + i % nx);
      }
      coefficients += n * n;
    }
    rows_ = Array<D, BlockRow>(rows);
    entries_ = Array<D, int64_t>(entries);
    inverse_ = Array<D, T>(coefficients);
    refill(level);
  }

  /// Refills with new values for tables of the same shape.
  template <class L>
  void refill(const TableLevel<D, T, L>& level) {
    const std::vector<L> gh = level.gh.to_host(), gv = level.gv.to_host(), via = level.via.to_host();
    const std::vector<T> gz = level.gz.to_host();
    std::vector<T> inverse;
    for (const GridShape& g : level.shape.grids) {
      const int64_t nx = g.used_nx, ny = g.used_ny, n = nx * ny * g.layers;
      std::vector<double> a(n * n, 0.0);
      const auto join = [&](int64_t i, int64_t j, double conductance) {
        a[i * n + i] += conductance;
        a[j * n + j] += conductance;
        a[i * n + j] -= conductance;
        a[j * n + i] -= conductance;
      };
      for (int64_t i = 0; i < n; ++i) {
        const int64_t x = i % nx, y = i / nx % ny, layer = i / (nx * ny);
        const int64_t at = g.first + (layer * g.ny + y) * g.nx + x;
        if (x + 1 < nx) join(i, i + 1, static_cast<double>(gh[at]));
        if (y + 1 < ny) join(i, i + nx, static_cast<double>(gv[at]));
        if (layer + 1 < g.layers) join(i, i + nx * ny, static_cast<double>(via[at]));
        a[i * n + i] += static_cast<double>(gz[at]);
      }
      for (int64_t i = 0; i < n; ++i)
        if (a[i * n + i] == 0) a[i * n + i] = 1;  // an empty cell
      const std::vector<double> block = invert(n, std::move(a), "gpuhmd");
      append(inverse, block);
    }
    inverse_.copy_from(inverse);
  }

  bool empty() const { return inverse_.empty(); }
  int64_t bytes() const { return bytes_of(rows_, entries_, inverse_); }

  /// For scalars or packs V.
  template <class V>
  void solve(View<D, const V> b, View<D, V> x) const {
    const auto rows = rows_.view();
    const auto entries = entries_.view();
    const auto inverse = inverse_.view();
    D::for_each_tile(
        rows.size(), 32, 32 * sizeof(V), GRIDIRON_KERNEL(typename D::Tile & tile) {
          const BlockRow row = rows[tile.index()];
          const View<D, V> partial = tile.template shared<V>(32);
          tile.each(32, [&](int64_t lane) {
            V sum{};
            for (int64_t j = lane; j < row.size; j += 32)
              sum += inverse[row.coefficients + j] * b[entries[row.first + j]];
            partial[lane] = sum;
          });
          tile.each(1, [&](int64_t) {
            V sum{};
            for (int lane = 0; lane < 32; ++lane) sum += partial[lane];
            x[entries[tile.index()]] = sum;
          });
        });
  }

 private:
  Array<D, BlockRow> rows_;
  Array<D, int64_t> entries_;
  Array<D, T> inverse_;
};

}  // namespace gridiron::gpuhmd
