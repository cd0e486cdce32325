// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/results/ir_report.hpp"
#include "analysis/tran/storage.hpp"

namespace gridiron {

/// One of the recorded nodes: V of every scenario at the first row of TranReport::row_time_s, then at the next, …
struct Probe {
  NodeId node = kGround;
  std::vector<double> voltage_v;
};

/// A net at the rows, over all scenarios: the worst drop in the steps since the row before, and that at the row itself,
/// with the nodes that have them. An overshoot is a voltage further from 0 V than the nominal one, on a ground net one
/// below 0 V.
struct NetOverTime {
  std::vector<double> worst_drop_v, drop_v;
  std::vector<NodeId> worst_node, node;
  double overshoot_v = 0;  ///< the largest; 0 where there is none
  NodeId overshoot_node = kGround;

  void visit(auto& v) const {
    v("overshoot_v", overshoot_v)("overshoot_node", NodeIndex{overshoot_node});
    v("worst_drop_over_time_v", worst_drop_v);
  }
};

/// The largest drop of a net in a scenario.
struct ScenarioNet {
  double worst_drop_v = 0, time_s = 0;
  NodeId worst_node = kGround;
  void visit(auto& v) const { v("worst_drop_v", worst_drop_v)("time_s", time_s)("worst_node", NodeIndex{worst_node}); }
};

/// One of several scenarios.
struct ScenarioResult {
  std::string name;               ///< "0", "1", … unless it was given one
  std::vector<ScenarioNet> nets;  ///< in the order of IrReport::nets
};

/// The grid at the moment and in the scenario of the largest drop of all.
struct Moment {
  double time_s = 0;
  int32_t scenario = 0;
  IrReport grid;  ///< nodes and nets
};

/// Currents of segments, per resistor of the netlist; NaN as in SegmentTable. Of each figure the largest magnitude of
/// any scenario.
struct SegmentsOverTime {
  std::vector<double> average_a, rms_a, peak_a;
  /// What rules of electromigration take for the average, as far as current the other way does not heal it; empty
  /// without rules.
  std::vector<double> wearing_a;
};

/// The largest drop of a net in a time window.
struct WindowResult {
  double begin_s = 0, end_s = 0;
  int32_t net = -1;  ///< index into IrReport::nets
  double worst_drop_v = 0;
  double time_s = 0;
  NodeId worst_node = kGround;

  void visit(auto& v) const {
    v("begin_s", begin_s)("end_s", end_s)("net", NetIndex{net})("worst_drop_v", worst_drop_v)("time_s", time_s);
    v("worst_node", NodeIndex{worst_node});
  }
};

/// Current of a pad into the grid, in the scenario in which its peak is largest, A. In the order of IrReport::pads.
struct PadOverTime {
  double average_a = 0, rms_a = 0, peak_a = 0, peak_time_s = 0;
  void visit(auto& v) const { v("average_a", average_a)("rms_a", rms_a)("peak_a", peak_a)("peak_time_s", peak_time_s); }
};

/// The balance of all scenarios together, C: what flows in from pads is drawn by loads or stored in capacitors.
struct ChargeBalance {
  double supplied_c = 0, drawn_c = 0, stored_c = 0;
  double imbalance_c() const { return supplied_c - drawn_c - stored_c; }
  void visit(auto& v) const {
    v("supplied_c", supplied_c)("drawn_c", drawn_c)("stored_c", stored_c)("imbalance_c", imbalance_c());
  }
};

/// Where the time of steps goes whose states are kept on a device, s: loads; histories and from both the right-hand
/// sides; the engine; all nodes from the unknowns; certificates; and what is measured of states.
struct StepSeconds {
  double loads = 0, right_hand_side = 0, solve = 0, recover = 0, certify = 0, measure = 0;
  void visit(auto& v) const {
    v("step_loads", loads)("step_right_hand_side", right_hand_side)("step_solve", solve)("step_recover", recover);
    v("step_certify", certify)("step_measure", measure);
  }
};

/// Stages of a run beside IrReport::timings_s, s: what the operating point amounts to; tables of the simulation; all
/// steps, of which StepSeconds and the solves and certificates of steps are parts; and results from what was counted.
struct StageSeconds {
  double operating_point = 0, tables = 0, steps = 0, results = 0;
  void visit(auto& v) const {
    v("operating_point", operating_point)("tables", tables)("steps", steps)("results", results);
  }
};

/// How exact the equations of a run are solved, and what stepping in time adds.
struct TranAccuracy {
  double operating_point_v = 0;   ///< certified bound of the state at the start: the DC solution as a rule
  double step_v = 0;              ///< largest certified bound of a single step
  double accumulated_v = 0;       ///< of the whole run: a bound, or an estimate, see below
  bool is_bounded = true;         ///< every step has a bound
  bool is_estimated = false;      ///< these are no bounds, as the matrix of a step is no M-matrix
  bool is_guaranteed = false;     ///< that accumulated_v is a bound: the sum of both for backward Euler with capacitors
                                  ///< only, otherwise ErrorGrowth; an estimate is the sum
  double tolerance_v = 0;         ///< asked for, of the operating point and of every step
  bool is_met = true;             ///< by both
  double local_time_error_v = 0;  ///< largest estimate of what one step in time adds to the error
  /// Difference from steps twice as long, where currents of inductors may ring and there are limits.
  std::optional<double> accumulated_time_error_v = {};
  double missed_share = 0;           ///< of what a source swings by: the most that lies between steps
  double missed_since_s = HUGE_VAL;  ///< from when on it is too much for a limit to be kept

  double largest_v() const { return std::max(operating_point_v, step_v); }

  /// In the words of gridiron.tran/1, see TranCertificate.
  void visit(auto& v) const {
    v("bounded", is_bounded && !is_estimated)("estimated", is_estimated)("tolerance_v", tolerance_v)("tolerance_met",
                                                                                                     is_met);
    v("operating_point_error_v", operating_point_v)("step_error_v", step_v)("accumulated_error_v", accumulated_v);
    v("accumulated_is_guaranteed", is_guaranteed)("local_time_error_v", local_time_error_v);
    v("accumulated_time_error_v", Present{accumulated_time_error_v, accumulated_time_error_v.has_value()});
  }
};

/// The same in the words of Certificate.
struct TranCertificate {
  TranAccuracy of;

  void visit(auto& v) const {
    const bool is_certified = of.is_bounded && !of.is_estimated;
    v("kind", is_certified ? "certified" : of.is_estimated ? "estimated" : "none")("valid", is_certified);
    v("max_error_v", Known{of.largest_v(), is_certified})("tolerance_v", of.tolerance_v)("tolerance_met", of.is_met);
    v("estimated_error_v", Known{of.largest_v(), of.is_estimated});
    v("operating_point_error_v", of.operating_point_v)("step_error_v", of.step_v);
    v("accumulated_error_v", of.accumulated_v)("accumulated_is_guaranteed", of.is_guaranteed);
    v("local_time_error_v", of.local_time_error_v)("missed_share", of.missed_share);
    v("accumulated_time_error_v", Present{of.accumulated_time_error_v, of.accumulated_time_error_v.has_value()});
  }
};

/// Results of a transient run. `worst` describes every node at its own worst moment over all scenarios; its certificate
/// bounds the solution of the discrete equations, and says nothing of the error of stepping in time.
struct TranReport {
  IrReport worst;
  Method method = Method::trapezoidal;
  bool is_from_initial_conditions = false;     ///< `uic`: the simulation starts from these, not from an operating point
  double step_s = 0, start_s = 0, stop_s = 0;  ///< results are those from the start on
  double largest_step_s = 0;
  int64_t steps = 0, sizes = 0, scenarios = 1;
  int64_t capacitors = 0, inductors = 0;

  /// Per node of the netlist: when it is worst, in which scenario, the largest average and root mean square of its drop
  /// over time of any scenario, and its overshoot.
  std::vector<double> worst_time_s, average_drop_v, rms_drop_v, overshoot_v;
  std::vector<int32_t> worst_scenario;

  std::vector<double> instance_time_s;  ///< when each of worst.instances is worst, in their order

  std::vector<ScenarioResult> by_scenario;
  Moment moment;

  std::vector<double> row_time_s;  ///< from the start on
  std::vector<NetOverTime> nets;   ///< in the order of IrReport::nets
  std::vector<WindowResult> windows;
  std::vector<Probe> probes;
  std::vector<PadOverTime> pads;
  SegmentsOverTime segments;  ///< empty unless asked for
  ChargeBalance charge;

  TranAccuracy accuracy;
  StageSeconds stage_seconds;
  std::optional<StepSeconds> step_seconds;  ///< none where states were kept on the host
  int64_t iterations = 0;                   ///< of all steps and scenarios
  int most_iterations = 0;                  ///< of one
};

}  // namespace gridiron
