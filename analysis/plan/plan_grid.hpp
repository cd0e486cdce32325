// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "analysis/model/edits.hpp"
#include "analysis/model/loads.hpp"
#include "analysis/plan/straps.hpp"
#include "analysis/results/ir_report.hpp"
#include "analysis/results/summarise.hpp"
#include "analysis/solve/solver.hpp"

namespace gridiron {

/// What a plan does: how wide each strap is, and which pads are added.
struct Setting {
  std::vector<double> factor;  ///< times its width, per strap
  std::vector<AddPad> pads;
};

/// What came of a setting.
struct Trial {
  Setting setting;
  double cost = 0;
  std::vector<Answer> answers;  ///< per load vector
  IrReport report;              ///< the worst over all of them
  double spare_v = 0;           ///< PlanSearch::spare_v

  /// What limits allow for: the certified error, or what is to be spared where that is more.
  double error_of(const LimitResult& limit) const;
  double error_of(const EmLimitResult& limit) const;
  /// All limits, with these errors.
  bool is_kept() const { return excess() <= 0; }
  /// The largest share by which a limit is exceeded, these errors included; 0 or below: none is.
  double excess() const;
  /// Nodes and segments above limits, each limit by itself.
  int64_t count_above() const;
};

/// The grid of a design as settings change it.
class PlanGrid {
 public:
  /// `solver` is of the design as it is today. All must stay alive. Errors: InputError for limits on electromigration
  /// other than currents, which no plan keeps.
  PlanGrid(Solver& solver, const Loads& loads, const SummaryOptions& summary, const PlanMeans& means, double spare_v);

  /// Must be set before settings have factors.
  void set_straps(std::vector<Strap> straps) { straps_ = std::move(straps); }
  const std::vector<Strap>& straps() const { return straps_; }
  const PlanMeans& means() const { return means_; }
  Solver& solver() const { return solver_; }
  const Loads& loads() const { return loads_; }
  const SummaryOptions& summary() const { return summary_; }
  const System& before() const { return before_; }  ///< as it is today
  /// How many times as well as it was read a resistor conducts today.
  double widened(int64_t resistor) const;

  /// Of each resistor of the netlist its edge of the network, −1 for shorts.
  const std::vector<int64_t>& edge_of() const { return edge_of_; }
  Setting today() const { return {std::vector<double>(straps_.size(), 1.0), {}}; }
  double cost_of(const Setting& setting) const;
  /// Of all straps at their most and all pads; 1 where that is nothing.
  double cost_of_all_means() const;
  /// "µm²" or "S" where costs are nothing else, else empty.
  const char* cost_unit() const;
  std::vector<Edit> edits_of(const Setting& setting) const;

  /// Solves and judges. The solver is of this setting then. Errors: the solver's.
  Trial try_out(const Setting& setting);
  int64_t trials() const { return trials_; }

 private:
  Solver& solver_;
  const System before_;
  const Loads& loads_;
  SummaryOptions summary_;
  const PlanMeans& means_;
  double spare_v_;
  std::vector<Strap> straps_;
  std::vector<int64_t> edge_of_;
  int64_t trials_ = 0;
};

}  // namespace gridiron
