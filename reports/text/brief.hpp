// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "analysis/results/ir_report.hpp"
#include "reports/formats.hpp"

namespace gridiron {

/// Where the reports of a run are, for a text that tells of them.
struct WrittenReports {
  std::string folder;  ///< empty: none were written
  Formats formats;
};

/// What `gridiron ir` prints: whether limits are kept, where drops are worst, what is proved of that, and what to do
/// next, in some 25 lines; and whole what options ask for: causes, budgets, load vectors, electromigration.
std::string brief_summary(const IrReport& result, const WrittenReports& written);

}  // namespace gridiron
