// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "engines/stokes/level_grid.hpp"
#include "engines/stokes/vanka_table.hpp"

namespace gridiron::stokes {

/// Additive Vanka relaxation: patches around all pressure nodes are solved exactly, and their corrections averaged
/// where they overlap. Patches that look alike share an inverse ("tuned" in the paper, section 5.3).
template <class D, class T>
class Vanka {
 public:
  Vanka() = default;

  /// `table` is that of vanka_table() in precision T. With `shares` false, every patch gets a copy of its own, as in
  /// the paper's simple implementation.
  Vanka(const Layout& layout, std::shared_ptr<const Array<D, T>> table, bool shares)
      : layout_(layout), table_(std::move(table)), corrections_(zero_array<D, T>(kPatch * layout.plane)) {
    const NodeClasses columns{layout.nx}, rows{layout.ny};
    std::vector<Run> runs;
    for (int y = 0; y < rows.count(); ++y)
      for (int x = 0; x < columns.count(); ++x) {
        const bool along_x = columns.size(x) > 1;
        const std::int64_t length = along_x ? columns.size(x) : rows.size(y), lines = along_x ? rows.size(y) : 1;
        for (std::int64_t line = 0; line < lines; ++line)
          for (std::int64_t first = 0; first < length; first += shares ? kRun : 1) {
            const std::int64_t i = columns.first(x) + (along_x ? first : 0);
            const std::int64_t j = rows.first(y) + (along_x ? line : first);
            runs.push_back({static_cast<std::int32_t>(layout.at(i, j)),
                            static_cast<std::int32_t>(shares ? std::min<std::int64_t>(kRun, length - first) : 1),
                            static_cast<std::int32_t>(y * columns.count() + x), along_x});
          }
      }
    runs_ = Array<D, Run>(runs);
    if (!shares) copy_inverses();
  }

  std::int64_t bytes() const { return runs_.bytes() + own_.bytes() + corrections_.bytes(); }

  /// x += ω Σ Vᵀ W (V A Vᵀ)⁻¹ V r, or = from zero.
  void relax(const LevelGrid<D, T>& grid, bool from_zero, View<D, const T> r, View<D, T> x) {
    solve_patches(r);
    add_corrections(grid, from_zero, x);
  }

  // The parts of relax(); public, as nvcc takes no kernels from private functions.

  void solve_patches(View<D, const T> r) {
    const View<D, const Run> runs = std::as_const(runs_).view();
    const bool shares = own_.empty();
    const View<D, const T> table = shares ? table_->view() : std::as_const(own_).view();
    const View<D, T> out = corrections_.view();
    const PatchEntries entries(layout_);
    const std::int64_t pitch = layout_.pitch, plane = layout_.plane;
    D::for_each_tile(
        runs.size(), static_cast<int>(shares ? kRun : 32), kPatch * kPatch * sizeof(T) + 64,
        GRIDIRON_KERNEL(typename D::Tile & tile) {
          const Run run = runs[tile.index()];
          const View<D, T> inverse = tile.template shared<T>(kPatch * kPatch);
          const std::int64_t first = static_cast<std::int64_t>(kPatch * kPatch) * (shares ? run.inverse : tile.index());
          tile.each(kPatch * kPatch, [&](std::int64_t k) { inverse[k] = table[first + k]; });
          tile.each((run.count + kLanes - 1) / kLanes, [&](std::int64_t group) {
            const int count = static_cast<int>(run.count - group * kLanes);
            if (run.along_x)
              solve_group<1>(entries, inverse, r, out, run.at + group * kLanes, 1, count, plane);
            else
              solve_group<0>(entries, inverse, r, out, run.at + group * kLanes * pitch, pitch, count, plane);
          });
        });
  }

  void add_corrections(const LevelGrid<D, T>& grid, bool from_zero, View<D, T> x) {
    const View<D, const T> y = std::as_const(corrections_).view();
    const std::int64_t pitch = layout_.pitch, plane = layout_.plane;
    const T keep = from_zero ? T(0) : T(1);
    for_each_node(
        grid, GRIDIRON_KERNEL(std::int64_t at, const Quartet<T>& inside) {
          for (int component = 0; component < 2; ++component)
            for (int kind = 0; kind < 4; ++kind) {
              const int half_x = kind & 1, half_y = kind >> 1;
              T sum = 0;
              for (int b = half_y - 1; b < 2; ++b)  // patches of the nodes around
                for (int a = half_x - 1; a < 2; ++a) {
                  const int px = half_x - 2 * a + 2, py = half_y - 2 * b + 2;
                  sum += y[(component * kPatchPoints + kPatchSide * py + px) * plane + at + b * pitch + a];
                }
              const std::int64_t k = at + (4 * component + kind) * plane;
              x[k] = keep * x[k] + inside[kind] * sum;
            }
          const std::int64_t p = at + Layout::kPressure * plane;
          x[p] = keep * x[p] + y[(kPatch - 1) * plane + at];
        });
  }

  void copy_inverses() {
    const View<D, const Run> runs = std::as_const(runs_).view();
    const View<D, const T> table = table_->view();
    own_ = Array<D, T>(kPatch * kPatch * runs.size());
    const View<D, T> own = own_.view();
    D::for_each(
        own.size(), GRIDIRON_KERNEL(std::int64_t k) {
          constexpr std::int64_t size = kPatch * kPatch;
          own[k] = table[size * runs[k / size].inverse + k % size];
        });
  }

 private:
  static constexpr std::int64_t kRun = 128;
  static constexpr int kLanes = D::shares_host_memory ? 16 : 1;  ///< patches that one call solves side by side
  static constexpr int kRows = 3;                                ///< rows of the inverse at once; divides kPatch

  /// Patches of one class, next to each other along x or y.
  struct Run {
    std::int32_t at, count, inverse;
    bool along_x;
  };

  /// The patches at `at`, `at` + stride, …; `unit` tells the compiler that the stride is one.
  template <int unit>
  GRIDIRON_HOST_DEVICE static void solve_group(const PatchEntries& entries, const View<D, T>& inverse,
                                               const View<D, const T>& r, const View<D, T>& out, std::int64_t at,
                                               std::int64_t stride, int count, std::int64_t plane) {
    const std::int64_t step = unit ? 1 : stride;
    T b[kPatch][kLanes];
    for (int c = 0; c < kPatch; ++c)
      for (int lane = 0; lane < kLanes; ++lane)
        b[c][lane] = lane < count ? r[entries.offset[c] + at + lane * step] : T(0);
    for (int row = 0; row < kPatch; row += kRows) {
      T sum[kRows][kLanes] = {};
      for (int c = 0; c < kPatch; ++c)
        for (int q = 0; q < kRows; ++q) {
          const T value = inverse[(row + q) * kPatch + c];
          for (int lane = 0; lane < kLanes; ++lane) sum[q][lane] += value * b[c][lane];
        }
      for (int q = 0; q < kRows; ++q)
        for (int lane = 0; lane < kLanes; ++lane)
          if (lane < count) out[(row + q) * plane + at + lane * step] = sum[q][lane];
    }
  }

  Layout layout_;
  std::shared_ptr<const Array<D, T>> table_;
  Array<D, T> own_;          ///< of every patch, if they do not share
  Array<D, T> corrections_;  ///< kPatch planes: what each patch gives to its unknowns
  Array<D, Run> runs_;
};

}  // namespace gridiron::stokes
