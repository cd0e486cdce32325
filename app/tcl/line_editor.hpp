// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tcl.h>

#include <string>

namespace gridiron {

/// Lines from a terminal, with editing, history (kept in ~/.gridiron_history) and completion. There is one at most.
class LineEditor {
 public:
  explicit LineEditor(Tcl_Interp* interp);

  enum class Input { line, interrupted, end };

  /// Sets `line`, without its line feed, if one was typed. Ctrl-C interrupts.
  Input read(const char* prompt, std::string& line);
  /// At once, however the shell ends.
  void remember(const std::string& command);
};

}  // namespace gridiron
