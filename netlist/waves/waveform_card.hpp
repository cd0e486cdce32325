// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "netlist/grammar/ast.hpp"
#include "netlist/values/quantity.hpp"
#include "netlist/waves/waveform.hpp"

namespace gridiron {

/// What argument `index` of a waveform of `value` measures.
Quantity quantity_of(ast::Shape shape, size_t index, Quantity value);

/// Builds a waveform from the arguments of its card; `error` describes invalid ones. Internal to netlist/.
Waveform make_waveform(ast::Shape shape, const std::vector<double>& arguments, std::string& error);

/// Shifts a PWL by TD and has it repeat from R on, both in seconds and NaN if not given; R = -1 is none, as in ngspice.
void finish_pwl(Pwl& pwl, double delay, double repeat, std::string& error);

}  // namespace gridiron
