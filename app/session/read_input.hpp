// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "app/session/analysis_options.hpp"
#include "layout/read_layout.hpp"
#include "netlist/circuit.hpp"
#include "netlist/deck/deck.hpp"

namespace gridiron {

/// Takes nominal voltages of nets that were not extracted out of `options`.
void keep_nominal_of(const layout::Layout& layout, DesignOptions& options);

/// The circuit of a SPICE deck, or of a DEF file with LEF files, of which `net`, if not empty, alone is extracted;
/// see keep_nominal_of(). Errors: InputError.
Circuit read_input(const NetlistArguments& arguments, const std::string& net, const ReadOptions& read,
                   DesignOptions& options);

/// A deck with the pads of a table, if its name is not empty. Errors: InputError.
Circuit with_pads(Circuit circuit, const std::string& table, const ReadOptions& read, const DesignOptions& options);

/// The circuit of a layout; see keep_nominal_of(). Errors: InputError.
Circuit read_layout_input(const layout::LayoutFiles& files, DesignOptions& options);

/// Errors: InputError where `net` is given and the input is a SPICE deck, for commands that look at all of a deck.
void require_net_of_layout(const NetlistArguments& arguments, const std::string& net);

}  // namespace gridiron
