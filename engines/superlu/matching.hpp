// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "linalg/csr_matrix.hpp"

namespace gridiron {

/// Per unknown a row (equation) in which it has a nonzero coefficient, no row twice: its own where possible. −1 for
/// unknowns that are left without one; then the matrix is singular whatever the values of its entries. By BTF's maximum
/// transversal (Duff, ACM Trans. Math. Softw. 7, 1981).
std::vector<int> match_rows(const CsrMatrix& matrix);

/// Per unknown the row to eliminate it with: its own, but where a row has no diagonal entry, such as that of a voltage
/// source, it and a neighbour change places. The one with the fewest entries is taken that has an entry for it, too.
std::vector<int> pair_rows(const CsrMatrix& matrix);

}  // namespace gridiron
