// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "engines/engine.hpp"

namespace gridiron {

/// Flexible GMRES with monolithic multigrid for Stokes problems on structured Q2-Q1 elements (L. Spies, L. Olson,
/// S. MacLachlan, "Exploiting mesh structure to improve multigrid performance for saddle point problems", 2024).
std::optional<std::string> stokes_declines(const Problem& problem);
std::unique_ptr<Engine> make_stokes(const Settings& settings);
std::unique_ptr<Engine> make_stokes_on_cuda(const Settings& settings);
ParamList stokes_defaults();

}  // namespace gridiron
