// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/engine.hpp"

namespace gridiron {

std::optional<std::string> jacobi_cg_declines(const Problem& problem);
std::unique_ptr<Engine> make_jacobi_cg(const Settings& settings);
ParamList jacobi_cg_defaults();

}  // namespace gridiron
