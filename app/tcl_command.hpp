// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace gridiron {

struct TclArguments {
  std::string script;
  std::vector<std::string> words;
};

/// Returns the exit code. Errors: InputError in a build without Tcl.
int run_tcl(const TclArguments& arguments);

}  // namespace gridiron
