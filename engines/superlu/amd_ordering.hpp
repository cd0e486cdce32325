// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "linalg/csr_matrix.hpp"

namespace gridiron {

/// A fill-reducing ordering of a matrix whose pattern is symmetric or nearly so, and what factors in that order cost if
/// pivots stay in it.
struct AmdOrdering {
  std::vector<int> position;  ///< of each row
  double nonzeros = 0;        ///< of L and U together, at most
  double operations = 0;      ///< multiplications to form them, at most
};

/// Approximate minimum degree (Amestoy, Davis, Duff, ACM Trans. Math. Softw. 30, 2004) of A + Aᵀ. Unlike SuperLU's own
/// minimum degree, which takes quadratic time beside a hub, it sets rows with many entries aside. Errors:
/// ResourceError.
///
/// `row_of`: as of pair_rows(); empty: every unknown has its own row. Rows that changed places are ordered as one and
/// stay together, so that one without a diagonal entry does not come before the neighbour that is to give it one (Duff,
/// Pralet, SIAM J. Matrix Anal. Appl. 27, 2005).
AmdOrdering amd_ordering(const CsrMatrix& matrix, const std::vector<int>& row_of = {});

/// The share of entries off the diagonal that have one in the transposed place, 0 to 1.
double pattern_symmetry(const CsrMatrix& matrix);

/// The share of rows without an entry on the diagonal, 0 to 1.
double without_diagonal(const CsrMatrix& matrix);

}  // namespace gridiron
