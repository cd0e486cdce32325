// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <atomic>
#include <cstdint>

#include "layout/tokens.hpp"

namespace gridiron::layout {

/// Counts the shapes that arrays make of a few words (DO … BY … STEP, ROWCOL), so that no file fills the memory.
/// Threads may share one.
class Expansion {
 public:
  explicit Expansion(int64_t most) : most_(most) {}

  /// `shapes` in each place of an array of columns by rows, all below 2^30; it begins at `offset`. Errors: InputError.
  void add(const Tokens& tokens, size_t offset, int64_t columns, int64_t rows, int64_t shapes = 1) {
    if (columns * rows > most_ || columns * rows * shapes > most_ || (made_ += columns * rows * shapes) > most_)
      tokens.fail(offset,
                  fmt::format("an array of {} by {} makes more than {} shapes from this file; is the number right?",
                              columns, rows, most_));
  }

 private:
  int64_t most_;
  std::atomic<int64_t> made_ = 0;
};

}  // namespace gridiron::layout
