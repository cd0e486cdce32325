// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/diff/run_data.hpp"
#include "support/visited.hpp"

namespace gridiron {

/// A limit on a change: how much a quantity of a net or layer may rise, or, below zero, how much it must fall.
struct ChangeLimit {
  std::string net, layer;          ///< empty: every net, the whole net
  std::string quantity = "worst";  ///< worst, average, p50, p95, p99, p99.9, or node: the largest rise of any node
  double value = 0;                ///< volts, or a fraction of the supply if `is_share`
  bool is_share = false;
};

/// Reads [NET:[LAYER:]]QUANTITY=VALUE, where VALUE has a sign and a unit: "worst=+5mV", "VDD:average=-1%". Errors:
/// InputError.
ChangeLimit parse_change_limit(const std::string& text);

/// Several, as parse_limits().
std::vector<ChangeLimit> parse_change_limits(std::span<const std::string> texts);

/// A quantity in both runs.
struct Change {
  double before_v = 0, after_v = 0;
  double bound_v = 0;  ///< certified error of the change; infinite without certificate
  double change_v() const { return after_v - before_v; }
  /// More than the bound; without certificate anything but zero.
  bool is_change() const {
    const double change = after_v - before_v, size = change < 0 ? -change : change;
    return size > (bound_v < INFINITY ? bound_v : 0);
  }
  void visit(auto& v) const {
    v("before_v", before_v)("after_v", after_v)("change_v", change_v())("bound_v", bound_v)("is_change", is_change());
  }
};

/// The change of one node.
struct NodeChange {
  int32_t before = -1, after = -1;  ///< rows of the runs
  Change drop;
};

/// A layer of a net, or the whole net. What only one run has dropped by 0 in the other.
struct LayerChange {
  std::string layer;  ///< empty for the whole net, and where it is unknown
  int64_t nodes_before = 0, nodes_after = 0;
  Change worst, average;
  std::string worst_before, worst_after;  ///< nodes

  void visit(auto& v) const {
    v("name", Known{layer, !layer.empty()})("nodes_before", nodes_before)("nodes_after", nodes_after);
    v("worst", worst)("average", average)("worst_node_before", Known{worst_before, !worst_before.empty()});
    v("worst_node_after", Known{worst_after, !worst_after.empty()});
  }
};

/// The worst drop of a net over the budgets of the runs; 0 in one that has none.
struct BudgetChange {
  bool is_in_before = false, is_in_after = false;
  Change worst;
  bool is_change() const { return is_in_before != is_in_after || (is_in_before && worst.is_change()); }
};

/// What the drops of a net are counted from, and refer to.
struct NetSupply {
  bool is_ground = false;
  double nominal_v = 0;  ///< NaN if unknown
  double supply_v = 0;   ///< 0 if unknown
  void visit(auto& v) const {
    v("is_ground", is_ground)("nominal_v", nominal_v)("supply_v", Known{supply_v, supply_v > 0});
  }
};

/// When a net drops most in two dynamic runs.
struct MomentChange {
  RunData::Moment before, after;
  void visit(auto& v) const {
    v("before_s", before.time_s)("after_s", after.time_s);
    v("scenario_before", Known{before.scenario, !before.scenario.empty()});
    v("scenario_after", Known{after.scenario, !after.scenario.empty()});
  }
};

/// How two dynamic runs were simulated.
struct SimulationChange {
  RunData::Simulation before, after;
  bool do_step_alike = false;  ///< errors of stepping in time are in both, and bounds on changes leave them out
};

struct SupplyChange {
  NetSupply before, after;
  /// Power turned ground or the other way round, or a voltage that both runs know is another one.
  bool is_change() const;
  void visit(auto& v) const { v("before", before)("after", after)("is_change", is_change()); }
};

struct NetChange {
  std::string name;
  std::string
      name_before;  ///< where it was called otherwise: a net of its own name that has most of its nodes; or empty
  bool is_in_before = true, is_in_after = true;
  double supply_v = 0;
  SupplyChange supply;  ///< of a net of both runs
  LayerChange whole;
  Change p50, p95, p99, p999;
  BudgetChange over_budget;
  std::optional<MomentChange> moment;       ///< of dynamic runs
  std::vector<LayerChange> layers;          ///< on which one of the runs has nodes
  int64_t risen = 0, fallen = 0;            ///< nodes of both runs whose drop changed by more than the bound
  int64_t only_before = 0, only_after = 0;  ///< nodes of one run only
  int32_t worst_gone = -1, worst_new = -1;  ///< of these the worst: rows of the one run and the other
  NodeChange largest_rise, largest_fall;    ///< by more than the bound; rows −1 where there is none
  Change highest;  ///< the rise of the node that rises most, even within the bound; below zero where all fall
};

struct SpotChange {
  enum class Kind { appeared, gone, moved, changed };
  Kind kind = Kind::changed;
  std::string net;
  std::string node_before, node_after;                                      ///< empty where there is none
  double x_before_um = 0, y_before_um = 0, x_after_um = 0, y_after_um = 0;  ///< NaN unknown
  Change drop;                                                              ///< at the spot; 0 where a node is absent

  static const char* name_of(Kind kind) {
    constexpr const char* kNames[] = {"new", "gone", "moved", "changed"};
    return kNames[static_cast<int>(kind)];
  }
  void visit(auto& v) const {
    v("kind", name_of(kind))("net", net)("node_before", Known{node_before, !node_before.empty()});
    v("node_after", Known{node_after, !node_after.empty()})("x_before_um", x_before_um)("y_before_um", y_before_um);
    v("x_after_um", x_after_um)("y_after_um", y_after_um)("drop", drop);
  }
};

/// Segments that violate rules of electromigration, by the names of their ends. Only where both runs have rules.
struct ViolationChange {
  std::vector<RunData::Violation> appeared;  ///< that do in the second run only, worst first
  int64_t gone = 0;                          ///< how many do in the first run only
};

/// A void that nucleates earlier than in the first run, beyond the errors of both times.
struct EarlierVoid {
  std::string layer, node;
  double before_s = HUGE_VAL, before_error_s = HUGE_VAL;  ///< infinite: none until the horizon of the first run
  double after_s = 0, after_error_s = 0;
  void visit(auto& v) const {
    v("layer", layer)("node", node)("before_s", Known{before_s, std::isfinite(before_s)});
    v("before_error_s", Known{before_error_s, std::isfinite(before_error_s)});
    v("after_s", after_s)("after_error_s", after_error_s);
  }
};

/// The stress of metal. Only where both runs have it.
struct StressChange {
  std::vector<RunData::MetalTree> mortal;  ///< trees that are mortal in the second run only, worst first
  int64_t no_longer_mortal = 0;            ///< how many are in the first run only
  bool has_times = false;                  ///< both runs have times of voids
  std::vector<EarlierVoid> earlier;        ///< by their time
  int64_t later = 0;                       ///< voids that nucleate later, or not until the horizon, beyond errors
  bool is_change() const { return !mortal.empty() || no_longer_mortal > 0 || !earlier.empty() || later > 0; }
};

/// When something first happens, in both runs.
struct LifetimeChange {
  RunData::EmTime before, after;
  double before_horizon_s = 0, after_horizon_s = 0;
  /// Earlier or later by more than the errors of both times.
  bool is_change() const;
  void visit(auto& v) const {
    v("before_s", Known{before.time_s, before.is_known()});
    v("before_error_s", Known{before.error_s, std::isfinite(before.error_s)});
    v("after_s", Known{after.time_s, after.is_known()});
    v("after_error_s", Known{after.error_s, std::isfinite(after.error_s)})("is_change", is_change());
  }
};

/// Only where both runs have times.
struct LifetimesChange {
  double horizon_before_s = 0, horizon_after_s = 0;
  LifetimeChange first_void;
  std::optional<LifetimeChange> failure;  ///< of the grid; only where both runs have a cascade
  bool is_change() const { return first_void.is_change() || (failure && failure->is_change()); }
  void visit(auto& v) const {
    v("horizon_before_s", horizon_before_s)("horizon_after_s", horizon_after_s)("first_void", first_void);
    v("failure", failure);
  }
};

/// A parameter of electromigration that is not the same in both runs.
struct EmParameterChange {
  std::string name, before, after;  ///< a value is empty where a run does not have it
  void visit(auto& v) const {
    v("name", name)("before", Known{before, !before.empty()})("after", Known{after, !after.empty()});
  }
};

/// What only one run has, and so is not compared.
struct OneSided {
  std::string what;
  bool is_in_before = false;
  void visit(auto& v) const { v("what", what)("is_in_before", is_in_before); }
};

struct ChangeLimitResult {
  std::string quantity, net, layer;
  double limit_v = 0, value_v = 0, bound_v = 0;  ///< of the change
  double time_error_v = 0;                       ///< what of the bound is the estimated error of stepping in time
  bool exceeded = false, undecided = false;
  std::string open = {};  ///< why it cannot be judged, however exact the runs are; empty where it is

  /// Without the error in time it would be kept.
  bool needs_steps() const { return time_error_v > 0 && value_v + (bound_v - time_error_v) <= limit_v; }
  void visit(auto& v) const {
    v("quantity", quantity)("net", net)("layer", Known{layer, !layer.empty()})("limit_v", limit_v)("change_v", value_v);
    v("bound_v", bound_v)("exceeded", exceeded)("undecided", undecided)("open", Known{open, !open.empty()});
  }
};

/// What changed from one run to another. Differences within the certified bounds of the two are no changes.
struct RunDiff {
  std::string before, after;  ///< titles
  double bound_before_v = 0, bound_after_v = 0;
  double errors_in_time_v = 0;                 ///< in the bounds on changes, see errors_in_time_v()
  bool meet_tolerance = true;                  ///< both bounds are what was asked for, or lower
  std::optional<SimulationChange> simulation;  ///< of dynamic runs
  std::vector<NetChange> nets;
  std::vector<std::string> left_out_before, left_out_after;  ///< nets that the runs do not report
  std::vector<SpotChange> spots;                             ///< the largest changes first
  std::optional<ViolationChange> violations;
  std::optional<StressChange> stress;
  std::optional<LifetimesChange> lifetimes;
  std::vector<EmParameterChange> em_parameters;
  std::vector<OneSided> one_sided;
  std::vector<RunLimitChange> run_limits;  ///< of those that the runs were judged by
  std::vector<ChangeLimitResult> limits;   ///< of this comparison
  std::vector<double> change_v;            ///< per node of the second run; NaN where the first one does not have it

  /// Nothing has changed: no net or its supply, layer, hot spot or node, no worst drop over a budget, nor anything of
  /// electromigration that both runs have. Limits may have.
  bool is_empty() const;
  bool limit_exceeded() const;
};

/// Compares two runs; nodes, nets and layers are matched by name, nets that were renamed by their nodes, hot spots by
/// place. Limits judge a net or layer that is new by its change from 0; on one that is gone they are open. Errors:
/// InputError for limits on nets or layers that no run has, and for a static run and a dynamic one.
RunDiff diff_runs(const RunData& before, const RunData& after, const std::vector<ChangeLimit>& limits = {});

/// "net VDD: worst drop rises by 6 mV, more than 5 mV".
std::string describe(const ChangeLimitResult& limit);

}  // namespace gridiron
