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

/// The options of a PWL, s; NaN if not given.
struct PwlTimes {
  double repeat = kUnset;  ///< R: from when on it repeats; -1 is not at all, as in ngspice
  double period = kUnset;  ///< the last value holds until then, and all repeats from 0 on
  double delay = kUnset;   ///< all of this comes later by that
};
void finish_pwl(Pwl& pwl, PwlTimes times, std::string& error);

}  // namespace gridiron
