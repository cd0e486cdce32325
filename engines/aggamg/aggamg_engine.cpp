// SPDX-License-Identifier: Apache-2.0
#include "engines/aggamg/aggamg_engine.hpp"

#include <fmt/format.h>

#include <cstdint>

#include "device/cpu_device.hpp"
#include "engines/aggamg/aggamg_on.hpp"
#include "engines/eliminating_engine.hpp"

namespace gridiron {

AggAmgParams aggamg::read(const Settings& settings, bool on_gpu) {
  auto params = read_params<AggAmgParams>("aggamg", settings, on_gpu ? AggAmgParams::on_gpu() : AggAmgParams());
  require_choice("aggamg", "krylov", params.krylov, {"auto", "cg", "gmres"});
  require_choice("aggamg", "precision", params.precision, {"half", "single", "double"});
  require_range("aggamg", "strength", params.strength, 0, 1);
  require_range("aggamg", "coarse_size", params.coarse_size, 1, aggamg::kLargestInverse);
  require_range("aggamg", "k_levels", params.k_levels, 0, 50);
  require_choice("aggamg", "k_cycle", params.k_cycle, {"fixed", "adaptive"});
  require_range("aggamg", "k_threshold", params.k_threshold, 0, 1);
  require_range("aggamg", "degree", params.degree, 1, 50);
  require_range("aggamg", "restart", params.restart, 1, 10000);
#ifdef GRIDIRON_BROKEN  // for a test of what must notice it
  params.strength *= 0.01;
#endif
  return params;
}

std::optional<std::string> aggamg_declines(const Problem& problem) {
  if (problem.stokes_grid()) return "does not solve saddle-point problems";
  if (problem.matrix.nonzeros() > INT32_MAX)
    return fmt::format("supports at most 2^31 nonzeros, got {}", problem.matrix.nonzeros());
  return std::nullopt;
}

std::unique_ptr<Engine> make_aggamg(const Settings& settings) {
  return eliminating_first(aggamg::make_on<CpuDevice>(settings), EliminatedFor::cpu);
}

ParamList aggamg_defaults() { return list_params(AggAmgParams()); }

}  // namespace gridiron
