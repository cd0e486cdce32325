// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "engines/engine.hpp"
#include "engines/sgml/params.hpp"

namespace gridiron {

/// The single-grid multilevel method: sawtooth cycles of restriction and relaxation with interpolation, repeated on
/// residuals (J. T. Becerra-Sagredo, F. Mandujano, C. Málaga, "A GPU-based multi-level algorithm for boundary value
/// problems", arXiv:1703.07206, 2017: "the paper" in this folder). Accepts problems on regular grids of points, of any
/// size; designed for 2ⁿ+1 points per axis. On power grids whose nodes have coordinates, one cycle solves the regular
/// grids of the hybrid iteration.
std::optional<std::string> sgml_declines(const Problem& problem);
std::unique_ptr<Engine> make_sgml(const Settings& settings);
std::unique_ptr<Engine> make_sgml_on_cuda(const Settings& settings);
ParamList sgml_defaults();

namespace sgml {

/// The engine, which creates one of two once it knows the problem: cycles alone for regular grids of points, or within
/// the hybrid iteration for power grids.
using MakeForPoints = std::unique_ptr<Engine> (*)(const SgmlParams&);
using MakeForPowerGrid = std::unique_ptr<Engine> (*)(const SgmlHybridParams&);
std::unique_ptr<Engine> make_for_any(const Settings& settings, MakeForPoints for_points,
                                     MakeForPowerGrid for_power_grid);

}  // namespace sgml

}  // namespace gridiron
