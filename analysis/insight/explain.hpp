// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "analysis/results/explanation.hpp"
#include "analysis/results/ir_report.hpp"
#include "analysis/solve/solver.hpp"

namespace gridiron {

struct ExplainOptions {
  size_t segments = 10, loads = 10;  ///< how many are listed, and how many segments are widened together
  double widened_by = 0.2;           ///< above −1
};

/// Why nodes drop as they do: path of least resistance to a pad, effective resistance, and the segments and loads that
/// matter most (Sensitivity; resistors to nodes behind pads, _X_…, are not listed). The gain of widening these segments
/// is checked by solving the edited system; the solver then goes back to its own. `report` is that of `loads`; of
/// several vectors, each node is explained under the one that is worst for it. Costs two or three solves and an update
/// of the engine there and back per node. Errors: InputError for a node without drop and for a report of another
/// design; the solver's.
std::vector<Explanation> explain(Solver& solver, const Loads& loads, const IrReport& report,
                                 std::span<const NodeId> nodes, const ExplainOptions& options = {});

/// A state of a simulation, in which capacitors carry currents and inductors have voltages.
struct GridMoment {
  std::span<const double> voltage_v;  ///< per node, before ground nets with inverted loads are turned round
  std::span<const double> load_a;     ///< per current source
  int32_t scenario = 0;               ///< Explanation::vector
};

/// The same at a moment, of which `report` has the drops: loads, what flows through capacitors then, and the voltages
/// across inductors add up to the drop. Gains are those without a change of these, and their bounds take
/// the state as it is. The solver is one for the operating point. Costs two solves and an update of the engine there
/// and back per node.
std::vector<Explanation> explain(Solver& solver, const GridMoment& moment, const IrReport& report,
                                 std::span<const NodeId> nodes, const ExplainOptions& options = {});

/// Errors: InputError for a report of another design than the solver's, and for a node without drop.
void require_drops(const Solver& solver, const IrReport& report, std::span<const NodeId> nodes);

/// A node by its name; "worst": that with the largest drop. Errors: InputError, of the field `option` if there is one.
NodeId node_to_explain(const IrReport& report, const std::string& name, std::string_view option = {});

/// What a path loses on each layer and between layers, from the node on.
struct LayerPart {
  LayerPair layers;
  int64_t steps = 0;
  double ohm = 0, drop_v = 0;
  void visit(auto& v) const { v("layer", layers)("segments", steps)("resistance_ohm", ohm)("drop_v", drop_v); }
};
std::vector<LayerPart> parts_of(const IrReport& report, const Path& path);

}  // namespace gridiron
