// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/gpuhmd/table_level.hpp"

namespace gridiron::gpuhmd {

/// Where cells couple this many times more strongly along one axis, point smoothing works along that axis, and only
/// that one is halved, which divides the ratio by four: 11 to 18 iterations for any anisotropy, not up to 187
/// (anisotropic2d).
inline constexpr double kAnisotropic = 1.8;

/// The axes of each grid to halve for the next level.
template <class D, class T, class L>
std::vector<Halving> halving_of(const TableLevel<D, T, L>& level) {
  const auto runs = level.runs.view();
  const auto gh = level.gh.view(), gv = level.gv.view();
  constexpr int kLanes = 64;
  Array<D, Sums<2>> array(runs.size());
  const auto sums = array.view();
  D::for_each_tile(
      runs.size(), kLanes, kLanes * sizeof(Sums<2>), GRIDIRON_KERNEL(typename D::Tile & tile) {
        const CellRun run = runs[tile.index()];
        const View<D, Sums<2>> of_lane = tile.template shared<Sums<2>>(kLanes);
        tile.each(kLanes, [&](int64_t lane) {
          Sums<2> sum;
          for (int64_t k = lane; k < run.count; k += kLanes)
            sum += Sums<2>{{static_cast<double>(T(gh[run.first + k])), static_cast<double>(T(gv[run.first + k]))}};
          of_lane[lane] = sum;
        });
        tile.each(1, [&](int64_t) {
          Sums<2> sum;
          for (int lane = 0; lane < kLanes; ++lane) sum += of_lane[lane];
          sums[tile.index()] = sum;
        });
      });
  const std::vector<Sums<2>> of_run = array.to_host();
  std::vector<Halving> halving;
  size_t run = 0;
  for (const GridShape& g : level.shape.grids) {
    Sums<2> sum;
    for (int64_t left = BatchShape::runs_of(g); left > 0; --left) sum += of_run[run++];
    const bool strong_x = sum[0] > kAnisotropic * sum[1] && g.used_nx > 1,
               strong_y = sum[1] > kAnisotropic * sum[0] && g.used_ny > 1;
    halving.push_back({!strong_y, !strong_x});
  }
  return halving;
}

/// Distances to neighbouring entries in a grid of one layer, and of several.
struct InPlane {
  int64_t nx;
};
struct InLayers {
  int64_t nx, plane;
};

/// What kernels see of the tables of one level.
template <class D, class T, class L>
struct TablesView {
  View<D, const L> gh, gv, via;
  View<D, const T> inverse;

  explicit TablesView(const TableLevel<D, T, L>& level)
      : gh(level.gh.view()), gv(level.gv.view()), via(level.via.view()), inverse(level.inverse_diagonal.view()) {}

  /// Σ g v over the neighbours of cell i, where v(j) is the voltage of cell j, a scalar or a pack, and `to` holds the
  /// distances to neighbours.
  template <class V>
  GRIDIRON_HOST_DEVICE auto inflow(InPlane to, int64_t i, V v) const {
    return T(gh[i]) * v(i + 1) + T(gh[i - 1]) * v(i - 1) + T(gv[i]) * v(i + to.nx) + T(gv[i - to.nx]) * v(i - to.nx);
  }
  template <class V>
  GRIDIRON_HOST_DEVICE auto inflow(InLayers to, int64_t i, V v) const {
    return inflow(InPlane{to.nx}, i, v) + T(via[i]) * v(i + to.plane) + T(via[i - to.plane]) * v(i - to.plane);
  }
};

/// f(to, i) for every cell i of a run. The kind of grid is decided outside the loop, so that it has no branch and
/// vectorizes.
template <class Tile, class F>
GRIDIRON_HOST_DEVICE void each_cell(Tile& tile, const CellRun& run, F f) {
  const int64_t first = run.first;
  if (run.plane == 0) {
    const InPlane to{run.nx};
    tile.each(run.count, [&](int64_t k) { f(to, first + k); });
  } else {
    const InLayers to{run.nx, run.plane};
    tile.each(run.count, [&](int64_t k) { f(to, first + k); });
  }
}

/// Computes the inverse diagonal from gh, gv, via and gz; 0 for cells without conductance.
template <class D, class T, class L>
void invert_diagonal(TableLevel<D, T, L>& level) {
  const TablesView<D, T, L> a(level);
  const View<D, const CellRun> runs = level.runs.view();
  const View<D, const T> gz = level.gz.view();
  const auto inverse = level.inverse_diagonal.view();
  D::for_each_tile(
      runs.size(), kThreadsPerTile, 0, GRIDIRON_KERNEL(typename D::Tile & tile) {
        each_cell(tile, runs[tile.index()], [&](auto to, int64_t i) {
          const T diagonal = gz[i] + a.inflow(to, i, [](int64_t) { return T(1); });
          inverse[i] = diagonal > 0 ? 1 / diagonal : T(0);
        });
      });
}

/// Two damped Jacobi sweeps from v = 0 in one pass.
template <class D, class T, class L, class V>
void smooth_from_zero(const TableLevel<D, T, L>& level, LevelVectors<D, V>& v, T first_weight, T weight) {
  const TablesView<D, T, L> a(level);
  const auto runs = level.runs.view();
  const View<D, const V> b = v.rhs.view();
  const auto out = v.x.view();
  D::for_each_tile(
      runs.size(), kThreadsPerTile, 0, GRIDIRON_KERNEL(typename D::Tile & tile) {
        const auto first = [&](int64_t j) { return first_weight * a.inverse[j] * b[j]; };
        each_cell(tile, runs[tile.index()], [&](auto to, int64_t i) {
          out[i] = (1 - weight) * first(i) + weight * a.inverse[i] * (b[i] + a.inflow(to, i, first));
        });
      });
}

/// One damped Jacobi sweep.
template <class D, class T, class L, class V>
void smooth(const TableLevel<D, T, L>& level, LevelVectors<D, V>& v, T weight) {
  const TablesView<D, T, L> a(level);
  const auto runs = level.runs.view();
  const View<D, const V> b = v.rhs.view(), x = v.x.view();
  const auto out = v.next.view();
  D::for_each_tile(
      runs.size(), kThreadsPerTile, 0, GRIDIRON_KERNEL(typename D::Tile & tile) {
        const auto old = [&](int64_t j) { return x[j]; };
        each_cell(tile, runs[tile.index()], [&](auto to, int64_t i) {
          out[i] = (1 - weight) * x[i] + weight * a.inverse[i] * (b[i] + a.inflow(to, i, old));
        });
      });
  std::swap(v.x, v.next);
}

/// Coarse right-hand side: the residual summed over the four children (eq. 5), or two.
template <class D, class T, class L, class V>
void restrict_residual(const TableLevel<D, T, L>& level, const LevelVectors<D, V>& fine, LevelVectors<D, V>& coarse) {
  const TablesView<D, T, L> a(level);
  const auto runs = level.coarse_runs.view();
  const auto b = fine.rhs.view(), x = fine.x.view();
  const auto out = coarse.rhs.view();
  D::for_each_tile(
      runs.size(), kThreadsPerTile, 2 * BatchShape::kCoarseRun * sizeof(V), GRIDIRON_KERNEL(typename D::Tile & tile) {
        const CoarseRun run = runs[tile.index()];
        const int64_t first = run.fine, fine_nx = run.fine_nx;
        const View<D, V> column = tile.template shared<V>(2 * BatchShape::kCoarseRun);
        const auto voltage = [&](int64_t j) { return x[j]; };
        const auto residual = [&](auto to, int64_t i) {
          const T inverse = a.inverse[i] > 0 ? a.inverse[i] : T(1);  // empty cells are at 0 V
          return b[i] - x[i] / inverse + a.inflow(to, i, voltage);
        };
        if (run.halving.y)
          each_cell(tile, run.fine_cells(),
                    [&](auto to, int64_t i) { column[i - first] = residual(to, i) + residual(to, i + fine_nx); });
        else
          each_cell(tile, run.fine_cells(), [&](auto to, int64_t i) { column[i - first] = residual(to, i); });
        if (run.halving.x)
          tile.each(run.count, [&](int64_t c) { out[run.coarse + c] = column[2 * c] + column[2 * c + 1]; });
        else
          tile.each(run.count, [&](int64_t c) { out[run.coarse + c] = column[c]; });
      });
}

/// Each child takes the correction of its coarse cell (eq. 6).
template <class D, class T, class L, class V>
void prolong(const TableLevel<D, T, L>& level, const LevelVectors<D, V>& coarse, LevelVectors<D, V>& fine) {
  const auto runs = level.coarse_runs.view();
  const auto e = coarse.x.view();
  const auto x = fine.x.view();
  D::for_each_tile(
      runs.size(), kThreadsPerTile, 0, GRIDIRON_KERNEL(typename D::Tile & tile) {
        const CoarseRun run = runs[tile.index()];
        const int64_t width = run.width();
        tile.each(width * run.count, [&](int64_t k) {
          const V correction = e[run.coarse + (width == 2 ? k / 2 : k)];
          x[run.fine + k] += correction;
          if (run.halving.y) x[run.fine + run.fine_nx + k] += correction;
        });
      });
}

/// Conductance between the centres of two coarse cells along one fine row: half of the edge inside the first cell, the
/// edge between them, half of the edge inside the second, in series; but not less than half of the edge between them.
/// An edge that is missing inside (the row begins or ends there) adds no resistance.
template <class T>
GRIDIRON_HOST_DEVICE T between_centres(T inner, T crossing, T next_inner) {
  if (!(crossing > 0)) return T(0);
  T resistance = 1 / crossing;
  if (inner > 0) resistance += T(0.5) / inner;
  if (next_inner > 0) resistance += T(0.5) / next_inner;
  const T series = 1 / resistance;
  return series > crossing / 2 ? series : crossing / 2;
}

template <class D, class T, class L>
void make_room(const TableLevel<D, T, L>& fine, TableLevel<D, T, L>& coarse) {
  for (Array<D, L>* table : {&coarse.gh, &coarse.gv})
    if (table->empty()) *table = zeros<D, L>(coarse.shape.entries);
  if (!fine.via.empty() && coarse.via.empty()) coarse.via = zeros<D, L>(coarse.shape.entries);
  if (coarse.gz.empty()) coarse.gz = zeros<D, T>(coarse.shape.entries);
}

/// Coarse tables from fine ones. As in eq. (4) a uniform grid keeps its gh and gv, and via adds up. Two things differ,
/// as conductances vary. Rows are combined in series and then in parallel, not averaged; the result lies between half
/// of the Galerkin operator of injection and all of it, so that no correction is more than a factor of two too large.
/// Where wires along one axis are much stronger, only that one is halved. And gz is summed as it is if `pads_within`,
/// but else acts through the wires between it and the centre of its coarse cell, again counted at no less than half:
/// with the plain sum a grid with one side at known potential would be half a cell too short on each level, and cycles
/// would converge more slowly the larger the grid (17 iterations instead of 10 at 512²). Pads all over a power grid
/// would grow too weak that way (ibm:10000000: 23 iterations instead of 18).
template <class D, class T, class L>
void coarsen_tables(const TableLevel<D, T, L>& fine, TableLevel<D, T, L>& coarse, bool pads_within) {
  const auto runs = fine.coarse_runs.view();
  const auto gh = fine.gh.view(), gv = fine.gv.view(), via = fine.via.view();
  const auto gz = fine.gz.view();
  make_room(fine, coarse);
  const auto coarse_gh = coarse.gh.view(), coarse_gv = coarse.gv.view(), coarse_via = coarse.via.view();
  const auto coarse_gz = coarse.gz.view();
  const bool layered = !fine.via.empty();
  D::for_each_tile(
      runs.size(), kThreadsPerTile, 0, GRIDIRON_KERNEL(typename D::Tile & tile) {
        const CoarseRun run = runs[tile.index()];
        const auto along_x = [&](int64_t i) {
          return gh[i + 1] > 0 ? between_centres<T>(gh[i], gh[i + 1], gh[i + 2]) : T(0);
        };
        const auto along_y = [&](int64_t i) {
          const int64_t nx = run.fine_nx;
          return gv[i + nx] > 0 ? between_centres<T>(gv[i], gv[i + nx], gv[i + 2 * nx]) : T(0);
        };
        const auto pad = [&](int64_t i, T inner_x, T inner_y) {
          const T wires = inner_x + inner_y;
          if (pads_within || !(inner_x > 0 && inner_y > 0)) return gz[i];
          return gz[i] > wires ? gz[i] / 2 : gz[i] * (wires / (gz[i] + wires));
        };
        if (!(run.halving.x && run.halving.y)) {  // two cells become one
          const int64_t step = run.halving.x ? 1 : run.fine_nx, width = run.width();
          tile.each(run.count, [&](int64_t c) {
            const int64_t i = run.fine + width * c, j = i + step, out = run.coarse + c;
            coarse_gh[out] = run.halving.x ? along_x(i) : T(gh[i]) + T(gh[j]);
            coarse_gv[out] = run.halving.y ? along_y(i) : T(gv[i]) + T(gv[j]);
            coarse_gz[out] = gz[i] + gz[j];
            if (layered) coarse_via[out] = via[i] + via[j];
          });
          return;
        }
        tile.each(run.count, [&](int64_t c) {
          const int64_t i = run.fine + 2 * c, j = i + run.fine_nx, out = run.coarse + c;
          coarse_gh[out] = along_x(i) + along_x(j);
          coarse_gv[out] = along_y(i) + along_y(i + 1);
          coarse_gz[out] =
              pad(i, gh[i], gv[i]) + pad(i + 1, gh[i], gv[i + 1]) + pad(j, gh[j], gv[i]) + pad(j + 1, gh[j], gv[i + 1]);
          if (layered) coarse_via[out] = via[i] + via[i + 1] + via[j] + via[j + 1];
        });
      });
}

/// Coarse tables as in the paper (eq. 4): gh and gv are averaged over the four children, gz and via summed. No wire
/// leads out of the grid, and none between cells that none connects.
template <class D, class T, class L>
void average_tables(const TableLevel<D, T, L>& fine, TableLevel<D, T, L>& coarse) {
  const auto runs = fine.coarse_runs.view();
  const auto gh = fine.gh.view(), gv = fine.gv.view(), via = fine.via.view();
  const auto gz = fine.gz.view();
  make_room(fine, coarse);
  const auto coarse_gh = coarse.gh.view(), coarse_gv = coarse.gv.view(), coarse_via = coarse.via.view();
  const auto coarse_gz = coarse.gz.view();
  const bool layered = !fine.via.empty();
  D::for_each_tile(
      runs.size(), kThreadsPerTile, 0, GRIDIRON_KERNEL(typename D::Tile & tile) {
        const CoarseRun run = runs[tile.index()];
        tile.each(run.count, [&](int64_t c) {
          const int64_t i = run.fine + 2 * c, j = i + run.fine_nx, out = run.coarse + c;
          const auto sum = [&](const auto& table) {
            return T(table[i]) + T(table[i + 1]) + T(table[j]) + T(table[j + 1]);
          };
          const bool leads_on_x = T(gh[i + 1]) + T(gh[j + 1]) > 0, leads_on_y = T(gv[j]) + T(gv[j + 1]) > 0;
          coarse_gh[out] = leads_on_x ? sum(gh) / 4 : T(0);
          coarse_gv[out] = leads_on_y ? sum(gv) / 4 : T(0);
          coarse_gz[out] = sum(gz);
          if (layered) coarse_via[out] = sum(via);
        });
      });
}

/// Raises conductances between neighbouring cells to at least `gmin` times the largest: the Gmin of the paper, which
/// connects cells without any wire.
template <class D, class T, class L>
void raise_to_gmin(TableLevel<D, T, L>& level, double gmin) {
  const auto gh = level.gh.view(), gv = level.gv.view();
  const double largest = D::max(
      gh.size(), GRIDIRON_KERNEL(int64_t i) {
        const double x = T(gh[i]), y = T(gv[i]);
        return x > y ? x : y;
      });
  const T least = static_cast<T>(gmin * largest);
  for (const GridShape& g : level.shape.grids) {
    const int64_t first = g.first, nx = g.nx, ny = g.ny, used_nx = g.used_nx, used_ny = g.used_ny;
    D::for_each_tile(
        g.layers * used_ny, kThreadsPerTile, 0, GRIDIRON_KERNEL(typename D::Tile & tile) {
          const int64_t layer = tile.index() / used_ny, y = tile.index() % used_ny;
          const int64_t row = first + (layer * ny + y) * nx;
          tile.each(used_nx, [&](int64_t x) {
            if (x + 1 < used_nx && T(gh[row + x]) < least) gh[row + x] = least;
            if (y + 1 < used_ny && T(gv[row + x]) < least) gv[row + x] = least;
          });
        });
  }
}

}  // namespace gridiron::gpuhmd
