// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "analysis/results/ir_report.hpp"

namespace gridiron {

/// How many metal trees are immortal, the worst of them, and their limit; empty without stress.
std::string stress_lines(const IrReport& result);

}  // namespace gridiron
