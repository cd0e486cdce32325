// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "analysis/results/ir_report.hpp"
#include "python/bindings.hpp"

namespace gridiron::python {

/// Notes that loads, waveforms or a budget of a design come from this file, which its reports must not replace.
void note_table(const std::shared_ptr<const Design>& design, const std::filesystem::path& path);

/// What was noted of a design.
std::vector<std::string> tables_of(const std::shared_ptr<const Design>& design);

/// What a report comes from: the netlist, what it includes, and tables.
std::vector<std::string> inputs_of(const IrReport& report);

}  // namespace gridiron::python
