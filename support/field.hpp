// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace gridiron {

/// How a front end writes a field of its options: "max_iterations" is --max-iterations on the command line,
/// -max_iterations in Tcl, max_iterations= in Python.
using FieldSpelling = std::function<std::string(std::string_view name)>;

/// A field that a message names, in marks for spelled(). The library knows fields, not how users write them:
/// InputError(fmt::format("{} {}: expected a positive number", field("epsilon"), value)).
std::string field(std::string_view name);

/// A message with its fields as `spell` writes them; the bare names without it.
std::string spelled(std::string_view message, const FieldSpelling& spell = {});

/// The field that a message begins with, which is the one at fault; empty when it begins otherwise.
std::string_view leading_field(std::string_view message);

}  // namespace gridiron
