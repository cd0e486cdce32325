// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "analysis/model/loads.hpp"
#include "analysis/model/system.hpp"

namespace gridiron {

/// Writes the grid as it was edited, under load vector 0, in the form of OpenROAD's write_pg_spice: resistors, sinks
/// with the comment that names their terminal, sources; and what a simulation needs of the deck: inductors, capacitors,
/// K cards, waveforms, .tran and .print. Elements keep their names and values all digits; an added pad becomes a source
/// and a resistor at a node of its own, and a sink whose load was changed has no waveform. `net`: elements of this net
/// only; empty: all. Compressed as the name of the file says. Errors: InputError when there is no such net,
/// ResourceError.
void write_pg_spice(const System& system, const Loads& loads, const std::string& net,
                    const std::filesystem::path& path);

}  // namespace gridiron
