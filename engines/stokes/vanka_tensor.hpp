// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "engines/stokes/vanka_stencil.hpp"
#include "engines/stokes/vector_access.hpp"
#include "linalg/bfloat.hpp"

namespace gridiron::stokes {

/// How VankaTensor multiplies. The row of VankaStencil in the middle is a matrix of kTensorRows rows (velocities, the
/// pressure, and zeros) and two columns, of u and v, or of the pressure and zero, for each value around a node. The
/// values come in groups of four that lie at equal distances in the tile of a thread block. Tensor Cores multiply two
/// groups at once for eight nodes, mma.m16n8k16.
struct TensorTile {
  static constexpr int kRows = 16, kGroups = 24, kSteps = kGroups / 2, kWords = 128 * kSteps;
  static constexpr int kColumns = 32, kLines = 16, kReach = 2, kNodes = 8;  ///< nodes of a tile, of a product
  /// Words of a line and a plane; eight more than a multiple of 32, so that threads find their values in memory banks
  /// of their own.
  static constexpr int kPitch = 40, kPlane = kPitch * (kLines + 2 * kReach) + 8, kPlanes = 5;
  static_assert(kPitch % 32 == 8 && kPlane % 32 == 8 && kPitch >= kColumns + 2 * kReach);

  /// Where a value is around its node: plane (kind of the velocities, or 4, the pressure) and distances in elements.
  struct Place {
    int plane = 0, x = 0, y = 0;
    GRIDIRON_HOST_DEVICE constexpr int offset() const { return plane * kPlane + y * kPitch + x; }
  };
  /// The first value of a group, and what leads to the next one.
  struct Group {
    Place first, step;
  };
  GRIDIRON_HOST_DEVICE static constexpr Group group(int k) {
    if (k < 16) return {{0, k % 4 - 2, k / 4 - 2}, {1, 0, 0}};  // all velocities of a node
    switch (k - 16) {
      case 0:
        return {{0, -2, 2}, {0, 1, 0}};  // what vertices and edges have besides
      case 1:
        return {{0, 2, -2}, {0, 0, 1}};
      case 2:
        return {{1, -2, 2}, {0, 1, 0}};
      case 3:
        return {{2, 2, -2}, {0, 0, 1}};
      case 4:
        return {{0, 2, 2}, {0, 0, 0}};  // one value, and three times zero times it
      default:
        return {{4, -1, k - 22}, {0, 1, 0}};  // pressures, and zero times a fourth
    }
  }
};

/// The coefficients of that matrix in bf16, as the lanes of a warp hold them: for each step and lane four words.
std::vector<uint32_t> tensor_words(const VankaRow<float>& middle);

/// What lane 4 g + t of a warp has of a product: row g and, if g = 0, row 8 (zeros of others are of no meaning), for
/// nodes 2 t and 2 t + 1.
struct TensorSums {
  float velocity[2] = {}, pressure[2] = {};
};

/// Additive Vanka relaxation as VankaStencil, in bf16 with sums in fp32 on the Tensor Cores of a GPU, next to the
/// boundary without them. A CPU imitates it, for checks.
template <class D, class T>
class VankaTensor {
 public:
  VankaTensor() = default;
  /// For a grid of which `middle` is the row in the middle.
  VankaTensor(const Layout& layout, std::shared_ptr<const Array<D, T>> table, const VankaRow<float>& middle)
      : layout_(layout),
        table_(std::move(table)),
        words_(std::make_shared<const Array<D, uint32_t>>(tensor_words(middle))) {}

  bool empty() const { return !table_; }
  int64_t bytes() const { return bytes_of(words_); }

  /// x += ω Σ Vᵀ W (V A Vᵀ)⁻¹ V r, or = from zero.
  void relax(bool from_zero, View<D, const T> r, View<D, T> x) const {
    from_zero ? apply<true>(r, x) : apply<false>(r, x);
  }

  /// Part of relax(); public, as nvcc takes no kernels from private functions. The first tiles are those of nodes next
  /// to the boundary, which take longest.
  template <bool from_zero>
  void apply(View<D, const T> r, View<D, T> x) const {
    using Tile = TensorTile;
    const Frame frame(layout_);
    const auto table = table_->view();
    const auto words = words_->view();
    const int32_t across = (frame.width + Tile::kColumns - 1) / Tile::kColumns;
    const int32_t tiles = across * ((frame.height + Tile::kLines - 1) / Tile::kLines);
    const int32_t boundary_tiles = (frame.boundary() + kThreads - 1) / kThreads;
    D::for_each_tile(
        boundary_tiles + tiles, kThreads, Tile::kPlanes * Tile::kPlane * sizeof(uint32_t) + 64,
        GRIDIRON_KERNEL(typename D::Tile & tile) {
          const int32_t index = tile.index();
          const View<D, uint32_t> values = tile.template shared<uint32_t>(Tile::kPlanes * Tile::kPlane);
          if (index < boundary_tiles) {
            tile.each(kThreads, [&](int64_t thread) {
              frame.template relax_at_boundary<from_zero>(index * kThreads + static_cast<int32_t>(thread), table, r, x);
            });
            return;
          }
          const int32_t place = index - boundary_tiles;
          const int32_t i = place % across * Tile::kColumns, j = place / across * Tile::kLines;
          tile.each(Tile::kPitch * (Tile::kLines + 2 * Tile::kReach),
                    [&](int64_t k) { frame.load(i, j, static_cast<int32_t>(k), r, values); });
          tile.each_line(
              Tile::kLines / kLinesOfWarp, 32, [](int64_t line) { return static_cast<int32_t>(line); },
              [&](int32_t warp, int64_t lane) {
                frame.template relax_lines<from_zero>(i, j, kLinesOfWarp * warp, static_cast<int>(lane), words, values,
                                                      x);
              });
        });
  }

  static constexpr int32_t kThreads = 256, kLinesOfWarp = 2;

  /// What threads need to know of the level, and what they do.
  struct Frame {
    int32_t width, height, pitch, plane;  ///< nodes; entries
    WideClasses columns, rows;

    explicit Frame(const Layout& layout)
        : width(static_cast<int32_t>(layout.nx + 1)),
          height(static_cast<int32_t>(layout.ny + 1)),
          pitch(static_cast<int32_t>(layout.pitch)),
          plane(static_cast<int32_t>(layout.plane)),
          columns{layout.nx},
          rows{layout.ny} {}

    GRIDIRON_INLINE int32_t at(int32_t i, int32_t j) const { return (j + Layout::kRim) * pitch + i + Layout::kLeft; }

    /// Nodes not in the middle: whole lines below and above it, then what is left and right of it.
    GRIDIRON_HOST_DEVICE int32_t lines_below() const { return height < kMost ? height : WideClasses::kReach; }
    GRIDIRON_HOST_DEVICE int32_t lines_above() const { return height < kMost ? 0 : WideClasses::kReach; }
    GRIDIRON_HOST_DEVICE int32_t beside() const { return width < kMost ? width : kMost - 1; }
    GRIDIRON_HOST_DEVICE int32_t boundary() const {
      return width * (lines_below() + lines_above()) + beside() * (height - lines_below() - lines_above());
    }
    template <bool from_zero>
    GRIDIRON_INLINE void relax_at_boundary(int32_t k, const View<D, const T>& table, const View<D, const T>& r,
                                           const View<D, T>& x) const {
      if (k >= boundary()) return;
      const int32_t lines = lines_below() + lines_above();
      int32_t i = 0, j = 0;
      if (k < width * lines) {
        i = k % width, j = k / width;
        if (j >= lines_below()) j += height - lines;
      } else {
        i = (k - width * lines) % beside(), j = lines_below() + (k - width * lines) / beside();
        if (width >= kMost && i >= WideClasses::kReach) i += width - beside();
      }
      const int32_t first = kVankaRow * (rows.of(j) * columns.count() + columns.of(i));
      const VankaSum<T> sum = apply_vanka_row<T>(table, first, r, at(i, j), pitch, plane);
      add_at_node<from_zero, true>(x, at(i, j), plane, sum.u, sum.v, sum.p);
    }

    /// Value k of the tile at node (i, j) from r, for all planes.
    GRIDIRON_INLINE void load(int32_t i, int32_t j, int32_t k, const View<D, const T>& r,
                              const View<D, uint32_t>& values) const {
      const int32_t column = i + k % TensorTile::kPitch - TensorTile::kReach;
      const int32_t line = j + k / TensorTile::kPitch - TensorTile::kReach;
      if (k % TensorTile::kPitch >= TensorTile::kColumns + 2 * TensorTile::kReach) return;
      const bool is_there = column < width && line < height;
      const int32_t entry = is_there ? at(column, line) : 0;
      float value[Layout::kPlanes];
      GRIDIRON_UNROLL
      for (int p = 0; p < Layout::kPlanes; ++p)
        value[p] = is_there ? static_cast<float>(static_cast<double>(T(r[entry + p * plane]))) : 0.0f;
      GRIDIRON_UNROLL
      for (int kind = 0; kind < 4; ++kind)
        values[kind * TensorTile::kPlane + k] = bfloat_pair(value[kind], value[4 + kind]);
      values[4 * TensorTile::kPlane + k] = bfloat_pair(value[Layout::kPressure], 0.0f);
    }

    /// What a lane does for lines from `line` on of the tile at node (i, j).
    template <bool from_zero>
    GRIDIRON_INLINE void relax_lines(int32_t i, int32_t j, int32_t line, int lane, const View<D, const uint32_t>& words,
                                     const View<D, uint32_t>& values, const View<D, T>& x) const {
      constexpr int kAcross = TensorTile::kColumns / TensorTile::kNodes, kProducts = kAcross * kLinesOfWarp;
      TensorSums sums[kProducts];
      multiply(words, values, (line + TensorTile::kReach) * TensorTile::kPitch + TensorTile::kReach, lane, sums);
      const auto entry_of = [&](int k) {
        return at(i + k % kAcross * TensorTile::kNodes + 2 * (lane % 4), j + line + k / kAcross);
      };
      const int32_t velocity = lane / 4 * plane, pressure = Layout::kPressure * plane;
      if (columns.is_in_the_middle(i) && columns.is_in_the_middle(i + TensorTile::kColumns - 1) &&
          rows.is_in_the_middle(j + line) && rows.is_in_the_middle(j + line + kLinesOfWarp - 1)) {
        ShortVector<T, 2> u[kProducts] = {}, p[kProducts] = {};
        GRIDIRON_UNROLL
        for (int k = 0; k < kProducts; ++k) {
          if (!from_zero) u[k] = load_vector<T, 2>(x, entry_of(k) + velocity);
          if (!from_zero && lane < 4) p[k] = load_vector<T, 2>(x, entry_of(k) + pressure);
        }
        GRIDIRON_UNROLL
        for (int k = 0; k < kProducts; ++k) {
          for (int n = 0; n < 2; ++n) u[k][n] += T(sums[k].velocity[n]), p[k][n] += T(sums[k].pressure[n]);
          store_vector(x, entry_of(k) + velocity, u[k]);
          if (lane < 4) store_vector(x, entry_of(k) + pressure, p[k]);
        }
        return;
      }
      GRIDIRON_UNROLL
      for (int k = 0; k < kProducts; ++k)
        for (int n = 0; n < 2; ++n) {
          const int32_t column = i + k % kAcross * TensorTile::kNodes + 2 * (lane % 4) + n;
          if (!rows.is_in_the_middle(j + line + k / kAcross) || !columns.is_in_the_middle(column)) continue;
          const auto add = [&](int32_t entry, float sum) { x[entry] = from_zero ? T(sum) : T(x[entry]) + T(sum); };
          add(entry_of(k) + n + velocity, sums[k].velocity[n]);
          if (lane < 4) add(entry_of(k) + n + pressure, sums[k].pressure[n]);
        }
    }

    /// The products of a lane, of eight nodes each: side by side, then on the next line. `origin` is the first node's
    /// place in the tile.
    template <int products>
    GRIDIRON_INLINE static void multiply(const View<D, const uint32_t>& words, const View<D, uint32_t>& values,
                                         int origin, int lane, TensorSums (&sums)[products]) {
      constexpr int kAcross = TensorTile::kColumns / TensorTile::kNodes;
      const auto start = [&](int k) {
        return origin + k / kAcross * TensorTile::kPitch + k % kAcross * TensorTile::kNodes;
      };
#if defined(__CUDA_ARCH__)
      const int node = lane / 4, member = lane % 4;
      const uint32_t* const tile = values.data() + origin + node;
      GRIDIRON_UNROLL
      for (int step = 0; step < TensorTile::kSteps; ++step) {
        const auto a = load_vector<uint32_t, 4>(words, (step * 32 + lane) * 4);
        const TensorTile::Group low = TensorTile::group(2 * step), high = TensorTile::group(2 * step + 1);
        const uint32_t* const of_low = tile + low.first.offset() + member * low.step.offset();
        const uint32_t* const of_high = tile + high.first.offset() + member * high.step.offset();
        GRIDIRON_UNROLL
        for (int k = 0; k < products; ++k) {
          const int offset = start(k) - origin;
          float(&u)[2] = sums[k].velocity, (&p)[2] = sums[k].pressure;
          asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
              "{%0, %1, %2, %3};"
              : "+f"(u[0]), "+f"(u[1]), "+f"(p[0]), "+f"(p[1])
              : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(of_low[offset]), "r"(of_high[offset]));
        }
      }
#else
      const int row = lane / 4;
      for (int k = 0; k < products; ++k)
        for (int n = 0; n < 2; ++n)
          for (int slot = 0; slot < 4 * TensorTile::kGroups; ++slot) {
            const TensorTile::Group group = TensorTile::group(slot / 4);
            const int member = slot % 4, half = 2 * (slot / 4 % 2), word = (slot / 8 * 32 + member) * 4 + half;
            const uint32_t value =
                values[start(k) + 2 * (lane % 4) + n + group.first.offset() + member * group.step.offset()];
            const auto add = [&](float& sum, uint32_t a) {
              sum += low_of(a) * low_of(value) + high_of(a) * high_of(value);
            };
            add(sums[k].velocity[n], words[word + 16 * row]);
            if (row == 0) add(sums[k].pressure[n], words[word + 1]);
          }
#endif
    }

   private:
    static constexpr int32_t kMost = WideClasses::kMost;
  };

 private:
  Layout layout_;
  std::shared_ptr<const Array<D, T>> table_;
  std::shared_ptr<const Array<D, uint32_t>> words_;
};

}  // namespace gridiron::stokes
