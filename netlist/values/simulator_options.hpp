// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace gridiron {

/// Whether an option of `.option` changes how a simulator works or what it prints, but not the circuit: tolerances,
/// iteration limits, methods, listings of ngspice, HSPICE and Xyce.
bool is_simulator_option(std::string_view name);

}  // namespace gridiron
