// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/diff/diff_runs.hpp"
#include "reports/formats.hpp"
#include "reports/pictures/change_map.hpp"
#include "reports/tables/diff_tables.hpp"
#include "support/output_path.hpp"

namespace gridiron {

/// The formats of `gridiron diff`.
inline constexpr std::string_view kDiffFormats[] = {"text", "json", "png", "html"};

/// diff.txt.
std::string diff_text(const RunData& before, const RunData& after, const RunDiff& diff);

/// diff.json, schema gridiron.diff/1 (reports/schema/gridiron.diff-1.schema.json).
std::string diff_json(const RunData& before, const RunData& after, const RunDiff& diff);

/// What diff.html tells besides, and first, of a change that somebody proposes.
struct ChangeStory {
  std::string title = "Change of the drop";
  std::string verdict;  ///< a good one, in place of that of the comparison
  std::vector<std::string> facts;
  std::vector<DiffTable> tables;
  std::vector<ChangeMark> marks;  ///< on maps,
  std::string marks_note;         ///< and what they are
};

/// diff.html: one file without scripts, which opens from disk.
std::string diff_html(const RunData& before, const RunData& after, const RunDiff& diff,
                      const std::vector<ChangeMap>& maps, const ChangeStory& story = {});

/// diff.txt, diff.json, map_<net>_change.png and diff.html below `directory` (made if absent), and their paths. Errors:
/// ResourceError.
std::vector<std::filesystem::path> write_diff_reports(const RunData& before, const RunData& after, const RunDiff& diff,
                                                      const OutputPath& directory, const Formats& formats,
                                                      const ChangeStory& story = {});

}  // namespace gridiron
