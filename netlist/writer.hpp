// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "netlist/circuit.hpp"
#include "netlist/deck/deck_file.hpp"
#include "netlist/edit/deck_edits.hpp"
#include "support/output_path.hpp"

namespace gridiron {

/// Writes the flat circuit as SPICE text that read_netlist() turns into the same circuit: same nodes, bitwise identical
/// values, waveforms, comment cards. With edits, that circuit has these. The file is written atomically. Errors:
/// ResourceError.
void write_netlist(const Circuit& circuit, const OutputPath& path, std::span<const ResistorFactor> widened = {},
                   std::span<const NewPad> pads = {});

/// The comment cards that tell database units, layers and nominal voltages.
void write_annotations(const Circuit& circuit, DeckFile& file);

/// ".tran 1e-11 1e-8".
std::string tran_card(const TranCard& tran);

/// " PULSE(0 1 …)", as it stands behind the value of a source; empty: it has none.
std::string waveform_of(const Circuit& circuit, Kind kind, int64_t source);

/// A name that begins with the letter of its card: flattened elements are called x1.r1.
std::string card_name(const Circuit& circuit, Kind kind, int64_t index);

}  // namespace gridiron
