// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "netlist/tables/load_table.hpp"

namespace gridiron {

/// The .csv form of read_loads(). Internal to netlist/.
LoadTable read_load_csv(const std::string& path);

}  // namespace gridiron
