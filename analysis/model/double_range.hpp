// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "netlist/circuit.hpp"

namespace gridiron {

inline constexpr const char* kNotFinite =
    "the results exceed double precision: values of the deck, or sums of them, lie too many orders apart";

/// Why there is no result: double precision does not hold it. Names the value of the deck that is the most decades away
/// from 1.
std::string beyond_doubles(const Circuit& circuit);

}  // namespace gridiron
