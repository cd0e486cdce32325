// SPDX-License-Identifier: Apache-2.0
#include "engines/sgml/sgml_engine.hpp"

#include "device/cpu_device.hpp"
#include "engines/engine_by_structure.hpp"
#include "engines/hybrid/hybrid_grid.hpp"
#include "engines/sgml/sgml_on.hpp"
#include "engines/sgml/tables_on.hpp"

namespace gridiron {
namespace {

/// Throws InputError for invalid values.
void check(const Settings& settings) {
  const auto [cycle, hybrid] = read_params<SgmlEngineParams>("sgml", settings).all;
  require_choice("sgml", "schedule", cycle.schedule, {"compact", "faithful"});
  require_choice("sgml", "precision", cycle.precision, {"single", "double"});
  require_choice("sgml", "steps", cycle.steps, {"chebyshev", "euler"});
  require_choice("sgml", "coarsest", cycle.coarsest, {"inverse", "relaxed"});
  require_range("sgml", "relaxations", cycle.relaxations, 1, 1000);
  require_range("sgml", "coarse_relaxations", cycle.coarse_relaxations, 1, 1000);
  hybrid.check("sgml");
}

/// Cycles alone on a regular grid of points, or within the hybrid iteration on a power grid. Rejects settings that do
/// not apply.
class SgmlEngine : public EngineByStructure {
 public:
  SgmlEngine(const Settings& settings, sgml::MakeForPoints for_points, sgml::MakeForPowerGrid for_power_grid)
      : settings_(settings), for_points_(for_points), for_power_grid_(for_power_grid) {
    check(settings);
  }

 protected:
  std::unique_ptr<Engine> make_for(const Problem& problem) const override {
    if (std::holds_alternative<PowerGrid>(problem.structure))
      return for_power_grid_(read_params<SgmlHybridParams>("sgml on power grids", settings_));
    return for_points_(read_params<SgmlParams>("sgml on regular grids", settings_));
  }
  ParamList parameters_before_setup() const override {
    return list_params(read_params<SgmlEngineParams>("sgml", settings_));
  }

 private:
  Settings settings_;
  sgml::MakeForPoints for_points_;
  sgml::MakeForPowerGrid for_power_grid_;
};

}  // namespace

std::optional<std::string> sgml_declines(const Problem& problem) {
  return std::holds_alternative<PowerGrid>(problem.structure) ? hybrid_declines(problem)
                                                              : sgml::not_a_grid_for_sgml(problem);
}

std::unique_ptr<Engine> sgml::make_for_any(const Settings& settings, MakeForPoints for_points,
                                           MakeForPowerGrid for_power_grid) {
  return std::make_unique<SgmlEngine>(settings, for_points, for_power_grid);
}

std::unique_ptr<Engine> make_sgml(const Settings& settings) {
  return sgml::make_for_any(settings, sgml::make_for_points<CpuDevice>, sgml::make_hybrid_with_tables<CpuDevice>);
}

ParamList sgml_defaults() { return list_params(SgmlEngineParams()); }

}  // namespace gridiron
