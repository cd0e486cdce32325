// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "linalg/csr_matrix.hpp"
#include "linalg/shares.hpp"

namespace gridiron {

/// Makes a rough solution of A w = b, with A an M-matrix, satisfy (A w)ᵢ ≥ bᵢ − kMostDeficit in every row by raising w
/// where it does not: each raise hands the deficit of a row on to its neighbours, whose surplus absorbs it within a few
/// steps (the divisible sandpile of Levine and Peres, J. Anal. Math. 111, 2010). After a few multigrid iterations one
/// row in a hundred falls short, if far, and this costs less than one more iteration, where waiting until no row does
/// would take three to eight. Returns false, with some rows still short, where that is a long way from w. The same bits
/// on any number of threads.
bool raise_to_barrier(const CsrMatrix& a, std::span<const double> b, std::span<double> w);

inline constexpr double kMostDeficit = 0.5;

/// The same where processes may share the matrix: `w` has an entry for each column, `b` for each row that is here.
bool raise_to_barrier(const CsrMatrix& a, const Shares* shares, std::span<const double> b, std::span<double> w);

}  // namespace gridiron
