// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "analysis/results/ir_report.hpp"

namespace gridiron {

/// How many segments keep the rules of electromigration, and the worst of each layer; empty where there are none.
std::string em_lines(const IrReport& result);

}  // namespace gridiron
