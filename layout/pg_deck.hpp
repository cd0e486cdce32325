// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <span>

#include "layout/chip.hpp"
#include "layout/layout_circuit.hpp"
#include "netlist/circuit.hpp"

namespace gridiron::layout {

inline constexpr int kOpenRoadDigits = 7, kAllDigits = 17;

/// Writes nets of an extracted circuit in the form of OpenROAD's write_pg_spice: resistors, sinks with the comment that
/// names their terminal, sources, net by net; and a comment with the database units. `digits`: of resistances; up to
/// kOpenRoadDigits currents have four and voltages six behind the point as OpenROAD writes them, beyond it all have as
/// many. Sinks below 1e-18 A are left out. Compressed as the name of the file says. Errors: ResourceError.
void write_pg_deck(const Circuit& circuit, const Chip& chip, std::span<const NetElements> nets, int digits,
                   const std::filesystem::path& path);

}  // namespace gridiron::layout
