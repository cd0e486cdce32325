// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "support/visited.hpp"

namespace gridiron {

/// A diagnostic about a netlist. `code` is stable ("floating-island"), `message` a full sentence with numbers, `place`
/// "file:line:column" or empty.
struct Finding {
  enum class Severity { info, warning, error };
  Severity severity = Severity::info;
  std::string code, message, place;
  int64_t more = 0;  ///< how many of its kind it stands for, if it ends a list of them

  static const char* name_of(Severity severity) {
    constexpr const char* kNames[] = {"info", "warning", "error"};
    return kNames[static_cast<int>(severity)];
  }
  void visit(auto& v) const {
    v("severity", name_of(severity))("code", code)("message", message)("place", Known{place, !place.empty()});
  }
};

}  // namespace gridiron
