// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "netlist/circuit.hpp"

namespace gridiron {

/// Elements whose name an element before them has, too; ASCII case is ignored.
struct DuplicateNames {
  struct Element {
    Kind kind;
    int64_t index;
  };
  struct Pair {
    Element element, first;  ///< the first one of that name
  };
  int64_t count = 0;
  std::vector<Pair> pairs;  ///< the first of them, by kind, then by index
};

/// Tells at most so many one by one.
DuplicateNames find_duplicate_names(const Circuit& circuit, int64_t most);

}  // namespace gridiron
