// SPDX-License-Identifier: Apache-2.0
#include "engines/gpuhmd/pde_tables.hpp"

#include "support/parallel.hpp"

namespace gridiron::gpuhmd {
namespace {

constexpr double kRounding = 1e-12;  ///< of a row's diagonal: gz below this is what rounding left over

}  // namespace

GridTables tables_of(const CsrMatrix& matrix, const RegularGrid& grid) {
  GridTables tables;
  tables.layers = 1;
  tables.nx = tables.used_nx = static_cast<std::int32_t>(grid.unknowns(0));
  tables.ny = tables.used_ny = static_cast<std::int32_t>(grid.unknowns(1));
  for (std::vector<double>* table : {&tables.gh, &tables.gv, &tables.gz}) table->resize(matrix.rows);
  parallel_ranges(matrix.rows, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i) {
      double sum = 0, diagonal = 0;
      for (std::int64_t k = matrix.row_ptr[i]; k < matrix.row_ptr[i + 1]; ++k) {
        const std::int64_t j = matrix.col[k];
        sum += matrix.value[k];
        if (j == i) diagonal = matrix.value[k];
        if (j == i + tables.nx) tables.gv[i] = -matrix.value[k];
        if (j == i + 1 && tables.nx > 1) tables.gh[i] = -matrix.value[k];
      }
      tables.gz[i] = sum > kRounding * diagonal ? sum : 0;
    }
  });
  return tables;
}

}  // namespace gridiron::gpuhmd
