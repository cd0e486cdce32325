// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "support/output_file.hpp"
#include "support/parallel.hpp"

namespace gridiron {

/// Writes rows [0, rows) in order while all threads format them: format_row(row, text) appends one row to `text`. Uses
/// a few MB of memory for any number of rows; the bytes do not depend on the number of threads.
template <class FormatRow>
void write_rows(OutputFile& file, std::int64_t rows, FormatRow&& format_row) {
  constexpr std::int64_t kRowsPerBlock = 4096, kBlocksAtOnce = 32;
  std::vector<std::string> blocks(static_cast<std::size_t>(kBlocksAtOnce));
  for (std::int64_t begin = 0; begin < rows; begin += kBlocksAtOnce * kRowsPerBlock) {
    const std::int64_t left = rows - begin;
    const std::int64_t count = std::min(kBlocksAtOnce, (left + kRowsPerBlock - 1) / kRowsPerBlock);
    parallel_tasks(count, [&](std::int64_t block) {
      std::string& text = blocks[static_cast<std::size_t>(block)];
      text.clear();
      const std::int64_t first = begin + block * kRowsPerBlock;
      for (std::int64_t row = first; row < std::min(rows, first + kRowsPerBlock); ++row) format_row(row, text);
    });
    for (std::int64_t block = 0; block < count; ++block) file.write(blocks[static_cast<std::size_t>(block)]);
  }
}

}  // namespace gridiron
