// SPDX-License-Identifier: Apache-2.0
#include "engines/sgml/sgml_engine.hpp"

#include <fmt/format.h>

#include "engines/device/cpu_device.hpp"
#include "engines/sgml/sgml_cuda.hpp"
#include "engines/sgml/sgml_on.hpp"

namespace gridiron {
namespace {

SgmlParams read(const Settings& settings) {
  auto params = read_params<SgmlParams>("sgml", settings);
  require_choice("sgml", "schedule", params.schedule, {"compact", "faithful"});
  require_choice("sgml", "precision", params.precision, {"single", "double"});
  if (params.relaxations < 1)
    throw InputError(fmt::format("sgml: relaxations={} must be at least 1", params.relaxations));
  if (params.coarse_relaxations < 1)
    throw InputError(fmt::format("sgml: coarse_relaxations={} must be at least 1", params.coarse_relaxations));
  return params;
}

}  // namespace

std::optional<std::string> sgml_declines(const Problem& problem) { return sgml::not_a_grid_for_sgml(problem); }

std::unique_ptr<Engine> make_sgml(const Settings& settings) {
  SgmlParams params = read(settings);
  if (params.precision == "double") return std::make_unique<sgml::SgmlOn<CpuDevice, double>>(std::move(params));
  return std::make_unique<sgml::SgmlOn<CpuDevice, float>>(std::move(params));
}

std::unique_ptr<Engine> make_sgml_on_cuda(const Settings& settings) { return sgml::make_on_cuda(read(settings)); }

ParamList sgml_defaults() { return list_params(SgmlParams()); }

}  // namespace gridiron
