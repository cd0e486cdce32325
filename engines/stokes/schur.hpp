// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "engines/stokes/level_grid.hpp"

namespace gridiron::stokes {

inline constexpr int kSchurSide = 5, kSchurPoints = kSchurSide * kSchurSide;

/// The rows of S = B D⁻¹ Bᵀ by the classes of a node along y and x: kSchurPoints each, from (−2, −2) on, x fastest.
/// Velocities on the boundary are not unknown, so rows near it differ.
std::vector<double> schur_table(const Stencil<double>& stencil, std::int64_t nx, std::int64_t ny);

/// S of a level on device D: one row for each class of nodes.
template <class D, class T>
class SchurComplement {
 public:
  SchurComplement() = default;
  SchurComplement(const LevelGrid<D, T>& grid, const Stencil<double>& stencil) : layout_(grid.layout) {
    const std::vector<double> table = schur_table(stencil, layout_.nx, layout_.ny);
    rows_ = Array<D, T>(std::vector<T>(table.begin(), table.end()));
    inverse_diagonal_ = zero_array<D, T>(layout_.plane);
    invert_diagonal();
  }

  void invert_diagonal() {
    const View<D, T> inverse = inverse_diagonal_.view();
    const View<D, const T> rows = std::as_const(rows_).view();
    const Layout layout = layout_;
    D::for_each_line(
        layout.ny + 1, layout.nx + 1, GRIDIRON_KERNEL(std::int64_t j) { return j; },
        GRIDIRON_KERNEL(std::int64_t j, std::int64_t i) {
          inverse[layout.at(i, j)] = T(1) / rows[row_at(layout, i, j) + kSchurPoints / 2];
        });
  }

  View<D, const T> inverse_diagonal() const { return inverse_diagonal_.view(); }
  std::int64_t bytes() const { return rows_.bytes() + inverse_diagonal_.bytes(); }

  /// out = dp + weight diag(S)⁻¹ (s − S dp), on planes.
  void sweep(T weight, View<D, const T> s, View<D, const T> dp, View<D, T> out) const {
    const Layout layout = layout_;
    const View<D, const T> rows = rows_.view(), inverse = inverse_diagonal_.view();
    if constexpr (D::shares_host_memory)
      if (layout.nx >= 4) return sweep_by_lines(weight, s, dp, out);
    D::for_each_line(
        layout.ny + 1, layout.nx + 1, GRIDIRON_KERNEL(std::int64_t j) { return j; },
        GRIDIRON_KERNEL(std::int64_t j, std::int64_t i) {
          const std::int64_t at = layout.at(i, j);
          out[at] =
              dp[at] + weight * inverse[at] * (s[at] - row_product(rows, row_at(layout, i, j), dp, at, layout.pitch));
        });
  }

  /// Nodes of one class along a line share their coefficients, so that the loop over them vectorises.
  void sweep_by_lines(T weight, View<D, const T> s, View<D, const T> dp, View<D, T> out) const {
    const Layout layout = layout_;
    const View<D, const T> rows = rows_.view(), inverse = inverse_diagonal_.view();
    struct Line {
      std::int64_t at, row;
    };
    D::for_each_line(
        layout.ny + 1, layout.nx - 3,
        GRIDIRON_KERNEL(std::int64_t j) {
          return Line{layout.at(2, j), row_at(layout, 2, j)};
        },
        GRIDIRON_KERNEL(const Line& line, std::int64_t i) {
          const std::int64_t at = line.at + i;
          out[at] = dp[at] + weight * inverse[at] * (s[at] - row_product(rows, line.row, dp, at, layout.pitch));
        });
    D::for_each(
        4 * (layout.ny + 1), GRIDIRON_KERNEL(std::int64_t k) {
          const std::int64_t j = k / 4, i = k % 4 < 2 ? k % 4 : layout.nx - k % 4 + 2, at = layout.at(i, j);
          out[at] =
              dp[at] + weight * inverse[at] * (s[at] - row_product(rows, row_at(layout, i, j), dp, at, layout.pitch));
        });
  }

 private:
  GRIDIRON_HOST_DEVICE static std::int64_t row_at(const Layout& layout, std::int64_t i, std::int64_t j) {
    const std::int64_t columns = layout.nx < 4 ? layout.nx + 1 : NodeClasses::kMost;
    return kSchurPoints * (NodeClasses{layout.ny}.of(j) * columns + NodeClasses{layout.nx}.of(i));
  }
  GRIDIRON_HOST_DEVICE static T row_product(const View<D, const T>& rows, std::int64_t row, const View<D, const T>& dp,
                                            std::int64_t at, std::int64_t pitch) {
    T sum = 0;
    for (int dj = 0; dj < kSchurSide; ++dj)
      for (int di = 0; di < kSchurSide; ++di)
        sum += rows[row + kSchurSide * dj + di] * dp[at + (dj - 2) * pitch + di - 2];
    return sum;
  }

  Layout layout_;
  Array<D, T> rows_, inverse_diagonal_;
};

}  // namespace gridiron::stokes
