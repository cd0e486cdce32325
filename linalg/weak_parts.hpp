// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "device/host_device.hpp"
#include "linalg/csr_matrix.hpp"

namespace gridiron {

/// Sparse vectors, one per part: sums over all entries e of part k, begin[k] ≤ e < begin[k + 1], of value[e] ·
/// x[row[e]].
struct PartVectors {
  std::vector<int64_t> begin{0};  ///< parts + 1
  std::vector<int32_t> row;
  std::vector<double> value;
};

/// Parts of a symmetric M-matrix that are tied so weakly to everything else, other parts and ground alike, that single
/// precision cannot tell them from floating ones: the vector z that is one on the part and zero elsewhere has
/// zᵀA z < 1e-7 Σ a_ii. A mesh with one pad of 1 MΩ is one, or a domain behind switches that are off.
struct WeakParts {
  std::vector<int32_t> of_unknown;  ///< the part of each unknown; −1: none. Empty without any part.
  PartVectors ties;                 ///< the columns of A Z, where column k of Z is the vector of part k
  std::vector<double> inverse;      ///< (ZᵀA Z)⁻¹, row after row
  std::vector<double> shift;        ///< per part: added to the diagonal of its rows, it would not be weak

  int64_t count() const { return std::ssize(shift); }
  bool empty() const { return shift.empty(); }
};

/// Unknowns are of one part if couplings of at least 1e-5 of both their diagonals connect them. Finds up to 256 parts,
/// those that are tied most weakly. One union-find over the matrix, so worth a look at may_have_weak_parts() before.
/// Row sums of which none is negative replace what the rounding of the diagonal leaves of them.
WeakParts find_weak_parts(const CsrMatrix& matrix, std::span<const double> row_sums = {});

namespace weak {
/// Couplings below this fraction of a diagonal end a part.
inline constexpr double kCoupling = 1e-5;
/// A part is weak when it is tied to the rest with less than this fraction of the sum of its diagonal.
inline constexpr double kTie = 1e-7;
/// Pads below this fraction of the diagonal, and no stronger one in sight, call for a closer look.
inline constexpr double kPad = 1e-5;
/// Row sums below this fraction of the diagonal, times the number of entries, are rounding.
inline constexpr double kRounding = 2.2e-16;

/// Whether a row and its column are of one part.
GRIDIRON_HOST_DEVICE inline bool is_strong(double value, double diagonal, double other_diagonal) {
  return -value >= kCoupling * (diagonal < other_diagonal ? other_diagonal : diagonal);
}
/// What couples a row of so many entries to ground: its row sum, unless that is rounding.
GRIDIRON_HOST_DEVICE inline double excess_of(double diagonal, double couplings, double entries) {
  const double excess = diagonal + couplings;
  return excess > kRounding * entries * diagonal ? excess : 0;
}

/// What is known of a part z, or of a share of it.
struct Part {
  double tie = 0, diagonal = 0;  ///< zᵀA z, Σ a_ii
  GRIDIRON_HOST_DEVICE Part& operator+=(const Part& other) {
    tie += other.tie;
    diagonal += other.diagonal;
    return *this;
  }
  GRIDIRON_HOST_DEVICE bool is_weak() const { return tie > 0 && tie < kTie * diagonal; }
};
}  // namespace weak

}  // namespace gridiron
