// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace gridiron {

/// A diagnostic about a netlist. `code` is stable ("floating-island"), `message` a full sentence with numbers, `place`
/// "file:line:column" or empty.
struct Finding {
  enum class Severity { info, warning, error };
  Severity severity = Severity::info;
  std::string code, message, place;
  std::int64_t more = 0;  ///< how many of its kind it stands for, if it ends a list of them
};

}  // namespace gridiron
