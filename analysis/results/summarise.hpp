// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/model/answer.hpp"
#include "analysis/model/system.hpp"
#include "analysis/results/currents.hpp"
#include "analysis/results/em/em_settings.hpp"
#include "analysis/results/em_limits.hpp"
#include "analysis/results/instances.hpp"
#include "analysis/results/ir_report.hpp"
#include "analysis/results/limits.hpp"
#include "analysis/results/stress/stress.hpp"
#include "analysis/results/supplies.hpp"

namespace gridiron {

struct SummaryOptions {
  std::string net = {};                      ///< report this net only; empty: all
  std::vector<LimitRequest> limits = {};     ///< limits that the nets are checked against
  std::vector<EmLimit> em_limits = {};       ///< limits that the segments are checked against
  bool has_insights = true;                  ///< hot spots, and segments by layer with their limits
  std::optional<EmSettings> em = {};         ///< rules that the segments are judged by, too
  std::optional<StressOptions> stress = {};  ///< also find the stress of metal, of a run with one load vector
  bool accept_estimate = false;              ///< limits are kept by estimated errors, too, not by certified ones alone
};

/// Voltages, nets, places and states of the nodes, without drops.
NodeTable node_table(const System& system, std::span<const double> voltage_v);

/// Names, nominal and supply voltages of all nets, with nothing else of the answer.
std::vector<NetResult> net_list(const System& system, const std::set<LoadedNets>& loaded);

/// What differs from one load vector to the next.
struct VectorFigures {
  NodeTable nodes;
  std::vector<NetResult> nets;
  std::vector<PadCurrent> pads;
  SegmentTable segments;
  PowerBalance power;
  Certificate certificate;
};

/// A report with what does not depend on an answer: input, layers, the size of the system.
IrReport empty_report(const System& system);

/// Drops everything but the net that alone is asked for, which then is number 0, and checks limits on drops. Returns
/// the number of the net before; −1 where all stay. Errors: InputError if there is no such net; those of
/// check_limits().
int32_t judge_drops(const SummaryOptions& options, IrReport& report);
void keep_only_net(int32_t index, NodeTable& nodes);

/// Nodes, nets, layers, pads, segments, hot spots, instances, limits and the balances of an answer. What concerns the
/// run (engine, timings, input) is left empty. Errors: InputError when the answer is of another design, when there is
/// no such net, or a limit cannot be applied; SolverError when the voltages are not finite.
IrReport summarise(const System& system, const Answer& answer, const SummaryOptions& options = {});

/// The worst case over many load vectors, node by node, accumulated from their solutions; see IrReport. Memory grows
/// only by a row per vector and net.
class WorstCase {
 public:
  explicit WorstCase(System system);

  /// `do_sources_follow`: see find_currents(). Errors: InputError, SolverError, as summarise().
  void add(const Answer& answer, bool do_sources_follow = false) { add(std::span(&answer, 1), do_sources_follow); }
  /// The same for several in this order, as many at the same time as there are threads, each of which takes memory for
  /// the figures of one.
  void add(std::span<const Answer> answers, bool do_sources_follow = false);

  /// With the worst drops so far. No nodes before an answer has been added.
  const NodeTable& nodes() const { return worst_.nodes; }

  /// Errors: InputError when no answer has been added; as summarise().
  IrReport report(const SummaryOptions& options) &&;

 private:
  void join_in(VectorFigures figures, const Answer& answer);

  System system_;
  std::vector<InstancePins> pins_;
  std::vector<std::optional<InstanceResult>> instances_;  ///< per pins the worst
  VectorFigures worst_;
  std::vector<uint8_t> is_given_;  ///< see mark_given()
  std::vector<VectorResult> vectors_;
};

}  // namespace gridiron
