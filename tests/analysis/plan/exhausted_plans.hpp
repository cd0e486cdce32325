// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace gridiron::test {

/// A small grid of straps on two layers, of which every combination of widths can be solved. Wires are 1 um wide.
struct SmallGrid {
  struct Wire {
    int a, b;  ///< nodes; −1: the source
    double siemens;
    int strap;  ///< −1: a via or a pad, which stays
  };
  int nodes = 0, straps = 0;
  std::vector<Wire> wires;
  std::vector<double> length_um;  ///< of the straps
  std::vector<double> amperes;    ///< drawn of the nodes
  std::string deck;

  /// Drops for these factors of widths, by dense Cholesky factorization; `extra` siemens join each node to the source.
  std::vector<double> drops(const std::vector<double>& factor, const std::vector<double>& extra = {}) const {
    std::vector<double> g(static_cast<size_t>(nodes * nodes), 0.0), d = amperes;
    const auto at = [&](int i, int j) -> double& { return g[i * nodes + j]; };
    for (const Wire& w : wires) {
      const double s = w.siemens * (w.strap < 0 ? 1 : factor[w.strap]);
      at(w.a, w.a) += s;
      if (w.b < 0) continue;
      at(w.b, w.b) += s, at(w.a, w.b) -= s, at(w.b, w.a) -= s;
    }
    for (size_t n = 0; n < extra.size(); ++n) at(static_cast<int>(n), static_cast<int>(n)) += extra[n];
    for (int j = 0; j < nodes; ++j) {
      for (int k = 0; k < j; ++k) at(j, j) -= at(j, k) * at(j, k);
      at(j, j) = std::sqrt(at(j, j));
      for (int i = j + 1; i < nodes; ++i) {
        for (int k = 0; k < j; ++k) at(i, j) -= at(i, k) * at(j, k);
        at(i, j) /= at(j, j);
      }
    }
    for (int i = 0; i < nodes; ++i) {
      for (int k = 0; k < i; ++k) d[i] -= at(i, k) * d[k];
      d[i] /= at(i, i);
    }
    for (int i = nodes - 1; i >= 0; --i) {
      for (int k = i + 1; k < nodes; ++k) d[i] -= at(k, i) * d[k];
      d[i] /= at(i, i);
    }
    return d;
  }
  double worst(const std::vector<double>& factor) const { return std::ranges::max(drops(factor)); }
  double cost(const std::vector<double>& factor) const {
    double cost = 0;
    for (int s = 0; s < straps; ++s) cost += length_um[s] * (factor[s] - 1);
    return cost;
  }
  /// iᵀRi / Σi.
  double mean(const std::vector<double>& factor) const {
    const std::vector<double> d = drops(factor);
    double power = 0, total = 0;
    for (int n = 0; n < nodes; ++n) power += amperes[n] * d[n], total += amperes[n];
    return power / total;
  }

  /// f(factors) for all combinations of widths 1, 1 + step, … of which each strap has `count`.
  template <class F>
  void for_each_plan(int count, double step, F&& f) const {
    std::vector<int> at(straps, 0);
    std::vector<double> factor(straps, 1.0);
    for (;;) {
      f(factor);
      int s = 0;
      for (; s < straps && at[s] + 1 == count; ++s) at[s] = 0, factor[s] = 1;
      if (s == straps) return;
      factor[s] = 1 + step * ++at[s];
    }
  }
};

/// `rows` straps of layer m1 cross `columns` of layer m2, joined by vias; pads on m2, loads on m1.
inline SmallGrid small_grid(unsigned seed, int rows, int columns) {
  std::mt19937 random(seed);
  const auto number = [&](double low, double high) { return std::uniform_real_distribution<>(low, high)(random); };
  SmallGrid grid;
  grid.nodes = 2 * rows * columns;
  grid.straps = rows + columns;
  grid.amperes.assign(grid.nodes, 0.0);
  grid.length_um.assign(grid.straps, 0.0);
  grid.deck = "* small grid\n* dbu: 1000\nv1 p 0 1\n";
  std::vector<int> x_um{0}, y_um{0};
  for (int c = 1; c < columns; ++c) x_um.push_back(x_um.back() + 5 + static_cast<int>(random() % 20));
  for (int r = 1; r < rows; ++r) y_um.push_back(y_um.back() + 5 + static_cast<int>(random() % 20));
  const auto low = [&](int r, int c) { return r * columns + c; };
  const auto high = [&](int r, int c) { return rows * columns + r * columns + c; };
  const auto name = [&](int n) {
    const int layer = n / (rows * columns), r = n % (rows * columns) / columns, c = n % columns;
    return fmt::format("n1_m{}_{}_{}", layer + 1, 1000 * x_um[c], 1000 * y_um[r]);
  };
  int card = 0;
  const auto wire = [&](int a, int b, double ohm, int strap, int length_um = 0) {
    grid.wires.push_back({a, b, 1 / ohm, strap});
    if (strap >= 0) grid.length_um[strap] += length_um;
    grid.deck +=
        fmt::format("r{} {} {} {}{}\n", ++card, name(a), b < 0 ? "p" : name(b), ohm, strap >= 0 ? " $w=1" : "");
  };
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c + 1 < columns; ++c)
      wire(low(r, c), low(r, c + 1), number(0.05, 0.2) * (x_um[c + 1] - x_um[c]), r, x_um[c + 1] - x_um[c]);
  for (int c = 0; c < columns; ++c)
    for (int r = 0; r + 1 < rows; ++r)
      wire(high(r, c), high(r + 1, c), number(0.02, 0.1) * (y_um[r + 1] - y_um[r]), rows + c, y_um[r + 1] - y_um[r]);
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) wire(low(r, c), high(r, c), number(0.05, 0.3), -1);
  for (int pad = 0; pad < 2; ++pad)
    wire(high(static_cast<int>(random() % rows), static_cast<int>(random() % columns)), -1, number(0.05, 0.5), -1);
  for (int n = 0; n < rows * columns; ++n) {
    if (random() % 3 == 0) continue;
    grid.amperes[n] = number(0.01, 0.1);
    grid.deck += fmt::format("i{} {} 0 {}\n", n, name(n), grid.amperes[n]);
  }
  grid.deck += ".end\n";
  return grid;
}

}  // namespace gridiron::test
