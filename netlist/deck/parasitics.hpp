// SPDX-License-Identifier: Apache-2.0
#pragma once

// What LTspice lets a C, L or V card have besides its value: a resistance in series, and a resistance and a capacitance
// in parallel with both. They become elements of their own.

#include <string>
#include <vector>

#include "netlist/values/element_values.hpp"

namespace gridiron {

/// An element of a scope, by its kind and its row in the circuit, that has some.
struct ParasiticElement {
  Kind kind;
  int64_t element;
  Parasitics values;
};

/// Reads those of a voltage source. Errors: InputError.
Parasitics evaluate_parasitics(const SourceForm& form, Parameters& parameters, const File& file, uint64_t offset);

/// Adds them to a circuit that ends with the elements of the instance `path`. They are called NAME.rser, NAME.rpar and
/// NAME.cpar, and their origin is the place behind NAME on the card. NAME.rser is the node between a series resistance,
/// too, which lies at the first node of the card, or at the second if that is node 0, and its element.
void add_parasitics(const std::vector<ParasiticElement>& elements, const std::string& path, Circuit& circuit);

}  // namespace gridiron
