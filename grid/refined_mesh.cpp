// SPDX-License-Identifier: Apache-2.0
#include "grid/refined_mesh.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "support/error.hpp"
#include "support/lists.hpp"

namespace gridiron {
namespace {

double cross(const Place& a, const Place& b) { return a[0] * b[1] - a[1] * b[0]; }
Place minus(const Place& a, const Place& b) { return {a[0] - b[0], a[1] - b[1]}; }
double dot(const Place& a, const Place& b) { return a[0] * b[0] + a[1] * b[1]; }

/// Relative to the square of the longest side: what counts as no area.
constexpr double kFlat = 1e-10;

std::string named(const char* what, size_t number) { return std::string(what) + " " + std::to_string(number); }

}  // namespace

RefinedMesh::RefinedMesh(CoarseMesh coarse, int levels) : coarse_(std::move(coarse)), levels_(levels) {
  if (coarse_.corners != 3 && coarse_.corners != 4) throw InputError("mesh: cells have 3 or 4 corners");
  if (levels < 0 || levels > 20) throw InputError("mesh: expected 0 to 20 levels of refinement");
  check_cells();
  find_edges();
  refuse_hanging_nodes();
  number();
}

void RefinedMesh::check_cells() const {
  std::vector<bool> is_used(coarse_.vertex.size());
  for (size_t c = 0; c < coarse_.cell.size(); ++c) {
    const auto& corner = coarse_.cell[c];
    for (int k = 0; k < corners(); ++k) {
      if (corner[k] < 0 || corner[k] >= static_cast<int32_t>(coarse_.vertex.size()))
        throw InputError("mesh: " + named("cell", c) + " has " + named("vertex", corner[k]) + ", there are " +
                         std::to_string(coarse_.vertex.size()));
      is_used[corner[k]] = true;
    }
    const auto [u, v] = sides(static_cast<int64_t>(c));
    const double area = cross(u, v), longest = std::max(dot(u, u), dot(v, v));
    if (!(std::abs(area) > kFlat * longest))
      throw InputError("mesh: " + named("cell", c) + " is degenerate: it has no area");
    if (area < 0)
      throw InputError("mesh: the corners of " + named("cell", c) + " run clockwise; list them counterclockwise");
    if (corners() == 3) continue;
    const Place& a = coarse_.vertex[corner[0]];
    const Place off = minus(minus(coarse_.vertex[corner[2]], a), {u[0] + v[0], u[1] + v[1]});
    if (dot(off, off) > kFlat * kFlat * longest)
      throw InputError("mesh: " + named("cell", c) + " is not a parallelogram; divide it into triangles");
  }
  const auto unused = std::ranges::find(is_used, false);
  if (unused != is_used.end())
    throw InputError("mesh: no cell has " + named("vertex", static_cast<size_t>(unused - is_used.begin())));
}

void RefinedMesh::find_edges() {
  std::map<std::pair<int32_t, int32_t>, int32_t> number_of;
  std::vector<int> forwards, backwards;  // cells that have the edge in this direction
  for (size_t c = 0; c < coarse_.cell.size(); ++c) {
    auto& edges = edge_of_cell_.emplace_back();
    for (int k = 0; k < corners(); ++k) {
      const int32_t from = coarse_.cell[c][k], to = coarse_.cell[c][(k + 1) % corners()];
      const auto [at, is_new] = number_of.try_emplace(std::minmax(from, to), static_cast<int32_t>(edges_.size()));
      if (is_new) {
        edges_.push_back({std::min(from, to), std::max(from, to)});
        forwards.push_back(0);
        backwards.push_back(0);
      }
      edges[k] = at->second;
      if (++(from < to ? forwards : backwards)[at->second] > 1)
        throw InputError("mesh: " + named("cell", c) + " overlaps another one at the edge of vertices " +
                         std::to_string(from) + " and " + std::to_string(to));
    }
  }
  for (size_t e = 0; e < edges_.size(); ++e)
    edges_[e].first_unknown = forwards[e] + backwards[e] == 2 ? 0 : -1;  // numbered later
}

/// A vertex within an edge of the boundary belongs to smaller cells beyond that edge.
void RefinedMesh::refuse_hanging_nodes() const {
  std::vector<int32_t> outer;
  for (const Edge& e : edges_)
    if (e.first_unknown < 0) outer.insert(outer.end(), {e.first, e.second});
  sort_unique(outer);
  std::ranges::sort(outer, {}, [&](int32_t v) { return coarse_.vertex[v][0]; });
  for (const Edge& e : edges_) {
    if (e.first_unknown >= 0) continue;
    const Place &a = coarse_.vertex[e.first], &b = coarse_.vertex[e.second];
    const Place side = minus(b, a);
    const double square = dot(side, side), margin = 1e-9 * std::sqrt(square);
    const auto [low, high] = std::minmax(a[0], b[0]);
    for (auto v = std::ranges::lower_bound(outer, low - margin, {}, [&](int32_t i) { return coarse_.vertex[i][0]; });
         v != outer.end() && coarse_.vertex[*v][0] <= high + margin; ++v) {
      if (*v == e.first || *v == e.second) continue;
      const Place to = minus(coarse_.vertex[*v], a);
      const double along = dot(to, side);
      if (along > 0 && along < square && std::abs(cross(to, side)) <= 1e-9 * square)
        throw InputError("mesh: vertex " + std::to_string(*v) + " hangs on the edge of vertices " +
                         std::to_string(e.first) + " and " + std::to_string(e.second) +
                         "; cells must meet in whole edges");
    }
  }
}

void RefinedMesh::number() {
  const int64_t m = steps();
  inside_ = corners() == 4 ? (m - 1) * (m - 1) : (m - 1) * (m - 2) / 2;
  const double most = static_cast<double>(coarse_.vertex.size()) + static_cast<double>(edges_.size()) * (m - 1) +
                      static_cast<double>(cells()) * inside_;
  if (most > INT32_MAX) throw InputError("mesh: more nodes than a matrix can index; refine it less");
  unknown_of_vertex_.assign(coarse_.vertex.size(), 0);
  for (const Edge& e : edges_)
    if (e.first_unknown < 0) unknown_of_vertex_[e.first] = unknown_of_vertex_[e.second] = -1;
  for (int64_t& unknown : unknown_of_vertex_)
    if (unknown == 0) unknown = unknowns_++;
  for (Edge& e : edges_) {
    if (e.first_unknown < 0) continue;
    e.first_unknown = unknowns_;
    unknowns_ += m - 1;
  }
  first_inside_ = unknowns_;
  unknowns_ += cells() * inside_;
}

/// `step` counts from `from`.
int64_t RefinedMesh::on_edge(int32_t from, int32_t to, int64_t step, int64_t edge) const {
  if (step == 0) return unknown_of_vertex_[from];
  if (step == steps()) return unknown_of_vertex_[to];
  const Edge& e = edges_[edge];
  return e.first_unknown < 0 ? -1 : e.first_unknown + (from < to ? step : steps() - step) - 1;
}

int64_t RefinedMesh::unknown(int64_t cell, int64_t i, int64_t j) const {
  const int64_t m = steps();
  const auto& v = coarse_.cell[cell];
  const auto& edge = edge_of_cell_[cell];
  const int last = corners() - 1;
  if (j == 0) return on_edge(v[0], v[1], i, edge[0]);
  if (i == 0) return on_edge(v[0], v[last], j, edge[last]);
  if (corners() == 3) {
    if (i + j == m) return on_edge(v[1], v[2], j, edge[1]);
    const int64_t before = (j - 1) * (m - 1) - (j - 1) * j / 2;  // points in rows 1 … j − 1
    return first_inside_ + cell * inside_ + before + i - 1;
  }
  if (i == m) return on_edge(v[1], v[2], j, edge[1]);
  if (j == m) return on_edge(v[3], v[2], i, edge[2]);
  return first_inside_ + cell * inside_ + (j - 1) * (m - 1) + i - 1;
}

std::array<Place, 2> RefinedMesh::sides(int64_t cell) const {
  const auto& v = coarse_.cell[cell];
  const Place& a = coarse_.vertex[v[0]];
  return {minus(coarse_.vertex[v[1]], a), minus(coarse_.vertex[v[corners() - 1]], a)};
}

Place RefinedMesh::place(int64_t cell, int64_t i, int64_t j) const {
  const auto [u, v] = sides(cell);
  const Place& a = coarse_.vertex[coarse_.cell[cell][0]];
  const double s = static_cast<double>(i) / steps();
  const double t = static_cast<double>(j) / steps();
  return {a[0] + s * u[0] + t * v[0], a[1] + s * u[1] + t * v[1]};
}

CoarseMesh unit_square_mesh(int corners, int64_t n) {
  CoarseMesh mesh{corners, {}, {}};
  const auto at = [n](int64_t x, int64_t y) { return static_cast<int32_t>(y * (n + 1) + x); };
  for (int64_t y = 0; y <= n; ++y)
    for (int64_t x = 0; x <= n; ++x) mesh.vertex.push_back({static_cast<double>(x) / n, static_cast<double>(y) / n});
  for (int64_t y = 0; y < n; ++y)
    for (int64_t x = 0; x < n; ++x) {
      const int32_t a = at(x, y), b = at(x + 1, y), c = at(x + 1, y + 1), d = at(x, y + 1);
      if (corners == 4) {
        mesh.cell.push_back({a, b, c, d});
      } else {
        mesh.cell.push_back({a, b, d, -1});
        mesh.cell.push_back({c, d, b, -1});
      }
    }
  return mesh;
}

CoarseMesh flow_around_square_mesh() {
  CoarseMesh mesh{3, {}, {}};
  for (const double y : {0.0, 1.0})
    for (int x = 0; x <= 4; ++x) mesh.vertex.push_back({static_cast<double>(x), y});  // 0 … 4 below, 5 … 9 above
  const auto add = [&](double x, double y) {
    mesh.vertex.push_back({x, y});
    return static_cast<int32_t>(mesh.vertex.size()) - 1;
  };
  /// Four triangles around a point inside the quadrilateral.
  const auto divide = [&](const std::array<int32_t, 4>& corner, int32_t middle) {
    for (int k = 0; k < 4; ++k) mesh.cell.push_back({corner[k], corner[(k + 1) % 4], middle, -1});
  };
  for (const int32_t x : {0, 2, 3}) divide({x, x + 1, x + 6, x + 5}, add(x + 0.5, 0.5));
  const int32_t hole[] = {add(1.25, 0.25), add(1.75, 0.25), add(1.75, 0.75), add(1.25, 0.75)};
  const int32_t outer[] = {1, 2, 7, 6};
  const Place crossing[] = {{1.5, 1.0 / 6}, {2 - 1.0 / 6, 0.5}, {1.5, 1 - 1.0 / 6}, {1 + 1.0 / 6, 0.5}};
  for (int k = 0; k < 4; ++k)
    divide({outer[k], outer[(k + 1) % 4], hole[(k + 1) % 4], hole[k]}, add(crossing[k][0], crossing[k][1]));
  return mesh;
}

}  // namespace gridiron
