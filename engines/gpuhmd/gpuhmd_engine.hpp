// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "engines/engine.hpp"

namespace gridiron {

/// The hybrid multigrid of Feng and Li (ICCAD 2008): geometric multigrid on regular conductance tables corrects a power
/// grid whose nodes have coordinates.
std::optional<std::string> gpuhmd_declines(const Problem& problem);
std::unique_ptr<Engine> make_gpuhmd(const Settings& settings);
std::unique_ptr<Engine> make_gpuhmd_on_cuda(const Settings& settings);
ParamList gpuhmd_defaults();

}  // namespace gridiron
