// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "linalg/csr_matrix.hpp"

namespace gridiron {

/// A fill-reducing ordering of a symmetric matrix, and what factors in that order cost.
struct AmdOrdering {
  std::vector<int> position;  ///< of each unknown
  double nonzeros = 0;        ///< of L and U together, at most
  double operations = 0;      ///< multiplications to form them, at most
};

/// Approximate minimum degree (Amestoy, Davis, Duff, ACM Trans. Math. Softw. 30, 2004). Unlike SuperLU's own minimum
/// degree, which takes quadratic time beside a hub, it sets rows with many entries aside. `start`: the rows of
/// `matrix`. Errors: ResourceError.
AmdOrdering amd_ordering(const CsrMatrix& matrix, const std::vector<int>& start);

}  // namespace gridiron
