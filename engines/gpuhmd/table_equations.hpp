// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/gpuhmd/table_kernels.hpp"
#include "engines/problem.hpp"

namespace gridiron::gpuhmd {

/// The equations of one grid of one layer in fp64, laid out as the finest level of a Gmd.
template <class D>
struct TableEquations {
  GridShape shape;
  Array<D, double> gh, gv, gz, diagonal;

  std::int64_t entries() const { return diagonal.size(); }
  std::int64_t bytes() const { return gh.bytes() + gv.bytes() + gz.bytes() + diagonal.bytes(); }
};

/// What kernels see of them. Index k counts the cells, whose entries begin at `first`.
template <class D>
struct TableEquationsView {
  std::int64_t first, nx;
  View<D, const double> gh, gv, diagonal;

  explicit TableEquationsView(const TableEquations<D>& e)
      : first(e.shape.first), nx(e.shape.nx), gh(e.gh.view()), gv(e.gv.view()), diagonal(e.diagonal.view()) {}

  GRIDIRON_HOST_DEVICE double product(std::int64_t i, View<D, const double> v) const {
    return diagonal[i] * v[i] - gh[i] * v[i + 1] - gh[i - 1] * v[i - 1] - gv[i] * v[i + nx] - gv[i - nx] * v[i - nx];
  }
};

/// f(unknown, entry) for the cells of a grid of one layer, row by row.
template <class D, class F>
void for_each_unknown(const GridShape& shape, F f) {
  const std::int64_t used_nx = shape.used_nx, nx = shape.nx, first = shape.first;
  D::for_each_tile(
      shape.used_ny, kThreadsPerTile, 0, GRIDIRON_KERNEL(typename D::Tile & tile) {
        const std::int64_t unknown = tile.index() * used_nx, entry = first + tile.index() * nx;
        tile.each(used_nx, [&](std::int64_t x) { f(unknown + x, entry + x); });
      });
}

/// The tables of a 2-D problem on a regular grid, one cell per unknown: they are its discretisation. What is left of a
/// row when its neighbours are taken out becomes gz, unless it is but rounding.
template <class D>
TableEquations<D> equations_of(const CsrMatrix& matrix, const BatchShape& layout) {
  constexpr double kRounding = 1e-12;  // of the diagonal
  TableEquations<D> equations;
  equations.shape = layout.grids[0];
  for (Array<D, double>* a : {&equations.gh, &equations.gv, &equations.gz, &equations.diagonal})
    *a = zeros<D, double>(layout.entries);
  const Upload<D, std::int64_t> row_ptr_array(matrix.row_ptr);
  const Upload<D, std::int32_t> col_array(matrix.col);
  const Upload<D, double> value_array(matrix.value);
  const View<D, const std::int64_t> row_ptr = row_ptr_array.view();
  const View<D, const std::int32_t> col = col_array.view();
  const View<D, const double> value = value_array.view();
  const View<D, double> gh = equations.gh.view(), gv = equations.gv.view(), gz = equations.gz.view(),
                        diagonal = equations.diagonal.view();
  const std::int64_t nx = equations.shape.used_nx;
  for_each_unknown<D>(
      equations.shape, GRIDIRON_KERNEL(std::int64_t i, std::int64_t entry) {
        double sum = 0, own = 0;
        for (std::int64_t k = row_ptr[i]; k < row_ptr[i + 1]; ++k) {
          const std::int64_t j = col[k];
          sum += value[k];
          if (j == i) own = value[k];
          if (j == i + nx) gv[entry] = -value[k];
          if (j == i + 1 && nx > 1) gh[entry] = -value[k];
        }
        gz[entry] = sum > kRounding * own ? sum : 0.0;
      });
  const std::int64_t stride = equations.shape.nx;
  for_each_unknown<D>(
      equations.shape, GRIDIRON_KERNEL(std::int64_t, std::int64_t i) {
        diagonal[i] = gz[i] + gh[i] + gh[i - 1] + gv[i] + gv[i - stride];
      });
  return equations;
}

}  // namespace gridiron::gpuhmd
