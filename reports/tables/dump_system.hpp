// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "engines/problem.hpp"
#include "support/output_path.hpp"

namespace gridiron {

/// Writes the linear system G X = B of a power grid into `folder`, for other solvers and for examples/solve_matrix.cpp:
/// matrix.mtx (conductances, S; one triangle if the problem is symmetric positive definite), rhs.mtx (currents, A;
/// `rhs` is n × k, column after column), reference.mtx (V: unknowns are voltages minus these) and names.txt, whose line
/// i is names[i], the netlist node that unknown i represents. Matrix Market numbers from 1, so line i of the file is
/// row i. Values are read back bitwise identical. Either all four files are written, or none is left, not even an older
/// one. Errors: ResourceError.
void dump_system(const Problem& problem, std::span<const double> rhs, std::span<const double> reference,
                 std::span<const std::string> names, const OutputPath& folder);

}  // namespace gridiron
