// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "engines/stokes/stencil.hpp"

namespace gridiron::stokes {

/// A patch: the 25 velocity points of the elements around a pressure node, u, then v, x fastest, then that pressure.
inline constexpr int kPatchSide = 5, kPatchPoints = kPatchSide * kPatchSide, kPatch = 2 * kPatchPoints + 1;

/// An unknown of a patch as an offset from the entry of its node.
struct PatchEntries {
  int64_t offset[kPatch];

  explicit PatchEntries(const Layout& layout) {
    for (int point = 0; point < kPatchPoints; ++point) {
      const int x = point % kPatchSide - 2, y = point / kPatchSide - 2;
      const int kind = (x & 1) | (y & 1) << 1;
      for (int component = 0; component < 2; ++component)
        offset[component * kPatchPoints + point] =
            (4 * component + kind) * layout.plane + (y >> 1) * layout.pitch + (x >> 1);
    }
    offset[kPatch - 1] = Layout::kPressure * layout.plane;
  }
};

/// Inverses of the matrices V A Vᵀ of the patches of each class of nodes (y slowest), kPatch × kPatch each, in the
/// order of PatchEntries. Rows are multiplied by `weight` over the number of patches that share the unknown; rows and
/// columns of velocities that are not unknown are zero.
std::vector<double> vanka_table(const Stencil<double>& stencil, int64_t nx, int64_t ny, double weight);

/// The inverse for the patch of node (i, j) where viscosities vary, in the same form: its matrix is summed over all
/// elements whose nodes it contains, those around it included.
std::vector<double> vanka_inverse(const StokesGrid& grid, int64_t i, int64_t j, double weight);

/// Nodes along an axis of n elements that look alike to everything within three elements: the first three, the last
/// three, and all others. Below six elements, each node is a class of its own.
struct WideClasses {
  static constexpr int kReach = 3, kMost = 2 * kReach + 1;
  int64_t n = 0;

  GRIDIRON_HOST_DEVICE bool is_in_the_middle(int64_t i) const { return i >= kReach && i <= n - kReach; }
  GRIDIRON_HOST_DEVICE int of(int64_t i) const {
    if (n < kMost - 1 || i < kReach) return static_cast<int>(i);
    return i > n - kReach ? static_cast<int>(i - n + kMost - 1) : kReach;
  }
  GRIDIRON_HOST_DEVICE int count() const { return n < kMost - 1 ? static_cast<int>(n) + 1 : kMost; }
  /// A node of the class.
  int64_t node(int c) const { return n < kMost - 1 || c <= kReach ? c : c + n - kMost + 1; }
};

/// Coefficients of a row of VankaStencil, in the order of apply_vanka_row().
inline constexpr int kVankaRow = 1125;
template <class T>
struct VankaRow {
  T value[kVankaRow] = {};
};

/// Whether patches of an unknown of this kind contain the velocity at the offset (x, y) from its node, in halves of an
/// element.
GRIDIRON_HOST_DEVICE constexpr bool vanka_reaches(int kind, int x, int y) {
  return x >= ((kind & 1) != 0 ? -2 : -4) && y >= ((kind >> 1) != 0 ? -2 : -4);
}

/// The rows of VankaStencil by WideClasses of a node (y slowest), from the inverses of vanka_table().
std::vector<double> vanka_stencil_table(const std::vector<double>& inverses, int64_t nx, int64_t ny);

/// The row of nodes in the middle; zeros if there are none.
template <class T>
VankaRow<T> middle_vanka_row(const std::vector<double>& table, int64_t nx, int64_t ny) {
  VankaRow<T> row;
  constexpr int kLeast = WideClasses::kMost - 1;
  constexpr int kFirst = (WideClasses::kMost + 1) * WideClasses::kReach * kVankaRow;
  if (nx >= kLeast && ny >= kLeast)
    for (int k = 0; k < kVankaRow; ++k) row.value[k] = static_cast<T>(table[kFirst + k]);
  return row;
}

}  // namespace gridiron::stokes
