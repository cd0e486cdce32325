// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "engines/engine.hpp"
#include "tests/regularize/dense_solve.hpp"

namespace gridiron::test {

using Rows = std::vector<std::map<int32_t, double>>;  ///< per row: column → value

inline Problem problem_of(const Rows& rows, bool symmetric_positive_definite = true) {
  Problem problem;
  problem.symmetric_positive_definite = symmetric_positive_definite;
  CsrMatrix& a = problem.matrix;
  a.rows = static_cast<int64_t>(rows.size());
  a.row_ptr.push_back(0);
  for (const auto& row : rows) {
    for (const auto& [column, value] : row) {
      a.col.push_back(column);
      a.value.push_back(value);
    }
    a.row_ptr.push_back(static_cast<int64_t>(a.col.size()));
  }
  return problem;
}

/// Five-point Laplacian on n × n inner points times `scale`.
inline Problem poisson(int32_t n, double scale = 1.0) {
  Rows rows(n * n);
  for (int32_t i = 0; i < n * n; ++i) {
    rows[i][i] = 4 * scale;
    if (i % n > 0) rows[i][i - 1] = rows[i - 1][i] = -scale;
    if (i >= n) rows[i][i - n] = rows[i - n][i] = -scale;
  }
  return problem_of(rows);
}

/// Seven-point Laplacian on n × n × n points, tied at one corner.
inline Problem cube(int32_t n) {
  Rows rows(n * n * n);
  rows[0][0] = 1;
  for (int32_t i = 0; i < n * n * n; ++i)
    for (const auto& [step, place] : {std::pair(1, i % n), std::pair(n, i / n % n), std::pair(n * n, i / (n * n))}) {
      if (place + 1 == n) continue;
      rows[i][i] += 1;
      rows[i + step][i + step] += 1;
      rows[i][i + step] = rows[i + step][i] = -1;
    }
  return problem_of(rows);
}

/// `hubs` wheels of so many spokes, hub to hub in a chain, whose rims are rings; the first hub is tied. Spokes of
/// conductances from 0.1 to 10, rims of one, hubs ten from each other. Hubs come first, then rim after rim.
inline Problem wheels(int32_t hubs, int32_t spokes, unsigned seed = 1) {
  std::mt19937 random(seed);
  Rows rows(hubs * (1 + spokes));
  const auto edge = [&](int32_t i, int32_t j, double g) {
    rows[i][i] += g;
    rows[j][j] += g;
    rows[i][j] = rows[j][i] = rows[i][j] - g;
  };
  rows[0][0] = 1;
  for (int32_t h = 0; h < hubs; ++h) {
    if (h > 0) edge(h - 1, h, 10);
    const int32_t first = hubs + h * spokes;
    for (int32_t k = 0; k < spokes; ++k) {
      edge(h, first + k, 1 / (0.1 + 9.9 * (random() / 4294967296.0)));
      edge(first + k, first + (k + 1) % spokes, 1);
    }
  }
  return problem_of(rows);
}

/// A star of n nodes whose hub, the first, is tied by one siemens as are its leaves to it: with currents of one, the
/// hub is at n and the leaves at n + 1.
inline Problem star(int32_t n) {
  Rows rows(n);
  rows[0][0] = n;
  for (int32_t i = 1; i < n; ++i) {
    rows[i][i] = 1;
    rows[0][i] = rows[i][0] = -1;
  }
  return problem_of(rows);
}

/// n nodes, each joined to `degree` others at random, over 10^±decades; the first is tied.
inline Problem random_graph(int32_t n, int32_t degree, double decades, unsigned seed) {
  std::mt19937 random(seed);
  Rows rows(n);
  rows[0][0] = 1;
  for (int32_t i = 1; i < n; ++i)
    for (int32_t k = 0; k < degree; ++k) {
      const int32_t j = k == 0 ? i - 1 : static_cast<int32_t>(random() % i);
      const double g = std::pow(10.0, decades * (random() / 2147483648.0 - 1));
      rows[i][i] += g;
      rows[j][j] += g;
      rows[i][j] = rows[j][i] = rows[i][j] - g;
    }
  return problem_of(rows);
}

/// Random resistor network with a few pads, conductances over 10^±decades.
inline Problem random_grid(int32_t n, double decades, unsigned seed) {
  std::mt19937 random(seed);
  const auto siemens = [&] { return std::pow(10.0, decades * (random() / 2147483648.0 - 1)); };
  Rows rows(n);
  const auto edge = [&](int32_t i, int32_t j) {
    if (i == j) return;
    const double g = siemens();
    rows[i][i] += g;
    rows[j][j] += g;
    rows[i][j] = rows[j][i] = rows[i][j] - g;
  };
  for (int32_t i = 0; i < n; ++i) rows[i][i] += i % 7 == 0 ? siemens() : 0.0;
  for (int32_t i = 1; i < n; ++i) edge(i, static_cast<int32_t>(random() % i));
  for (int32_t k = 0; k < 2 * n; ++k) edge(static_cast<int32_t>(random() % n), static_cast<int32_t>(random() % n));
  return problem_of(rows);
}

/// Diagonally dominant with an unsymmetric pattern.
inline Problem unsymmetric(int32_t n, unsigned seed) {
  std::mt19937 random(seed);
  Rows rows(n);
  for (int32_t i = 0; i < n; ++i) {
    for (int k = 0; k < 4; ++k) rows[i][static_cast<int32_t>(random() % n)] = random() / 4294967296.0 - 0.5;
    rows[i][i] = 3.0;
  }
  return problem_of(rows, false);
}

inline std::vector<double> random_block(int64_t entries, unsigned seed, double scale = 1.0) {
  std::mt19937 random(seed);
  std::vector<double> block(entries);
  for (double& value : block) value = scale * (random() / 2147483648.0 - 1);
  return block;
}

inline std::vector<double> dense_reference(const CsrMatrix& a, std::span<const double> b) {
  DenseMatrix dense(a.rows, LongVector(a.rows, 0));
  for (int64_t i = 0; i < a.rows; ++i) {
    for (int64_t k = a.row_ptr[i]; k < a.row_ptr[i + 1]; ++k) dense[i][a.col[k]] += a.value[k];
  }
  const LongVector x = dense_solve(std::move(dense), {b.begin(), b.end()});
  return {x.begin(), x.end()};
}

struct Solution {
  std::vector<double> x;
  SolveStats stats;
};

inline Solution solve(Engine& engine, const Problem& problem, const std::vector<double>& b, const StopRule& stop = {}) {
  const int64_t n = problem.matrix.rows, k = n == 0 ? 1 : static_cast<int64_t>(b.size()) / n;
  Solution solution{std::vector<double>(b.size(), 0.0), {}};
  solution.stats = engine.solve({b.data(), n, k}, {solution.x.data(), n, k}, stop);
  return solution;
}

}  // namespace gridiron::test
