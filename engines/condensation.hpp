// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "linalg/csr_matrix.hpp"

namespace gridiron {

/// An M-matrix from which sets of unknowns with few couplings have been eliminated exactly, one set after another; no
/// two unknowns of a set are coupled. All that is left is sums of positive terms, which keep their digits.
struct Condensation {
  /// Rows of weights. Unknowns have their original numbers.
  struct Weights {
    std::vector<int32_t> unknown;
    std::vector<int64_t> first{0};
    std::vector<int32_t> other;
    std::vector<double> weight;

    int64_t rows() const { return std::ssize(unknown); }
    double sum(int64_t row, std::span<const double> v) const {
      double sum = 0;
      for (int64_t k = first[row]; k < first[row + 1]; ++k) sum += weight[k] * v[other[k]];
      return sum;
    }
  };
  struct Set {
    Weights given;                ///< by each unknown that is eliminated: shares of its current
    Weights taken;                ///< the same by unknown that gets them
    std::vector<double> inverse;  ///< of the diagonals of those eliminated
  };
  int64_t unknowns = 0;  ///< before
  std::vector<Set> sets;
  std::vector<int32_t> kept;  ///< in the order of `matrix`
  CsrMatrix matrix;           ///< of the unknowns that are kept
  std::vector<double> pads;   ///< its row sums

  /// Transfers a right-hand side to the unknowns that are kept. `arrived`, one entry for each unknown there was, is
  /// what had come to it when it was eliminated.
  void reduce(std::span<const double> b, std::span<double> arrived, std::span<double> reduced) const;
  /// Recovers all unknowns. `arrived` as filled by reduce().
  void recover(std::span<const double> arrived, std::span<const double> reduced, std::span<double> x) const;
  int64_t bytes() const;
};

/// `pads`: the row sums of the matrix. Eliminates sets of unknowns of at most five couplings until one is small. The
/// result has the same bits on any number of threads.
Condensation condense(const CsrMatrix& matrix, std::vector<double> pads);

}  // namespace gridiron
