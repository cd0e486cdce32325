// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/stokes/level_grid.hpp"

namespace gridiron::stokes {

/// One axis of the biquadratic interpolation P and its transpose: where an axis is halved, a function of the coarse
/// level is evaluated at the points of the fine level, else it is copied.
struct AxisTransfer {
  bool halved = true;

  /// A point of the other level: its index, whether it is a halfway point, and its weight.
  struct Tap {
    std::int64_t index;
    bool halfway;
    double weight;
  };

  /// Tap k of 5 (halfway: 3) of Pᵀ for a coarse point; weights of unused taps are 0.
  GRIDIRON_HOST_DEVICE Tap restriction(std::int64_t i, bool halfway, int k) const {
    if (!halved) return {i, halfway, k == 0 ? 1.0 : 0.0};
    if (halfway) return k == 0 ? Tap{2 * i + 1, false, 1} : Tap{2 * i + k - 1, true, 0.75};
    switch (k) {
      case 0:
        return {2 * i, false, 1};
      case 1:
        return {2 * i, true, 0.375};
      case 2:
        return {2 * i - 1, true, 0.375};
      case 3:
        return {2 * i + 1, true, -0.125};
      default:
        return {2 * i - 2, true, -0.125};
    }
  }
  GRIDIRON_HOST_DEVICE int restriction_taps(bool halfway) const { return !halved ? 1 : halfway ? 3 : 5; }

  /// Tap k of P for a fine point: one for a vertex, three for a halfway point.
  GRIDIRON_HOST_DEVICE Tap interpolation(std::int64_t i, bool halfway, int k) const {
    if (!halved) return {i, halfway, 1};
    if (!halfway) return {i >> 1, (i & 1) != 0, 1};
    if (k == 0) return {i >> 1, true, 0.75};
    return {(i >> 1) + (k == 2), false, (k == 2) == ((i & 1) != 0) ? 0.375 : -0.125};
  }
  GRIDIRON_HOST_DEVICE int interpolation_taps(bool halfway) const { return halved && halfway ? 3 : 1; }

  /// Tap k of 3 of the transpose of linear interpolation.
  GRIDIRON_HOST_DEVICE Tap linear_restriction(std::int64_t i, int k) const {
    if (!halved) return {i, false, 1};
    return {2 * i + k - 1, false, k == 1 ? 1 : 0.5};
  }
  GRIDIRON_HOST_DEVICE int linear_taps() const { return halved ? 3 : 1; }
};

/// Transfers between two levels. Vectors are those of the scaled equations (Multigrid), so that pressures are
/// multiplied by the ratio of the levels' spacings both ways.
struct Transfer {
  AxisTransfer x, y;
  double pressure_factor = 0.5;
};

/// coarse = Pᵀ fine, zero where velocities are not unknown.
template <class D, class T>
void restrict_to(const LevelGrid<D, T>& coarse, const Layout& fine, const Transfer& transfer, View<D, const T> from,
                 View<D, T> to) {
  const Layout layout = coarse.layout;
  for_each_node(
      coarse, GRIDIRON_KERNEL(std::int64_t at, const Quartet<T>& inside) {
        const std::int64_t i = at % layout.pitch - Layout::kRim, j = at / layout.pitch - Layout::kRim;
        for (int kind = 0; kind < 4; ++kind) {
          T sum[2] = {0, 0};
          for (int ky = 0; ky < transfer.y.restriction_taps(kind >> 1); ++ky) {
            const AxisTransfer::Tap y = transfer.y.restriction(j, kind >> 1, ky);
            for (int kx = 0; kx < transfer.x.restriction_taps(kind & 1); ++kx) {
              const AxisTransfer::Tap x = transfer.x.restriction(i, kind & 1, kx);
              const T weight = static_cast<T>(x.weight * y.weight) * inside[kind];
              if (weight == 0) continue;
              const std::int64_t k = (x.halfway + 2 * y.halfway) * fine.plane + fine.at(x.index, y.index);
              sum[0] += weight * from[k];
              sum[1] += weight * from[k + 4 * fine.plane];
            }
          }
          to[at + kind * layout.plane] = sum[0];
          to[at + (kind + 4) * layout.plane] = sum[1];
        }
        T sum = 0;
        for (int ky = 0; ky < transfer.y.linear_taps(); ++ky) {
          const AxisTransfer::Tap y = transfer.y.linear_restriction(j, ky);
          for (int kx = 0; kx < transfer.x.linear_taps(); ++kx) {
            const AxisTransfer::Tap x = transfer.x.linear_restriction(i, kx);
            sum +=
                static_cast<T>(x.weight * y.weight) * from[Layout::kPressure * fine.plane + fine.at(x.index, y.index)];
          }
        }
        to[at + Layout::kPressure * layout.plane] = static_cast<T>(transfer.pressure_factor) * sum;
      });
}

/// fine += P coarse.
template <class D, class T>
void interpolate_from(const Layout& coarse, const LevelGrid<D, T>& fine, const Transfer& transfer,
                      View<D, const T> from, View<D, T> to) {
  const Layout layout = fine.layout;
  for_each_node(
      fine, GRIDIRON_KERNEL(std::int64_t at, const Quartet<T>& inside) {
        const std::int64_t i = at % layout.pitch - Layout::kRim, j = at / layout.pitch - Layout::kRim;
        for (int kind = 0; kind < 4; ++kind) {
          T sum[2] = {0, 0};
          if (inside[kind] != 0)
            for (int ky = 0; ky < transfer.y.interpolation_taps(kind >> 1); ++ky) {
              const AxisTransfer::Tap y = transfer.y.interpolation(j, kind >> 1, ky);
              for (int kx = 0; kx < transfer.x.interpolation_taps(kind & 1); ++kx) {
                const AxisTransfer::Tap x = transfer.x.interpolation(i, kind & 1, kx);
                const T weight = static_cast<T>(x.weight * y.weight);
                const std::int64_t k = (x.halfway + 2 * y.halfway) * coarse.plane + coarse.at(x.index, y.index);
                sum[0] += weight * from[k];
                sum[1] += weight * from[k + 4 * coarse.plane];
              }
            }
          to[at + kind * layout.plane] += sum[0];
          to[at + (kind + 4) * layout.plane] += sum[1];
        }
        const bool odd_x = transfer.x.halved && i % 2 != 0, odd_y = transfer.y.halved && j % 2 != 0;
        const std::int64_t p =
            Layout::kPressure * coarse.plane + coarse.at(transfer.x.halved ? i / 2 : i, transfer.y.halved ? j / 2 : j);
        const std::int64_t right = odd_x ? 1 : 0, up = odd_y ? coarse.pitch : 0;
        to[at + Layout::kPressure * layout.plane] += static_cast<T>(0.25 * transfer.pressure_factor) *
                                                     (from[p] + from[p + right] + from[p + up] + from[p + right + up]);
      });
}

}  // namespace gridiron::stokes
