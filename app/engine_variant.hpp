// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engines/params.hpp"

namespace gridiron {

/// An engine with settings of its own, as `compare` takes it.
struct EngineVariant {
  std::string text;  ///< as typed
  std::string engine;
  Settings settings;
};

/// ENGINE[@PRESET][:KEY=VALUE…], as in "gpuhmd@paper" and "aggamg:krylov=gmres:degree=1". Errors: InputError, also for
/// engines that do not exist and settings that they do not have.
EngineVariant parse_variant(const std::string& text);

/// "129", or a sweep "65..1025": each size has twice the intervals of the one before, so that 65 is followed by 129 and
/// 64 by 128. Errors: InputError.
std::vector<int64_t> sizes_of(const std::string& text);

}  // namespace gridiron
