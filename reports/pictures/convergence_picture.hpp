// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "engines/engine.hpp"

namespace gridiron {

/// The bytes of a PNG: the relative residual at the start and after each iteration. `name` and `remark` describe the
/// problem and its size. Errors: ResourceError.
std::string convergence_picture(std::string_view name, std::string_view remark, const EngineRun& engine,
                                const SolveStats& solve);

}  // namespace gridiron
