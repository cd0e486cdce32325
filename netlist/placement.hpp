// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gridiron {

/// What the layout that a circuit was extracted from tells beyond its nodes and elements, in words that know no layout
/// format.
struct Placement {
  /// A net that was extracted.
  struct Net {
    std::string name;
    bool is_ground = false;
    /// V: what percentages and watts of its loads refer to, which of a ground net is the voltage of the power net;
    /// 0 if nothing tells.
    double supply_v = 0;
  };
  std::vector<Net> nets;  ///< in the order of Circuit::net_cards
};

}  // namespace gridiron
