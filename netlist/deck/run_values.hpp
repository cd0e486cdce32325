// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "netlist/circuit.hpp"
#include "netlist/values/element_values.hpp"
#include "netlist/values/scope.hpp"

namespace gridiron {

/// Of `.temp` and `.option temp, tnom`. Errors: InputError.
Temperatures evaluate_temperatures(const Deck& deck, Parameters& parameters);

/// Of the last .tran, which counts, as in ngspice; there must be one. Errors: InputError.
TranCard evaluate_tran(const Deck& deck, Parameters& parameters);

}  // namespace gridiron
