// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "netlist/circuit.hpp"
#include "netlist/edit/deck_edits.hpp"
#include "support/output_path.hpp"

namespace gridiron {

/// Writes the deck that a circuit was read from with other values of resistors, each given at most once, and with pads
/// added behind its last card. Widths that cards with other values tell are multiplied by the same factors. All else of
/// the text stays as it is, comments too. It is one file that can be read from any folder: an included text or section
/// with a resistor of another value stands in place of the card that names it, other files are named by their whole
/// paths, and the parts of a deck that was cut follow one another. Compressed as the name of the file says, see
/// DeckFile.
///
/// A resistor in a subcircuit is one card for all instances: all of them must get the same factor. Of a circuit without
/// a text that spells it (Circuit::made_names) the flat netlist is written, see write_netlist().
/// Errors: InputError "file:line:column: …" for a resistor that only some instances change, and for one that is not
/// from an R card, as `Rser=` of a source, and for a width that no annotation can tell; ResourceError.
void write_edited_deck(const Circuit& circuit, std::span<const ResistorFactor> widened, std::span<const NewPad> pads,
                       const OutputPath& path);

}  // namespace gridiron
