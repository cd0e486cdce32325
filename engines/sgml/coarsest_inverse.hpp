// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "engines/sgml/stencil.hpp"

namespace gridiron::sgml {

/// A⁻¹ for the matrix A of a stencil, row after row, without the ring. In double precision, as the term that determines
/// the mean may be small relative to the conductances; `holds_mean`: A determines none, and sources that sum to zero
/// have a solution of mean 0. Errors: SolverError for a singular matrix.
std::vector<double> invert_coarsest(const StencilData& data, bool holds_mean);

}  // namespace gridiron::sgml
