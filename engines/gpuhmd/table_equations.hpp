// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/changes.hpp"
#include "engines/gpuhmd/table_kernels.hpp"
#include "engines/problem.hpp"
#include "linalg/weak_parts.hpp"

namespace gridiron::gpuhmd {

/// The equations of one grid of one layer in fp64, laid out as the finest level of a Gmd.
template <class D>
struct TableEquations {
  GridShape shape;
  Array<D, double> gh, gv, diagonal;

  int64_t entries() const { return diagonal.size(); }
  int64_t bytes() const { return bytes_of(gh, gv, diagonal); }
};

/// What kernels see of them. Index k counts the cells, whose entries begin at `first`.
template <class D>
struct TableEquationsView {
  int64_t first, nx;
  View<D, const double> gh, gv, diagonal;

  explicit TableEquationsView(const TableEquations<D>& e)
      : first(e.shape.first), nx(e.shape.nx), gh(e.gh.view()), gv(e.gv.view()), diagonal(e.diagonal.view()) {}

  GRIDIRON_HOST_DEVICE double product(int64_t i, View<D, const double> v) const {
    return diagonal[i] * v[i] - gh[i] * v[i + 1] - gh[i - 1] * v[i - 1] - gv[i] * v[i + nx] - gv[i - nx] * v[i - nx];
  }
};

/// f(unknown, entry) for the unknowns `range` of a grid of one layer.
template <class D, class F>
void for_each_unknown(const GridShape& shape, const RowRange& range, F f) {
  if (range.count() == 0) return;
  const int64_t used_nx = shape.used_nx, nx = shape.nx, first_entry = shape.first;
  const int64_t first = range.first, last = range.last, first_row = first / used_nx;
  D::for_each_tile((last - 1) / used_nx + 1 - first_row, kThreadsPerTile, 0, GRIDIRON_KERNEL(typename D::Tile & tile) {
    const int64_t row = first_row + tile.index(), unknown = row * used_nx, entry = first_entry + row * nx;
    const int64_t begin = first > unknown ? first - unknown : 0,
                  end = last - unknown < used_nx ? last - unknown : used_nx;
    tile.each(end - begin, [&](int64_t x) { f(unknown + begin + x, entry + begin + x); });
  });
}

/// The equations of unknowns `range` of a 2-D problem on a regular grid, one cell per unknown: its tables are its
/// discretisation. The row sum becomes gz unless it is mere rounding; `gz` may have any precision.
template <class D, class T>
void fill_equations(const CsrMatrix& matrix, const RowRange& range, TableEquations<D>& equations, View<D, T> gz) {
  const int64_t first = range.first, begin = matrix.row_ptr[first], entries = matrix.row_ptr[range.last] - begin;
  const Upload<D, int64_t> row_ptr_array(std::span(matrix.row_ptr).subspan(first, range.count() + 1));
  const Upload<D, int32_t> col_array(std::span(matrix.col).subspan(begin, entries));
  const Upload<D, double> value_array(std::span(matrix.value).subspan(begin, entries));
  const auto row_ptr = row_ptr_array.view();
  const auto col = col_array.view();
  const auto value = value_array.view();
  const auto gh = equations.gh.view(), gv = equations.gv.view(), diagonal = equations.diagonal.view();
  const int64_t nx = equations.shape.used_nx;
  for_each_unknown<D>(
      equations.shape, range, GRIDIRON_KERNEL(int64_t i, int64_t entry) {
        double sum = 0, own = 0;
        for (int64_t k = row_ptr[i - first] - begin; k < row_ptr[i - first + 1] - begin; ++k) {
          const int64_t j = col[k];
          sum += value[k];
          if (j == i) own = value[k];
          if (j == i + nx) gv[entry] = -value[k];
          if (j == i + 1 && nx > 1) gh[entry] = -value[k];
        }
        diagonal[entry] = sum > weak::kRounding * 5 * own ? sum : 0.0;  // conductance to ground, for now
        gz[entry] = static_cast<T>(diagonal[entry]);
      });
  const int64_t stride = equations.shape.nx;
  for_each_unknown<D>(
      equations.shape, range,
      GRIDIRON_KERNEL(int64_t, int64_t i) { diagonal[i] = diagonal[i] + gh[i] + gh[i - 1] + gv[i] + gv[i - stride]; });
}

/// Laid out like the finest level of a Gmd, with zeros.
template <class D>
TableEquations<D> no_equations(const BatchShape& layout) {
  TableEquations<D> equations;
  equations.shape = layout.grids[0];
  for (Array<D, double>* a : {&equations.gh, &equations.gv, &equations.diagonal}) *a = zeros<D, double>(layout.entries);
  return equations;
}

}  // namespace gridiron::gpuhmd
