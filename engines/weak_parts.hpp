// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "engines/problem.hpp"

namespace gridiron {

/// Sparse vectors, one per part: sums over all entries e of part k, begin[k] ≤ e < begin[k + 1], of value[e] ·
/// x[row[e]].
struct PartVectors {
  std::vector<std::int64_t> begin{0};  ///< parts + 1
  std::vector<std::int32_t> row;
  std::vector<double> value;
};

/// Parts of a symmetric M-matrix that are tied so weakly to everything else, other parts and ground alike, that single
/// precision cannot tell them from floating ones: the vector z that is one on the part and zero elsewhere has
/// zᵀA z < 1e-7 Σ a_ii. A mesh with one pad of 1 MΩ is one, or a domain behind switches that are off.
struct WeakParts {
  std::vector<std::int32_t> of_unknown;  ///< the part of each unknown; −1: none. Empty without any part.
  PartVectors ties;                      ///< the columns of A Z, where column k of Z is the vector of part k
  std::vector<double> inverse;           ///< (ZᵀA Z)⁻¹, row after row
  std::vector<double> shift;             ///< per part: added to the diagonal of its rows, it would not be weak

  std::int64_t count() const { return static_cast<std::int64_t>(shift.size()); }
  bool empty() const { return shift.empty(); }
};

/// Unknowns are of one part if couplings of at least 1e-5 of both their diagonals connect them. Finds up to 256 parts,
/// those that are tied most weakly. One union-find over the matrix, so worth a look at may_have_weak_parts() before.
WeakParts find_weak_parts(const CsrMatrix& matrix);

/// The grid with the shifts as additional pads: what a preconditioner in single precision can solve.
PowerGrid with_shifts(const PowerGrid& grid, const WeakParts& parts);

namespace weak {
/// Couplings below this fraction of a diagonal end a part.
inline constexpr double kCoupling = 1e-5;
/// A part is weak when it is tied to the rest with less than this fraction of the sum of its diagonal.
inline constexpr double kTie = 1e-7;
/// Pads below this fraction of the diagonal, and no stronger one in sight, call for a closer look.
inline constexpr double kPad = 1e-5;
/// Row sums below this fraction of the diagonal, times the number of entries, are rounding.
inline constexpr double kRounding = 2.2e-16;
}  // namespace weak

}  // namespace gridiron
