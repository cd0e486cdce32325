// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "analysis/run/ir_drop.hpp"

namespace gridiron {

/// What `gridiron check` was asked, and what it found.
struct CheckRun {
  std::string input_path;
  RunFacts run;
  CheckResult result;
};

/// check.json, schema gridiron.check/1 (reports/schema/gridiron.check-1.schema.json).
std::string check_json(const Circuit& circuit, const CheckRun& run);

}  // namespace gridiron
