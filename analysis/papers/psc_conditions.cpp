// SPDX-License-Identifier: Apache-2.0
#include "analysis/papers/psc_conditions.hpp"

#include <algorithm>
#include <functional>
#include <vector>

#include "analysis/pde/finite_elements.hpp"
#include "engines/psc/dense.hpp"
#include "engines/psc/prehandled.hpp"
#include "linalg/blas.hpp"
#include "linalg/one_thread.hpp"
#include "support/parallel.hpp"

namespace gridiron {
namespace {

double condition(int64_t n, const std::function<void(const double*, double*)>& apply) {
  const psc::Extremes extremes = psc::extreme_eigenvalues(n, apply);
  return extremes.largest / extremes.least;
}

/// SᵀAS by cells, for vectors of C, E and I one behind the other.
class HierarchicalMatrix {
 public:
  explicit HierarchicalMatrix(const psc::MacroCells& cells) : cells_(cells) {
    for (const psc::MacroCells::Group& group : cells.groups)
      groups_.push_back(psc::cell_matrices(cells.lattice, group.shape));
  }

  int64_t size() const { return cells_.coarse() + cells_.edge() + cells_.interior(); }

  void multiply(const double* x, double* y) const {
    std::fill_n(y, size(), 0.0);
    for (size_t g = 0; g < groups_.size(); ++g)
      for (int64_t c = cells_.groups[g].first; c < cells_.groups[g].first + cells_.groups[g].cells; ++c)
        add_cell(groups_[g], c, x, y);
  }

 private:
  /// The unknowns of a cell: corners, edges, inside; −1 on the boundary.
  std::vector<int64_t> unknowns_of(int64_t cell) const {
    const int64_t corners = cells_.lattice.corners, edge = cells_.lattice.edge(), inside = cells_.lattice.interior();
    std::vector<int64_t> all;
    for (int64_t k = 0; k < corners; ++k) all.push_back(cells_.corner_of_cell[cell * corners + k]);
    for (int64_t k = 0; k < edge; ++k) {
      const int64_t e = cells_.edge_of_cell[cell * edge + k];
      all.push_back(e < 0 ? -1 : cells_.coarse() + e);
    }
    for (int64_t k = 0; k < inside; ++k) all.push_back(cells_.coarse() + cells_.edge() + cell * inside + k);
    return all;
  }

  void add_cell(const psc::CellMatrices& a, int64_t cell, const double* x, double* y) const {
    const int64_t nc = cells_.lattice.corners, ne = cells_.lattice.edge(), ni = cells_.lattice.interior();
    const std::vector<int64_t> unknowns = unknowns_of(cell);
    std::vector<double> in, out(unknowns.size(), 0.0);
    for (const int64_t u : unknowns) in.push_back(u < 0 ? 0.0 : x[u]);
    const double *c = in.data(), *e = c + nc, *i = e + ne;
    double *oc = out.data(), *oe = oc + nc, *oi = oe + ne;
    psc::add_product({nc, 1, nc}, 1, a.cc.data(), nc, c, nc, oc, nc);
    psc::add_product({nc, 1, ne}, 1, a.ce.data(), nc, e, ne, oc, nc);
    psc::add_product({ne, 1, nc, true}, 1, a.ce.data(), nc, c, nc, oe, ne);
    psc::add_product({ne, 1, ne}, 1, a.ee.data(), ne, e, ne, oe, ne);
    psc::add_product({ne, 1, ni, true}, 1, a.ie.data(), ni, i, ni, oe, ne);
    psc::add_product({ni, 1, ne}, 1, a.ie.data(), ni, e, ne, oi, ni);
    psc::add_product({ni, 1, ni}, 1, a.ii.data(), ni, i, ni, oi, ni);
    for (size_t k = 0; k < unknowns.size(); ++k)
      if (unknowns[k] >= 0) y[unknowns[k]] += out[k];
  }

  const psc::MacroCells& cells_;
  std::vector<psc::CellMatrices> groups_;
};

/// What eq. (5) multiplies SᵀAS by from both sides: the inverse of the Cholesky factor of C, and scales of E and I.
class Scaling {
 public:
  explicit Scaling(const psc::Prehandled& p) : p_(p) {
    for (size_t g = 0; g < p.groups.size(); ++g)
      for (int64_t c = 0; c < p.cells.groups[g].cells; ++c)
        interior_.insert(interior_.end(), p.groups[g].interior_scale.begin(), p.groups[g].interior_scale.end());
  }

  std::vector<double> apply(const double* x, bool transposed) const {
    const int64_t coarse = p_.cells.coarse(), edge = p_.cells.edge();
    std::vector<double> y(coarse + edge + p_.cells.interior(), 0.0);
    psc::add_product({coarse, 1, coarse, transposed}, 1, p_.coarse_inverse.data(), coarse, x, coarse, y.data(), coarse);
    for (int64_t e = 0; e < edge; ++e) y[coarse + e] = p_.edge_scale[e] * x[coarse + e];
    for (size_t i = 0; i < interior_.size(); ++i) y[coarse + edge + i] = interior_[i] * x[coarse + edge + i];
    return y;
  }

 private:
  const psc::Prehandled& p_;
  std::vector<double> interior_;
};

}  // namespace

void eliminate_without_inverse(int64_t interior, int64_t edge, psc::CondensedCell& cell) {
  if (interior > 0) {
    psc::factor_spd(interior, cell.inverse.data(), psc::kCellMatrix);
    constexpr int64_t kColumns = 32;
    const OneBlasThread one_thread_per_call;
    const int rows = static_cast<int>(interior);
    parallel_tasks((edge + kColumns - 1) / kColumns, [&](int64_t task) {
      const int columns = static_cast<int>(std::min(kColumns, edge - task * kColumns));
      dtrsm_("L", "L", "N", "N", &rows, &columns, &blas::kOne, cell.inverse.data(), &rows,
             cell.coupling.data() + task * kColumns * interior, &rows);
    });
  }
  cell.inverse = {};
  psc::add_product({edge, edge, interior, true, false}, -1, cell.coupling.data(), interior, cell.coupling.data(),
                   interior, cell.schur.data(), edge);
}

PrehandledConditions prehandled_conditions(int levels, int level) {
  const RefinedMesh mesh(unit_square_mesh(4, 1), levels);
  const CsrMatrix a = assemble(mesh);
  PrehandledConditions result;
  result.stiffness = condition(a.rows, [&](const double* x, double* y) { multiply(a, x, y); });
  const psc::Prehandled p = psc::prehandle(mesh, level, false);
  const HierarchicalMatrix hierarchical(p.cells);
  result.hierarchical =
      condition(hierarchical.size(), [&](const double* x, double* y) { hierarchical.multiply(x, y); });
  const Scaling scaling(p);
  result.prehandled = condition(hierarchical.size(), [&](const double* x, double* y) {
    std::vector<double> product(hierarchical.size());
    hierarchical.multiply(scaling.apply(x, true).data(), product.data());
    std::ranges::copy(scaling.apply(product.data(), false), y);
  });
  return result;
}

}  // namespace gridiron
