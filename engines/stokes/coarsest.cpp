// SPDX-License-Identifier: Apache-2.0
#include "engines/stokes/coarsest.hpp"

#include "engines/stokes_matrix.hpp"
#include "linalg/dense_inverse.hpp"

namespace gridiron::stokes {

std::vector<double> pseudo_inverse(const StokesGrid& grid, bool whole) {
  const CsrMatrix a = stokes_matrix(grid);
  const int64_t n = a.rows, first = 2 * grid.velocities();
  std::vector<double> dense(n * n, 0.0);
  for (int64_t i = 0; i < n; ++i)
    for (int64_t k = a.row_ptr[i]; k < a.row_ptr[i + 1]; ++k)
      if (whole || (i < first && a.col[k] < first)) dense[i * n + a.col[k]] = a.value[k];
  const double e = 1.0 / grid.pressures();
  if (whole) {  // A⁺ = (A + e eᵀ)⁻¹ − e eᵀ for the unit vector e of the null space, the constant pressure
    dense[grid.grounded_unknown() * (n + 1)] = 0;
    for (int64_t i = first; i < n; ++i)
      for (int64_t j = first; j < n; ++j) dense[i * n + j] += e;
  } else {
    for (int64_t i = first; i < n; ++i) dense[i * (n + 1)] = 1;
  }
  std::vector<double> inverse = invert(n, std::move(dense), "stokes");
  for (int64_t i = first; i < n; ++i)
    for (int64_t j = first; j < n; ++j) inverse[i * n + j] = whole ? inverse[i * n + j] - e : 0;
  return inverse;
}

std::vector<int64_t> entries_of_unknowns(const StokesGrid& grid, const Layout& layout) {
  std::vector<int64_t> entries;
  entries.reserve(grid.unknowns());
  for (int plane = 0; plane < Layout::kPlanes; ++plane) {
    const StokesGrid::Extent extent = plane_extent(grid, plane);
    for (int64_t j = 0; j < extent.count[1]; ++j)
      for (int64_t i = 0; i < extent.count[0]; ++i)
        entries.push_back(plane * layout.plane + layout.at(extent.first[0] + i, extent.first[1] + j));
  }
  return entries;
}

}  // namespace gridiron::stokes
