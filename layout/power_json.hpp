// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "netlist/source_text.hpp"

namespace gridiron::layout {

/// Calls give(name, watts, offset) for each object with a "name" and a "total" in the arrays of OpenSTA's
/// `report_power -format json -instances`; names are valid during the call. Returns how many. Errors: InputError with
/// file:line:column.
int64_t read_power_json(const SourceText& source, const std::function<void(std::string_view, double, size_t)>& give);

}  // namespace gridiron::layout
