// SPDX-License-Identifier: Apache-2.0
#include "engines/superlu/amd_ordering.hpp"

#include <amd.h>

#include "support/error.hpp"

namespace gridiron {

AmdOrdering amd_ordering(const CsrMatrix& matrix, const std::vector<int>& start) {
  const int n = matrix.rows;
  std::vector<int> pivots(n);
  double info[AMD_INFO];
  if (amd_order(n, start.data(), matrix.col.data(), pivots.data(), nullptr, info) < AMD_OK)
    throw ResourceError("superlu: no memory to order the unknowns; try an iterative engine");
  AmdOrdering ordering;
  ordering.position.resize(pivots.size());
  for (int k = 0; k < n; ++k) ordering.position[pivots[k]] = k;
  ordering.nonzeros = 2 * info[AMD_LNZ] + n;
  ordering.operations = info[AMD_NMULTSUBS_LU];
  return ordering;
}

}  // namespace gridiron
