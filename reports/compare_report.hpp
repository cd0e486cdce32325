// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "analysis/compare.hpp"
#include "reports/formats.hpp"
#include "support/output_path.hpp"

namespace gridiron {

/// The preamble of all tables: how measurements were made and what the columns mean.
std::string compare_heading(const Comparison& comparison);

/// One case: a line about its size and a row per engine; the best value of a column is marked.
std::string compare_table(const CaseRuns& runs);

/// Which rows missed what was asked for, in one line without a full stop; empty: none.
std::string compare_misses(const Comparison& comparison);

/// Heading, all tables and the misses.
std::string compare_text(const Comparison& comparison);

/// One line per engine and case; unknown values are empty fields.
std::string compare_csv(const Comparison& comparison);

/// Schema gridiron.compare/2 (reports/schema/gridiron.compare-2.schema.json).
std::string compare_json(const Comparison& comparison);

inline constexpr std::string_view kCompareFormats[] = {"text", "csv", "json", "png"};

/// Of compare.txt, compare.csv, compare.json and compare.png those of these formats, below `directory` (made if
/// absent). Errors: ResourceError.
void write_compare_reports(const Comparison& comparison, const OutputPath& directory, const Formats& formats);

}  // namespace gridiron
