// SPDX-License-Identifier: Apache-2.0
#include "engines/sgml/tables_plan.hpp"

#include <algorithm>
#include <bit>

#include "support/parallel.hpp"

namespace gridiron::sgml {
namespace {

constexpr double kDummy = 1e-6;  // Gmin of the paper, relative to the largest conductance

/// The number of intervals for an axis of `cells` points so that halving ends at 8 to 16.
std::int64_t comfortable_intervals(std::int64_t cells) {
  const auto intervals = static_cast<std::uint64_t>(cells - 1);
  const std::uint64_t unit = std::bit_floor(std::max<std::uint64_t>(intervals / 8, 1));
  return static_cast<std::int64_t>((intervals + unit - 1) / unit * unit);
}

/// Values at the points of a lattice or between them, x fastest, without a ring.
struct Field {
  std::array<std::int64_t, 3> size;
  std::vector<double> value;

  explicit Field(const std::array<std::int64_t, 3>& n) : size(n), value(n[0] * n[1] * n[2], 0.0) {}
  double& at(std::int64_t x, std::int64_t y, std::int64_t z) { return value[(z * size[1] + y) * size[0] + x]; }
};

/// The tables of one level; `along[axis]` holds conductances to the next point along an axis.
struct TableFields {
  std::array<Field, 3> along;
  Field to_ground;
};

/// Rows of a matrix that acts along an axis: coarse values from fine ones.
struct AxisWeights {
  struct Entry {
    std::int64_t fine;
    double weight;
  };
  std::vector<std::vector<Entry>> rows;
};

/// Hat functions: a coarse point gathers from the points around it.
AxisWeights gathering(const AxisMap& map) {
  AxisWeights weights;
  for (std::int64_t c = 0; c < map.coarse; ++c) {
    auto& row = weights.rows.emplace_back();
    for (std::int64_t p = map.support_begin(c); p <= map.support_end(c); ++p)
      if (map.hat(c, p) > 0) row.push_back({p, map.hat(c, p)});
  }
  return weights;
}

/// Conductances between coarse points c and c + 1 from those between fine ones. A fine wire of length δ, in coarse
/// intervals, of which o lies in this one, counts δ·o of its conductance: interpolated voltages then never dissipate
/// more power on the fine grid than on the coarse one, so that coarse corrections do not overshoot.
AxisWeights chaining(const AxisMap& map) {
  AxisWeights weights;
  weights.rows.resize(map.coarse);
  const double length = static_cast<double>(map.coarse - 1) / static_cast<double>(map.fine - 1);
  for (std::int64_t p = 0; p + 1 < map.fine; ++p) {
    const AxisMap::Between begin = map.in_coarse(p);
    const double here = std::min(length, 1 - begin.weight), beyond = length - here;
    weights.rows[begin.first].push_back({p, length * here});
    if (begin.first + 1 < map.coarse) weights.rows[begin.first + 1].push_back({p, length * beyond});
  }
  return weights;
}

Field apply_along(int axis, const AxisWeights& weights, const Field& in) {
  auto size = in.size;
  size[axis] = static_cast<std::int64_t>(weights.rows.size());
  Field out(size);
  const std::int64_t stride = axis == 0 ? 1 : axis == 1 ? in.size[0] : in.size[0] * in.size[1];
  const std::int64_t n = size[axis], fine = in.size[axis];
  const std::int64_t blocks = static_cast<std::int64_t>(out.value.size()) / (stride * n);
  parallel_ranges(
      blocks * n,
      [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t row = first; row < last; ++row) {
          double* const to = out.value.data() + row * stride;
          for (const auto& [p, weight] : weights.rows[row % n]) {
            const double* const from = in.value.data() + (row / n * fine + p) * stride;
            for (std::int64_t k = 0; k < stride; ++k) to[k] += weight * from[k];
          }
        }
      },
      std::max<std::int64_t>(1, (1 << 14) / stride));
  return out;
}

TableFields restricted(const TableFields& fine, const std::array<AxisMap, 3>& maps) {
  const auto onto_coarse = [&](const Field& field, int chained) {
    Field out = field;
    for (int axis = 0; axis < 3; ++axis)
      if (!maps[axis].is_kept())
        out = apply_along(axis, axis == chained ? chaining(maps[axis]) : gathering(maps[axis]), out);
    return out;
  };
  return {{onto_coarse(fine.along[0], 0), onto_coarse(fine.along[1], 1), onto_coarse(fine.along[2], 2)},
          onto_coarse(fine.to_ground, -1)};
}

TableFields on_lattice(const GridTables& grid, const Lattice& lattice) {
  const std::array<std::int64_t, 3> size{lattice.points[0], lattice.points[1], lattice.points[2]};
  TableFields fields{{Field(size), Field(size), Field(size)}, Field(size)};
  const auto place = [&](const std::vector<double>& table, Field& field) {
    for (std::int64_t z = 0; z < grid.layers; ++z)
      for (std::int64_t y = 0; y < grid.used_ny; ++y)
        std::copy_n(table.data() + (z * grid.ny + y) * grid.nx, grid.used_nx, &field.at(0, y, z));
  };
  place(grid.gh, fields.along[0]);
  place(grid.gv, fields.along[1]);
  place(grid.via, fields.along[2]);
  place(grid.gz, fields.to_ground);
  double largest = 0;
  for (const Field* field : {&fields.along[0], &fields.along[1], &fields.along[2], &fields.to_ground})
    largest = std::max(largest, *std::max_element(field->value.begin(), field->value.end()));
  for (int axis = 0; axis < 2; ++axis)
    for (std::int64_t z = 0; z < size[2]; ++z)
      for (std::int64_t y = 0; y < size[1] - (axis == 1); ++y)
        for (std::int64_t x = 0; x < size[0] - (axis == 0); ++x) {
          double& g = fields.along[axis].at(x, y, z);
          g = std::max(g, kDummy * largest);
        }
  return fields;
}

StencilData stencil_of(TableFields& fields, const Lattice& lattice) {
  StencilData data{.lattice = lattice, .all_around = false, .uniform = false};
  data.conductance.assign(lattice.dimensions, std::vector<double>(lattice.size(), 0.0));
  data.diagonals.assign(lattice.size(), 0.0);
  for (std::int64_t z = 0; z < lattice.points[2]; ++z)
    for (std::int64_t y = 0; y < lattice.points[1]; ++y)
      for (std::int64_t x = 0; x < lattice.points[0]; ++x) {
        const std::int64_t at = lattice.at(x, y, z);
        const std::int64_t offset[] = {1, lattice.pitch(), lattice.plane()};
        data.diagonals[at] += fields.to_ground.at(x, y, z);
        for (int axis = 0; axis < lattice.dimensions; ++axis) {
          const double g = fields.along[axis].at(x, y, z);
          data.conductance[axis][at] = g;
          data.diagonals[at] += g;
          if (g > 0) data.diagonals[at + offset[axis]] += g;
        }
      }
  return data;
}

/// Both axes of the plane are halved down to three points. On a strip, the shorter one then becomes a single point:
/// relaxation would act across the strip only, where couplings grow from level to level, and not along it.
std::array<AxisMap, 3> coarsening(const Lattice& lattice) {
  constexpr std::int64_t kFew = 3, kLong = 8;
  std::array<AxisMap, 3> maps;
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t points = lattice.points[axis];
    maps[axis] = {points, points};
    if (axis == 2) continue;
    const bool is_across = lattice.points[1 - axis] > kLong;
    maps[axis].coarse = points > kFew ? coarser(points) : is_across ? 1 : points;
  }
  return maps;
}

}  // namespace

Lattice lattice_of(const GridTables& grid) {
  Lattice lattice;
  lattice.dimensions = grid.layers > 1 ? 3 : 2;
  lattice.points[0] = comfortable_intervals(grid.used_nx) + 1;
  lattice.points[1] = comfortable_intervals(grid.used_ny) + 1;
  lattice.points[2] = grid.layers;
  return lattice;
}

std::vector<LevelPlan> plan_levels(const GridTables& grid) {
  constexpr Band kBand{0.3, 2.0};
  Lattice lattice = lattice_of(grid);
  TableFields fields = on_lattice(grid, lattice);
  std::vector<LevelPlan> levels;
  for (;;) {
    const std::array<AxisMap, 3> maps = coarsening(lattice);
    levels.push_back({stencil_of(fields, lattice), kBand, maps});
    if (maps[0].is_kept() && maps[1].is_kept()) return levels;
    fields = restricted(fields, maps);
    for (int axis = 0; axis < 3; ++axis) lattice.points[axis] = maps[axis].coarse;
  }
}

}  // namespace gridiron::sgml
