// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "engines/hybrid/grid_on.hpp"
#include "support/error.hpp"

namespace gridiron::gpuhmd {

/// One grid on one level of the batch.
struct GridShape {
  int64_t first = 0;  ///< entry of its cell (0, 0, 0)
  int32_t nx = 0, ny = 0, layers = 0;
  int32_t used_nx = 0, used_ny = 0;

  int64_t plane() const { return int64_t{nx} * ny; }
  int64_t cells() const { return plane() * layers; }
};

/// A run of cells that a tile works on. Neighbours along y are nx entries away, those in the next layer `plane`; plane
/// is 0 where the grid has one layer only.
struct CellRun {
  int64_t first;
  int32_t count, nx, plane;
};

/// A run of columns, each made of the cells of all layers at one (x, y); `first` is on the lowest layer.
struct ColumnRun {
  int64_t first, plane;
  int32_t count, nx, layers;
};

/// Along which axes two cells become one on the next level.
struct Halving {
  bool x = true, y = true;
};

/// A piece of a coarse row: coarse cell c of the piece covers the fine cells fine + 2 c and fine + 2 c + 1 of one row,
/// and those of the next row, fine_nx entries further; or only half of them, see `halving`.
struct CoarseRun {
  int64_t coarse, fine;
  int32_t count, fine_nx, fine_plane;
  Halving halving;

  GRIDIRON_HOST_DEVICE int64_t width() const { return halving.x ? 2 : 1; }
  GRIDIRON_HOST_DEVICE CellRun fine_cells() const {
    return {fine, static_cast<int32_t>(width()) * count, fine_nx, fine_plane};
  }
};

/// Where the cells of all grids of one level lie. Sides are even, and each grid is preceded and followed by as many
/// empty entries as its stencil reaches, so that kernels need no bounds checks: outside a grid all conductances and
/// voltages are 0.
struct BatchShape {
  std::vector<GridShape> grids;
  int64_t entries = 0;

  BatchShape(int32_t nx, int32_t ny, int32_t layers) : grids{{.layers = layers, .used_nx = nx, .used_ny = ny}} {
    compute_layout();
  }
  explicit BatchShape(const std::vector<CellGrid>& cells) {
    for (const CellGrid& c : cells) grids.push_back({.layers = c.layers, .used_nx = c.used_nx, .used_ny = c.used_ny});
    compute_layout();
  }

  /// Four cells of a plane become one, or two; `halving` per grid.
  BatchShape coarser(const std::vector<Halving>& halving) const {
    BatchShape coarse = *this;
    for (size_t k = 0; k < grids.size(); ++k) {
      GridShape& g = coarse.grids[k];
      if (halving[k].x) g.used_nx = g.nx / 2;
      if (halving[k].y) g.used_ny = g.ny / 2;
    }
    coarse.compute_layout();
    return coarse;
  }

  int64_t largest() const {
    int64_t cells = 0;
    for (const GridShape& g : grids) cells = std::max(cells, int64_t{g.used_nx} * g.used_ny * g.layers);
    return cells;
  }
  bool has_layers() const {
    return std::any_of(grids.begin(), grids.end(), [](const GridShape& g) { return g.layers > 1; });
  }
  bool can_coarsen() const {
    return std::any_of(grids.begin(), grids.end(), [](const GridShape& g) { return g.used_nx > 1 || g.used_ny > 1; });
  }

  static int64_t runs_of(const GridShape& g) { return (g.cells() + kRun - 1) / kRun; }
  std::vector<CellRun> cell_runs() const {
    std::vector<CellRun> runs;
    for (const GridShape& g : grids)
      for (int64_t done = 0; done < g.cells(); done += kRun)
        runs.push_back(
            {g.first + done, static_cast<int32_t>(std::min(kRun, g.cells() - done)), g.nx, stride_of_layers(g)});
    return runs;
  }
  std::vector<ColumnRun> column_runs() const {
    std::vector<ColumnRun> runs;
    for (const GridShape& g : grids)
      for (int64_t done = 0; done < g.plane(); done += kColumnRun)
        runs.push_back(
            {g.first + done, g.plane(), static_cast<int32_t>(std::min(kColumnRun, g.plane() - done)), g.nx, g.layers});
    return runs;
  }
  std::vector<CoarseRun> coarse_runs(const BatchShape& coarse, const std::vector<Halving>& halving) const {
    std::vector<CoarseRun> runs;
    for (size_t k = 0; k < grids.size(); ++k) {
      const int64_t width = halving[k].x ? 2 : 1, height = halving[k].y ? 2 : 1;
      const GridShape &f = grids[k], &c = coarse.grids[k];
      for (int64_t layer = 0; layer < c.layers; ++layer)
        for (int64_t y = 0; y < c.used_ny; ++y)
          for (int64_t x = 0; x < c.used_nx; x += kCoarseRun)
            runs.push_back({c.first + layer * c.plane() + y * c.nx + x,
                            f.first + layer * f.plane() + height * y * f.nx + width * x,
                            static_cast<int32_t>(std::min<int64_t>(kCoarseRun, c.used_nx - x)), f.nx,
                            stride_of_layers(f), halving[k]});
    }
    return runs;
  }

  /// Kernels number the cells of a plane with 32 bits.
  void compute_layout() {
    entries = 0;
    for (GridShape& g : grids) {
      g.nx = g.used_nx + g.used_nx % 2;
      g.ny = g.used_ny + g.used_ny % 2;
      if (g.plane() > INT32_MAX)
        throw ResourceError("the regular grid has more cells in a plane than 32 bits can number; lower grid_scale");
      const int64_t margin = g.layers > 1 ? g.plane() : 2 * g.nx;
      g.first = entries + margin;
      entries = g.first + g.cells() + margin;
    }
  }

  static int32_t stride_of_layers(const GridShape& g) { return g.layers > 1 ? static_cast<int32_t>(g.plane()) : 0; }

  static constexpr int64_t kRun = 1024, kColumnRun = 256;
  static constexpr int32_t kCoarseRun = 512;
};

inline constexpr int kThreadsPerTile = 256;

template <class D, class T>
Array<D, T> zeros(int64_t entries) {
  Array<D, T> array(entries);
  fill<D, T>(array.view(), T{});
  return array;
}

/// Copies a table of one grid to its position in the batch.
template <class D, class T>
void copy_to_batch(const CellGrid& grid, View<D, const double> in, const GridShape& to, View<D, T> out) {
  const int64_t nx = grid.nx, ny = grid.ny, used_nx = grid.used_nx, used_ny = grid.used_ny;
  const int64_t first = to.first, out_nx = to.nx, out_ny = to.ny;
  D::for_each_tile(
      grid.layers * used_ny, kThreadsPerTile, 0, GRIDIRON_KERNEL(typename D::Tile & tile) {
        const int64_t layer = tile.index() / used_ny, y = tile.index() % used_ny;
        const int64_t from_row = (layer * ny + y) * nx, to_row = first + (layer * out_ny + y) * out_nx;
        tile.each(used_nx, [&](int64_t x) { out[to_row + x] = static_cast<T>(in[from_row + x]); });
      });
}

/// Copies a table of all grids into the layout `shape`. `array` has that size, or is empty.
template <class D, class T>
void copy_to_batch(const std::vector<GridOn<D>>& grids, View<D, const double> GridOn<D>::*table,
                   const BatchShape& shape, Array<D, T>& array) {
  if (array.empty()) array = zeros<D, T>(shape.entries);
  for (size_t k = 0; k < grids.size(); ++k)
    copy_to_batch<D, T>(grids[k], grids[k].*table, shape.grids[k], array.view());
}

/// One level. Conductances between cells may be stored in a different type L. Derived values must be computed from the
/// conductances as rounded to L: a diagonal that is not the exact sum of its row would leak a little current to ground
/// from every cell.
template <class D, class T, class L = T>
struct TableLevel {
  BatchShape shape;
  Array<D, CellRun> runs;
  Array<D, CoarseRun> coarse_runs;  ///< to the next level; empty on the coarsest
  Array<D, L> gh, gv, via;          ///< as in GridTables; via is empty when no grid has layers
  Array<D, T> gz;
  Array<D, T> inverse_diagonal;
  Array<D, ColumnRun> columns;  ///< the rest only where some grid has layers
  Array<D, T> ratio, inverse_pivot;

  /// With no tables yet.
  explicit TableLevel(BatchShape layout) : shape(std::move(layout)), runs(shape.cell_runs()) {
    inverse_diagonal = zeros<D, T>(shape.entries);
    if (shape.has_layers()) columns = Array<D, ColumnRun>(shape.column_runs());
  }

  int64_t bytes() const {
    return bytes_of(runs, coarse_runs, columns, ratio, inverse_pivot, gh, gv, via, gz, inverse_diagonal);
  }
};

/// The vectors of one level in a cycle, zero at first, with entries V: scalars or packs.
template <class D, class V>
struct LevelVectors {
  Array<D, V> rhs, x, next;

  explicit LevelVectors(int64_t entries) {
    for (Array<D, V>* a : {&rhs, &x, &next}) *a = zeros<D, V>(entries);
  }
  int64_t bytes() const { return bytes_of(rhs, x, next); }
  void clear() {
    for (Array<D, V>* a : {&rhs, &x, &next}) fill<D, V>(a->view(), V{});
  }
};

}  // namespace gridiron::gpuhmd
