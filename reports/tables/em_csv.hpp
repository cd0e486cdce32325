// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/results/ir_report.hpp"
#include "support/output_path.hpp"

namespace gridiron {

/// em.csv: the segments that a rule of electromigration is on, the largest ratio first.
void write_em_csv(const IrReport& result, const OutputPath& path);

}  // namespace gridiron
