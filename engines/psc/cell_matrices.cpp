// SPDX-License-Identifier: Apache-2.0
#include "engines/psc/cell_matrices.hpp"

#include <algorithm>
#include <cmath>

#include "engines/psc/dense.hpp"
#include "support/error_text.hpp"
#include "support/parallel.hpp"

namespace gridiron::psc {
namespace {

/// v ← S v, where only nodes closer than s to (i, j) can become nonzero.
void to_nodal(const CellLattice& cell, std::vector<double>& v, CellLattice::Node around, int64_t s) {
  for (int64_t t = s / 2; t >= 1; t /= 2)
    for (int64_t j = std::max<int64_t>(0, around.j - s); j <= std::min(cell.m, around.j + s); j += t)
      for (int64_t i = std::max<int64_t>(0, around.i - s); i <= std::min(cell.m, around.i + s); i += t)
        if (cell.has(i, j)) v[cell.at(i, j)] += from_parents<double>(cell, v, i, j, t);
}

/// v ← Sᵀ v.
void to_hierarchical(const CellLattice& cell, std::vector<double>& v) {
  for (int64_t s = 1; s <= cell.m / 2; s *= 2)
    for (int64_t j = 0; j <= cell.m; j += 2 * s)
      for (int64_t i = 0; i <= cell.m; i += 2 * s)
        if (cell.has(i, j)) v[cell.at(i, j)] += from_children<double>(cell, v, i, j, s);
}

/// w = K v for v that vanishes beyond s from (i, j).
void multiply_stiffness(const CellLattice& cell, const ElementMatrix& k, const std::vector<double>& v,
                        CellLattice::Node around, int64_t s, std::vector<double>& w) {
  const auto nodes = element_nodes(cell.corners);
  const auto add = [&](int64_t i, int64_t j, int sign) {
    int64_t at[4];
    for (int a = 0; a < cell.corners; ++a) {
      const int64_t x = i + sign * nodes[a][0], y = j + sign * nodes[a][1];
      if (!cell.has(x, y)) return;
      at[a] = cell.at(x, y);
    }
    for (int a = 0; a < cell.corners; ++a)
      for (int b = 0; b < cell.corners; ++b) w[at[a]] += k[a][b] * v[at[b]];
  };
  for (int64_t j = std::max<int64_t>(0, around.j - s - 1); j <= std::min(cell.m, around.j + s + 1); ++j)
    for (int64_t i = std::max<int64_t>(0, around.i - s - 1); i <= std::min(cell.m, around.i + s + 1); ++i) {
      add(i, j, 1);
      if (cell.corners == 3) add(i, j, -1);
    }
}

/// The spacing at which a node is new; m for corners.
int64_t spacing_of(const CellLattice& cell, CellLattice::Node node) {
  for (int64_t s = 1; s < cell.m; s *= 2)
    if (node.i % (2 * s) != 0 || node.j % (2 * s) != 0) return s;
  return cell.m;
}

}  // namespace

CellMatrices cell_matrices(const CellLattice& lattice, const CellShape& shape) {
  const ElementMatrix k = element_stiffness(lattice.corners, shape);
  const std::vector<int32_t> interior = lattice.interior_positions(), edge = lattice.edge_positions();
  const auto ni = std::ssize(interior), ne = std::ssize(edge);
  const int64_t nc = lattice.corners;
  std::vector<int32_t> corner;
  for (int c = 0; c < lattice.corners; ++c)
    corner.push_back(static_cast<int32_t>(lattice.at(lattice.corner(c).i, lattice.corner(c).j)));

  CellMatrices out;
  out.ii.resize(ni * ni);
  out.ie.resize(ni * ne);
  out.ee.resize(ne * ne);
  out.ce.resize(nc * ne);
  out.cc.resize(nc * nc);
  std::vector<double> largest(ni, 0.0);
  parallel_ranges(
      ni + ne + nc,
      [&](int64_t first, int64_t last) {
        std::vector<double> v(lattice.size()), w(v.size());
        const auto column = [&](int32_t position) {
          const CellLattice::Node node{position % (lattice.m + 1), position / (lattice.m + 1)};
          const int64_t s = spacing_of(lattice, node);
          std::ranges::fill(v, 0.0);
          std::ranges::fill(w, 0.0);
          v[position] = 1;
          to_nodal(lattice, v, node, s);
          multiply_stiffness(lattice, k, v, node, s, w);
          to_hierarchical(lattice, w);
        };
        for (int64_t q = first; q < last; ++q) {
          column(q < ni ? interior[q] : q < ni + ne ? edge[q - ni] : corner[q - ni - ne]);
          if (q < ni) {
            for (int64_t p = 0; p < ni; ++p) out.ii[q * ni + p] = w[interior[p]];
            for (const int32_t c : corner) largest[q] = std::max(largest[q], std::abs(w[c]));
          } else if (q < ni + ne) {
            const int64_t e = q - ni;
            for (int64_t p = 0; p < ni; ++p) out.ie[e * ni + p] = w[interior[p]];
            for (int64_t p = 0; p < ne; ++p) out.ee[e * ne + p] = w[edge[p]];
            for (int64_t p = 0; p < nc; ++p) out.ce[e * nc + p] = w[corner[p]];
          } else {
            for (int64_t p = 0; p < nc; ++p) out.cc[(q - ni - ne) * nc + p] = w[corner[p]];
          }
        }
      },
      64);
  for (const double value : largest) out.largest_ci = std::max(out.largest_ci, value);
#ifdef GRIDIRON_BROKEN  // for a test of what must notice it
  for (double& value : out.ie) value *= 0.9;
#endif
  return out;
}

void eliminate_on_host(int64_t ni, int64_t ne, CondensedCell& cell) {
  if (ni > 0) invert_spd(ni, cell.inverse.data(), kCellMatrix);
  cell.transfer.assign(ni * ne, 0.0);
  add_product({ni, ne, ni}, 1, cell.inverse.data(), ni, cell.coupling.data(), ni, cell.transfer.data(), ni);
  add_product({ne, ne, ni, true, false}, -1, cell.coupling.data(), ni, cell.transfer.data(), ni, cell.schur.data(), ne);
}

CondensedCell condense(const CellLattice& lattice, CellMatrices&& matrices, bool wants_condition,
                       const Eliminate& eliminate) {
  constexpr double kNone = 1e-10;
  if (!(matrices.largest_ci <= kNone))
    throw solver_error(
        "psc: corners of a cell couple to its interior ({:.1e}); its method needs triangles or "
        "rectangles",
        matrices.largest_ci);
  const int64_t ni = lattice.interior(), ne = lattice.edge(), nc = lattice.corners;
  CondensedCell out;
  for (int64_t i = 0; i < ni; ++i) out.interior_scale.push_back(1 / std::sqrt(matrices.ii[i * ni + i]));
  for (int64_t e = 0; e < ne; ++e) out.edge_scale.push_back(1 / std::sqrt(2 * matrices.ee[e * ne + e]));
  const auto scale = [](std::vector<double>& a, int64_t rows, const std::vector<double>* left,
                        const std::vector<double>& right) {
    for (size_t c = 0; c < right.size(); ++c)
      for (int64_t r = 0; r < rows; ++r) a[c * rows + r] *= right[c] * (left ? (*left)[r] : 1);
  };
  scale(matrices.ii, ni, &out.interior_scale, out.interior_scale);
  scale(matrices.ie, ni, &out.interior_scale, out.edge_scale);
  scale(matrices.ee, ne, &out.edge_scale, out.edge_scale);
  scale(matrices.ce, nc, nullptr, out.edge_scale);
  out.corner_edge = std::move(matrices.ce);
  out.corner = std::move(matrices.cc);
  out.coupling = std::move(matrices.ie);
  out.inverse = std::move(matrices.ii);
  out.schur = std::move(matrices.ee);
  if (wants_condition && ni > 0) {
    const Extremes extremes = extreme_eigenvalues(ni, [&](const double* x, double* y) {
      parallel_each(
          ni,
          [&](int64_t i) {
            const double* const row = out.inverse.data() + i * ni;  // symmetric
            double sum = 0;
            for (int64_t j = 0; j < ni; ++j) sum += row[j] * x[j];
            y[i] = sum;
          },
          256);
    });
    out.condition = extremes.largest / extremes.least;
  }
  eliminate(ni, ne, out);
  return out;
}

}  // namespace gridiron::psc
