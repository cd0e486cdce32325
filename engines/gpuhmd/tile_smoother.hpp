// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <vector>

#include "engines/gpuhmd/table_kernels.hpp"

namespace gridiron::gpuhmd {

/// A rectangle of cells; rows are nx entries apart.
struct CellTile {
  int64_t first;
  int32_t width, height, nx;
};

/// The smoother of Feng and Li, §V, for grids of one layer: tiles of cells are relaxed one by one, each by a few damped
/// Jacobi sweeps in fast memory while the cells around it are held fixed. Neighbours differ in colour, and all tiles of
/// one colour are relaxed at once; the paper leaves the order unspecified.
template <class D, class T>
class TileSmoother {
 public:
  TileSmoother() = default;
  explicit TileSmoother(const BatchShape& shape) {
    std::vector<CellTile> tiles[2];
    for (const GridShape& g : shape.grids)
      for (int32_t y = 0; y < g.ny; y += kSide)
        for (int32_t x = 0; x < g.nx; x += kSide)
          tiles[(x / kSide + y / kSide) % 2].push_back(
              {g.first + int64_t{y} * g.nx + x, std::min(kSide, g.nx - x), std::min(kSide, g.ny - y), g.nx});
    for (int colour = 0; colour < 2; ++colour) tiles_[colour] = Array<D, CellTile>(tiles[colour]);
  }

  int64_t bytes() const { return bytes_of(tiles_[0], tiles_[1]); }

  /// From v = 0; and afterwards in the opposite order, which makes a cycle symmetric.
  template <class L, class V>
  void before_correction(const TableLevel<D, T, L>& level, LevelVectors<D, V>& v) const {
    fill<D, V>(v.x.view(), V{});
    relax(level, v, tiles_[0].view());
    relax(level, v, tiles_[1].view());
  }
  template <class L, class V>
  void after_correction(const TableLevel<D, T, L>& level, LevelVectors<D, V>& v) const {
    relax(level, v, tiles_[1].view());
    relax(level, v, tiles_[0].view());
  }

  // Public, as nvcc takes no kernels from private functions.

  template <class L, class V>
  void relax(const TableLevel<D, T, L>& level, LevelVectors<D, V>& vectors, View<D, const CellTile> tiles) const {
    const TablesView<D, T, L> a(level);
    const View<D, const V> b = vectors.rhs.view();
    const auto x = vectors.x.view();
    const T weight = kWeight;
    D::for_each_tile(
        tiles.size(), kCells, 3 * kCells * sizeof(V), GRIDIRON_KERNEL(typename D::Tile & tile) {
          const CellTile t = tiles[tile.index()];
          const int64_t cells = int64_t{t.width} * t.height, nx = t.nx;
          const View<D, V> arriving = tile.template shared<V>(kCells);  // from outside the tile, and b
          View<D, V> v = tile.template shared<V>(kCells), next = tile.template shared<V>(kCells);
          const auto entry = [&](int64_t c) { return t.first + c / t.width * nx + c % t.width; };
          tile.each(cells, [&](int64_t c) {
            const int64_t i = entry(c), column = c % t.width, row = c / t.width;
            V sum = b[i];
            if (column == 0) sum += T(a.gh[i - 1]) * x[i - 1];
            if (column == t.width - 1) sum += T(a.gh[i]) * x[i + 1];
            if (row == 0) sum += T(a.gv[i - nx]) * x[i - nx];
            if (row == t.height - 1) sum += T(a.gv[i]) * x[i + nx];
            arriving[c] = sum;
            v[c] = x[i];
          });
          for (int sweep = 0; sweep < kSweeps; ++sweep) {
            tile.each(cells, [&](int64_t c) {
              const int64_t i = entry(c), column = c % t.width, row = c / t.width;
              V sum = arriving[c];
              if (column > 0) sum += T(a.gh[i - 1]) * v[c - 1];
              if (column < t.width - 1) sum += T(a.gh[i]) * v[c + 1];
              if (row > 0) sum += T(a.gv[i - nx]) * v[c - t.width];
              if (row < t.height - 1) sum += T(a.gv[i]) * v[c + t.width];
              next[c] = v[c] + weight * (a.inverse[i] * sum - v[c]);
            });
            const View<D, V> last = v;
            v = next;
            next = last;
          }
          tile.each(cells, [&](int64_t c) { x[entry(c)] = v[c]; });
        });
  }

 private:
  static constexpr int32_t kSide = 16, kCells = kSide * kSide;
  static constexpr int kSweeps = 4;
  static constexpr T kWeight = static_cast<T>(0.8);

  Array<D, CellTile> tiles_[2];
};

}  // namespace gridiron::gpuhmd
