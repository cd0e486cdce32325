// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "netlist/circuit.hpp"

namespace gridiron {

/// A resistor whose conductance is multiplied.
struct ResistorFactor {
  int64_t resistor;  ///< index into Circuit::resistors
  double factor;     ///< positive

  /// Ω.
  double value(const Circuit& circuit) const { return circuit.resistors.value[resistor] / factor; }
};

/// A pad that a circuit does not have: a potential against node 0, at a node or behind a resistance.
struct NewPad {
  NodeId node;
  double volts = 0, ohm = 0;  ///< 0 ohm: the node is held
  std::string name;           ///< of letters, digits and _
  std::string net = {};       ///< where comments tell which net sources feed; may be empty
};

}  // namespace gridiron
