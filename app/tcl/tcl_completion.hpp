// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tcl.h>

#include <string>
#include <string_view>
#include <vector>

namespace gridiron {

/// What may stand for the last word of a line of Tcl.
struct TclCompletion {
  std::vector<std::string> words;  ///< that begin as that word does
  bool files = false;              ///< names of files, too
};

/// Commands, their options and the values of these as declared. `line` ends at the cursor.
TclCompletion complete_tcl(Tcl_Interp* interp, std::string_view line);

}  // namespace gridiron
