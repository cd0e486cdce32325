// SPDX-License-Identifier: Apache-2.0
#include "engines/gpuhmd/gpuhmd_engine.hpp"

#include "device/cpu_device.hpp"
#include "engines/gpuhmd/gpuhmd_on.hpp"
#include "engines/hybrid/hybrid_grid.hpp"

namespace gridiron {

GpuHmdParams gpuhmd::read_gpuhmd(const Settings& settings) {
  auto params = read_params<GpuHmdParams>("gpuhmd", settings);
  params.hybrid.check("gpuhmd");
  require_choice("gpuhmd", "smoother", params.smoother, {"sweeps", "tiles"});
  require_choice("gpuhmd", "precision", params.precision, {"half", "single", "double"});
  require_choice("gpuhmd", "coarsening", params.coarsening, {"series", "average"});
  require_range("gpuhmd", "coarse_size", params.coarse_size, 1, 2000);
  require_range("gpuhmd", "gmin", params.gmin, 0, 1);
  return params;
}

std::optional<std::string> gpuhmd_declines(const Problem& problem) { return hybrid_declines(problem); }

std::unique_ptr<Engine> make_gpuhmd(const Settings& settings) { return gpuhmd::make_gpuhmd_on<CpuDevice>(settings); }

ParamList gpuhmd_defaults() { return list_params(GpuHmdParams()); }

}  // namespace gridiron
