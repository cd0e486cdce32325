// SPDX-License-Identifier: Apache-2.0
#pragma once

// Relaxation of whole columns, all layers at one (x, y) at once: the counterpart of Jacobi on a single plane. Vias grow
// fourfold relative to wires from level to level, so a point smoother would only even out voltages along them.

#include "engines/gpuhmd/table_kernels.hpp"

namespace gridiron::gpuhmd {

/// A = L P Lᵀ down each column, wires to neighbouring columns kept on the diagonal. Nothing is subtracted: pivot − via
/// is the conductance out of the column below, in series with the vias.
template <class D, class T, class L>
void factor_columns(TableLevel<D, T, L>& level) {
  for (Array<D, T>* a : {&level.ratio, &level.inverse_pivot})
    if (a->empty()) *a = zeros<D, T>(level.shape.entries);
  const TablesView<D, T, L> a(level);
  const View<D, const ColumnRun> runs = level.columns.view();
  const View<D, const T> gz = level.gz.view();
  const auto ratio = level.ratio.view(), inverse_pivot = level.inverse_pivot.view();
  D::for_each_tile(
      runs.size(), kThreadsPerTile, 0, GRIDIRON_KERNEL(typename D::Tile & tile) {
        const ColumnRun run = runs[tile.index()];
        const InPlane to{run.nx};
        tile.each(run.count, [&](int64_t k) {
          T out_below = 0;  // conductance that leads out of the column at or below this layer
          for (int64_t layer = 0; layer < run.layers; ++layer) {
            const int64_t i = run.first + layer * run.plane + k;
            const T own = gz[i] + a.inflow(to, i, [](int64_t) { return T(1); });
            if (layer > 0) {
              ratio[i] = a.via[i - run.plane] * inverse_pivot[i - run.plane];
              out_below = own + ratio[i] * out_below;
            } else {
              out_below = own;
            }
            const T pivot = out_below + a.via[i];
            inverse_pivot[i] = pivot > 0 ? 1 / pivot : T(0);
          }
        });
      });
}

/// One damped sweep; with `from_zero` from v = 0.
template <class D, class T, class L, class V>
void smooth_columns(const TableLevel<D, T, L>& level, LevelVectors<D, V>& v, T weight, bool from_zero) {
  const TablesView<D, T, L> a(level);
  const auto runs = level.columns.view();
  const auto ratio = level.ratio.view(), inverse_pivot = level.inverse_pivot.view();
  const View<D, const V> b = v.rhs.view(), x = v.x.view();
  const auto out = v.next.view();
  D::for_each_tile(
      runs.size(), kThreadsPerTile, 0, GRIDIRON_KERNEL(typename D::Tile & tile) {
        const ColumnRun run = runs[tile.index()];
        const InPlane to{run.nx};
        const int64_t plane = run.plane;
        const auto old = [&](int64_t j) { return x[j]; };
        // Up: the inflow of each layer, including what comes from below.
        for (int64_t layer = 0; layer < run.layers; ++layer) {
          const int64_t first = run.first + layer * plane;
          const int64_t below = layer > 0 ? plane : 0;  // ratio is 0 on the lowest layer
          if (from_zero)
            tile.each(run.count, [&](int64_t k) {
              out[first + k] = b[first + k] + (below > 0 ? ratio[first + k] * out[first + k - below] : V{});
            });
          else
            tile.each(run.count, [&](int64_t k) {
              const int64_t i = first + k;
              out[i] = b[i] + a.inflow(to, i, old) + (below > 0 ? ratio[i] * out[i - below] : V{});
            });
        }
        // Down: the voltages.
        for (int64_t layer = run.layers - 1; layer >= 0; --layer) {
          const int64_t first = run.first + layer * plane;
          const int64_t above = layer + 1 < run.layers ? plane : 0;
          tile.each(run.count, [&](int64_t k) {
            const int64_t i = first + k;
            out[i] = out[i] * inverse_pivot[i] + (above > 0 ? ratio[i + above] * out[i + above] : V{});
          });
        }
        for (int64_t layer = 0; layer < run.layers; ++layer) {
          const int64_t first = run.first + layer * plane;
          tile.each(run.count, [&](int64_t k) {
            const int64_t i = first + k;
            out[i] = (from_zero ? V{} : (1 - weight) * x[i]) + weight * out[i];
          });
        }
      });
  std::swap(v.x, v.next);
}

}  // namespace gridiron::gpuhmd
