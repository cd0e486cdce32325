// SPDX-License-Identifier: Apache-2.0
#include "engines/gpuhmd/gmd_engine.hpp"

#include "device/cpu_device.hpp"
#include "engines/gpuhmd/gmd_on.hpp"

namespace gridiron {

GmdParams gpuhmd::read_gmd(const Settings& settings) {
  auto params = read_params<GmdParams>("gmd", settings);
  require_choice("gmd", "cycle", params.cycle, {"cg", "stationary"});
  require_choice("gmd", "smoother", params.smoother, {"sweeps", "tiles"});
  require_choice("gmd", "precision", params.precision, {"half", "single", "double"});
  require_range("gmd", "coarse_size", params.coarse_size, 1, 2000);
  return params;
}

std::optional<std::string> gmd_declines(const Problem& problem) {
  const RegularGrid* const grid = problem.regular_grid();
  if (!grid || grid->dimensions != 2) return "solves problems on regular 2-D grids only";
  if (grid->stencil != RegularGrid::Stencil::axes) return "supports the five-point stencil, not the nine-point one";
  if (!problem.symmetric_positive_definite) return "needs a symmetric positive definite matrix";
  if (grid->shift > 0) return "needs a shift of at most 0";
  return std::nullopt;
}

std::unique_ptr<Engine> make_gmd(const Settings& settings) { return gpuhmd::make_gmd_on<CpuDevice>(settings); }

ParamList gmd_defaults() { return list_params(GmdParams()); }

}  // namespace gridiron
