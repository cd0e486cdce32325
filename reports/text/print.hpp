// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <iterator>
#include <string>
#include <utility>

namespace gridiron {

/// Appends to a text.
template <class... Args>
void print(std::string& out, fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
}

}  // namespace gridiron
