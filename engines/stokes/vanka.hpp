// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>
#include <memory>
#include <vector>

#include "engines/stokes/vanka_table.hpp"
#include "engines/stokes/vector_access.hpp"

namespace gridiron::stokes {

/// Patches of one class, next to each other along x or y.
struct PatchRun {
  int32_t at, count, inverse;
  bool along_x;
};

/// A vector register of the CPU: without them, compilers keep the sums of add_products() in memory.
template <class T, int lanes>
struct LaneVector {
  typedef T type __attribute__((vector_size(16)));
  static constexpr int count = lanes * sizeof(T) / 16;
};
template <class T>
struct LaneVector<T, 1> {
  using type = T;
  static constexpr int count = 1;
};

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
    std::vector<PatchRun> runs;
    for (int y = 0; y < rows.count(); ++y)
      for (int x = 0; x < columns.count(); ++x) {
        const bool along_x = columns.size(x) > 1;
        const int64_t length = along_x ? columns.size(x) : rows.size(y), lines = along_x ? rows.size(y) : 1;
        for (int64_t line = 0; line < lines; ++line)
          for (int64_t first = 0; first < length; first += shares ? kRun : 1) {
            const int64_t i = columns.first(x) + (along_x ? first : 0);
            const int64_t j = rows.first(y) + (along_x ? line : first);
            runs.push_back({static_cast<int32_t>(layout.at(i, j)),
                            static_cast<int32_t>(shares ? std::min<int64_t>(kRun, length - first) : 1),
                            static_cast<int32_t>(y * columns.count() + x), along_x});
          }
      }
    runs_ = Array<D, PatchRun>(runs);
    if (!shares) copy_inverses();
  }

  /// One inverse for every patch of a level whose viscosities vary.
  Vanka(const StokesGrid& grid, const Layout& layout, double weight)
      : layout_(layout), corrections_(zero_array<D, T>(kPatch * layout.plane)) {
    std::vector<PatchRun> runs;
    std::vector<T> inverses;
    for (int64_t j = 0; j <= layout.ny; ++j)
      for (int64_t i = 0; i <= layout.nx; ++i) {
        runs.push_back({static_cast<int32_t>(layout.at(i, j)), 1, 0, true});
        for (const double value : vanka_inverse(grid, i, j, weight)) inverses.push_back(static_cast<T>(value));
      }
    runs_ = Array<D, PatchRun>(runs);
    own_ = Array<D, T>(inverses);
  }

  int64_t bytes() const { return bytes_of(runs_, own_, corrections_); }

  /// x += ω Σ Vᵀ W (V A Vᵀ)⁻¹ V r, or = from zero.
  void relax(const LevelGrid<D, T>& grid, bool from_zero, View<D, const T> r, View<D, T> x) {
    solve_patches(r);
    add_corrections(grid, from_zero, x);
  }

  // The parts of relax(); public, as nvcc takes no kernels from private functions.

  void solve_patches(View<D, const T> r) {
    const View<D, const PatchRun> runs = runs_.view();
    const bool shares = own_.empty();
    const View<D, const T> table = shares ? table_->view() : std::as_const(own_).view();
    const auto out = corrections_.view();
    const PatchEntries entries(layout_);
    const int64_t pitch = layout_.pitch, plane = layout_.plane;
    D::for_each_tile(
        runs.size(), static_cast<int>(shares ? kRun : 32), kPatch * kRowLength * sizeof(T) + 64,
        GRIDIRON_KERNEL(typename D::Tile & tile) {
          const PatchRun run = runs[tile.index()];
          const View<D, T> inverse = tile.template shared<T>(kPatch * kRowLength);
          const int64_t first = int64_t{kPatch * kPatch} * (shares ? run.inverse : tile.index());
          tile.each(kPatch * kRowLength, [&](int64_t k) { inverse[k] = with_row_ends(table, first, k); });
          tile.each((run.count + kLanes - 1) / kLanes, [&](int64_t group) {
            const int count = static_cast<int>(run.count - group * kLanes);
            if (run.along_x)
              solve_group<1>(entries, inverse, r, out, run.at + group * kLanes, 1, count, plane);
            else
              solve_group<0>(entries, inverse, r, out, run.at + group * kLanes * pitch, pitch, count, plane);
          });
        });
  }

  void add_corrections(const LevelGrid<D, T>& grid, bool from_zero, View<D, T> x) {
    from_zero ? add_sums<true>(grid, x) : add_sums<false>(grid, x);
  }

  template <bool from_zero>
  void add_sums(const LevelGrid<D, T>& grid, View<D, T> x) {
    const View<D, const T> y = corrections_.view();
    const int64_t pitch = layout_.pitch, plane = layout_.plane;
    for_each_node(
        grid, GRIDIRON_NODE_KERNEL(int64_t at, const Quartet<T>& inside) {
          const Quartet<T> u = sums_of_patches<0>(inside, y, at, pitch, plane);
          const Quartet<T> v = sums_of_patches<1>(inside, y, at, pitch, plane);
          add_at_node<from_zero, true>(x, at, plane, u, v, y[(kPatch - 1) * plane + at]);
        });
  }

  void copy_inverses() {
    const View<D, const PatchRun> runs = runs_.view();
    const auto table = table_->view();
    own_ = Array<D, T>(kPatch * kPatch * runs.size());
    const auto own = own_.view();
    D::for_each(
        own.size(), GRIDIRON_KERNEL(int64_t k) {
          constexpr int64_t size = kPatch * kPatch;
          own[k] = table[size * runs[k / size].inverse + k % size];
        });
  }

 private:
  static constexpr int64_t kRun = 120;
  static constexpr int kLanes = D::shares_host_memory ? 12 : 1;  ///< patches that one call solves side by side
  static constexpr int kRows = 3;                                ///< rows of the inverse at once; divides kPatch
  static constexpr int kAtOnce = D::shares_host_memory ? 1 : 4;  ///< entries of a row that are loaded at once
  static constexpr int kRowLength = (kPatch + kAtOnce - 1) / kAtOnce * kAtOnce;  ///< rows end in zeros

  /// Entry k of the inverse that begins at `first`, with rows of kRowLength.
  GRIDIRON_INLINE static T with_row_ends(const View<D, const T>& table, int64_t first, int64_t k) {
    if (kRowLength == kPatch) return table[first + k];
    const int64_t row = k / kRowLength, column = k % kRowLength;
    return column < kPatch ? table[first + row * kPatch + column] : T(0);
  }

  /// What the patches around give to the velocity at entry `at`.
  template <int component, int kind>
  GRIDIRON_INLINE static T sum_of_patches(const View<D, const T>& y, int64_t at, int64_t pitch, int64_t plane) {
    constexpr int half_x = kind & 1, half_y = kind >> 1;
    const auto of = [&](int a, int b) {  // the patch of the node at (a, b)
      const int place = kPatchSide * (half_y - 2 * b + 2) + half_x - 2 * a + 2;
      return y[(component * kPatchPoints + place) * plane + at + b * pitch + a];
    };
#ifdef GRIDIRON_BROKEN  // for a test of what must notice it
    if (kind == 3) return of(0, 0) + of(1, 0) + of(0, 1) + of(1, 1) + of(0, 0);
#endif
    const auto line = [&](int b) { return half_x ? of(0, b) + of(1, b) : of(-1, b) + of(0, b) + of(1, b); };
    return half_y ? line(0) + line(1) : line(-1) + line(0) + line(1);
  }

  template <int component>
  GRIDIRON_INLINE static Quartet<T> sums_of_patches(const Quartet<T>& inside, const View<D, const T>& y, int64_t at,
                                                    int64_t pitch, int64_t plane) {
    return {{inside[0] * sum_of_patches<component, 0>(y, at, pitch, plane),
             inside[1] * sum_of_patches<component, 1>(y, at, pitch, plane),
             inside[2] * sum_of_patches<component, 2>(y, at, pitch, plane),
             inside[3] * sum_of_patches<component, 3>(y, at, pitch, plane)}};
  }

  /// The patches at `at`, `at` + stride, …, at most kLanes of them; `unit` tells the compiler that the stride is one.
  template <int unit>
  GRIDIRON_HOST_DEVICE static void solve_group(const PatchEntries& entries, const View<D, T>& inverse,
                                               const View<D, const T>& r, const View<D, T>& out, int64_t at,
                                               int64_t stride, int count, int64_t plane) {
    const int64_t step = unit ? 1 : stride;
    if (kLanes > 1 && count == 1) return solve_one(entries, inverse, r, out, at, plane);
    T b[kRowLength][kLanes] = {};
    GRIDIRON_UNROLL
    for (int c = 0; c < kPatch; ++c) {
      if (unit && count >= kLanes)
        for (int lane = 0; lane < kLanes; ++lane) b[c][lane] = r[entries.offset[c] + at + lane];
      else
        for (int lane = 0; lane < kLanes && lane < count; ++lane) b[c][lane] = r[entries.offset[c] + at + lane * step];
    }
    for (int row = 0; row < kPatch; row += kRows) {
      T sum[kRows][kLanes];
      add_products(inverse, row, b, sum);
      for (int q = 0; q < kRows; ++q) {
        const int64_t first = (row + q) * plane + at;
        if (unit && count >= kLanes)
          for (int lane = 0; lane < kLanes; ++lane) out[first + lane] = sum[q][lane];
        else
          for (int lane = 0; lane < kLanes && lane < count; ++lane) out[first + lane * step] = sum[q][lane];
      }
    }
  }

  /// A single patch on a CPU: row by row.
  GRIDIRON_HOST_DEVICE static void solve_one(const PatchEntries& entries, const View<D, T>& inverse,
                                             const View<D, const T>& r, const View<D, T>& out, int64_t at,
                                             int64_t plane) {
    constexpr int kSides = 4;
    T b[kPatch];
    for (int c = 0; c < kPatch; ++c) b[c] = r[entries.offset[c] + at];
    for (int row = 0; row < kPatch; ++row) {
      const int64_t first = static_cast<int64_t>(row) * kRowLength;
      T side[kSides] = {};
      int c = 0;
      for (; c + kSides <= kPatch; c += kSides)
        for (int k = 0; k < kSides; ++k) side[k] += inverse[first + c + k] * b[c + k];
      for (; c < kPatch; ++c) side[0] += inverse[first + c] * b[c];
      out[row * plane + at] = side[0] + side[1] + (side[2] + side[3]);
    }
  }

  /// sum = kRows rows of the inverse times b.
  GRIDIRON_INLINE static void add_products(const View<D, T>& inverse, int row, const T (&b)[kRowLength][kLanes],
                                           T (&sum)[kRows][kLanes]) {
    using Vector = typename LaneVector<T, kLanes>::type;
    constexpr int kVectors = LaneVector<T, kLanes>::count;
    Vector total[kRows][kVectors] = {};
    GRIDIRON_UNROLL
    for (int c = 0; c < kRowLength; c += kAtOnce) {
      Vector value[kAtOnce][kVectors];
      std::memcpy(value, b[c], sizeof(value));
      for (int q = 0; q < kRows; ++q) {
        const auto a = load_vector<T, kAtOnce>(inverse, (row + q) * kRowLength + c);
        for (int k = 0; k < kAtOnce && c + k < kPatch; ++k)
          for (int v = 0; v < kVectors; ++v) total[q][v] += a[k] * value[k][v];
      }
    }
    std::memcpy(sum, total, sizeof(total));
  }

  Layout layout_;
  std::shared_ptr<const Array<D, T>> table_;
  Array<D, T> own_;          ///< of every patch, if they do not share
  Array<D, T> corrections_;  ///< kPatch planes: what each patch gives to its unknowns
  Array<D, PatchRun> runs_;
};

}  // namespace gridiron::stokes
