// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/diff/run_limits.hpp"
#include "analysis/results/ir_report.hpp"
#include "netlist/names/name_table.hpp"
#include "support/visited.hpp"

namespace gridiron {

/// What a comparison needs of a run: a result in memory, or the files of one (reports/folder/run_files.hpp). Nodes are
/// those that have a drop, one row each.
struct RunData {
  std::string title;       ///< for messages: the folder, or the netlist
  std::string deck, date;  ///< the netlist, and when it was run; empty where that is not known
  struct Net {
    std::string name;
    bool is_ground = false;
    double supply_v = 0;                       ///< what percentages refer to; 0 if unknown
    double nominal_v = 0;                      ///< what drops are counted from; NaN if unknown
    std::optional<double> over_budget_v = {};  ///< the worst drop over a budget, where one was given
    double over_budget_bound_v = 0;            ///< its certified error, and how much worse another node may be
  };
  std::vector<Net> nets;
  std::vector<std::string> left_out;  ///< nets of the deck that the run does not report
  std::vector<std::string> layers;
  std::vector<RunLimit> limits;  ///< that it was judged by

  NameTable names;                  ///< of the nodes; the other columns have one entry per name
  std::vector<int32_t> net, layer;  ///< indices; the layer is −1 when unknown
  std::vector<double> x_um, y_um;   ///< NaN unknown
  std::vector<double> drop_v;

  struct Spot {
    int32_t node;  ///< row
    int32_t net;
  };
  std::vector<Spot> hot_spots;
  double hot_spot_distance_um = 0;

  /// A segment that violates a rule of electromigration.
  struct Violation {
    std::string from, to, layer, rule;
    double ratio = 0;
    void visit(auto& v) const { v("layer", layer)("from", from)("to", to)("rule", rule)("ratio", ratio); }
  };
  std::optional<std::vector<Violation>> violations;  ///< worst first; none in a run without rules

  /// Connected metal of one layer. Infinite times: of no void until the horizon, or not known.
  struct MetalTree {
    std::string node, layer;             ///< the node with the largest stress
    double stress_pa = 0, bound_pa = 0;  ///< NaN where the geometry is not known
    bool is_mortal = false;              ///< voids nucleate at some time, certified
    bool is_open = false;                ///< within errors there may be a void until the horizon
    std::string void_node;               ///< empty: of no void until the horizon
    double time_s = HUGE_VAL, error_s = HUGE_VAL;
    void visit(auto& v) const { v("layer", layer)("node", node)("stress_pa", stress_pa)("bound_pa", bound_pa); }
  };
  struct Metal {
    std::vector<MetalTree> trees;
    std::vector<int32_t> tree;        ///< per node; −1: of none
    std::optional<double> horizon_s;  ///< until when voids were looked for; none: they were not
  };
  std::optional<Metal> metal;  ///< none in a run without the stress of metal

  /// Infinite: not until the horizon, or an error that nothing tells.
  struct EmTime {
    double time_s = HUGE_VAL, error_s = HUGE_VAL;
    bool is_open = false;    ///< whether it is before the horizon
    bool has_limit = false;  ///< of a failure: on drops
    bool is_known() const { return std::isfinite(time_s); }
  };
  struct Lifetimes {
    double horizon_s = 0;
    EmTime first_void;
    std::optional<EmTime> failure;  ///< of the grid, by a cascade
  };
  std::optional<Lifetimes> lifetimes;  ///< none in a run that does not follow stress in time

  /// What stress, voids and rules depend on beside the grid.
  struct EmParameter {
    enum class Of { stress, cascade, rules };
    Of of = Of::stress;
    std::string name, value;
  };
  std::vector<EmParameter> em_parameters;

  /// When a net drops most.
  struct Moment {
    double time_s = NAN;        ///< NaN unknown
    std::string scenario = {};  ///< empty where there is one only
  };
  /// How a dynamic run was simulated. Its drops are those of every node at its worst moment.
  struct Simulation {
    std::string method;
    double step_s = 0, largest_step_s = 0, start_s = 0, stop_s = 0;
    int64_t steps = 0, scenarios = 1;
    double time_error_v = 0;           ///< estimated, of stepping in time
    bool is_bound_guaranteed = false;  ///< that bound_v is a bound on all steps together, not an estimate
    std::vector<Moment> worst;         ///< per net
  };
  std::optional<Simulation> simulation;  ///< none in a static run

  double bound_v = 0;           ///< certified error of every drop; infinite without certificate
  bool meets_tolerance = true;  ///< the bound is what was asked for, or lower
  double rounding = 0;          ///< share of each drop that its digits may be off by

  int64_t nodes() const { return std::ssize(drop_v); }
  bool is_certified() const { return bound_v < 1e300; }
};

/// Copies what it needs.
RunData run_of(const IrReport& report);

}  // namespace gridiron
