// SPDX-License-Identifier: Apache-2.0
#include "engines/stokes/schur.hpp"

namespace gridiron::stokes {
namespace {

/// What one axis contributes to row i: Σ over unknown velocity points of one parity of the products of two of ∫ q v'
/// (gradient) or of two of ∫ q v (mass), by the distance of the two nodes plus 2.
struct AxisRow {
  double gradient[2][kSchurSide] = {}, mass[2][kSchurSide] = {};

  AxisRow(int64_t i, int64_t n) {
    for (int64_t point = 1; point < 2 * n; ++point)
      for (int d = -2; d <= 2; ++d) {
        gradient[point & 1][d + 2] += gradient_at(i, point, n) * gradient_at(i + d, point, n);
        mass[point & 1][d + 2] += mass_at(i, point, n) * mass_at(i + d, point, n);
      }
  }

 private:
  /// ∫ q_node v_point' over the elements that both belong to.
  static double gradient_at(int64_t node, int64_t point, int64_t n) {
    return sum(taylor_hood::kGradient, node, point, n);
  }
  static double mass_at(int64_t node, int64_t point, int64_t n) { return sum(taylor_hood::kMixedMass, node, point, n); }
  static double sum(const double (&element)[2][3], int64_t node, int64_t point, int64_t n) {
    double value = 0;
    for (const int64_t e : {node - 1, node})
      if (const int64_t local = point - 2 * e; node >= 0 && node <= n && e >= 0 && e < n && local >= 0 && local <= 2)
        value += element[node - e][local];
    return value;
  }
};

}  // namespace

std::vector<double> schur_table(const Stencil<double>& stencil, int64_t nx, int64_t ny) {
  const NodeClasses columns{nx}, rows{ny};
  // B is gradient[component][0] * 6 times the products of the one-dimensional integrals times 1/3 of mass at vertices.
  double factor[2];
  for (int component = 0; component < 2; ++component) factor[component] = 18 * stencil.gradient[component][0];
  std::vector<double> table;
  for (int y = 0; y < rows.count(); ++y)
    for (int x = 0; x < columns.count(); ++x) {
      const AxisRow along_x(columns.node(x), nx), along_y(rows.node(y), ny);
      for (int dj = 0; dj < kSchurSide; ++dj)
        for (int di = 0; di < kSchurSide; ++di) {
          double value = 0;
          for (int kind = 0; kind < 4; ++kind)
            value += stencil.inverse_diagonal[kind] *
                     (factor[0] * factor[0] * along_x.gradient[kind & 1][di] * along_y.mass[kind >> 1][dj] +
                      factor[1] * factor[1] * along_x.mass[kind & 1][di] * along_y.gradient[kind >> 1][dj]);
          table.push_back(value);
        }
    }
  return table;
}

}  // namespace gridiron::stokes
