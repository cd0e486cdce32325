// SPDX-License-Identifier: Apache-2.0
#include "engines/gpuhmd/gpuhmd_engine.hpp"

#include <fmt/format.h>

#include "engines/device/cpu_device.hpp"
#include "engines/gpuhmd/gpuhmd_cuda.hpp"
#include "engines/gpuhmd/gpuhmd_on.hpp"
#include "engines/hybrid/hybrid_grid.hpp"

namespace gridiron {
namespace {

GpuHmdParams read(const Settings& settings) {
  auto params = read_params<GpuHmdParams>("gpuhmd", settings);
  params.hybrid.check("gpuhmd");
  require_choice("gpuhmd", "smoother", params.smoother, {"sweeps", "tiles"});
  require_choice("gpuhmd", "precision", params.precision, {"half", "single", "double"});
  if (params.coarse_size < 1 || params.coarse_size > 2000)
    throw InputError(fmt::format("gpuhmd: coarse_size={} must be between 1 and 2000", params.coarse_size));
  return params;
}

template <class T>
std::unique_ptr<Engine> make_on_cpu(const GpuHmdParams& params) {
  using namespace gpuhmd;
  if (params.hybrid.hybrid == "paper") return make_divided<T>(params, make_distant_solver<CpuDevice, T>(params));
  return make_hybrid<CpuDevice, T>(params);
}

}  // namespace

std::optional<std::string> gpuhmd_declines(const Problem& problem) { return hybrid_declines(problem); }

std::unique_ptr<Engine> make_gpuhmd(const Settings& settings) {
  const GpuHmdParams params = read(settings);
  return params.precision == "double" ? make_on_cpu<double>(params) : make_on_cpu<float>(params);
}

std::unique_ptr<Engine> make_gpuhmd_on_cuda(const Settings& settings) {
  using namespace gpuhmd;
  const GpuHmdParams params = read(settings);
  if (params.hybrid.hybrid != "paper") return make_on_cuda(params);
  return params.precision == "double" ? make_divided<double>(params, make_distant_solver_on_cuda_fp64(params))
                                      : make_divided<float>(params, make_distant_solver_on_cuda_fp32(params));
}

ParamList gpuhmd_defaults() { return list_params(GpuHmdParams()); }

}  // namespace gridiron
