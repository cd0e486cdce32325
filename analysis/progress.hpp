// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string_view>

namespace gridiron {

/// Told before each stage of a run ("read", "check", …).
using Progress = std::function<void(std::string_view stage)>;

}  // namespace gridiron
