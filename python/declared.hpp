// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gridiron::python {

/// Docstring of the arguments that Python shares with a command of a session (app/session), or with read_layout():
/// keyword, meaning, unit and default of each of `fields`, or of all if there are none, from its declaration. Errors:
/// std::logic_error when there is none.
std::string described(std::string_view command, const std::vector<std::string>& fields);

}  // namespace gridiron::python
