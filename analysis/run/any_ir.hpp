// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/run/ir_drop.hpp"

namespace gridiron {

/// Static IR drop of a circuit whose matrix is no M-matrix: its voltages, found by LU factorization, and the report of
/// an equivalent circuit with independent sources. `loads`: of `design`, which first_design() made; where the options
/// have a table of these, the report is of the worst of all. Errors: InputError for options that need an M-matrix;
/// those of solve_any_circuit() and analyse_ir_drop().
IrReport analyse_any_circuit(const std::shared_ptr<const Design>& design, const IrOptions& options, const Loads& loads);

/// That circuit as it is summarised, for findings; nothing is judged. Errors: GridError, as above.
std::shared_ptr<const Design> solved_design(const Design& design, const DesignOptions& options);

}  // namespace gridiron
