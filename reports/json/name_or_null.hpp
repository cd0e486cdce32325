// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

namespace gridiron {

inline nlohmann::ordered_json name_or_null(std::string_view name) {
  return name.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(name);
}

}  // namespace gridiron
