// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace gridiron {

/// `size` bytes of a text, and what stands there instead.
struct TextEdit {
  uint64_t offset = 0, size = 0;
  std::string text;
};

}  // namespace gridiron
