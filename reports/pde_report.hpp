// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <string_view>

#include "analysis/pde/pde.hpp"

namespace gridiron {

/// The formats of `--formats` for a model problem, in the order they are written.
inline constexpr std::string_view kPdeReportFormats[] = {"text", "json", "png"};

/// summary.txt.
std::string pde_text(const PdeResult& result);

/// report.json, schema gridiron.pde/1 (reports/schema/gridiron.pde-1.schema.json).
std::string pde_json(const PdeResult& result);

/// solution.png: the solution in the x-y plane, of a 3-D problem halfway up. At most 640 pixels wide and high.
std::string pde_picture(const PdeResult& result);

/// Writes the chosen formats below `directory` (made if absent), each file whole or not at all: summary.txt,
/// report.json, solution.png. Errors: ResourceError.
void write_pde_reports(const PdeResult& result, const std::filesystem::path& directory,
                       const std::set<std::string, std::less<>>& formats);

}  // namespace gridiron
