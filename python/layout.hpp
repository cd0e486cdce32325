// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>

#include "analysis/model/design.hpp"
#include "app/session/command.hpp"
#include "layout/read_layout.hpp"

namespace gridiron::python {

/// The options that gridiron.read_layout() has in common with the tool's commands, set members of LayoutArguments.
const Command& layout_command();

/// The files, with absolute paths of DEF and LEF, of a design that gridiron.read_layout() has read.
std::optional<layout::LayoutFiles> layout_of(const std::shared_ptr<const Design>& design);

}  // namespace gridiron::python
