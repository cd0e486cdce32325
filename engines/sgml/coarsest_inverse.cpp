// SPDX-License-Identifier: Apache-2.0
#include "engines/sgml/coarsest_inverse.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "device/cpu_device.hpp"
#include "linalg/dense_inverse.hpp"
#include "support/error.hpp"

namespace gridiron::sgml {
namespace {

struct UnitVector {
  int64_t one;
  double operator[](int64_t at) const { return at == one ? 1.0 : 0.0; }
};

/// The matrix of a stencil, row after row, n × n.
struct DenseMatrix {
  std::vector<double> entries;

  template <class S>
  void operator()(const S& stencil) {
    const Lattice& lattice = stencil.lattice;
    const int64_t n = lattice.unknowns(), nx = lattice.unknowns(0), ny = lattice.unknowns(1);
    entries.assign(n * n, 0.0);
    for (int64_t row = 0; row < n; ++row) {
      const int64_t x = row % nx, y = lattice.y_of(row / nx), z = lattice.z_of(row / nx);
      const auto line = stencil.line(row / nx);
      for (int64_t k = std::max<int64_t>(z - 1, 0); k <= std::min(z + 1, lattice.unknowns(2) - 1); ++k)
        for (int64_t j = std::max<int64_t>(y - 1, 0); j <= std::min(y + 1, ny - 1); ++j)
          for (int64_t i = std::max<int64_t>(x - 1, 0); i <= std::min(x + 1, nx - 1); ++i)
            entries[row * n + (k * ny + j) * nx + i] = -stencil.inflow(line, x, UnitVector{lattice.at(i, j, k)});
      entries[row * n + row] = stencil.diagonal_at(line, x);
    }
  }
};

/// Adds γ m mᵀ to a matrix A, m being the shares of cells that points own and γ of the order of A. As A m⁻ = 0 or as
/// A 1 is a multiple of m, the solution for sources that sum to zero is that of A, and its mean is 0.
void hold_mean(const Lattice& lattice, std::vector<double>& matrix) {
  const int64_t n = lattice.unknowns(), nx = lattice.unknowns(0);
  std::vector<double> share(n);
  double squares = 0, trace = 0;
  for (int64_t k = 0; k < n; ++k) {
    const int64_t line = k / nx;
    share[k] = lattice.share(0, k % nx) * lattice.share(1, lattice.y_of(line)) * lattice.share(2, lattice.z_of(line));
    squares += share[k] * share[k];
    trace += matrix[k * n + k];
  }
  const double gamma = trace / n / squares;
  for (int64_t row = 0; row < n; ++row)
    for (int64_t column = 0; column < n; ++column) matrix[row * n + column] += gamma * share[row] * share[column];
}

}  // namespace

std::vector<double> invert_coarsest(const StencilData& data, bool holds_mean) {
  const Stencil<CpuDevice, double> stencil(data);
  DenseMatrix matrix;
  stencil.visit(matrix);
  if (holds_mean) hold_mean(stencil.lattice(), matrix.entries);
  try {
    return gridiron::invert(stencil.lattice().unknowns(), std::move(matrix.entries), "sgml");
  } catch (const SolverError&) {
    throw SolverError("sgml: the matrix is singular; is part of the system not tied to any fixed value?");
  }
}

}  // namespace gridiron::sgml
