// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/run/regular_tables.hpp"
#include "reports/formats.hpp"
#include "support/output_path.hpp"

namespace gridiron {

/// What `gridiron regularize` reports in addition to the tables.
struct RegularizeRun {
  std::string input_path;
  int64_t input_bytes = 0;
  RegularTables tables;
  std::vector<std::vector<std::string>> files;  ///< per net, written below the folder
  double read_s = 0, report_s = 0, total_s = 0;
  int64_t peak_memory_bytes = 0;
};

/// Two tables for a terminal: the grids, and the sums over network and tables side by side.
std::string regularize_text(const RegularizeRun& run);

/// regularize.json, schema gridiron.regularize/1 (reports/schema/gridiron.regularize-1.schema.json).
std::string regularize_json(const RegularizeRun& run);

inline constexpr std::string_view kRegularizeFormats[] = {"npy", "png", "json"};

/// Writes below `directory` (made if absent), each file atomically, of these formats: `table_NET_TABLE.npy` with an
/// array of shape (layers, ny, nx), padding included, and `table_NET_TABLE_LAYER.png` for each layer that has entries.
/// Returns the names per net. Errors: ResourceError.
std::vector<std::vector<std::string>> write_tables(const RegularTables& tables, const OutputPath& directory,
                                                   const Formats& formats);

}  // namespace gridiron
