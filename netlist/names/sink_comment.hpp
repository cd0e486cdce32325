// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "netlist/circuit.hpp"

namespace gridiron {

/// The terminal of a cell that a current source stands for.
struct SinkName {
  std::string instance, terminal;  ///< the terminal may be empty

  /// "u1/VDD".
  std::string text() const { return terminal.empty() ? instance : instance + "/" + terminal; }
};

/// By the comment in the line before the card of a current source, as OpenROAD writes it: `* Sink for u1/VDD`. Like
/// names of elements it is read from the text when it is asked for, or known (MadeNames). Both empty if there is none.
SinkName sink_name(const Circuit& circuit, int64_t current_source);

/// By the pins of instances that its nodes are, as comments of an extracted deck tell: of one between two pins of an
/// instance the terminal is empty. Both empty if no node is a pin, or they are pins of two instances.
SinkName pin_name(const Circuit& circuit, int64_t current_source);

}  // namespace gridiron
