// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "netlist/circuit.hpp"

namespace gridiron {

/// Writes the flat circuit as SPICE text that read_netlist() turns into the same circuit: same nodes, bitwise identical
/// values, waveforms, comment cards. The file is written atomically. Errors: ResourceError.
void write_netlist(const Circuit& circuit, const std::filesystem::path& path);

}  // namespace gridiron
