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

}  // namespace gridiron
