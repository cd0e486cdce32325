// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace gridiron {

/// How a front end spells a field of its options: "max_iterations" is --max-iterations on the command line,
/// -max_iterations in Tcl, max_iterations= in Python.
using FieldSpelling = std::function<std::string(std::string_view name)>;

/// The name of a field in a message, marked for spelled(). The library knows fields, not how users spell them:
/// InputError(fmt::format("{} {}: expected a positive number", field("epsilon"), value)).
std::string field(std::string_view name);

/// A message with its fields as spelled by `spell`; by default the bare names.
std::string spelled(std::string_view message, const FieldSpelling& spell = {});

/// The field at the beginning of a message, which is the one at fault; empty if there is none.
std::string_view leading_field(std::string_view message);

}  // namespace gridiron
