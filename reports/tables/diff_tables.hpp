// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "analysis/diff/diff_runs.hpp"

namespace gridiron {

/// A table of a comparison in words: what text and HTML show. Cells are as they are in the runs, unescaped.
struct DiffTable {
  std::string title;
  std::vector<std::string> headers;  ///< one that ends in '>' is of a column of numbers
  std::vector<std::vector<std::string>> rows;
  std::string note;  ///< on what is left out
};

/// "Nothing has changed", or how many nodes have, and the bounds, one line each.
std::vector<std::string> diff_facts(const RunData& before, const RunData& after, const RunDiff& diff);

/// Limits, nets, layers, hot spots; those with rows. `micro` as for with_unit().
std::vector<DiffTable> diff_tables(const RunData& before, const RunData& after, const RunDiff& diff,
                                   std::string_view micro);

}  // namespace gridiron
