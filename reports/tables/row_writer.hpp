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
void write_rows(OutputFile& file, int64_t rows, auto&& format_row) {
  constexpr int64_t kRowsPerBlock = 4096, kBlocksAtOnce = 32;
  const int64_t blocks = (rows + kRowsPerBlock - 1) / kRowsPerBlock;
  const auto format = [&](int64_t block, std::string& text) {
    text.clear();
    const int64_t first = block * kRowsPerBlock, last = std::min(rows, first + kRowsPerBlock);
    for (int64_t row = first; row < last; ++row) format_row(row, text);
  };
  const auto write = [&](const std::string& text) { file.write(text); };
  if (!file.is_compressed()) return parallel_in_order<std::string>(blocks, format, write);
  std::vector<std::string> texts(kBlocksAtOnce);
  for (int64_t begin = 0; begin < blocks; begin += kBlocksAtOnce) {
    const int64_t count = std::min(kBlocksAtOnce, blocks - begin);
    parallel_tasks(count, [&](int64_t k) { format(begin + k, texts[k]); });
    for (int64_t k = 0; k < count; ++k) write(texts[k]);
  }
}

}  // namespace gridiron
