// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/run/ir_drop.hpp"

namespace gridiron {

/// A design whose matrix may be any. Voltages of nets that controlled sources feed are not known yet, so that nominal
/// ones are left for solved_design().
std::shared_ptr<const Design> first_design(const Circuit& circuit, DesignOptions options);

/// That errors can be estimated only, and why; none where they are bounded.
std::vector<Finding> estimate_findings(const Design& design);

/// Whether the matrix of a circuit is no M-matrix, so that analyse_any_circuit() is what solves it.
bool is_estimate_only(const Design& design);

/// Static IR drop of such a circuit: its voltages, found by LU factorization, and the report of an equivalent circuit
/// with independent sources. Errors: InputError for options that need an M-matrix; those of solve_any_circuit() and
/// analyse_ir_drop().
IrReport analyse_any_circuit(const Design& design, const IrOptions& options);

/// That circuit as it is summarised, for findings; nothing is judged. Errors: GridError, as above.
std::shared_ptr<const Design> solved_design(const Design& design, const DesignOptions& options);

}  // namespace gridiron
