// SPDX-License-Identifier: Apache-2.0
#include "analysis/insight/cascade.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/insight/void_trees.hpp"
#include "analysis/model/findings.hpp"
#include "analysis/model/floating_loads.hpp"
#include "analysis/results/limits.hpp"
#include "analysis/results/segments.hpp"
#include "analysis/results/stress/lifetime.hpp"
#include "analysis/results/stress/metal.hpp"
#include "support/error_text.hpp"
#include "support/lists.hpp"
#include "support/plural.hpp"

namespace gridiron {
namespace {

constexpr double kSquareMicrometres = 1e12;  ///< per m²

/// Without resistors that are open.
class OpenedGrid {
 public:
  OpenedGrid(const Circuit& circuit, const Topology& topology)
      : circuit_(circuit), topology_(topology), network_(topology.grid.network) {}

  /// Opens an edge, and finds what is connected then.
  void open(int64_t edge) {
    network_.b[edge] = network_.a[edge];  // of no use, but still the edge of that number
    parts_ = find_parts(network_);
    std::vector<uint8_t> has_pad(parts_.systems, 0);
    for (const AddedPad& pad : topology_.added_pads) has_pad[parts_.system[parts_.part[pad.node]]] = 1;
    for (int32_t part = 0; part < parts_.count(); ++part)
      if (has_pad[parts_.system[part]]) parts_.anchored[part] = 1;
  }
  bool is_anchored(NodeId n) const { return n == kGround || parts_.anchored[parts_.part[n]]; }

  /// Whether loads are left without a path to a source.
  bool cuts_off(std::span<const double> amperes) const {
    const std::vector<int64_t> sources = sources_at_floating(circuit_, parts_);
    const std::vector<FloatingLoad> loads = floating_loads(circuit_, parts_, sources, amperes);
    return std::ranges::any_of(loads, [](const FloatingLoad& load) { return !load.cancels; });
  }

 private:
  const Circuit& circuit_;
  const Topology& topology_;
  Network network_;
  Parts parts_;
};

/// Where a void that is longer than its segment goes on.
struct VoidBeyond {
  struct Piece {
    int32_t segment = -1;
    double length_um = 0;
  };
  std::vector<Piece> pieces;
  bool meets_junction = false;  ///< behind which nothing tells where it goes on
};

/// In one segment after the other, as long as no third one joins them, with the same volume per length of each.
VoidBeyond beyond_segment(const StressGraph& graph, SegmentEnd end, double void_um) {
  constexpr double kRounding = 1e-9;
  using Segment = StressGraph::Segment;
  const std::vector<Segment>& segments = graph.segments;
  std::vector<int32_t> count(graph.drive_pa.size(), 0), both(graph.drive_pa.size(), 0);  // xor of segments
  for (int32_t s = 0; s < std::ssize(segments); ++s)
    for (const int32_t n : {segments[s].a, segments[s].b}) {
      ++count[n];
      both[n] ^= s;
    }
  VoidBeyond beyond;
  const Segment& first = segments[end.segment];
  double left_um3 = (void_um - first.length_um) * first.area_um2;
  const double nothing_um3 = kRounding * void_um * first.area_um2;
  int32_t node = end.is_b ? first.a : first.b;
  for (int32_t from = end.segment; left_um3 > nothing_um3;) {
    beyond.meets_junction = count[node] > 2;
    if (count[node] != 2) break;
    const int32_t next = both[node] ^ from;
    if (next == end.segment) break;
    const Segment& s = segments[next];
    const double length_um = std::min(left_um3 / s.area_um2, s.length_um);
    beyond.pieces.push_back({next, length_um});
    left_um3 -= length_um * s.area_um2;
    if (length_um < s.length_um) break;
    node = s.a == node ? s.b : s.a;
    from = next;
  }
  return beyond;
}

/// In words, if one is.
std::optional<std::string> first_exceeded(const std::vector<LimitResult>& limits) {
  const auto first = std::ranges::find_if(limits, &LimitResult::exceeded);
  return first == limits.end() ? std::nullopt : std::optional(describe(*first));
}

/// Segments of which something is to be told.
struct Failed {
  int64_t count = 0, first = -1;
  void add(int64_t resistor) {
    if (count++ == 0) first = resistor;
  }
};

class CascadeFinder {
 public:
  CascadeFinder(Solver& solver, const Loads& loads, const IrReport& report, const StressOptions& options,
                const SummaryOptions& summary)
      : solver_(solver),
        before_(solver.system()),
        system_(before_),
        loads_(loads),
        report_(report),
        options_(*options.cascade),
        summary_(summary),
        grid_(*report.circuit, before_.topology()),
        trees_(report, find_metal(report, before_.topology(), MetalSections(report, options.layers)), rules(options)),
        bound_v_(report.certificate.bound_v()) {
    summary_.has_insights = false;
    result_.options = options_;
    result_.horizon_s = options.lifetime->horizon_s;
    result_.has_limit = !summary.limits.empty();
    for (const LimitRequest& limit : summary.limits) result_.limits.push_back(text_of(limit));
    result_.unjudged_trees =
        std::ranges::count_if(report.stress->trees, [](const StressTree& tree) { return !tree.is_known; });
  }

  CascadeReport find(std::vector<Finding>& findings) {
    progress_("cascade");
    solver_.set_progress([](std::string_view) {}, [](double) {});  // its solves are no phases of their own
    result_.exceeded = first_exceeded(check_limits(report_, summary_.limits));
    result_.exceeds_today = result_.exceeded.has_value();
    if (result_.exceeds_today) result_.end = CascadeEnd::limit;
    try {
      while (!result_.exceeds_today && go_on())
        share_done_(std::max(static_cast<double>(std::ssize(result_.stages)) / static_cast<double>(options_.stages),
                             now_ / (per_second_ * result_.horizon_s)));
    } catch (...) {
      restore();
      throw;
    }
    restore();
    append_findings(findings);
    return std::move(result_);
  }

 private:
  VoidTrees::Rules rules(const StressOptions& options) {
    edge_.assign(report_.circuit->resistors.size(), -1);
    for_each_edge(*report_.circuit, [&](int64_t resistor, int64_t edge) { edge_[resistor] = edge; });
    const MetalParameters& metal = report_.stress->metal;
    per_second_ = report_.stress->lifetime->diffusivity_m2_s * kSquareMicrometres;
    VoidTrees::Rules rules;
    rules.residual_pa = metal.residual_stress_pa;
    rules.critical_pa = metal.critical_stress_pa;
    rules.bulk_modulus_pa = metal.bulk_modulus_pa;
    rules.void_um = options_.void_um;
    rules.per_second = per_second_;
    rules.horizon = options.lifetime->horizon_s * per_second_;
    rules.can_fail = [this](int64_t resistor) { return edge_[resistor] >= 0; };
    return rules;
  }

  /// One stage; false: it is the last, or there is none.
  bool go_on() {
    if (std::ssize(result_.stages) >= options_.stages) return end(CascadeEnd::stages);
    const std::optional<VoidTrees::Next> next = trees_.next(now_);
    if (!next) return end(CascadeEnd::horizon);
    now_ = std::max(now_, next->failure.time);
    CascadeStage& stage = result_.stages.emplace_back();
    describe(*next, stage);
    if (!fail(stage)) {
      stage.cuts_off = true;
      return end(CascadeEnd::cut_off);
    }
    const IrReport after = solve();
    judge(after, stage);
    if (stage.exceeds) return end(CascadeEnd::limit);
    const double share_left = stage.is_open() ? 0 : stage.before_ohm / stage.after_ohm;
    trees_.change(now_, after.nodes.voltage_v, *next, share_left);
    return true;
  }
  bool end(CascadeEnd why) {
    result_.end = why;
    return false;
  }

  void describe(const VoidTrees::Next& next, CascadeStage& stage) {
    const VoidTree& tree = trees_.tree(next.index);
    const StressTree& of_report = report_.stress->trees[trees_.number(next.index)];
    const StressGraph::Segment& segment = tree.tree().graph.segments[next.failure.end.segment];
    stage.stage = std::ssize(result_.stages);
    stage.has_limit = result_.has_limit;
    stage.time_s = now_ / per_second_;
    const double earlier_s = stage.stage > 1 ? result_.stages[stage.stage - 2].error_s : 0;
    stage.error_s = std::max(earlier_s, trees_.error_of(next, bound_v_) / per_second_);
    stage.tree = of_report.number;
    stage.net = of_report.net;
    stage.layer = of_report.layer;
    stage.node = tree.tree().nodes[next.failure.end.is_b ? segment.b : segment.a];
    stage.resistor = tree.tree().resistors[next.failure.end.segment];
    stage.before_ohm = 1 / before_.topology().grid.network.conductance[edge_[stage.resistor]];
    stage.after_ohm = std::numeric_limits<double>::infinity();
    if (!options_.liner_ohm_per_um) return;
    const double length = std::min(options_.void_um, segment.length_um);
    const double liner_ohm = liner_ohm_per_um(stage.resistor) * length;
    stage.after_ohm = stage.before_ohm * (1 - length / segment.length_um) + liner_ohm;
    if (options_.void_um > segment.length_um) add_beyond(tree.tree(), next.failure.end, stage);
    if (stage.after_ohm < stage.before_ohm) better_liners_.add(stage.resistor);
  }

  /// What a void adds in the segments in which it goes on, to the resistance of the one that fails.
  void add_beyond(const TreeGraph& tree, SegmentEnd end, CascadeStage& stage) {
    const VoidBeyond beyond = beyond_segment(tree.graph, end, options_.void_um);
    if (beyond.meets_junction) longer_voids_.add(stage.resistor);
    for (const VoidBeyond::Piece& piece : beyond.pieces) {
      const int64_t resistor = tree.resistors[piece.segment], edge = edge_[resistor];
      const bool has_failed =
          std::ranges::any_of(result_.stages, [&](const CascadeStage& other) { return other.resistor == resistor; });
      if (has_failed) continue;
      const double metal_ohm = edge < 0 ? 0 : 1 / before_.topology().grid.network.conductance[edge];
      const double metal_ohm_per_um = metal_ohm / tree.graph.segments[piece.segment].length_um;
      stage.after_ohm += piece.length_um * std::max(0.0, liner_ohm_per_um(resistor) - metal_ohm_per_um);
    }
  }

  /// Of all copies of a resistor, each of which has a void and a liner of its own.
  double liner_ohm_per_um(int64_t resistor) const {
    return *options_.liner_ohm_per_um / report_.circuit->copies_of(resistor);
  }

  /// Gives the segment its resistance; false: loads are cut off. What an open segment leaves without any load carried
  /// no current, and so may stay where it is.
  bool fail(const CascadeStage& stage) {
    constexpr double kOpenOhm = 1e30;
    double after_ohm = stage.after_ohm;
    if (stage.is_open()) {
      grid_.open(edge_[stage.resistor]);
      if (grid_.cuts_off(loads_.vector(0))) return false;
      const NodeId a = report_.circuit->resistors.a[stage.resistor], b = report_.circuit->resistors.b[stage.resistor];
      if (!grid_.is_anchored(a) || !grid_.is_anchored(b)) return true;
      after_ohm = kOpenOhm;
    }
    system_.apply(ScaleResistors{{stage.resistor}, after_ohm / stage.before_ohm});
    is_changed_ = true;
    solver_.update(system_);
    return true;
  }

  IrReport solve() {
    const Answer answer = std::move(solver_.solve(loads_).front());
    return summarise(system_, answer, summary_);
  }

  void judge(const IrReport& after, CascadeStage& stage) {
    for (const NetResult& net : after.nets) {
      if (net.nodes == 0 || (stage.worst_node >= 0 && net.worst_drop_v <= stage.worst_drop_v)) continue;
      stage.worst_drop_v = net.worst_drop_v;
      stage.worst_node = net.worst_node;
    }
    stage.bound_v = after.certificate.bound_v();
    bound_v_ = std::max(bound_v_, stage.bound_v);
    result_.exceeded = stage.limit = first_exceeded(after.limits);
    stage.exceeds = stage.limit.has_value();
    stage.is_undecided = !stage.exceeds && std::ranges::any_of(after.limits, &LimitResult::undecided);
  }

  void restore() {
    if (is_changed_) solver_.update(before_);
    solver_.set_progress(progress_, share_done_);
  }

  void append_findings(std::vector<Finding>& findings) const {
    const auto is_told = [](const Finding& finding) { return std::string_view(finding.code) == kLimitLeftOut; };
    if (std::ranges::none_of(report_.findings, is_told))
      append(findings, check_left_out(report_.left_out, summary_.limits, false, report_.only_net, kLimitsOfCascade));
    const auto tell = [&](const char* code, const Failed& failed, const char* what) {
      if (failed.count == 0) return;
      findings.push_back(
          {Finding::Severity::warning, code,
           fmt::format("{}, the first of them {}, {}", counted(failed.count, "segment"),
                       shown(std::string_view(report_.circuit->element_name(kResistor, failed.first))), what),
           ""});
    };
    tell("stress-void-longer-than-segment", longer_voids_,
         "failed by a void that is longer than the wire up to the next junction; the liner behind that is not counted, "
         "so that drops are too small");
    tell("stress-liner-below-metal", better_liners_,
         "failed to a smaller resistance, as the liner conducts better than the metal; check the resistance of the "
         "liner, in ohm per µm");
  }

  Solver& solver_;
  const Progress progress_ = solver_.context().progress;
  const ShareDone share_done_ = solver_.context().share_done;
  const System before_;
  System system_;
  const Loads& loads_;
  const IrReport& report_;
  CascadeOptions options_;
  SummaryOptions summary_;
  OpenedGrid grid_;
  std::vector<int64_t> edge_;  ///< per resistor; −1: none, as of shorts
  double per_second_ = 0;      ///< κ, µm²/s
  VoidTrees trees_;
  double now_ = 0, bound_v_;
  bool is_changed_ = false;
  Failed longer_voids_, better_liners_;
  CascadeReport result_;
};

}  // namespace

CascadeReport find_cascade(Solver& solver, const Loads& loads, const IrReport& report, const StressOptions& options,
                           const SummaryOptions& summary, std::vector<Finding>& findings) {
  if (report.design != solver.system().design()) throw InputError("this report is of another design than the solver");
  return CascadeFinder(solver, loads, report, options, summary).find(findings);
}

}  // namespace gridiron
