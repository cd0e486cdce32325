// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "engines/engine.hpp"

namespace gridiron {

/// The lines of every summary that tell which engine solved the system, with what settings, how well, on what grids.
std::string engine_lines(const EngineRun& engine, const SolveStats& solve);

}  // namespace gridiron
