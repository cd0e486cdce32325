// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "support/error.hpp"

namespace gridiron {

// Errors from a format and what goes into it. (Apart from error.hpp, as nvcc cannot compile fmt's checks of formats.)

template <class... Args>
InputError input_error(fmt::format_string<Args...> format, Args&&... args) {
  return InputError(fmt::format(format, std::forward<Args>(args)...));
}
template <class... Args>
GridError grid_error(fmt::format_string<Args...> format, Args&&... args) {
  return GridError(fmt::format(format, std::forward<Args>(args)...));
}
template <class... Args>
SolverError solver_error(fmt::format_string<Args...> format, Args&&... args) {
  return SolverError(fmt::format(format, std::forward<Args>(args)...));
}
template <class... Args>
ResourceError resource_error(fmt::format_string<Args...> format, Args&&... args) {
  return ResourceError(fmt::format(format, std::forward<Args>(args)...));
}

/// About an option, which its name and a blank begin: field_error("tolerance", "{}: expected a voltage", text).
template <class... Args>
InputError field_error(std::string_view name, fmt::format_string<Args...> format, Args&&... args) {
  return InputError(field(name) + " " + fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace gridiron
