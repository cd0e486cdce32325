// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "engines/hybrid/grid_on.hpp"
#include "engines/sgml/plan.hpp"

namespace gridiron::sgml {

/// Points of a lattice for the tables of a grid: cells, followed by as many dummies as it takes to halve an axis down
/// to 9 to 17 points. Layers are the third axis, which no level coarsens.
Lattice lattice_of(const CellGrid& grid);

/// To the next level of such a lattice. Both axes of the plane are halved down to three points. On a strip, the shorter
/// one then becomes a single point: relaxation would act across the strip only, where couplings grow from level to
/// level, and not along it.
AxisMaps table_coarsening(const Lattice& lattice);

/// The tables of one level on its lattice.
template <class D>
struct TableFields {
  std::vector<Array<D, double>> along;  ///< per axis: conductances to the next point
  Array<D, double> to_ground;

  explicit TableFields(const Lattice& lattice) : to_ground(lattice.size()) {
    fill<D, double>(to_ground.view(), 0.0);
    for (int axis = 0; axis < lattice.dimensions; ++axis)
      fill<D, double>(along.emplace_back(lattice.size()).view(), 0.0);
  }
};

/// How a coarse table is made from a fine one along one axis. Hat functions: a coarse point gathers from the points
/// around it. Or a chain, for conductances between points c and c + 1: a fine wire of length δ, in coarse intervals, of
/// which o lies in this one, counts δ·o of its conductance. Interpolated voltages then never dissipate more power on
/// the fine grid than on the coarse one, so that coarse corrections do not overshoot.
struct AxisRestriction {
  AxisMap map;
  bool is_chain = false;

  /// The first and last fine points that may count.
  GRIDIRON_HOST_DEVICE int64_t begin(int64_t c) const { return map.is_kept() ? c : map.support_begin(c); }
  GRIDIRON_HOST_DEVICE int64_t end(int64_t c) const { return map.is_kept() ? c : map.support_end(c); }
  GRIDIRON_HOST_DEVICE double weight(int64_t c, int64_t p) const {
    if (map.is_kept()) return 1;
    if (!is_chain) return map.hat(c, p);
    if (c + 1 >= map.coarse || p + 1 >= map.fine) return 0;
    const AxisMap::Between start = map.in_coarse(p);
    const double length = static_cast<double>(map.coarse - 1) / (map.fine - 1);
    const double left = 1 - start.weight, here = length < left ? length : left;
    return length * (start.first == c ? here : start.first + 1 == c ? length - here : 0);
  }
};

/// A coarse table from a fine one; layers are kept.
template <class D>
void restrict_table(const Lattice& fine, const Lattice& coarse, const AxisRestriction& along_x,
                    const AxisRestriction& along_y, View<D, const double> from, View<D, double> to) {
  const Lattice f = fine, c = coarse;
  const AxisRestriction rx = along_x, ry = along_y;
  D::for_each_line(
      c.lines(), c.unknowns(0), LineNumber(), GRIDIRON_KERNEL(int64_t line, int64_t i) {
        const int64_t j = c.y_of(line), z = c.z_of(line);
        double sum = 0;
        for (int64_t y = ry.begin(j); y <= ry.end(j); ++y) {
          const double share = ry.weight(j, y);
          if (share == 0) continue;
          double row = 0;
          for (int64_t x = rx.begin(i); x <= rx.end(i); ++x) row += rx.weight(i, x) * from[f.at(x, y, z)];
          sum += share * row;
        }
        to[c.at(line, i)] = sum;
      });
}

/// Copies a table of a grid to the lattice.
template <class D>
void place_table(const CellGrid& grid, const Lattice& lattice, View<D, const double> table, View<D, double> field) {
  const Lattice l = lattice;
  const int64_t rows = grid.used_ny, nx = grid.nx, ny = grid.ny;
  D::for_each_line(
      grid.layers * rows, grid.used_nx, LineNumber(), GRIDIRON_KERNEL(int64_t line, int64_t x) {
        const int64_t y = line % rows, z = line / rows;
        field[l.at(x, y, z)] = table[(z * ny + y) * nx + x];
      });
}

/// Raises conductances along an axis of the plane to at least `lowest`.
template <class D>
void raise_table(const Lattice& lattice, int axis, double lowest, View<D, double> field) {
  const Lattice l = lattice;
  const int64_t rows = l.points[1] - (axis == 1);
  D::for_each_line(
      rows * l.points[2], l.points[0] - (axis == 0), LineNumber(), GRIDIRON_KERNEL(int64_t line, int64_t x) {
        double& g = field[l.at(x, line % rows, line / rows)];
        if (g < lowest) g = lowest;
      });
}

/// Tables of the finest level. Cells without wire get the dummy conductance of Feng and Li, ICCAD 2008, §III, so that
/// relaxation interpolates them between their neighbours.
template <class D>
TableFields<D> on_lattice(const GridOn<D>& grid, const Lattice& lattice) {
  constexpr double kDummy = 1e-6;  // Gmin of the paper, relative to the largest conductance
  TableFields<D> fields(lattice);
  const View<D, const double> tables[] = {grid.gh, grid.gv, grid.via};
  const View<D, const double> ground = grid.gz;
  double largest = D::max(
      ground.size(), GRIDIRON_KERNEL(int64_t i) { return ground[i]; });
  for (int axis = 0; axis < lattice.dimensions; ++axis) {
    const View<D, const double> table = tables[axis];
    const double highest = D::max(
        table.size(), GRIDIRON_KERNEL(int64_t i) { return table[i]; });
    if (highest > largest) largest = highest;
    place_table<D>(grid, lattice, table, fields.along[axis].view());
  }
  place_table<D>(grid, lattice, ground, fields.to_ground.view());
  for (int axis = 0; axis < 2; ++axis) raise_table<D>(lattice, axis, kDummy * largest, fields.along[axis].view());
  return fields;
}

template <class D>
TableFields<D> restricted(const TableFields<D>& fine, const Lattice& from, const Lattice& to, const AxisMaps& maps) {
  TableFields<D> coarse(to);
  for (int axis = 0; axis < to.dimensions; ++axis)
    restrict_table<D>(from, to, {maps[0], axis == 0}, {maps[1], axis == 1}, fine.along[axis].view(),
                      coarse.along[axis].view());
  restrict_table<D>(from, to, {maps[0]}, {maps[1]}, fine.to_ground.view(), coarse.to_ground.view());
  return coarse;
}

/// Adds the conductances to all neighbours to those to ground: the diagonal of a level.
template <class D>
void add_neighbours(const Lattice& lattice, const std::vector<Array<D, double>>& along, View<D, double> diagonal) {
  const Lattice l = lattice;
  const View<D, const double> gx = along[0].view(), gy = along[1].view(),
                              gz = l.dimensions == 3 ? along[2].view() : View<D, const double>();
  D::for_each_line(
      l.lines(), l.unknowns(0), GRIDIRON_KERNEL(int64_t line) { return l.at(line, 0); },
      GRIDIRON_KERNEL(int64_t start, int64_t i) {
        const int64_t at = start + i, p = l.pitch(), q = l.plane();
        const double above = l.dimensions == 3 ? gz[at] : 0, below = l.dimensions == 3 ? gz[at - q] : 0;
        diagonal[at] = below + gy[at - p] + gx[at - 1] + diagonal[at] + gx[at] + gy[at] + above;
      });
}

/// All levels for the conductance tables of a power grid, finest first, down to one of at most `direct` unknowns or the
/// smallest. Conductances, which the SGML paper restricts at points (eqs. 3 and 4), lie between points here: see
/// AxisRestriction.
template <class D>
std::vector<LevelPlanOn<D>> plan_levels(const GridOn<D>& grid, int64_t direct) {
  constexpr Band kBand{0.3, 2.0};
  Lattice lattice = lattice_of(grid);
  TableFields<D> fields = on_lattice(grid, lattice);
  std::vector<LevelPlanOn<D>> levels;
  for (;;) {
    const AxisMaps maps = table_coarsening(lattice);
    const bool is_coarsest = lattice.unknowns() <= direct || (maps[0].is_kept() && maps[1].is_kept());
    Lattice next = lattice;
    std::optional<TableFields<D>> coarse;
    if (!is_coarsest) {
      for (int axis = 0; axis < 3; ++axis) next.points[axis] = maps[axis].coarse;
      coarse = restricted(fields, lattice, next, maps);
    }
    add_neighbours<D>(lattice, fields.along, fields.to_ground.view());
    levels.push_back({{.lattice = lattice,
                       .all_around = false,
                       .uniform = false,
                       .conductance = std::move(fields.along),
                       .diagonals = std::move(fields.to_ground)},
                      kBand,
                      maps});
    if (is_coarsest) return levels;
    fields = std::move(*coarse);
    lattice = next;
  }
}

}  // namespace gridiron::sgml
