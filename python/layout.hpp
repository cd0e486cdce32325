// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/session/command.hpp"

namespace gridiron::python {

/// The options that gridiron.read_layout() has in common with the tool's commands, set members of LayoutArguments.
const Command& layout_command();

}  // namespace gridiron::python
