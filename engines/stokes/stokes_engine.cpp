// SPDX-License-Identifier: Apache-2.0
#include "engines/stokes/stokes_engine.hpp"

#include <fmt/format.h>

#include <cstdint>

#include "device/cpu_device.hpp"
#include "engines/stokes/stokes_on.hpp"

namespace gridiron {

StokesParams stokes::read(const Settings& settings) {
  auto params = read_params<StokesParams>("stokes", settings);
  require_choice("stokes", "preconditioner", params.preconditioner, {"multigrid", "block-triangular"});
  require_choice("stokes", "relaxation", params.relaxation, {"auto", "braess-sarazin", "vanka", "schur-uzawa"});
  require_choice("stokes", "precision", params.precision, {"single", "double"});
  require_choice("stokes", "vanka", params.vanka, {"auto", "stencil", "tensor", "tuned", "simple"});
  require_range("stokes", "pre", params.pre, 0, 20);
  require_range("stokes", "post", params.post, 0, 20);
  if (params.pre + params.post == 0) throw InputError("stokes: pre + post must be at least 1");
  require_range("stokes", "restart", params.restart, 1, 1000);
  require_range("stokes", "schur_sweeps", params.schur_sweeps, 1, 100);
  for (const Param& weight : list_params(params))
    if (weight.name.ends_with("_weight") || weight.name.ends_with("_scale") || weight.name.ends_with("_jacobi"))
      require_range("stokes", weight.name, std::stod(weight.value), 1e-3, 1e3);
  return params;
}

std::optional<std::string> stokes_declines(const Problem& problem) {
  constexpr double kLeast = 1e-9, kLargest = 1e9;
  const StokesGrid* const grid = problem.stokes_grid();
  if (!grid) return "solves Stokes problems on structured elements only";
  for (const double viscosity : grid->viscosity)
    if (!(viscosity >= kLeast && viscosity <= kLargest))
      return fmt::format("supports viscosities from {:g} to {:g}, got {:g}", kLeast, kLargest, viscosity);
  if (stokes::Layout(grid->elements[0], grid->elements[1]).size() > INT32_MAX)
    return fmt::format("counts velocities and pressures with 32 bits, too few for {} x {} elements", grid->elements[0],
                       grid->elements[1]);
  return stokes::hierarchy_declines(*grid);
}

std::unique_ptr<Engine> make_stokes(const Settings& settings) { return stokes::make_stokes_on<CpuDevice>(settings); }

ParamList stokes_defaults() { return list_params(StokesParams()); }

}  // namespace gridiron
