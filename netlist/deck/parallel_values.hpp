// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "netlist/values/parameters.hpp"

namespace gridiron {

/// Computes, on all threads, the values at the top level that are an expression or a parameter and nothing else, and
/// puts them into the columns of `circuit`. What is left, because it is wrong or disputed, waits as before for the one
/// reader that tells. Internal to netlist/.
void evaluate_in_parallel(Deck& deck, Parameters& parameters, Circuit& circuit);

}  // namespace gridiron
