// SPDX-License-Identifier: Apache-2.0
#include "engines/psc/macro_cells.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

namespace gridiron::psc {
namespace {

/// A choice of corners: the origin, and the lattice steps along both sides.
struct Frame {
  std::array<int, 2> origin, u, v;  ///< origin as corner coordinates, 0 or 1
  CellShape shape;
};

std::array<Place, 2> sides_in(const std::array<Place, 2>& sides, const Frame& frame) {
  const auto along = [&](const std::array<int, 2>& step) {
    return Place{step[0] * sides[0][0] + step[1] * sides[1][0], step[0] * sides[0][1] + step[1] * sides[1][1]};
  };
  return {along(frame.u), along(frame.v)};
}

bool is_near(double a, double b) { return std::abs(a - b) <= 1e-9 * (1 + std::abs(a) + std::abs(b)); }
bool is_near(const CellShape& a, const CellShape& b) {
  return is_near(a.uu, b.uu) && is_near(a.uv, b.uv) && is_near(a.vv, b.vv);
}
bool is_less(const CellShape& a, const CellShape& b) {
  for (double CellShape::*part : {&CellShape::uu, &CellShape::vv, &CellShape::uv})
    if (!is_near(a.*part, b.*part)) return a.*part < b.*part;
  return false;
}

/// Of all ways to list the corners, the one whose shape comes first.
Frame canonical_frame(int corners, const std::array<Place, 2>& sides) {
  using Corner = std::array<int, 2>;
  const Corner triangle[] = {{0, 0}, {1, 0}, {0, 1}};
  std::vector<Frame> frames{{{0, 0}, {1, 0}, {0, 1}, {}}};
  if (corners == 4) {
    frames.push_back({{0, 0}, {0, 1}, {1, 0}, {}});
  } else {
    frames.clear();
    for (int a = 0; a < 3; ++a)
      for (const int turn : {1, 2}) {
        const Corner &p = triangle[a], &q = triangle[(a + turn) % 3], &r = triangle[(a + 3 - turn) % 3];
        frames.push_back({p, {q[0] - p[0], q[1] - p[1]}, {r[0] - p[0], r[1] - p[1]}, {}});
      }
  }
  for (Frame& frame : frames) frame.shape = shape_of(sides_in(sides, frame));
  Frame best = frames.front();
  for (const Frame& frame : frames)
    if (is_less(frame.shape, best.shape)) best = frame;
  return best;
}

/// Numbers by first occurrence of a key; a key of −1 stays −1.
class Numbering {
 public:
  int32_t operator()(int64_t key) {
    if (key < 0) return -1;
    return numbers_.try_emplace(key, static_cast<int32_t>(numbers_.size())).first->second;
  }
  int64_t size() const { return std::ssize(numbers_); }

 private:
  std::unordered_map<int64_t, int32_t> numbers_;
};

struct Placed {
  int64_t cell;  ///< of the coarse mesh
  int64_t i, j;  ///< lattice point of the first corner
  int sign;
  const Frame* frame;

  /// The unknown at node (a, b) of the macro cell of m × m.
  int64_t unknown(const RefinedMesh& mesh, int64_t m, CellLattice::Node node) const {
    const int64_t x = frame->origin[0] * m + node.i * frame->u[0] + node.j * frame->v[0];
    const int64_t y = frame->origin[1] * m + node.i * frame->u[1] + node.j * frame->v[1];
    return mesh.unknown(cell, i + sign * x, j + sign * y);
  }
};

}  // namespace

Counts count_macro_cells(const RefinedMesh& mesh, int level) {
  // The unknowns of the mesh after `level` refinements are C; every further one of an edge with m − 1 of them.
  const RefinedMesh coarse(mesh.coarse(), level);
  const int64_t m = int64_t{1} << (mesh.levels() - level), cells = coarse.elements();
  const CellLattice lattice{mesh.corners(), m};
  std::vector<CellShape> shapes;
  for (int64_t c = 0; c < mesh.cells(); ++c) {
    const CellShape shape = canonical_frame(mesh.corners(), mesh.sides(c)).shape;
    if (std::ranges::none_of(shapes, [&](const CellShape& other) { return is_near(shape, other); }))
      shapes.push_back(shape);
  }
  int64_t interior = cells * lattice.interior();
#ifdef GRIDIRON_BROKEN  // for a test of what must notice it
  interior -= cells * (lattice.interior() / 16);
#endif
  return {coarse.unknowns(), mesh.unknowns() - coarse.unknowns() - interior, interior, std::ssize(shapes), cells};
}

MacroCells macro_cells(const RefinedMesh& mesh, int level) {
  const int64_t n0 = int64_t{1} << level, m = mesh.steps() / n0;
  MacroCells out;
  out.lattice = {mesh.corners(), m};
  out.cells = mesh.cells() * n0 * n0;

  std::vector<Frame> frames;
  std::vector<std::vector<Placed>> of_group;
  for (int64_t c = 0; c < mesh.cells(); ++c) frames.push_back(canonical_frame(mesh.corners(), mesh.sides(c)));
  for (int64_t c = 0; c < mesh.cells(); ++c) {
    const Frame& frame = frames[c];
    const auto group = std::ranges::find_if(out.groups, [&](const auto& g) { return is_near(g.shape, frame.shape); });
    const size_t number = group - out.groups.begin();
    if (group == out.groups.end()) {
      out.groups.push_back({frame.shape});
      of_group.emplace_back();
    }
    for_each_element(mesh.corners(), n0, [&](int64_t i, int64_t j, int sign) {
      of_group[number].push_back({c, i * m, j * m, sign, &frame});
    });
  }

  Numbering corners, edges;
  const auto interior = out.lattice.interior();
  out.interior_unknown.reserve(out.cells * interior);
  for (size_t g = 0; g < of_group.size(); ++g) {
    out.groups[g].first = g == 0 ? 0 : out.groups[g - 1].first + out.groups[g - 1].cells;
    out.groups[g].cells = std::ssize(of_group[g]);
    for (const Placed& cell : of_group[g]) {
      const auto unknown = [&](CellLattice::Node node) { return static_cast<int32_t>(cell.unknown(mesh, m, node)); };
      for (const int32_t at : out.lattice.interior_positions())
        out.interior_unknown.push_back(unknown({at % (m + 1), at / (m + 1)}));
      for (int k = 0; k < mesh.corners(); ++k) {
        const int32_t there = unknown(out.lattice.corner(k));
        const int32_t corner = corners(there);
        out.corner_of_cell.push_back(corner);
        if (corner == out.coarse()) out.coarse_unknown.push_back(there);
      }
      for (int k = 0; k < mesh.corners(); ++k) {
        const auto on = [&](int64_t step) { return unknown(out.lattice.on_edge(k, step)); };
        const int32_t edge = edges(on(m / 2));
        const bool is_forward = on(1) <= on(m - 1);
        if (edge == out.edges) {
          ++out.edges;
          for (int64_t step = 1; step < m; ++step) out.edge_unknown.push_back(on(is_forward ? step : m - step));
        }
        for (int64_t step = 1; step < m; ++step)
          out.edge_of_cell.push_back(
              edge < 0 ? -1 : static_cast<int32_t>(edge * (m - 1) + (is_forward ? step : m - step) - 1));
      }
    }
  }
  return out;
}

}  // namespace gridiron::psc
