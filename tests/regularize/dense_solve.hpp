// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "regularize/merge.hpp"

namespace gridiron::test {

using LongVector = std::vector<long double>;
using DenseMatrix = std::vector<LongVector>;  ///< rows of equal length

/// Solves A x = b by Gaussian elimination with partial pivoting in long double.
inline LongVector dense_solve(DenseMatrix a, LongVector b) {
  const size_t n = b.size();
  for (size_t k = 0; k < n; ++k) {
    size_t pivot = k;
    for (size_t i = k + 1; i < n; ++i) {
      if (std::abs(a[i][k]) > std::abs(a[pivot][k])) pivot = i;
    }
    if (a[pivot][k] == 0) throw std::runtime_error("dense_solve: singular");
    std::swap(a[k], a[pivot]);
    std::swap(b[k], b[pivot]);
    for (size_t i = k + 1; i < n; ++i) {
      const long double factor = a[i][k] / a[k][k];
      if (factor == 0) continue;
      for (size_t j = k; j < n; ++j) a[i][j] -= factor * a[k][j];
      b[i] -= factor * b[k];
    }
  }
  for (size_t k = n; k-- > 0;) {
    for (size_t j = k + 1; j < n; ++j) b[k] -= a[k][j] * b[j];
    b[k] /= a[k][k];
  }
  return b;
}

/// Node voltages of a network by modified nodal analysis: node currents, then one row per tie and per fixed node. It
/// does not merge nodes. Ties must not form loops, and each tied group may have at most one fixed node.
inline LongVector dense_voltages(const Network& network) {
  const size_t nodes = network.nodes, ties = network.ties(), n = nodes + ties + network.fixed.size();
  DenseMatrix a(n, LongVector(n, 0));
  LongVector b(n, 0);
  for (size_t i = 0; i < nodes; ++i) b[i] = network.injection[i];
  for (int64_t k = 0; k < network.edges(); ++k) {
    const long double g = network.conductance[k];
    const auto i = network.a[k], j = network.b[k];
    a[i][i] += g;
    a[j][j] += g;
    a[i][j] -= g;
    a[j][i] -= g;
  }
  for (size_t k = 0; k < ties; ++k) {
    const size_t row = nodes + k;
    a[row][network.tie_a[k]] = a[network.tie_a[k]][row] = 1;
    a[row][network.tie_b[k]] = a[network.tie_b[k]][row] = -1;
    b[row] = network.tie_volts[k];
  }
  for (size_t k = 0; k < network.fixed.size(); ++k) {
    const size_t row = nodes + ties + k;
    a[row][network.fixed[k]] = a[network.fixed[k]][row] = 1;
    b[row] = network.fixed_volts[k];
  }
  LongVector x = dense_solve(std::move(a), std::move(b));
  x.resize(nodes);
  return x;
}

/// Voltages of a merged network with `injection` in place of its own: L D Lᵀ without subtractions on the diagonal
/// (Grassmann, Taksar, Heyman, Operations Research 33, 1985), so that every voltage is accurate to long double for any
/// spread of conductances. Every part needs a pad.
inline LongVector dense_voltages(const MergedNetwork& network, LongVector injection) {
  const size_t n = network.nodes;
  DenseMatrix g(n, LongVector(n, 0));
  LongVector pad(network.pad.begin(), network.pad.end()), diagonal(n);
  for (int64_t k = 0; k < network.edges(); ++k) {
    g[network.a[k]][network.b[k]] += network.conductance[k];
    g[network.b[k]][network.a[k]] += network.conductance[k];
  }
  for (size_t k = 0; k < n; ++k) {
    diagonal[k] = pad[k];
    for (size_t j = k + 1; j < n; ++j) diagonal[k] += g[k][j];
    for (size_t i = k + 1; i < n; ++i) {
      const long double weight = g[i][k] / diagonal[k];
      if (weight == 0) continue;
      for (size_t j = k + 1; j < n; ++j) {
        if (i != j) g[i][j] += weight * g[k][j];
      }
      pad[i] += weight * pad[k];
      injection[i] += weight * injection[k];
    }
  }
  for (size_t k = n; k-- > 0;) {
    for (size_t j = k + 1; j < n; ++j) injection[k] += g[k][j] * injection[j];
    injection[k] /= diagonal[k];
  }
  return injection;
}

}  // namespace gridiron::test
