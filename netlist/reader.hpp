// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "netlist/circuit.hpp"
#include "netlist/deck/deck.hpp"

namespace gridiron {

/// Reads a SPICE netlist (plain, .gz, .bz2, .xz, .zst; "-" is standard input) on all threads. The circuit does not
/// depend on the number of threads. Errors: InputError "file:line:column: what; what to do".
Circuit read_netlist(const std::string& path, const ReadOptions& options = {});

/// The same of a netlist cut into files between cards, at least one: they are read in this order as one.
Circuit read_netlist_files(const std::vector<std::string>& paths, const ReadOptions& options = {});

/// The same from text in memory; `name` is the file name in messages.
Circuit read_netlist_text(std::string text, const std::string& name = "<text>", const ReadOptions& options = {});

}  // namespace gridiron
