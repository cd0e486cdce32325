// SPDX-License-Identifier: Apache-2.0
#include "engines/psc/prehandled.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "engines/psc/dense.hpp"
#include "support/lists.hpp"
#include "support/parallel.hpp"

namespace gridiron::psc {
namespace {

using Rows = std::vector<std::map<int32_t, double>>;

Prehandled::Sparse compressed(const Rows& rows) {
  Prehandled::Sparse out;
  for (const auto& row : rows) {
    for (const auto& [column, value] : row) out.add(column, value);
    out.end_row();
  }
  return out;
}

Prehandled::Sparse lists(const std::vector<std::vector<int32_t>>& of_row) {
  Prehandled::Sparse out;
  for (const auto& row : of_row) {
    append(out.column, row);
    out.end_row();
  }
  return out;
}

}  // namespace

Prehandled prehandle(const RefinedMesh& mesh, int level, bool wants_condition, const Eliminate& eliminate) {
  Prehandled p;
  p.cells = macro_cells(mesh, level);
  const MacroCells& cells = p.cells;
  const CellLattice& lattice = cells.lattice;
  const int64_t ne = lattice.edge(), nc = lattice.corners, coarse = cells.coarse(), edge = cells.edge();
  for (const MacroCells::Group& group : cells.groups)
    p.groups.push_back(condense(lattice, cell_matrices(lattice, group.shape), wants_condition, eliminate));

  const auto for_cells = [&](auto f) {
    for (size_t g = 0; g < p.groups.size(); ++g)
      for (int64_t c = cells.groups[g].first; c < cells.groups[g].first + cells.groups[g].cells; ++c) f(c, p.groups[g]);
  };

  std::vector<double> diagonal(edge, 0.0);
  p.cells_of_edge.assign(2 * edge, -1);
  std::vector<std::vector<int32_t>> at_corner(coarse);
  for_cells([&](int64_t c, const CondensedCell& group) {
    for (int64_t e = 0; e < ne; ++e) {
      const int32_t to = cells.edge_of_cell[c * ne + e];
      if (to < 0) continue;
      diagonal[to] += 0.5 / (group.edge_scale[e] * group.edge_scale[e]);
      int32_t* const slot = &p.cells_of_edge[2 * to];
      (slot[0] < 0 ? slot[0] : slot[1]) = static_cast<int32_t>(c * ne + e);
    }
    for (int64_t k = 0; k < nc; ++k)
      if (const int32_t to = cells.corner_of_cell[c * nc + k]; to >= 0)
        at_corner[to].push_back(static_cast<int32_t>(c * nc + k));
  });
  p.cells_of_corner = lists(at_corner);
  for (const double d : diagonal) p.edge_scale.push_back(1 / std::sqrt(d));

  p.edge_ratio.assign(cells.cells * ne, 0.0);
  Rows coarse_edge(coarse), edge_coarse(edge);
  p.coarse_inverse.assign(coarse * coarse, 0.0);
  for_cells([&](int64_t c, const CondensedCell& group) {
    for (int64_t e = 0; e < ne; ++e) {
      const int32_t to = cells.edge_of_cell[c * ne + e];
      if (to < 0) continue;
      const double ratio = p.edge_ratio[c * ne + e] = p.edge_scale[to] / group.edge_scale[e];
      for (int64_t k = 0; k < nc; ++k)
        if (const int32_t from = cells.corner_of_cell[c * nc + k]; from >= 0)
          edge_coarse[to][from] = coarse_edge[from][to] += ratio * group.corner_edge[e * nc + k];
    }
    for (int64_t k = 0; k < nc; ++k)
      for (int64_t l = 0; l < nc; ++l) {
        const int32_t row = cells.corner_of_cell[c * nc + k], column = cells.corner_of_cell[c * nc + l];
        if (row >= 0 && column >= 0) p.coarse_inverse[column * coarse + row] += group.corner[l * nc + k];
      }
  });
  p.coarse_edge = compressed(coarse_edge);
  p.edge_coarse = compressed(edge_coarse);
  if (coarse > 0) {
    factor_spd(coarse, p.coarse_inverse.data(), "the matrix of the coarse grid");
    invert_lower(coarse, p.coarse_inverse.data());
  }
  return p;
}

double Prehandled::largest_condition() const {
  double largest = 0;
  for (const CondensedCell& group : groups) largest = std::max(largest, group.condition);
  return largest;
}

void Prehandled::multiply_lambda(const double* x, double* y) const {
  const int64_t ne = cells.lattice.edge();
  std::vector<double> out(cells.cells * ne, 0.0);
  for (size_t g = 0; g < groups.size(); ++g) {
    const MacroCells::Group& group = cells.groups[g];
    std::vector<double> in(group.cells * ne);
    for (int64_t i = 0; i < group.cells * ne; ++i) {
      const int64_t at = group.first * ne + i;
      in[i] = cells.edge_of_cell[at] >= 0 ? edge_ratio[at] * x[cells.edge_of_cell[at]] : 0;
    }
    add_product({ne, group.cells, ne}, 1, groups[g].schur.data(), ne, in.data(), ne, out.data() + group.first * ne, ne);
  }
  parallel_each(cells.edge(), [&](int64_t e) {
    y[e] = 0;
    for (int slot = 0; slot < 2; ++slot)
      if (const int32_t at = cells_of_edge[2 * e + slot]; at >= 0) y[e] += edge_ratio[at] * out[at];
  });
}

void Prehandled::multiply_schur(const double* x, double* y) const {
  multiply_lambda(x, y);
  const int64_t coarse = cells.coarse();
  if (coarse == 0) return;
  std::vector<double> c(coarse, 0.0), half(c), whole(c);
  for (int64_t i = 0; i < coarse; ++i)
    for (int32_t k = coarse_edge.begin[i]; k < coarse_edge.begin[i + 1]; ++k)
      c[i] += coarse_edge.value[k] * x[coarse_edge.column[k]];
  add_product({coarse, 1, coarse}, 1, coarse_inverse.data(), coarse, c.data(), coarse, half.data(), coarse);
  add_product({coarse, 1, coarse, true}, 1, coarse_inverse.data(), coarse, half.data(), coarse, whole.data(), coarse);
  for (int64_t e = 0; e < cells.edge(); ++e)
    for (int32_t k = edge_coarse.begin[e]; k < edge_coarse.begin[e + 1]; ++k)
      y[e] -= edge_coarse.value[k] * whole[edge_coarse.column[k]];
}

}  // namespace gridiron::psc
