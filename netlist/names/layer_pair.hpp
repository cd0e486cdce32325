// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "netlist/names/name_table.hpp"

namespace gridiron {

/// Whether two texts name the same layer, or the same two in either order: M1-M2 and M2-M1.
inline bool are_same_layers(std::string_view a, std::string_view b) {
  if (same_name(a, b)) return true;
  for (size_t dash = a.find('-'); dash != a.npos; dash = a.find('-', dash + 1))
    if (same_name(std::string(a.substr(dash + 1)).append("-").append(a.substr(0, dash)), b)) return true;
  return false;
}

}  // namespace gridiron
