// SPDX-License-Identifier: Apache-2.0
#include "engines/aggamg/aggamg_engine.hpp"

#include <fmt/format.h>

#include <limits>

#include "engines/aggamg/aggamg_on.hpp"
#include "engines/device/cpu_device.hpp"

namespace gridiron {

AggAmgParams aggamg::read(const Settings& settings) {
  auto params = read_params<AggAmgParams>("aggamg", settings);
  require_choice("aggamg", "krylov", params.krylov, {"auto", "cg", "gmres"});
  require_choice("aggamg", "precision", params.precision, {"single", "double"});
  if (params.degree < 1) throw InputError(fmt::format("aggamg: degree={} must be at least 1", params.degree));
  if (params.coarse_size < 1 || params.coarse_size > aggamg::kLargestInverse)
    throw InputError(
        fmt::format("aggamg: coarse_size={} must be from 1 to {}", params.coarse_size, aggamg::kLargestInverse));
  if (params.restart < 1) throw InputError(fmt::format("aggamg: restart={} must be at least 1", params.restart));
  return params;
}

std::optional<std::string> aggamg_declines(const Problem& problem) {
  if (problem.matrix.nonzeros() > std::numeric_limits<std::int32_t>::max())
    return fmt::format("supports at most 2^31 nonzeros, got {}", problem.matrix.nonzeros());
  return std::nullopt;
}

std::unique_ptr<Engine> make_aggamg(const Settings& settings) { return aggamg::make_on<CpuDevice>(settings); }

ParamList aggamg_defaults() { return list_params(AggAmgParams()); }

}  // namespace gridiron
