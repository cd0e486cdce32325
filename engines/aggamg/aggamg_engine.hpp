// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "engines/engine.hpp"

namespace gridiron {

/// Aggregation algebraic multigrid with K-cycles, as a preconditioner for flexible CG or GMRES (Gandham, Esler, Zhang
/// 2014). Accepts any matrix with a positive diagonal; designed for M-matrices.
std::optional<std::string> aggamg_declines(const Problem& problem);
std::unique_ptr<Engine> make_aggamg(const Settings& settings);
std::unique_ptr<Engine> make_aggamg_on_cuda(const Settings& settings);
ParamList aggamg_defaults();

}  // namespace gridiron
