// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "app/session/analysis_options.hpp"
#include "netlist/circuit.hpp"

namespace gridiron {

/// The circuit of a SPICE deck, or of a DEF file with LEF files, of which `net`, if not empty, alone is extracted.
/// Nominal voltages of nets that are not are taken out of `options`. Errors: InputError.
Circuit read_input(const NetlistArguments& arguments, const std::string& net, const ReadOptions& read,
                   DesignOptions& options);

/// The circuit of a layout. Nominal voltages of nets that are not extracted are taken out of `options`. Errors:
/// InputError.
Circuit read_layout_input(const layout::LayoutFiles& files, DesignOptions& options);

/// Errors: InputError where `net` is given and the input is a SPICE deck, for commands that look at all of a deck.
void require_net_of_layout(const NetlistArguments& arguments, const std::string& net);

}  // namespace gridiron
