// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analysis/model/certificate.hpp"
#include "analysis/model/deck/islands.hpp"
#include "analysis/model/finding.hpp"
#include "analysis/results/budget_report.hpp"
#include "analysis/results/em/em_report.hpp"
#include "analysis/results/explanation.hpp"
#include "analysis/results/indices.hpp"
#include "analysis/results/input_counts.hpp"
#include "analysis/results/limit_results.hpp"
#include "analysis/results/stress/stress_report.hpp"
#include "engines/engine_run.hpp"
#include "linalg/solve_stats.hpp"
#include "netlist/circuit.hpp"
#include "support/visited.hpp"

namespace gridiron {

struct Design;

/// The state of a node after the run.
enum class NodeState : uint8_t {
  solved,    ///< unknown of the system, or fixed by a source
  ground,    ///< node 0, or tied to it at 0 V
  floating,  ///< in a part without any source: excluded, has no voltage
  unlisted,  ///< excluded by --net
};

/// One row per node of the netlist (index = NodeId), column by column.
struct NodeTable {
  std::vector<double> voltage_v;  ///< meaningless where state is floating
  std::vector<double>
      drop_v;  ///< distance from nominal towards 0 V on power nets, |v| on ground nets (bounce); 0 where not solved
  std::vector<int32_t> net;            ///< index into IrReport::nets, −1 for ground and floating nodes
  std::span<const int32_t> layer;      ///< index into IrReport::layer_names, −1 when unknown
  std::span<const double> x_um, y_um;  ///< NaN when unknown
  std::vector<NodeState> state;
  std::vector<int32_t> vector;  ///< with several load vectors: the one that the voltage is from; otherwise empty

  bool has_place(NodeId n) const { return x_um[n] == x_um[n]; }
};

struct Percentiles {
  double p50 = 0, p95 = 0, p99 = 0, p999 = 0;
  void visit(auto& v) const { v("p50", p50)("p95", p95)("p99", p99)("p99.9", p999); }
};

/// The drops of a net or a layer, or those of a net under one of several load vectors.
struct DropSummary {
  double worst_drop_v = 0, average_drop_v = 0;
  NodeId worst_node = kGround;

  /// Takes over what is worse under another load vector.
  void raise(const DropSummary& other) {
    if (other.worst_drop_v > worst_drop_v) {
      worst_drop_v = other.worst_drop_v;
      worst_node = other.worst_node;
    }
    average_drop_v = std::max(average_drop_v, other.average_drop_v);
  }
  void visit(auto& v) const {
    v("worst_drop_v", worst_drop_v)("worst_node", NodeIndex{worst_node})("average_drop_v", average_drop_v);
  }
};

struct LayerResult : DropSummary {
  int32_t layer = -1;  ///< index into IrReport::layer_names
  int64_t nodes = 0;
  double least_drop_v = 0;
  void visit(auto& v) const {
    v("name", LayerIndex{layer})("nodes", nodes)("worst_drop_v", worst_drop_v)("average_drop_v", average_drop_v);
    v("least_drop_v", least_drop_v)("worst_node", NodeIndex{worst_node});
  }
};

struct NetResult : DropSummary {
  std::string name;
  bool is_ground = false;
  double nominal_v = 0;
  double supply_v =
      0;  ///< reference for percentages: |nominal|, for a ground net that of the net its loads draw from; 0 if unknown
  int64_t nodes = 0, loads = 0, pads = 0;
  double worst_voltage_v = 0, average_voltage_v = 0;
  Percentiles percentiles_v;
  double load_current_a = 0;       ///< drawn from a power net; returned into a ground net or one below 0 V
  double pad_current_a = 0;        ///< delivered by the pads, same sign convention
  double total_power_w = 0;        ///< load current × supply
  int64_t reversed_loads = 0;      ///< nodes whose loads drive current the wrong way
  double reversed_current_a = 0;   ///< how much in all
  NodeId reversed_node = kGround;  ///< where most
  std::vector<LayerResult> layers;

  void visit(auto& v) const {
    v("name", name)("is_ground", is_ground)("nominal_v", nominal_v);
    v("supply_v", Known{supply_v, supply_v > 0}, "Reference for percentages, V; 0 if unknown.");
    v("nodes", nodes)("loads", loads)("pads", pads);
    v("worst_voltage_v", worst_voltage_v)("average_voltage_v", average_voltage_v)("worst_drop_v", worst_drop_v);
    v("worst_node", NodeIndex{worst_node}, "Index of the node with the worst drop.")("average_drop_v", average_drop_v);
    v("percentiles_v", percentiles_v, "{'p50', 'p95', 'p99', 'p99.9'} of the drops, V.");
    v("load_current_a", load_current_a)("pad_current_a", pad_current_a)("total_power_w", total_power_w);
  }
};

/// One source, or short to ground, that feeds a net.
struct PadResult {
  std::string name, place;
  NodeId node = kGround;
  int32_t net = -1;
  double voltage_v = 0, current_a = 0;  ///< current into the grid
  double share = 0;                     ///< of the current of its net's pads

  void visit(auto& v) const {
    v("name", name)("node", NodeIndex{node})("net", NetIndex{net}, "Index into Report.nets.");
    v("voltage_v", voltage_v)("current_a", current_a, "Into the grid, A.");
    v("share", share, "Of the current of its net's pads.")("place", Known{place, !place.empty()});
  }
};

/// The currents of the resistors that join two nodes of the grid, or a ground net and node 0, one row per resistor of
/// the netlist (index into Circuit::resistors), so that names and ends need no columns. NaN for all others: shorts,
/// loads, floating and unlisted ones.
struct SegmentTable {
  std::vector<double> current_a;  ///< from the resistor's first node to its second
  std::vector<double> power_w;    ///< dissipated

  bool has(int64_t resistor) const { return current_a[resistor] == current_a[resistor]; }
};

/// The segments of a net on one layer or between two.
struct SegmentLayerResult {
  int32_t net = -1;
  LayerPair layers;
  int64_t segments = 0;
  int64_t worst = -1;  ///< the resistor with the largest current
  double largest_current_a = 0, average_current_a = 0, power_w = 0;

  void visit(auto& v) const {
    v("net", NetIndex{net})({"layer", "layers"}, layers)("segments", segments);
    v({"largest", "worst"}, SegmentIndex{worst}, "index of a resistor")("largest_current_a", largest_current_a);
    v("average_current_a", average_current_a)("power_w", power_w);
  }
};

/// Where power goes: what sources deliver is what loads take plus what resistors dissipate. With several load vectors,
/// under the one for which sources deliver most.
struct PowerBalance {
  double sources_w = 0, loads_w = 0, dissipated_w = 0;
  void visit(auto& v) const { v("sources_w", sources_w)("loads_w", loads_w)("dissipated_w", dissipated_w); }
};

/// A place where the drop is larger than everywhere around it.
struct HotSpot {
  NodeId node = kGround;
  int32_t net = -1;
  double drop_v = 0;
  NodeId pad = kGround;         ///< of the nearest pad of the net; kGround if there is none
  double pad_distance_um = -1;  ///< negative where places are unknown

  void visit(auto& v) const {
    v("node", NodeIndex{node})("net", NetIndex{net})("drop_v", drop_v);
    v("pad", Known{NodeIndex{pad}, pad != kGround}, "index of a node");
    v("pad_distance_um", Known{pad_distance_um, pad != kGround});
  }
};

/// A cell instance: a load pair `…_v` / `…_g`, a current source between two nets, or one from a net to node 0.
/// instance_name() in analysis/results/instances.hpp tells its name.
struct InstanceResult {
  NodeId power = kGround, ground = kGround;  ///< kGround: none, the load is on one net only
  double vdd_drop_v = 0, gnd_bounce_v = 0, combined_v = 0, current_a = 0;
  int64_t source = -1;   ///< index of its current source, which is the order of the deck
  bool is_pair = false;  ///< of a load pair, whose name is the source's without its suffix, or that of a layout

  /// The node that it is shown at.
  NodeId node() const { return power != kGround ? power : ground; }

  void visit(auto& v) const {
    v("vdd_drop_v", vdd_drop_v)("gnd_bounce_v", gnd_bounce_v)("combined_v", combined_v)("current_a", current_a);
  }
};

/// One of several load vectors.
struct VectorResult {
  std::vector<DropSummary> nets;  ///< in the order of IrReport::nets
  double bound_v = 0;             ///< of every voltage; meaningless unless bounded
  bool bounded = false;
  int iterations = 0;
  void visit(auto& v) const { v("iterations", iterations)("bound_v", Known{bound_v, bounded}); }
};

struct Timings {
  double read = 0, check = 0, reduce = 0, assemble = 0, setup = 0, solve = 0, certify = 0, recover = 0, report = 0,
         total = 0;
  double cascade = 0;  ///< stages of failing segments; 0 where there were none
  void visit(auto& v) const {
    v("read", read)("check", check)("reduce", reduce)("assemble", assemble)("setup", setup)("solve", solve);
    v("certify", certify)("recover", recover)("report", report)("total", total);
    v("cascade", Present{cascade, cascade > 0}, "Stages of segments that fail, solves among them.");
  }
};

/// A map of drops beside one that is taken as the truth, with the figures of the ICCAD-2023 contest.
struct MapScore {
  std::string path;  ///< of the truth
  int64_t nx = 0, ny = 0;
  std::string net, layer;
  double mean_error_v = 0, largest_error_v = 0;  ///< mean and largest |difference| over all pixels
  double f1 = 0;                                 ///< of the pixels above 90 % of the truth's maximum

  void visit(auto& v) const {
    v({"path", ""}, path)({"nx", ""}, nx)({"ny", ""}, ny)({"net", ""}, net)({"layer", ""},
                                                                            Known{layer, !layer.empty()});
    v("mean_error_v", mean_error_v)("largest_error_v", largest_error_v)("f1", f1);
  }
};

/// What identifies a run in its reports; empty fields where a report comes from no command.
struct RunFacts {
  struct InputFile {
    std::string path;
    int64_t bytes = 0;   ///< on disk
    std::string sha256;  ///< of these bytes, in hexadecimal; empty when they can no longer be read
    void visit(auto& v) const { v("path", path)("bytes", bytes)("sha256", Known{sha256, !sha256.empty()}); }
  };
  std::string date;                                          ///< UTC, ISO 8601: 2026-01-31T12:00:00Z
  std::string command;                                       ///< as it was typed
  std::vector<std::pair<std::string, std::string>> options;  ///< those that decide the results, defaults included
  std::vector<InputFile> files;                              ///< the netlist, what it includes, then tables
};

/// Segments that limits on currents do not judge, as none of them names their layer.
struct UnlimitedLayer {
  std::string layer;     ///< "M1-M2"; empty where it is unknown
  std::string quantity;  ///< that others have a limit on, as in EmLimitResult
  int64_t segments = 0;
  void visit(auto& v) const {
    v("quantity", current_name(quantity))("layer", Known{layer, !layer.empty()})("segments", segments);
  }
};

/// Names and places of nodes that no netlist has.
struct NodeList {
  NodeNames names;
  std::vector<double> x_um, y_um;
  std::vector<int32_t> layer;
};

/// All results of a static run; every report is written from this and computes nothing. With several load vectors each
/// node has the voltage of the vector under which it drops most, each pad the largest current of all vectors, and the
/// certificate is the worst one. Where several processes share a netlist, the nodes are the few that results name, and
/// there is nothing by resistor or load.
struct IrReport {
  std::shared_ptr<const Design> design;       ///< owns what `circuit` and the columns of `nodes` refer to;
  const Circuit* circuit = nullptr;           ///< both are null where several processes share the netlist:
  std::shared_ptr<const NodeList> own_nodes;  ///< then this has the names and places of nodes
  std::string input_path;
  std::string netlist_name;  ///< file name without directory and extensions, for NAME.solution
  int64_t input_bytes = 0;
  InputCounts input;
  Ledger ledger;
  LeftOut left_out;

  std::vector<std::string> layer_names;  ///< lowest metal first where names determine the order
  NodeTable nodes;
  std::vector<NetResult> nets;
  std::vector<PadResult> pads;            ///< largest current first
  std::vector<InstanceResult> instances;  ///< largest combined drop first
  std::vector<LimitResult> limits;
  SegmentTable segments;
  std::vector<SegmentLayerResult> segment_layers;  ///< by net, lowest layer first
  std::vector<EmLimitResult> em_limits;
  PowerBalance power;
  std::string only_net;                    ///< that was asked for; empty: all are reported
  std::vector<std::string> left_out_nets;  ///< that the deck has, where one net alone was asked for
  std::vector<std::string> unjudged_nets;  ///< of these, those that limits on all nets would judge
  std::vector<UnlimitedLayer> unlimited_layers;
  std::vector<HotSpot> hot_spots;   ///< worst first
  int64_t hot_spots_in_all = 0;     ///< those that are not listed, too
  double hot_spot_distance_um = 0;  ///< what hot spots of a net are apart by at least; 0 where places are unknown
  std::vector<Explanation> explanations;
  std::vector<DropShares> drop_shares;  ///< of the worst node of each net that exceeds a limit, then of those explained
  std::vector<PadGains> pad_gains;      ///< where asked for: per net that exceeds a limit, or per net if none does
  std::vector<Finding> findings;
  std::vector<VectorResult> vectors;   ///< empty if there is only one
  std::optional<BudgetReport> budget;  ///< only where one was given
  std::optional<StressReport> stress;  ///< only where it was asked for
  std::optional<EmReport> em;          ///< only where there are rules

  struct {
    int64_t unknowns = 0, nonzeros = 0, merged_shorts = 0, eliminated = 0, floating_nodes = 0;
    int64_t left_out_loads = 0;     ///< at islands that are left out,
    double left_out_current_a = 0;  ///< and what they draw
    void visit(auto& v) const {
      v("unknowns", unknowns)("nonzeros", nonzeros)("merged_shorts", merged_shorts)("eliminated", eliminated);
      v("floating_nodes", floating_nodes)("left_out_loads", left_out_loads)("left_out_current_a", left_out_current_a);
    }
  } reduced;
  EngineRun engine;
  SolveStats solve;
  Certificate certificate;
  double dbu_per_um = 0;      ///< database units per µm in node coordinates; 0 if no node has coordinates
  bool dbu_is_guess = false;  ///< neither the user nor the deck tells: lengths in µm may be off by a factor
  RunFacts run;
  std::optional<MapScore> golden;  ///< only where a map was given to compare with
  Timings timings_s;
  int64_t peak_memory_bytes = 0;

  SpelledName node_name(NodeId node) const { return own_nodes ? own_nodes->names[node] : circuit->node_name(node); }

  /// Nets that no limit on drops is on, while others have one.
  std::vector<std::string> unlimited_nets() const {
    std::vector<std::string> names;
    for (const NetResult& net : nets)
      if (std::ranges::none_of(limits, [&](const LimitResult& limit) { return limit.net == net.name; }))
        names.push_back(net.name);
    if (limits.empty()) names.clear();
    return names;
  }

  bool limit_exceeded() const {
    for (const LimitResult& l : limits)
      if (l.exceeded) return true;
    for (const EmLimitResult& l : em_limits)
      if (l.exceeded) return true;
    if (stress && stress->limit && stress->limit->exceeded) return true;
    if (stress)
      for (const LifetimeLimit& l : stress->lifetime_limits)
        if (l.exceeded) return true;
    if (em && em->limit && em->limit->exceeded) return true;
    return budget && budget->limit_exceeded();
  }
};

}  // namespace gridiron
