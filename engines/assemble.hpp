// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/problem.hpp"
#include "regularize/merge.hpp"

namespace gridiron {

/// The conductance matrix of a network, parallel edges summed, columns ascending; the diagonal is the sum of a row's
/// conductances and its pad. Deterministic; linear time.
CsrMatrix assemble(const MergedNetwork& network);

}  // namespace gridiron
