// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tcl.h>

#include <optional>
#include <string>

namespace gridiron {

/// Lines from a terminal, with editing, history (kept in ~/.gridiron_history) and completion. There is one at most.
class LineEditor {
 public:
  explicit LineEditor(Tcl_Interp* interp);

  /// Without its line feed; none at the end of the input.
  std::optional<std::string> line(const char* prompt);
  /// At once, however the shell ends.
  void remember(const std::string& command);
};

}  // namespace gridiron
