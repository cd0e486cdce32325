// SPDX-License-Identifier: Apache-2.0
#pragma once

// Small power grids and conductance tables, and the effect of a RegularGridSolver on them.

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <vector>

#include "engines/hybrid/regular_grid_solver.hpp"
#include "tests/engines/systems.hpp"

namespace gridiron::test {

/// A power grid made by hand; it must not move, as the problem points into it.
struct Deck {
  MergedNetwork network;
  Geometry geometry;
  Problem problem;

  int32_t node(double x, double y, int32_t layer, int32_t net, double pad = 0) {
    geometry.x_um.push_back(x);
    geometry.y_um.push_back(y);
    geometry.layer.push_back(layer);
    geometry.net.push_back(net);
    network.pad.push_back(pad);
    network.injection.push_back(0);
    return network.nodes++;
  }
  void wire(int32_t a, int32_t b, double conductance) {
    network.a.push_back(a);
    network.b.push_back(b);
    network.conductance.push_back(conductance);
  }
  void finish() {
    Rows rows(network.nodes);
    for (int32_t i = 0; i < network.nodes; ++i) rows[i][i] += network.pad[i];
    for (int64_t e = 0; e < network.edges(); ++e) {
      const int32_t a = network.a[e], b = network.b[e];
      const double g = network.conductance[e];
      rows[a][a] += g;
      rows[b][b] += g;
      rows[a][b] -= g;
      rows[b][a] -= g;
    }
    problem = problem_of(rows);
    problem.structure = PowerGrid{std::make_shared<const MergedNetwork>(network), geometry};
  }
};

/// Rails along x on layer 0, straps along y on layer 1, a via where they cross, some pads on the straps.
inline void add_mesh(Deck& deck, int32_t nx, int32_t ny, double via, int32_t net, double x0 = 0) {
  const int32_t first = deck.network.nodes;
  for (int32_t layer = 0; layer < 2; ++layer)
    for (int32_t y = 0; y < ny; ++y)
      for (int32_t x = 0; x < nx; ++x)
        deck.node(x0 + x, 1.5 * y, layer, net, layer == 1 && (y * nx + x) % 61 == 3 ? 0.5 : 0);
  const auto at = [&](int32_t x, int32_t y, int32_t layer) { return first + (layer * ny + y) * nx + x; };
  for (int32_t y = 0; y < ny; ++y) {
    for (int32_t x = 0; x < nx; ++x) {
      if (x + 1 < nx) deck.wire(at(x, y, 0), at(x + 1, y, 0), 1 + 0.1 * (x % 3));
      if (y + 1 < ny) deck.wire(at(x, y, 1), at(x, y + 1, 1), 2 + 0.2 * (y % 4));
      deck.wire(at(x, y, 0), at(x, y, 1), via);
    }
  }
}

inline std::unique_ptr<Deck> mesh(int32_t nx, int32_t ny, double via) {
  auto deck = std::make_unique<Deck>();
  add_mesh(*deck, nx, ny, via, 0);
  deck->finish();
  return deck;
}

/// A mesh with pins, each tied to six consecutive rail nodes by couplings far stronger than the wires, one pin every
/// `step` nodes. With step 5, neighbouring pins share a node.
inline std::unique_ptr<Deck> mesh_with_pins(int32_t nx, int32_t ny, double via, int32_t step) {
  auto deck = std::make_unique<Deck>();
  add_mesh(*deck, nx, ny, via, 0);
  for (int32_t y = 0; y < ny; ++y) {
    for (int32_t x = 0; x + 6 <= nx; x += step) {
      const int32_t pin = deck->node(x + 2.5, 1.5 * y + 0.25, 0, 0);
      for (int32_t place = 0; place < 6; ++place) deck->wire(pin, y * nx + x + place, 1000);
    }
  }
  deck->finish();
  return deck;
}

/// Two nets of different size that overlap, an isolated node with a pad, and a net of two nodes.
inline std::unique_ptr<Deck> several_nets() {
  auto deck = std::make_unique<Deck>();
  add_mesh(*deck, 9, 7, 0.3, 0);
  add_mesh(*deck, 4, 13, 30, 1, 2.25);
  deck->node(3, 3, 0, 2, 0.7);
  const int32_t a = deck->node(-5, 40, 1, 3, 1.0), b = deck->node(6, -2, 2, 3);
  deck->wire(a, b, 0.01);
  deck->finish();
  return deck;
}

inline double error(const Problem& problem, std::span<const double> b, std::span<const double> x) {
  const auto expected = dense_reference(problem.matrix, b);
  double worst = 0, largest = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    worst = std::max(worst, std::abs(x[i] - expected[i]));
    largest = std::max(largest, std::abs(expected[i]));
  }
  return worst / largest;
}

/// Column (3, 2) of the tables below is empty.
inline bool is_empty(const GridTables& t, int64_t cell) {
  return t.nx > 4 && cell % t.nx == 3 && cell / t.nx % t.ny == 2;
}

/// Tables with wires, vias and pads at random; some cells are empty.
inline GridTables random_tables(int32_t nx, int32_t ny, int32_t layers, unsigned seed) {
  GridTables t;
  t.layers = layers;
  t.nx = t.used_nx = nx;
  t.ny = t.used_ny = ny;
  const auto n = static_cast<size_t>(t.cells());
  const auto random = random_block(4 * static_cast<int64_t>(n), seed);
  for (std::vector<double>* table : {&t.gh, &t.gv, &t.via, &t.gz}) table->assign(n, 0.0);
  for (size_t i = 0; i < n; ++i) {
    const auto x = static_cast<int32_t>(i) % nx, y = static_cast<int32_t>(i) / nx % ny,
               layer = static_cast<int32_t>(i) / (nx * ny);
    const auto empty = [&](int32_t u, int32_t v) { return is_empty(t, v * nx + u); };
    if (empty(x, y)) continue;
    if (x + 1 < nx && !empty(x + 1, y)) t.gh[i] = 1.1 + random[4 * i];
    if (y + 1 < ny && !empty(x, y + 1)) t.gv[i] = 1.1 + random[4 * i + 1];
    if (layer + 1 < layers) t.via[i] = 1.1 + random[4 * i + 2];
    t.gz[i] = i % 5 == 0 ? 1.1 + random[4 * i + 3] : 0;
  }
  return t;
}

/// The equations of the tables, 1 on the diagonal of empty cells.
inline CsrMatrix equations(const GridTables& t) {
  Rows rows(t.cells());
  const auto join = [&](int32_t i, int32_t j, double g) {
    if (g == 0) return;
    rows[i][i] += g;
    rows[j][j] += g;
    rows[i][j] -= g;
    rows[j][i] -= g;
  };
  for (int32_t i = 0; i < t.cells(); ++i) {
    rows[i][i] += t.gz[i];
    join(i, i + 1, t.gh[i]);
    join(i, i + t.nx, t.gv[i]);
    join(i, i + t.nx * t.ny, t.via[i]);
  }
  for (int32_t i = 0; i < t.cells(); ++i)
    if (rows[i][i] == 0) rows[i][i] = 1;
  return problem_of(rows).matrix;
}

template <class D, class T>
void set_up(RegularGridSolver<D, T>& solver, const std::vector<GridTables>& grids) {
  solver.setup(UploadedGrids<D>(grids_on_host(grids)).grids());
}

/// One solve() for the given right-hand sides; entries of all grids, concatenated.
template <class D, class T>
std::vector<T> solved(RegularGridSolver<D, T>& solver, const std::vector<GridTables>& grids,
                      const std::vector<double>& b) {
  std::vector<T> rhs(static_cast<size_t>(solver.rhs().size()), T(0));
  std::vector<int64_t> place;
  for (size_t g = 0; g < grids.size(); ++g) {
    const CellStrides at = solver.strides(static_cast<int64_t>(g));
    const GridTables& t = grids[g];
    for (int64_t c = 0; c < t.cells(); ++c)
      place.push_back(at.first + c / t.plane() * at.plane + c / t.nx % t.ny * at.row + c % t.nx);
  }
  for (size_t i = 0; i < place.size(); ++i) rhs[place[i]] = static_cast<T>(b[i]);
  D::copy_to_device(solver.rhs().data(), rhs.data(), solver.rhs().size());
  solver.solve();
  std::vector<T> all(rhs.size()), x;
  D::copy_to_host(all.data(), solver.solution().data(), solver.solution().size());
  for (const int64_t p : place) x.push_back(all[p]);
  return x;
}

/// Factor by which a solve() reduces the error of the tables' solution, on average over ten of them; `solver` is set
/// up.
template <class D>
double convergence(RegularGridSolver<D, double>& solver, const GridTables& t) {
  const CsrMatrix a = equations(t);
  std::vector<double> x = random_block(t.cells(), 4), residual(x.size());
  for (int64_t i = 0; i < t.cells(); ++i)
    if (is_empty(t, i)) x[i] = 0;
  const auto norm = [&] {
    double sum = 0;
    for (int64_t i = 0; i < t.cells(); ++i)
      if (!is_empty(t, i)) sum += x[i] * x[i];
    return std::sqrt(sum);
  };
  const double before = norm();
  for (int cycle = 0; cycle < 10; ++cycle) {
    multiply(a, x.data(), residual.data());
    for (int64_t i = 0; i < t.cells(); ++i)
      if (is_empty(t, i)) residual[i] = 0;
    const auto e = solved(solver, {t}, residual);
    for (size_t i = 0; i < x.size(); ++i) x[i] -= e[i];
  }
  return std::pow(norm() / before, 0.1);
}

}  // namespace gridiron::test
