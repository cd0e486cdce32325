// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "engines/engine.hpp"

namespace gridiron {

/// The geometric multigrid of gpuhmd on its own, for problems on regular 2-D grids with variable coefficients.
std::optional<std::string> gmd_declines(const Problem& problem);
std::unique_ptr<Engine> make_gmd(const Settings& settings);
std::unique_ptr<Engine> make_gmd_on_cuda(const Settings& settings);
ParamList gmd_defaults();

}  // namespace gridiron
