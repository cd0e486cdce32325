// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engines/stokes/stencil.hpp"

namespace gridiron::stokes {

/// A patch: the 25 velocity points of the elements around a pressure node, u, then v, x fastest, then that pressure.
inline constexpr int kPatchSide = 5, kPatchPoints = kPatchSide * kPatchSide, kPatch = 2 * kPatchPoints + 1;

/// An unknown of a patch as an offset from the entry of its node.
struct PatchEntries {
  std::int64_t offset[kPatch];

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
std::vector<double> vanka_table(const Stencil<double>& stencil, std::int64_t nx, std::int64_t ny, double weight);

/// The inverse for the patch of node (i, j) where viscosities vary, in the same form: its matrix is summed over all
/// elements whose nodes it contains, those around it included.
std::vector<double> vanka_inverse(const StokesGrid& grid, std::int64_t i, std::int64_t j, double weight);

}  // namespace gridiron::stokes
