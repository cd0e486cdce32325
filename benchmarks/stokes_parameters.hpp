// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>

namespace gridiron {

/// Iterations to 1e-8 of V(1,1) on stokes2d of n × n elements over the parameters ω and t of Braess-Sarazin relaxation
/// with three and with one Jacobi sweep, and over ω of Vanka relaxation: parameters.csv, and for three sweeps
/// parameters.png with the best pair marked. Prints the best of each.
void search_stokes_parameters(int64_t n, const std::filesystem::path& out);

}  // namespace gridiron
