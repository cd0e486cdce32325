// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/distributed/processes.hpp"
#include "netlist/name_table.hpp"
#include "netlist/node_place.hpp"

namespace gridiron::distributed {

/// Which process a name belongs to: every process finds the same.
class Owners {
 public:
  /// `names`: those that occur here; the first, ground, is left out.
  Owners(const Communicator& all, const NameTable& names);

  int of(NodeId name) const { return owner_[name]; }
  NodeName::Style style(NodeId name) const { return style_[name]; }

 private:
  struct Place {
    std::int64_t x, y;
  };
  /// Along a Z-shaped curve through all places.
  std::vector<std::uint64_t> keys_of(const Communicator& all, std::vector<Place> places) const;

  std::vector<std::int32_t> owner_;
  std::vector<NodeName::Style> style_;
};

}  // namespace gridiron::distributed
