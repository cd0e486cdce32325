// SPDX-License-Identifier: Apache-2.0
#include "analysis/pde/finite_elements.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "grid/element.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron {
namespace {

/// A quadrature point of the reference element, with the values of its shape functions.
struct Sample {
  double s, t, weight;
  std::array<double, 4> shape;
};

std::array<double, 4> shape_functions(int corners, double s, double t) {
  if (corners == 3) return {1 - s - t, s, t, 0};
  return {(1 - s) * (1 - t), s * (1 - t), s * t, (1 - s) * t};
}

/// Exact for polynomials of degree 5: Gauss points in squares, Radon's seven points in triangles. Weights sum to one.
std::vector<Sample> quadrature(int corners) {
  std::vector<Sample> samples;
  const auto add = [&](double s, double t, double weight) {
    samples.push_back({s, t, weight, shape_functions(corners, s, t)});
  };
  if (corners == 4) {
    const double at[] = {0.5 - std::sqrt(0.15), 0.5, 0.5 + std::sqrt(0.15)}, weight[] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) add(at[i], at[j], weight[i] * weight[j]);
    return samples;
  }
  add(1.0 / 3, 1.0 / 3, 9.0 / 40);
  for (const double sign : {-1.0, 1.0}) {
    const double a = (6 + sign * std::sqrt(15.0)) / 21, weight = (155 + sign * std::sqrt(15.0)) / 1200;
    add(a, a, weight);
    add(1 - 2 * a, a, weight);
    add(a, 1 - 2 * a, weight);
  }
  return samples;
}

struct FiniteElement {
  std::array<int64_t, 4> unknown;  ///< −1 on the boundary
  std::array<Place, 4> node;

  Place at(const Sample& sample, int corners) const {
    Place p{};
    for (int k = 0; k < corners; ++k)
      for (int axis = 0; axis < 2; ++axis) p[axis] += sample.shape[k] * node[k][axis];
    return p;
  }
};

Point point_of(const Place& p) { return {p[0], p[1], 0}; }

/// f(coarse cell, element), for the elements of coarse cells [first, last).
void for_elements(const RefinedMesh& mesh, int64_t first, int64_t last, auto f) {
  const int corners = mesh.corners();
  const auto steps = element_nodes(corners);
  for (int64_t c = first; c < last; ++c)
    for_each_element(corners, mesh.steps(), [&](int64_t i, int64_t j, int sign) {
      FiniteElement element;
      for (int k = 0; k < corners; ++k) {
        const int64_t x = i + sign * steps[k][0], y = j + sign * steps[k][1];
        element.unknown[k] = mesh.unknown(c, x, y);
        element.node[k] = mesh.place(c, x, y);
      }
      f(c, element);
    });
}

double area_of(const RefinedMesh& mesh, int64_t cell) {
  const auto [u, v] = mesh.sides(cell);
  const double m = mesh.steps();
  return std::abs(u[0] * v[1] - u[1] * v[0]) / (m * m) / (mesh.corners() == 3 ? 2 : 1);
}

/// Adds up f(partial sum, cell, element) over all elements, in a fixed order.
template <class T>
T sum_over_elements(const RefinedMesh& mesh, auto f) {
  const int64_t grain = std::max<int64_t>(1, 4096 / (mesh.steps() * mesh.steps()));
  return joined_ranges<T>(
      mesh.cells(),
      [&](int64_t first, int64_t last) {
        T part{};
        for_elements(mesh, first, last, [&](int64_t c, const FiniteElement& e) { f(part, c, e); });
        return part;
      },
      [](T& sum, const T& part) { sum += part; }, grain);
}

double value_at(const FemModel& model, const FiniteElement& e, int k, std::span<const double> solution) {
  return e.unknown[k] >= 0 ? solution[e.unknown[k]] : model.exact(point_of(e.node[k]));
}

}  // namespace

CsrMatrix assemble(const RefinedMesh& mesh) {
  const int corners = mesh.corners();
  struct Entry {
    int32_t row, column;
    double value;
  };
  const int64_t n = mesh.unknowns();
  CsrMatrix a;
  a.rows = n;
  a.row_ptr.assign(n + 1, 0);
  for_elements(mesh, 0, mesh.cells(), [&](int64_t, const FiniteElement& e) {
    for (int k = 0; k < corners; ++k)
      if (e.unknown[k] >= 0)
        for (int l = 0; l < corners; ++l) a.row_ptr[e.unknown[k] + 1] += e.unknown[l] >= 0;
  });
  for (int64_t i = 0; i < n; ++i) a.row_ptr[i + 1] += a.row_ptr[i];
  // Every element adds its entries to its rows; repeated columns are then added up.
  std::vector<std::pair<int32_t, double>> entries(a.row_ptr[n]);
  std::vector<int64_t> next(a.row_ptr.begin(), a.row_ptr.end() - 1);
  ElementMatrix k{};
  int64_t cell = -1;
  for_elements(mesh, 0, mesh.cells(), [&](int64_t c, const FiniteElement& e) {
    if (c != std::exchange(cell, c)) k = element_stiffness(corners, shape_of(mesh.sides(c)));
    for (int p = 0; p < corners; ++p)
      if (e.unknown[p] >= 0)
        for (int q = 0; q < corners; ++q)
          if (e.unknown[q] >= 0) entries[next[e.unknown[p]]++] = {static_cast<int32_t>(e.unknown[q]), k[p][q]};
  });
  std::vector<int64_t> kept(n, 0);
  parallel_each(n, [&](int64_t i) {
    const auto begin = entries.begin() + a.row_ptr[i], end = entries.begin() + a.row_ptr[i + 1];
    std::stable_sort(begin, end, [](const auto& x, const auto& y) { return x.first < y.first; });
    auto out = begin;
    for (auto at = begin; at != end; ++at) {
      if (at != begin && out[-1].first == at->first)
        out[-1].second += at->second;
      else
        *out++ = *at;
    }
    kept[i] = out - begin;
  });
  int64_t total = 0;
  for (const int64_t count : kept) total += count;
  a.col.reserve(total);
  a.value.reserve(total);
  int64_t begin = 0;
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t e = begin; e < begin + kept[i]; ++e) {
      a.col.push_back(entries[e].first);
      a.value.push_back(entries[e].second);
    }
    begin = std::exchange(a.row_ptr[i + 1], std::ssize(a.col));
  }
  return a;
}

std::vector<double> right_hand_side(const FemModel& model) {
  const RefinedMesh& mesh = *model.mesh;
  const int corners = mesh.corners();
  const std::vector<Sample> samples = quadrature(corners);
  std::vector<double> b(mesh.unknowns(), 0.0);
  ElementMatrix k{};
  double area = 0;
  int64_t cell = -1;
  for_elements(mesh, 0, mesh.cells(), [&](int64_t c, const FiniteElement& e) {
    if (c != std::exchange(cell, c)) {
      k = element_stiffness(corners, shape_of(mesh.sides(c)));
      area = area_of(mesh, c);
    }
    for (const Sample& sample : samples) {
      const double f = model.source(point_of(e.at(sample, corners))) * sample.weight * area;
      for (int p = 0; p < corners; ++p)
        if (e.unknown[p] >= 0) b[e.unknown[p]] += f * sample.shape[p];
    }
    for (int q = 0; q < corners; ++q) {
      if (e.unknown[q] >= 0) continue;
      const double known = model.exact(point_of(e.node[q]));
      for (int p = 0; p < corners; ++p)
        if (e.unknown[p] >= 0) b[e.unknown[p]] -= k[p][q] * known;
    }
  });
  return b;
}

PdeError error_against_exact(const FemModel& model, std::span<const double> solution) {
  const RefinedMesh& mesh = *model.mesh;
  const int corners = mesh.corners();
  const std::vector<Sample> samples = quadrature(corners);
  struct Squares {
    double error = 0, exact = 0;
    void operator+=(const Squares& other) { error += other.error, exact += other.exact; }
  };
  const auto squares = sum_over_elements<Squares>(mesh, [&](Squares& sum, int64_t c, const FiniteElement& e) {
    double value[4];
    for (int k = 0; k < corners; ++k) value[k] = value_at(model, e, k, solution);
    const double area = area_of(mesh, c);
    for (const Sample& sample : samples) {
      const double exact = model.exact(point_of(e.at(sample, corners)));
      double computed = 0;
      for (int k = 0; k < corners; ++k) computed += sample.shape[k] * value[k];
      sum.error += sample.weight * area * (computed - exact) * (computed - exact);
      sum.exact += sample.weight * area * exact * exact;
    }
  });
  // Every unknown is a node of several elements with the same error there, so maxima need no care; for the sums, each
  // is taken once.
  std::vector<double> exact(mesh.unknowns());
  for_elements(mesh, 0, mesh.cells(), [&](int64_t, const FiniteElement& e) {
    for (int k = 0; k < corners; ++k)
      if (e.unknown[k] >= 0) exact[e.unknown[k]] = model.exact(point_of(e.node[k]));
  });
  PdeError error;
  double sum = 0, total = 0;
  for (size_t i = 0; i < exact.size(); ++i) {
    const double e = std::abs(solution[i] - exact[i]);
    sum += e;
    total += std::abs(exact[i]);
    if (!(e <= error.linf)) error.linf = e;
  }
  error.l1_relative = sum / total;
  error.l2 = std::sqrt(squares.error / squares.exact);
  return error;
}

namespace {

/// What places extend over.
struct Box {
  Place low{INFINITY, INFINITY}, high{-INFINITY, -INFINITY};

  void add(const Place& p) {
    for (int axis = 0; axis < 2; ++axis) {
      low[axis] = std::min(low[axis], p[axis]);
      high[axis] = std::max(high[axis], p[axis]);
    }
  }
};

/// The finite element solution in cell c at s and t of its sides, both in steps of the mesh; none outside.
std::optional<double> value_in_cell(const FemModel& model, std::span<const double> solution, int64_t c, double s,
                                    double t) {
  constexpr double kEdge = 1e-7;
  const RefinedMesh& mesh = *model.mesh;
  const int corners = mesh.corners();
  const double m = mesh.steps();
  if (s < -kEdge || t < -kEdge || s > m + kEdge || t > m + kEdge || (corners == 3 && s + t > m + kEdge))
    return std::nullopt;
  const int64_t last = mesh.steps() - 1;
  auto i = std::clamp<int64_t>(static_cast<int64_t>(s), 0, last);
  auto j = std::clamp<int64_t>(static_cast<int64_t>(t), 0, corners == 4 ? last : last - i);
  s -= i;
  t -= j;
  int sign = 1;
  if (corners == 3 && s + t > 1 && mesh.has(i + 1, j + 1)) {
    i += 1, j += 1, sign = -1;
    s = 1 - s, t = 1 - t;
  }
  const auto nodes = element_nodes(corners);
  const auto shape = shape_functions(corners, s, t);
  double value = 0;
  for (int k = 0; k < corners; ++k) {
    const int64_t x = i + sign * nodes[k][0], y = j + sign * nodes[k][1];
    const int64_t unknown = mesh.unknown(c, x, y);
    value += shape[k] * (unknown >= 0 ? solution[unknown] : model.exact(point_of(mesh.place(c, x, y))));
  }
  return value;
}

}  // namespace

Raster rasterise(const FemModel& model, std::span<const double> solution) {
  constexpr double kMost = 800;
  const RefinedMesh& mesh = *model.mesh;
  Box all;
  for (const Place& p : mesh.coarse().vertex) all.add(p);
  const double width = all.high[0] - all.low[0], height = all.high[1] - all.low[1];
  const double step = std::max(model.spacing, std::max(width, height) / kMost);
  Slice slice;
  slice.columns = std::llround(width / step) + 1;
  slice.rows = std::llround(height / step) + 1;
  slice.origin = all.low;
  slice.spacing = {width / (slice.columns - 1), height / (slice.rows - 1)};
  slice.value.assign(slice.columns * slice.rows, NAN);
  Raster raster{slice, slice};
  const auto index = [&](int axis, double x) { return (x - all.low[axis]) / slice.spacing[axis]; };
  const auto first = [&](int axis, double x) { return static_cast<int64_t>(std::ceil(index(axis, x) - 1e-9)); };
  for (int64_t c = 0; c < mesh.cells(); ++c) {
    const Place origin = mesh.place(c, 0, 0);
    const auto [u, v] = mesh.sides(c);
    const double area = u[0] * v[1] - u[1] * v[0];
    Box box;
    for (int k = 0; k < mesh.corners(); ++k) box.add(mesh.coarse().vertex[mesh.coarse().cell[c][k]]);
    for (int64_t row = first(1, box.low[1]); row <= index(1, box.high[1]) + 1e-9; ++row)
      for (int64_t column = first(0, box.low[0]); column <= index(0, box.high[0]) + 1e-9; ++column) {
        const Place p{all.low[0] + column * slice.spacing[0], all.low[1] + row * slice.spacing[1]};
        const double s = ((p[0] - origin[0]) * v[1] - (p[1] - origin[1]) * v[0]) / area * mesh.steps();
        const double t = ((p[1] - origin[1]) * u[0] - (p[0] - origin[0]) * u[1]) / area * mesh.steps();
        const std::optional<double> value = value_in_cell(model, solution, c, s, t);
        if (!value) continue;
        const int64_t at = row * slice.columns + column;
        raster.solution.value[at] = *value;
        raster.error.value[at] = std::abs(*value - model.exact(point_of(p)));
      }
  }
  return raster;
}

}  // namespace gridiron
