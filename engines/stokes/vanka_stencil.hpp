// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <utility>

#include "engines/stokes/level_grid.hpp"
#include "engines/stokes/vanka_table.hpp"

namespace gridiron::stokes {

/// What a row gives to the velocities at a node and halfway to the next ones, and to its pressure.
template <class T>
struct VankaSum {
  Quartet<T> u{}, v{};
  T p{};
};

/// The row that begins at coefficient `first`, applied to r around entry `at`: for the velocities within two elements,
/// what they give to each kind of velocity that has a patch in common with them, then to the pressure; then what the
/// pressures around give to velocities, and at last to the pressure.
template <class T, class C, class V, class I>
GRIDIRON_INLINE VankaSum<T> apply_vanka_row(const C& coefficient, I first, const V& r, I at, I pitch, I plane) {
  VankaSum<T> sum;
  I k = first;
  GRIDIRON_UNROLL
  for (int y = -4; y <= 4; ++y) {
    GRIDIRON_UNROLL
    for (int x = -4; x <= 4; ++x) {
      const I entry = at + ((x & 1) + 2 * (y & 1)) * plane + (y >> 1) * pitch + (x >> 1);
      const T u = r[entry], v = r[entry + 4 * plane];
      GRIDIRON_UNROLL
      for (int kind = 0; kind < 4; ++kind)
        if (vanka_reaches(kind, x, y)) {
          sum.u[kind] += coefficient[k] * u;  // each term by itself is one instruction of a GPU
          sum.u[kind] += coefficient[k + 1] * v;
          sum.v[kind] += coefficient[k + 2] * u;
          sum.v[kind] += coefficient[k + 3] * v;
          k += 4;
        }
      if (x >= -2 && x <= 2 && y >= -2 && y <= 2) {
        sum.p += coefficient[k] * u;
        sum.p += coefficient[k + 1] * v;
        k += 2;
      }
    }
  }
  GRIDIRON_UNROLL
  for (int y = -1; y <= 1; ++y) {
    GRIDIRON_UNROLL
    for (int x = -1; x <= 1; ++x) {
      const T p = r[at + Layout::kPressure * plane + y * pitch + x];
      GRIDIRON_UNROLL
      for (int kind = 0; kind < 4; ++kind)
        if (x >= -1 + (kind & 1) && y >= -1 + (kind >> 1)) {
          sum.u[kind] += coefficient[k] * p;
          sum.v[kind] += coefficient[k + 1] * p;
          k += 2;
        }
      if (x == 0 && y == 0) {
        sum.p += coefficient[k] * p;
        ++k;
      }
    }
  }
  return sum;
}

/// Additive Vanka relaxation with shared inverses as a single pass: what the up to nine patches of an unknown give to
/// it is a stencil on the residual, the same at all nodes more than two elements from the boundary. It needs 2250
/// operations per node instead of the 5276 of all patches, and no memory for their corrections. For GPUs: the loop over
/// nodes has too many terms for the compilers of CPUs to vectorise.
template <class D, class T>
class VankaStencil {
 public:
  VankaStencil() = default;
  /// `table` is that of vanka_stencil_table() in precision T.
  VankaStencil(const Layout& layout, std::shared_ptr<const Array<D, T>> table, const VankaRow<T>& middle)
      : layout_(layout), table_(std::move(table)), middle_(middle) {}

  bool empty() const { return !table_; }

  /// x += ω Σ Vᵀ W (V A Vᵀ)⁻¹ V r, or = from zero.
  void relax(const LevelGrid<D, T>& grid, bool from_zero, View<D, const T> r, View<D, T> x) const {
    from_zero ? apply<true>(grid, r, x) : apply<false>(grid, r, x);
  }

  /// Part of relax(); public, as nvcc takes no kernels from private functions. The stencil of nodes in the middle is an
  /// argument of the kernel: a GPU reads it like constants.
  template <bool from_zero>
  void apply(const LevelGrid<D, T>& grid, View<D, const T> r, View<D, T> x) const {
    using I = Offset<D>;
    const auto table = table_->view();
    const VankaRow<T> middle = middle_;
    const WideClasses columns{layout_.nx}, rows{layout_.ny};
    const I pitch = static_cast<I>(layout_.pitch), plane = static_cast<I>(layout_.plane);
    for_each_node_at(
        grid, GRIDIRON_NODE_KERNEL(I at, I i, I j, const Quartet<T>&) {
          VankaSum<T> sum;
          if (columns.is_in_the_middle(i) && rows.is_in_the_middle(j))
            sum = apply_vanka_row<T>(middle.value, I(0), r, at, pitch, plane);
          else
            sum = apply_vanka_row<T>(table, static_cast<I>(first_of(columns, rows, i, j)), r, at, pitch, plane);
          add_at_node<from_zero, true>(x, at, plane, sum.u, sum.v, sum.p);
        });
  }

 private:
  GRIDIRON_HOST_DEVICE static int64_t first_of(const WideClasses& columns, const WideClasses& rows, int64_t i,
                                               int64_t j) {
    return static_cast<int64_t>(kVankaRow) * (rows.of(j) * columns.count() + columns.of(i));
  }

  Layout layout_;
  std::shared_ptr<const Array<D, T>> table_;
  VankaRow<T> middle_;
};

}  // namespace gridiron::stokes
