// SPDX-License-Identifier: Apache-2.0
#include "engines/stokes/vanka_table.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "engines/linalg/dense_inverse.hpp"

namespace gridiron::stokes {
namespace {

/// The point of the patch at (x, y), −2 to 2, has unknown velocities if it lies inside the domain.
bool is_unknown(std::int64_t node, int offset, std::int64_t n) {
  const std::int64_t at = 2 * node + offset;
  return at > 0 && at < 2 * n;
}

/// How the velocity at (x, y) of the patch enters the row of B of its node.
double divergence(const Stencil<double>& s, int component, int x, int y) {
  const int along = component == 0 ? x : y, across = component == 0 ? y : x;
  if (std::abs(across) > 1 || along == 0) return 0;
  const double size = s.gradient[component][std::abs(along) == 1];
  return along < 0 ? size : -size;
}

/// The inverse with weighted rows, and zeros for what is not unknown.
std::vector<double> weighted_inverse(std::vector<double> matrix, const bool (&active)[kPatchPoints], double weight) {
  std::vector<double> inverse = invert(kPatch, std::move(matrix), "stokes");
  for (int row = 0; row < kPatch; ++row) {
    const int a = row % kPatchPoints, kind = ((a % kPatchSide) & 1) | ((a / kPatchSide) & 1) << 1;
    const double shared_by = row == kPatch - 1 ? 1 : kind == 0 ? 9 : kind == 3 ? 4 : 6;
    for (int column = 0; column < kPatch; ++column) {
      const bool is_used = (row == kPatch - 1 || active[a]) && (column == kPatch - 1 || active[column % kPatchPoints]);
      inverse[row * kPatch + column] *= is_used ? weight / shared_by : 0;
    }
  }
  return inverse;
}

std::vector<double> patch_inverse(const Stencil<double>& s, std::int64_t i, std::int64_t j, std::int64_t nx,
                                  std::int64_t ny, double weight) {
  bool active[kPatchPoints];
  for (int a = 0; a < kPatchPoints; ++a)
    active[a] = is_unknown(i, a % kPatchSide - 2, nx) && is_unknown(j, a / kPatchSide - 2, ny);
  std::vector<double> matrix(kPatch * kPatch, 0.0);
  const auto entry = [&](int row, int column) -> double& { return matrix[row * kPatch + column]; };
  for (int component = 0; component < 2; ++component)
    for (int a = 0; a < kPatchPoints; ++a) {
      const int row = component * kPatchPoints + a, ax = a % kPatchSide - 2, ay = a / kPatchSide - 2;
      if (!active[a]) {
        entry(row, row) = 1;
        continue;
      }
      const int kind = (ax & 1) | (ay & 1) << 1;
      for (int b = 0; b < kPatchPoints; ++b) {
        const int dx = std::abs(b % kPatchSide - 2 - ax), dy = std::abs(b / kPatchSide - 2 - ay);
        if (active[b] && dx <= 2 && dy <= 2) entry(row, component * kPatchPoints + b) = s.velocity[kind][dy][dx];
      }
      entry(row, kPatch - 1) = entry(kPatch - 1, row) = divergence(s, component, ax, ay);
    }
  return weighted_inverse(std::move(matrix), active, weight);
}

}  // namespace

std::vector<double> vanka_table(const Stencil<double>& stencil, std::int64_t nx, std::int64_t ny, double weight) {
  const NodeClasses columns{nx}, rows{ny};
  std::vector<double> table;
  for (int y = 0; y < rows.count(); ++y)
    for (int x = 0; x < columns.count(); ++x) {
      const std::vector<double> inverse = patch_inverse(stencil, columns.node(x), rows.node(y), nx, ny, weight);
      table.insert(table.end(), inverse.begin(), inverse.end());
    }
  return table;
}

std::vector<double> vanka_inverse(const StokesGrid& grid, std::int64_t i, std::int64_t j, double weight) {
  const auto [nx, ny] = grid.elements;
  bool active[kPatchPoints];
  for (int a = 0; a < kPatchPoints; ++a)
    active[a] = is_unknown(i, a % kPatchSide - 2, nx) && is_unknown(j, a / kPatchSide - 2, ny);
  std::vector<double> matrix(kPatch * kPatch, 0.0);
  const auto entry = [&](int row, int column) -> double& { return matrix[row * kPatch + column]; };
  const ElementMatrices<double> element(grid.spacing[0], grid.spacing[1], grid.reaction);
  for (int ey = -2; ey < 2; ++ey)
    for (int ex = -2; ex < 2; ++ex) {
      if (i + ex < 0 || i + ex >= nx || j + ey < 0 || j + ey >= ny) continue;
      const double viscosity = grid.viscosity_of(i + ex, j + ey);
      const auto in_patch = [&](int node) {
        const int x = 2 * ex + node % 3 + 2, y = 2 * ey + node / 3 + 2;
        const bool is_inside = x >= 0 && x < kPatchSide && y >= 0 && y < kPatchSide;
        return is_inside && active[y * kPatchSide + x] ? y * kPatchSide + x : -1;
      };
      for (int a = 0; a < 9; ++a)
        for (int b = 0; b < 9; ++b)
          if (const int row = in_patch(a), column = in_patch(b); row >= 0 && column >= 0)
            for (const int component : {0, kPatchPoints})
              entry(component + row, component + column) += viscosity * element.stiffness[a][b] + element.mass[a][b];
    }
  const Stencil<double> stencil(1, grid.spacing[0], grid.spacing[1], grid.reaction);
  for (int component = 0; component < 2; ++component)
    for (int a = 0; a < kPatchPoints; ++a) {
      const int row = component * kPatchPoints + a;
      if (!active[a])
        entry(row, row) = 1;
      else
        entry(row, kPatch - 1) = entry(kPatch - 1, row) =
            divergence(stencil, component, a % kPatchSide - 2, a / kPatchSide - 2);
    }
  return weighted_inverse(std::move(matrix), active, weight);
}

}  // namespace gridiron::stokes
