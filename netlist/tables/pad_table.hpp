// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "netlist/source_text.hpp"

namespace gridiron {

/// Pads that a deck does not have: potentials against node 0, each at a node or behind a resistance.
struct PadTable {
  struct Pad {
    std::string node;        ///< empty where the place tells it:
    std::string layer, net;  ///< the nearest node of this layer, and of this net unless that is empty,
    double x_um = 0, y_um = 0;
    double ohm = 0, volts = 0;  ///< 0 ohm: the node is held
    uint64_t offset = 0;        ///< of the row in `text`
    uint64_t after_first = 0;   ///< the end of its first field, where no name goes on
  };
  std::shared_ptr<const SourceText> text;
  std::vector<Pad> pads;
};

/// Reads a CSV file (also compressed) with a header: `name`, or `x`, `y` (µm, as reports have them), `layer` and
/// perhaps `net`; `ohm` and `volts`; in any order. Rows that are empty or begin with # are comments. Errors: InputError
/// that says where, what is wrong, and what to do.
PadTable read_pads(const std::string& path);

}  // namespace gridiron
