// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "engines/engine.hpp"

namespace gridiron {

/// "; a=1 b=2", or nothing where there are no parameters.
std::string parameters_text(const ParamList& parameters);

/// Whether it is a direct engine, whose iterations, if any, only refine.
bool is_direct(const EngineRun& engine);

/// The lines of every summary about the engine: its settings, accuracy and grids.
std::string engine_lines(const EngineRun& engine, const SolveStats& solve);

}  // namespace gridiron
