// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "netlist/circuit.hpp"

namespace gridiron {

/// The size of a netlist.
struct InputCounts {
  int64_t nodes = 0;  ///< with ground
  int64_t resistors = 0, current_sources = 0, voltage_sources = 0;
  void visit(auto& v) const {
    v("nodes", nodes)("resistors", resistors)("current_sources", current_sources)("voltage_sources", voltage_sources);
  }
};
inline InputCounts counts_of(const Circuit& circuit) {
  return {circuit.node_count(), circuit.resistors.size(), circuit.current_sources.size(),
          circuit.voltage_sources.size()};
}

}  // namespace gridiron
