// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "analysis/model/design.hpp"
#include "analysis/solve/any_matrix/any_circuit.hpp"

namespace gridiron {

/// A design whose matrix may be any. Voltages of nets that controlled sources feed are not known yet, so that nominal
/// ones are left for the design that has independent sources in place of these.
std::shared_ptr<const Design> first_design(const Circuit& circuit, DesignOptions options);

/// Errors: GridError for a control in an island that the design leaves out, where no voltage is known.
void require_controls(const Design& design);

/// The design of the circuit as it was read, islands included, with independent sources of what the controlled ones of
/// `design` amount to. `options` are those of the run; what becomes of islands is as in `design`.
std::shared_ptr<const Design> with_independent_sources(const Design& design, const AnyCircuitSolution& solution,
                                                       DesignOptions options);

/// That errors can be estimated only, and why; none where they are bounded.
std::vector<Finding> estimate_findings(const Design& design);
/// The same for a simulation, in whose steps negative capacitances and inductances are a reason, too.
std::vector<Finding> estimate_findings_of_steps(const Design& design);

/// Errors: InputError of the field `option` where there are such findings.
void require_m_matrix(const Design& design, std::string_view option);

/// Whether the matrix of a circuit is no M-matrix, so that errors are estimated.
bool is_estimate_only(const Design& design);

/// Errors: InputError where it is not, with the reason and its place; `what` needs the bounds, such as "a plan".
void require_bounds(const Design& design, std::string_view what);

}  // namespace gridiron
