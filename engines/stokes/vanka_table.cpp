// SPDX-License-Identifier: Apache-2.0
#include "engines/stokes/vanka_table.hpp"

#include <cmath>
#include <cstdlib>

#include "linalg/dense_inverse.hpp"
#include "support/lists.hpp"

namespace gridiron::stokes {
namespace {

/// The point of the patch at (x, y), −2 to 2, has unknown velocities if it lies inside the domain.
bool is_unknown(int64_t node, int offset, int64_t n) {
  const int64_t at = 2 * node + offset;
  return at > 0 && at < 2 * n;
}

/// How the velocity at (x, y) of the patch enters the row of B of its node.
double divergence(const Stencil<double>& s, int component, int x, int y) {
  const int along = component == 0 ? x : y, across = component == 0 ? y : x;
  if (std::abs(across) > 1 || along == 0) return 0;
  double size = s.gradient[component][std::abs(along) == 1];
#ifdef GRIDIRON_BROKEN  // for a test of what must notice it
  if (component == 1) size *= 0.9;
#endif
  return along < 0 ? size : -size;
}

/// The matrix of a patch around node (i, j), of nx × ny elements.
struct Patch {
  bool active[kPatchPoints];  ///< which of its points have unknown velocities
  std::vector<double> matrix = std::vector<double>(kPatch * kPatch, 0.0);

  Patch(int64_t i, int64_t j, int64_t nx, int64_t ny) {
    for (int a = 0; a < kPatchPoints; ++a)
      active[a] = is_unknown(i, a % kPatchSide - 2, nx) && is_unknown(j, a / kPatchSide - 2, ny);
  }
  double& operator()(int row, int column) { return matrix[row * kPatch + column]; }
};

/// The inverse with weighted rows, and zeros for what is not unknown.
std::vector<double> weighted_inverse(Patch patch, double weight) {
  const auto& active = patch.active;
  std::vector<double> inverse = invert(kPatch, std::move(patch.matrix), "stokes");
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

std::vector<double> patch_inverse(const Stencil<double>& s, int64_t i, int64_t j, int64_t nx, int64_t ny,
                                  double weight) {
  Patch patch(i, j, nx, ny);
  const auto& active = patch.active;
  for (int component = 0; component < 2; ++component)
    for (int a = 0; a < kPatchPoints; ++a) {
      const int row = component * kPatchPoints + a, ax = a % kPatchSide - 2, ay = a / kPatchSide - 2;
      if (!active[a]) {
        patch(row, row) = 1;
        continue;
      }
      const int kind = (ax & 1) | (ay & 1) << 1;
      for (int b = 0; b < kPatchPoints; ++b) {
        const int dx = std::abs(b % kPatchSide - 2 - ax), dy = std::abs(b / kPatchSide - 2 - ay);
        if (active[b] && dx <= 2 && dy <= 2) patch(row, component * kPatchPoints + b) = s.velocity[kind][dy][dx];
      }
      patch(row, kPatch - 1) = patch(kPatch - 1, row) = divergence(s, component, ax, ay);
    }
  return weighted_inverse(std::move(patch), weight);
}

}  // namespace

std::vector<double> vanka_table(const Stencil<double>& stencil, int64_t nx, int64_t ny, double weight) {
  const NodeClasses columns{nx}, rows{ny};
  std::vector<double> table;
  for (int y = 0; y < rows.count(); ++y)
    for (int x = 0; x < columns.count(); ++x) {
      const std::vector<double> inverse = patch_inverse(stencil, columns.node(x), rows.node(y), nx, ny, weight);
      append(table, inverse);
    }
  return table;
}

std::vector<double> vanka_inverse(const StokesGrid& grid, int64_t i, int64_t j, double weight) {
  const auto [nx, ny] = grid.elements;
  Patch patch(i, j, nx, ny);
  const auto& active = patch.active;
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
              patch(component + row, component + column) += viscosity * element.stiffness[a][b] + element.mass[a][b];
    }
  const Stencil<double> stencil(1, grid.spacing[0], grid.spacing[1], grid.reaction);
  for (int component = 0; component < 2; ++component)
    for (int a = 0; a < kPatchPoints; ++a) {
      const int row = component * kPatchPoints + a;
      if (!active[a])
        patch(row, row) = 1;
      else
        patch(row, kPatch - 1) = patch(kPatch - 1, row) =
            divergence(stencil, component, a % kPatchSide - 2, a / kPatchSide - 2);
    }
  return weighted_inverse(std::move(patch), weight);
}

std::vector<double> vanka_stencil_table(const std::vector<double>& inverses, int64_t nx, int64_t ny) {
  const WideClasses columns{nx}, rows{ny};
  const NodeClasses patch_columns{nx}, patch_rows{ny};
  std::vector<double> table;
  table.reserve(static_cast<size_t>(kVankaRow) * columns.count() * rows.count());
  for (int row = 0; row < rows.count(); ++row)
    for (int column = 0; column < columns.count(); ++column) {
      const int64_t i = columns.node(column), j = rows.node(row);
      // The inverse of the patch of the node at (a, b) from (i, j), or none outside the grid.
      const auto inverse = [&](int a, int b) -> const double* {
        if (i + a < 0 || i + a > nx || j + b < 0 || j + b > ny) return nullptr;
        const int of = patch_rows.of(j + b) * patch_columns.count() + patch_columns.of(i + a);
        return inverses.data() + static_cast<ptrdiff_t>(of) * kPatch * kPatch;
      };
      // The number within a patch of the velocity at (x, y) from its node; -1 outside.
      const auto place = [](int component, int x, int y) {
        if (std::abs(x) > 2 || std::abs(y) > 2) return -1;
        return component * kPatchPoints + kPatchSide * (y + 2) + x + 2;
      };
      // What an unknown at (x, y) from the node gives to the velocity of this kind, or (-1) to the pressure.
      const auto sum = [&](int to, int kind, int from, int x, int y) {
        double value = 0;
        for (int b = -1; b <= 1; ++b)
          for (int a = -1; a <= 1; ++a) {
            const double* const matrix = inverse(a, b);
            if (!matrix) continue;
            const int into =
                to == 2 ? (a == 0 && b == 0 ? kPatch - 1 : -1) : place(to, (kind & 1) - 2 * a, (kind >> 1) - 2 * b);
            const int out_of =
                from == 2 ? (x == 2 * a && y == 2 * b ? kPatch - 1 : -1) : place(from, x - 2 * a, y - 2 * b);
            if (into >= 0 && out_of >= 0) value += matrix[into * kPatch + out_of];
          }
        table.push_back(value);
      };
      constexpr int kU = 0, kV = 1, kP = 2;
      for (int y = -4; y <= 4; ++y)
        for (int x = -4; x <= 4; ++x) {
          for (int kind = 0; kind < 4; ++kind)
            if (vanka_reaches(kind, x, y))
              sum(kU, kind, kU, x, y), sum(kU, kind, kV, x, y), sum(kV, kind, kU, x, y), sum(kV, kind, kV, x, y);
          if (std::abs(x) <= 2 && std::abs(y) <= 2) sum(kP, 0, kU, x, y), sum(kP, 0, kV, x, y);
        }
      for (int y = -1; y <= 1; ++y)
        for (int x = -1; x <= 1; ++x) {
          for (int kind = 0; kind < 4; ++kind)
            if (x >= -1 + (kind & 1) && y >= -1 + (kind >> 1))
              sum(kU, kind, kP, 2 * x, 2 * y), sum(kV, kind, kP, 2 * x, 2 * y);
          if (x == 0 && y == 0) sum(kP, 0, kP, 0, 0);
        }
    }
  return table;
}

}  // namespace gridiron::stokes
