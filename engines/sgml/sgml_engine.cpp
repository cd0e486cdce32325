// SPDX-License-Identifier: Apache-2.0
#include "engines/sgml/sgml_engine.hpp"

#include <fmt/format.h>

#include "engines/device/cpu_device.hpp"
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

/// Depending on the problem given to setup(): cycles alone on a regular grid of points, or within the hybrid iteration
/// on a power grid. Rejects settings that do not apply.
class SgmlEngine : public Engine {
 public:
  SgmlEngine(const Settings& settings, sgml::MakeForPoints for_points, sgml::MakeForPowerGrid for_power_grid)
      : settings_(settings), for_points_(for_points), for_power_grid_(for_power_grid) {
    check(settings);
  }

  void do_setup(const Problem& problem) override {
    engine_.reset();
    engine_ = std::holds_alternative<PowerGrid>(problem.structure)
                  ? for_power_grid_(read_params<SgmlHybridParams>("sgml on power grids", settings_))
                  : for_points_(read_params<SgmlParams>("sgml on regular grids", settings_));
    engine_->set_context(context());
    engine_->setup(incoming());
  }
  void do_update(const Problem&) override {
    engine_->set_context(context());
    engine_->update(incoming());
  }
  SolveStats do_solve(Block<const double> b, Block<double> x, const StopRule& stop) override {
    engine_->set_context(context());
    return engine_->solve(b, x, stop);
  }
  std::int64_t bytes() const override { return engine_ ? engine_->bytes() : 0; }
  std::optional<std::int64_t> regular_grid_bytes() const override {
    return engine_ ? engine_->regular_grid_bytes() : std::nullopt;
  }
  double bytes_per_iteration() const override { return engine_ ? engine_->bytes_per_iteration() : 0; }
  std::vector<LevelSummary> levels() const override {
    return engine_ ? engine_->levels() : std::vector<LevelSummary>();
  }
  std::string note() const override { return engine_ ? engine_->note() : ""; }
  ParamList parameters() const override {
    return engine_ ? engine_->parameters() : list_params(read_params<SgmlEngineParams>("sgml", settings_));
  }

 private:
  Settings settings_;
  sgml::MakeForPoints for_points_;
  sgml::MakeForPowerGrid for_power_grid_;
  std::unique_ptr<Engine> engine_;
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
