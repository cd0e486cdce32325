// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "analysis/model/loads.hpp"
#include "analysis/model/system.hpp"

namespace gridiron {

/// Writes the static grid as it was edited, under load vector 0, in the form of OpenROAD's write_pg_spice: resistors,
/// sinks with the comment that names their terminal, sources. Elements keep their names and values all digits; an
/// added pad becomes a source and a resistor at a node of its own. `net`: elements of this net only; empty: all.
/// Compressed as the name of the file says. Errors: InputError when there is no such net, ResourceError.
void write_pg_spice(const System& system, const Loads& loads, const std::string& net,
                    const std::filesystem::path& path);

}  // namespace gridiron
