// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace gridiron {

/// The text of a file behind the mark that some editors begin UTF-8 with.
inline std::string_view without_byte_order_mark(std::string_view text) {
  constexpr std::string_view kMark = "\xef\xbb\xbf";
  if (text.starts_with(kMark)) text.remove_prefix(kMark.size());
  return text;
}

}  // namespace gridiron
