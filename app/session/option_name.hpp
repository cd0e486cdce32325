// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace gridiron {

/// Command-line spelling of a field of the library's options: "max_iterations" → "--max-iterations".
inline std::string option_name(std::string_view field) {
  std::string name = "--" + std::string(field);
  std::ranges::replace(name, '_', '-');
  return name;
}

}  // namespace gridiron
