// SPDX-License-Identifier: Apache-2.0
#include "engines/gpuhmd/gpuhmd_engine.hpp"

#include <fmt/format.h>

#include "engines/device/cpu_device.hpp"
#include "engines/gpuhmd/gpuhmd_on.hpp"
#include "engines/hybrid/hybrid_grid.hpp"

namespace gridiron {

GpuHmdParams gpuhmd::read_gpuhmd(const Settings& settings) {
  auto params = read_params<GpuHmdParams>("gpuhmd", settings);
  params.hybrid.check("gpuhmd");
  require_choice("gpuhmd", "smoother", params.smoother, {"sweeps", "tiles"});
  require_choice("gpuhmd", "precision", params.precision, {"half", "single", "double"});
  if (params.coarse_size < 1 || params.coarse_size > 2000)
    throw InputError(fmt::format("gpuhmd: coarse_size={} must be between 1 and 2000", params.coarse_size));
  return params;
}

std::optional<std::string> gpuhmd_declines(const Problem& problem) { return hybrid_declines(problem); }

std::unique_ptr<Engine> make_gpuhmd(const Settings& settings) { return gpuhmd::make_gpuhmd_on<CpuDevice>(settings); }

ParamList gpuhmd_defaults() { return list_params(GpuHmdParams()); }

}  // namespace gridiron
