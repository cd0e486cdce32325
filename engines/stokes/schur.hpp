// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <vector>

#include "engines/stokes/level_grid.hpp"

namespace gridiron::stokes {

inline constexpr int kSchurSide = 5, kSchurPoints = kSchurSide * kSchurSide;

/// The rows of S = B D⁻¹ Bᵀ by the classes of a node along y and x: kSchurPoints each, from (−2, −2) on, x fastest.
/// Velocities on the boundary are not unknown, so rows near it differ.
std::vector<double> schur_table(const Stencil<double>& stencil, int64_t nx, int64_t ny);

/// A row of S.
template <class T>
struct SchurRow {
  T value[kSchurPoints] = {};
};

/// S of a level on device D: one row for each class of nodes.
template <class D, class T>
class SchurComplement {
 public:
  SchurComplement() = default;
  SchurComplement(const LevelGrid<D, T>& grid, const Stencil<double>& stencil) : layout_(grid.layout) {
    const std::vector<double> table = schur_table(stencil, layout_.nx, layout_.ny);
    rows_ = Array<D, T>(std::vector<T>(table.begin(), table.end()));
    if (layout_.nx >= 4 && layout_.ny >= 4)
      std::copy_n(table.begin() + row_at(layout_, 2, 2), kSchurPoints, middle_.value);
    inverse_diagonal_ = zero_array<D, T>(layout_.plane);
    invert_diagonal();
  }

  void invert_diagonal() {
    const auto inverse = inverse_diagonal_.view();
    const View<D, const T> rows = rows_.view();
    const Layout layout = layout_;
    D::for_each_line(
        layout.ny + 1, layout.nx + 1, LineNumber(), GRIDIRON_KERNEL(int64_t j, int64_t i) {
          inverse[layout.at(i, j)] = T(1) / rows[row_at(layout, i, j) + kSchurPoints / 2];
        });
  }

  View<D, const T> inverse_diagonal() const { return inverse_diagonal_.view(); }
  int64_t bytes() const { return bytes_of(rows_, inverse_diagonal_); }

  /// out = dp + weight diag(S)⁻¹ (s − S dp), on planes.
  void sweep(T weight, View<D, const T> s, View<D, const T> dp, View<D, T> out) const {
    if constexpr (D::shares_host_memory)
      if (layout_.nx >= 4) return sweep_by_lines(weight, s, dp, out);
    sweep_by_strips(weight, s, dp, out);
  }

  /// For GPUs: a thread sweeps over kStrip nodes of a column, for which it loads each value once, so that fewer loads
  /// from the cache are left per node. The row of nodes in the middle is an argument of the kernel, read like
  /// constants.
  void sweep_by_strips(T weight, View<D, const T> s, View<D, const T> dp, View<D, T> out) const {
    using I = Offset<D>;
    const Layout layout = layout_;
    const auto rows = rows_.view(), inverse = inverse_diagonal_.view();
    const SchurRow<T> middle = middle_;
    const T middle_inverse = T(1) / middle.value[kSchurPoints / 2];
    const I width = static_cast<I>(layout.nx + 1), height = static_cast<I>(layout.ny + 1);
    const NodeSquares squares(width, (height + kStrip - 1) / kStrip);
    const I pitch = static_cast<I>(layout.pitch);
    D::for_each(
        squares.nodes(), GRIDIRON_KERNEL(int64_t k) {
          int32_t i = 0, j = 0;
          if (!squares.place(k, i, j)) return;
          j *= kStrip;
          const I at = (j + Layout::kRim) * pitch + i + Layout::kLeft;
          if (i >= 2 && i < width - 2 && j >= 2 && j + kStrip <= height - 2)
            return sweep_strip(middle, weight * middle_inverse, s, dp, out, at, pitch);
          for (int32_t n = 0; n < kStrip && j + n < height; ++n) {
            const I here = at + n * pitch;
            const T product = row_product(rows, static_cast<I>(row_at(layout, i, j + n)), dp, here, pitch);
            out[here] = dp[here] + weight * inverse[here] * (s[here] - product);
          }
        });
  }

  /// Nodes of one class along a line share their coefficients, so that the loop over them vectorises.
  void sweep_by_lines(T weight, View<D, const T> s, View<D, const T> dp, View<D, T> out) const {
    const Layout layout = layout_;
    const auto rows = rows_.view(), inverse = inverse_diagonal_.view();
    struct Line {
      int64_t at, row;
    };
    D::for_each_line(
        layout.ny + 1, layout.nx - 3,
        GRIDIRON_KERNEL(int64_t j) {
          return Line{layout.at(2, j), row_at(layout, 2, j)};
        },
        GRIDIRON_KERNEL(const Line& line, int64_t i) {
          const int64_t at = line.at + i;
          out[at] = dp[at] + weight * inverse[at] * (s[at] - row_product(rows, line.row, dp, at, layout.pitch));
        });
    D::for_each(
        4 * (layout.ny + 1), GRIDIRON_KERNEL(int64_t k) {
          const int64_t j = k / 4, i = k % 4 < 2 ? k % 4 : layout.nx - k % 4 + 2, at = layout.at(i, j);
          out[at] =
              dp[at] + weight * inverse[at] * (s[at] - row_product(rows, row_at(layout, i, j), dp, at, layout.pitch));
        });
  }

 private:
  static constexpr int kStrip = 4;

  /// The sweep at kStrip nodes from entry `at` up, all with the same row.
  template <class I>
  GRIDIRON_INLINE static void sweep_strip(const SchurRow<T>& row, T weight, const View<D, const T>& s,
                                          const View<D, const T>& dp, const View<D, T>& out, I at, I pitch) {
    constexpr int kReach = kSchurSide / 2;
    T sum[kStrip] = {}, old[kStrip] = {}, rhs[kStrip];
    GRIDIRON_UNROLL
    for (int n = 0; n < kStrip; ++n) rhs[n] = s[at + n * pitch];
    GRIDIRON_UNROLL
    for (int line = 0; line < kStrip + 2 * kReach; ++line) {
      T value[kSchurSide];
      GRIDIRON_UNROLL
      for (int di = 0; di < kSchurSide; ++di) value[di] = dp[at + (line - kReach) * pitch + di - kReach];
      GRIDIRON_UNROLL
      for (int n = 0; n < kStrip; ++n) {
        if (line - n < 0 || line - n >= kSchurSide) continue;
        GRIDIRON_UNROLL
        for (int di = 0; di < kSchurSide; ++di) sum[n] += row.value[kSchurSide * (line - n) + di] * value[di];
        if (line - n == kReach) old[n] = value[kReach];
      }
    }
    GRIDIRON_UNROLL
    for (int n = 0; n < kStrip; ++n) out[at + n * pitch] = old[n] + weight * (rhs[n] - sum[n]);
  }

  GRIDIRON_HOST_DEVICE static int64_t row_at(const Layout& layout, int64_t i, int64_t j) {
    const int64_t columns = layout.nx < 4 ? layout.nx + 1 : NodeClasses::kMost;
    return kSchurPoints * (NodeClasses{layout.ny}.of(j) * columns + NodeClasses{layout.nx}.of(i));
  }
  template <class R, class I>
  GRIDIRON_INLINE static T row_product(const R& rows, I row, const View<D, const T>& dp, I at, I pitch) {
    T sum = 0;
    GRIDIRON_UNROLL
    for (int dj = 0; dj < kSchurSide; ++dj) {
      GRIDIRON_UNROLL
      for (int di = 0; di < kSchurSide; ++di)
        sum += rows[row + kSchurSide * dj + di] * dp[at + (dj - 2) * pitch + di - 2];
    }
    return sum;
  }

  Layout layout_;
  SchurRow<T> middle_;
  Array<D, T> rows_, inverse_diagonal_;
};

}  // namespace gridiron::stokes
