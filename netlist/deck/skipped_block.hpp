// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "netlist/deck/directives.hpp"

namespace gridiron {

/// A block of lines that is skipped, such as `.control` to `.endc`; chunks may divide it.
struct SkippedBlock {
  const Directive* directive = nullptr;  ///< that begins it; null outside of blocks
  uint64_t offset = 0;
  int depth = 0;  ///< of blocks within blocks
};

/// Where reading goes on behind the lines of the open block, which its end closes; that may be in a later chunk. A
/// `.end` is left to be read.
const char* skip_block(const char* at, const char* end, SkippedBlock& block);

}  // namespace gridiron
