// SPDX-License-Identifier: Apache-2.0
#include "analysis/ir/budget_bound.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "netlist/name_table.hpp"
#include "support/error.hpp"
#include "support/parallel.hpp"
#include "support/stopwatch.hpp"

namespace gridiron {
namespace {

constexpr std::int64_t kFirstBlock = 8, kLargestBlock = 32;  ///< unit responses at once
constexpr std::int64_t kEntriesAtOnce = std::int64_t{1} << 27;

double bound_of(const Certificate& certificate) {
  return certificate.valid ? certificate.max_error_v : std::numeric_limits<double>::infinity();
}

/// The load of a budget at its ends: a current of 1 A changes the voltage of a node by Σ factor · (λ_b − λ_a).
struct Ends {
  NodeId a, b;
  double factor;
};

/// Bounds single nodes.
class NodeBounds {
 public:
  NodeBounds(Solver& solver, const IrReport& report, const Budget& budget)
      : solver_(solver), report_(report), budget_(budget), merge_(solver.system().topology().merge) {
    const Sources& sources = report.circuit->current_sources;
    for (const BudgetLoad& load : budget.loads()) {
      const auto ends_of = [&](std::int64_t source, double factor) {
        return source < 0 ? Ends{kGround, kGround, 0} : Ends{sources.a[source], sources.b[source], factor};
      };
      ends_.push_back({ends_of(load.source, load.sign), ends_of(load.twin, load.twin_factor)});
    }
    solve_for_least();
    find_ceilings();
    std::vector<double> ends(budget.loads().size(), 0.0);
    for (std::size_t j = 0; j < ends.size(); ++j)
      for (const Ends& e : ends_[j]) ends[j] += std::abs(e.factor) * (is_free(e.a) + is_free(e.b));
    most_error_per_ohm_ = budget.fill(ends).gain;
  }

  /// No loads that are allowed make the node drop more; `ceiling_error()` is the certified error.
  double ceiling(NodeId node) const {
    double highest = -std::numeric_limits<double>::infinity();
    for_each_sign(
        node, [&](double sign) { highest = std::max(highest, least_drop(node, sign) + ceiling_v_[sign > 0][node]); });
    return highest;
  }
  double ceiling_error() const { return least_error_ + ceiling_error_; }

  /// Whether a source fixes the potential, so that loads do not matter.
  bool is_fixed(NodeId node) const { return !is_free(node); }
  BudgetNode fixed(NodeId node) const {
    BudgetNode result = start(node);
    for_each_sign(node, [&](double sign) { result.drop_v = std::max(result.drop_v, least_drop(node, sign)); });
    result.bound_v = least_error_;
    return result;
  }

  struct Found {
    BudgetNode bound;
    std::vector<double> above_a;  ///< the loads that cause it, see Budget::Filling
  };
  Found bounded(const UnitResponse& response) const {
    Found found{start(response.node), {}};
    for_each_sign(response.node, [&](double sign) {
      Budget::Filling filling = budget_.fill(gains(response, sign));
      const double drop = least_drop(response.node, sign) + filling.gain;
      if (!found.above_a.empty() && !(drop > found.bound.drop_v)) return;
      found.bound.drop_v = drop;
      found.bound.full_blocks = std::move(filling.full_blocks);
      found.bound.bound_v = least_error_ + response.error_ohm * most_error_per_ohm_ + rounding(filling.gain);
      found.above_a = std::move(filling.above_a);
    });
    return found;
  }

 private:
  bool is_free(NodeId n) const { return n != kGround && merge_.group[n] < merge_.unknowns; }

  BudgetNode start(NodeId node) const {
    BudgetNode result;
    result.node = node;
    result.net = report_.nodes.net[node];
    result.deck_drop_v = report_.nodes.drop_v[node];
    return result;
  }

  const NetResult& net_of(NodeId node) const { return report_.nets[report_.nodes.net[node]]; }

  /// Calls f(s) for each s such that s · (voltage − nominal) is the drop: both of a ground net, whose bounce is |v|.
  template <class F>
  void for_each_sign(NodeId node, F&& f) const {
    const NetResult& net = net_of(node);
    if (net.is_ground || net.nominal_v > 0) f(-1.0);
    if (net.is_ground || net.nominal_v < 0) f(1.0);
  }

  double least_drop(NodeId node, double sign) const { return sign * (least_voltage_[node] - net_of(node).nominal_v); }

  /// ∂drop/∂x of every load, Ω.
  std::vector<double> gains(const UnitResponse& response, double sign) const {
    std::vector<double> gain(ends_.size(), 0.0);
    for (std::size_t j = 0; j < ends_.size(); ++j)
      for (const Ends& e : ends_[j]) gain[j] += sign * e.factor * (response.ohm[e.b] - response.ohm[e.a]);
    return gain;
  }

  /// Of a sum of so many terms, all above 0.
  double rounding(double sum) const {
    return static_cast<double>(ends_.size() + 8) * std::numeric_limits<double>::epsilon() * sum;
  }

  void solve_for_least() {
    Loads loads(report_.design);
    const std::vector<double> amperes = budget_.source_amperes();
    std::copy(amperes.begin(), amperes.end(), loads.vector(0).begin());
    Answer answer = std::move(solver_.solve(loads).front());
    if (!answer.is_finite()) throw SolverError(kNotFinite);
    least_voltage_ = std::move(answer.voltage_v);
    least_error_ = bound_of(answer.certificate);
  }

  /// Column 0: what lowers voltages most, currents out of nodes alone; column 1: into nodes alone.
  void find_ceilings() {
    const std::int64_t rows = solver_.system().network().nodes;
    std::vector<double> injection(static_cast<std::size_t>(2 * rows), 0.0), volts(injection.size(), 0.0);
    for (std::size_t j = 0; j < ends_.size(); ++j) {
      const double room = budget_.room_a(j);
      for (const Ends& e : ends_[j]) {
        const NodeId out = e.factor > 0 ? e.a : e.b, in = e.factor > 0 ? e.b : e.a;
        if (is_free(out)) injection[merge_.group[out]] -= std::abs(e.factor) * room;
        if (is_free(in)) injection[rows + merge_.group[in]] += std::abs(e.factor) * room;
      }
    }
    const std::vector<Accuracy> accuracy = solver_.solve({injection.data(), rows, 2}, {volts.data(), rows, 2});
    for (const Accuracy& a : accuracy) ceiling_error_ = std::max(ceiling_error_, bound_of(a.certificate));
    for (const int column : {0, 1}) {
      const double sign = column == 0 ? -1 : 1;
      std::vector<double>& ceiling = ceiling_v_[column];
      ceiling.assign(merge_.group.size(), 0.0);
      for (std::size_t n = 1; n < ceiling.size(); ++n)
        if (is_free(static_cast<NodeId>(n))) ceiling[n] = sign * volts[column * rows + merge_.group[n]];
    }
  }

  Solver& solver_;
  const IrReport& report_;
  const Budget& budget_;
  const Merge& merge_;
  std::vector<std::array<Ends, 2>> ends_;  ///< per load
  std::vector<double> least_voltage_;      ///< of nodes under the least loads, V
  double least_error_ = 0;
  std::array<std::vector<double>, 2> ceiling_v_;  ///< per node: how much more it may fall, and rise, V
  double ceiling_error_ = 0;
  double most_error_per_ohm_ = 0;  ///< max Σ c_j (x_j − l_j), A
};

/// Nodes of a net that could be the worst: see bound_over_budget(). Those of fixed potential are not among them.
class Candidates {
 public:
  Candidates(const System& system, const IrReport& report, const Budget& budget)
      : topology_(system.topology()),
        report_(report),
        may_draw_(static_cast<std::size_t>(topology_.merge.unknowns), 0),
        has_offsets_(may_draw_.size(), 0) {
    const Sources& sources = report.circuit->current_sources;
    const Merge& merge = topology_.merge;
    const auto mark = [&](NodeId node) {
      if (node != kGround && merge.group[node] < merge.unknowns) may_draw_[merge.group[node]] = 1;
    };
    for (const BudgetLoad& load : budget.loads())
      for (const std::int64_t source : {load.source, load.twin})
        if (source >= 0 && (load.most_a > 0 || sources.value[source] != 0)) {
          mark(sources.a[source]);
          mark(sources.b[source]);
        }
    for (std::size_t n = 1; n < merge.group.size(); ++n)
      if (merge.group[n] < merge.unknowns && merge.offset[n] != 0) has_offsets_[merge.group[n]] = 1;
  }

  /// Worst ceiling first.
  std::vector<NodeId> of_net(std::int32_t net, const NodeBounds& bounds) const {
    std::vector<std::pair<double, NodeId>> order;
    std::vector<std::uint8_t> is_taken(may_draw_.size(), 0);
    for (std::size_t n = 1; n < report_.nodes.net.size(); ++n) {
      const auto node = static_cast<NodeId>(n);
      if (report_.nodes.net[n] != net || bounds.is_fixed(node)) continue;
      const std::int32_t group = topology_.merge.group[n];
      const bool is_alone = joins_nets(topology_.parts.part[n]) || has_offsets_[group];
      if (!is_alone && (!may_draw_[group] || std::exchange(is_taken[group], 1))) continue;
      order.emplace_back(-bounds.ceiling(node), node);
    }
    std::sort(order.begin(), order.end());
    std::vector<NodeId> nodes;
    for (const auto& [_, node] : order) nodes.push_back(node);
    return nodes;
  }

 private:
  bool joins_nets(std::int32_t part) const {
    return topology_.nets.first_of_part[part + 1] - topology_.nets.first_of_part[part] > 1;
  }

  const Topology& topology_;
  const IrReport& report_;
  std::vector<std::uint8_t> may_draw_, has_offsets_;  ///< per unknown group
};

/// Bounds nodes in blocks of unit responses.
class Search {
 public:
  Search(Solver& solver, const IrReport& report, const Budget& budget, const BudgetOptions& options)
      : solver_(solver),
        report_(report),
        options_(options),
        bounds_(solver, report, budget),
        candidates_(solver.system(), report, budget),
        most_at_once_(std::clamp<std::int64_t>(kEntriesAtOnce / static_cast<std::int64_t>(report.nodes.net.size()), 1,
                                               kLargestBlock)) {}

  std::int64_t solves() const { return solves_; }

  std::vector<BudgetNode> chosen(std::span<const NodeId> nodes) {
    std::vector<BudgetNode> results(nodes.size());
    for (std::size_t k = 0; k < nodes.size(); ++k)
      if (bounds_.is_fixed(nodes[k])) results[k] = bounds_.fixed(nodes[k]);
    for (std::size_t first = 0; first < nodes.size(); first += most_at_once_) {
      const auto block = nodes.subspan(first, std::min<std::size_t>(most_at_once_, nodes.size() - first));
      std::vector<NodeBounds::Found> found = bounded(block);
      for (std::size_t k = 0; k < block.size(); ++k)
        if (!bounds_.is_fixed(block[k])) results[first + k] = std::move(found[k].bound);
    }
    return results;
  }

  /// The worst of a net, and the loads that cause it (empty: none do).
  std::pair<BudgetNet, std::vector<double>> worst_of(std::int32_t net) {
    const std::vector<NodeId> nodes = candidates_.of_net(net, bounds_);
    BudgetNet result;
    result.net = net;
    result.candidates = static_cast<std::int64_t>(nodes.size());
    add_fixed(net, result);
    std::vector<double> above_a;
    std::size_t next = 0;
    const auto is_open = [&] {
      return next < nodes.size() &&
             (result.worst.empty() || bounds_.ceiling(nodes[next]) > result.worst.front().drop_v);
    };
    for (std::int64_t size = kFirstBlock; next < nodes.size(); size = kLargestBlock) {
      const bool is_listing = result.solved < static_cast<std::int64_t>(options_.worst);
      if (!is_open() && !is_listing) break;
      if (result.solved >= options_.most_solves) break;
      const std::int64_t left = std::min(options_.most_solves - result.solved, std::min(size, most_at_once_));
      const auto count = std::min<std::size_t>(static_cast<std::size_t>(left), nodes.size() - next);
      for (NodeBounds::Found& found : bounded(std::span(nodes).subspan(next, count))) {
        result.ceiling_v = std::max(result.ceiling_v, found.bound.drop_v + found.bound.bound_v);
        if (result.worst.empty() || found.bound.drop_v > result.worst.front().drop_v)
          above_a = std::move(found.above_a);
        list(std::move(found.bound), result.worst);
      }
      next += count;
      result.solved += static_cast<std::int64_t>(count);
    }
    result.is_certain = !is_open();
    if (next < nodes.size())
      result.ceiling_v = std::max(result.ceiling_v, bounds_.ceiling(nodes[next]) + bounds_.ceiling_error());
    return {std::move(result), std::move(above_a)};
  }

 private:
  std::vector<NodeBounds::Found> bounded(std::span<const NodeId> nodes) {
    const std::vector<UnitResponse> responses = solver_.respond(nodes);
    solves_ += static_cast<std::int64_t>(nodes.size());
    std::vector<NodeBounds::Found> found(nodes.size());
    parallel_tasks(static_cast<std::int64_t>(nodes.size()),
                   [&](std::int64_t k) { found[k] = bounds_.bounded(responses[k]); });
    return found;
  }

  /// The node that sources hold farthest from nominal.
  void add_fixed(std::int32_t net, BudgetNet& result) const {
    std::optional<BudgetNode> farthest;
    for (std::size_t n = 1; n < report_.nodes.net.size(); ++n) {
      if (report_.nodes.net[n] != net || !bounds_.is_fixed(static_cast<NodeId>(n))) continue;
      BudgetNode node = bounds_.fixed(static_cast<NodeId>(n));
      if (!farthest || node.drop_v > farthest->drop_v) farthest = std::move(node);
    }
    if (!farthest || !(farthest->drop_v > 0)) return;
    result.ceiling_v = farthest->drop_v + farthest->bound_v;
    list(std::move(*farthest), result.worst);
  }

  void list(BudgetNode node, std::vector<BudgetNode>& worst) const {
    const auto at =
        std::find_if(worst.begin(), worst.end(), [&](const BudgetNode& w) { return node.drop_v > w.drop_v; });
    worst.insert(at, std::move(node));
    if (worst.size() > options_.worst) worst.pop_back();
  }

  Solver& solver_;
  const IrReport& report_;
  const BudgetOptions& options_;
  NodeBounds bounds_;
  Candidates candidates_;
  std::int64_t most_at_once_, solves_ = 0;
};

std::vector<NodeId> nodes_named(const IrReport& report, const std::vector<std::string>& names) {
  std::vector<NodeId> nodes;
  for (const std::string& name : names) {
    const NodeId node = report.circuit->nodes.find(name);
    if (node < 0)
      throw InputError(fmt::format("{} {}: the netlist has no node of that name", field("budget_node"), name));
    if (report.nodes.net[node] < 0)
      throw InputError(
          fmt::format("{} {}: the node has no drop: it floats, is ground, or is on a net that was not asked for",
                      field("budget_node"), name));
    nodes.push_back(node);
  }
  return nodes;
}

void judge(const std::vector<LimitRequest>& limits, const NetResult& net, BudgetNet& result) {
  for (const LimitRequest& limit : limits) {
    if (limit.quantity != "worst" || !limit.layer.empty()) continue;
    if (!limit.net.empty() && !same_name(limit.net, net.name)) continue;
    const double volts = limit.is_share ? limit.value * net.supply_v : limit.value;
    result.limit_v = std::min(result.limit_v.value_or(volts), volts);
  }
  if (!result.limit_v) return;
  result.exceeded = !result.worst.empty() && result.worst.front().drop_v > *result.limit_v;
  result.undecided = !result.exceeded && !(result.ceiling_v <= *result.limit_v);
}

/// Solves for the loads of every net's worst.
void check_worst(Solver& solver, std::vector<BudgetNet>& nets, const IrReport& report) {
  Loads loads(report.design, static_cast<std::int64_t>(nets.size()));
  for (std::size_t k = 0; k < nets.size(); ++k)
    std::copy(nets[k].load_a.begin(), nets[k].load_a.end(), loads.vector(static_cast<std::int64_t>(k)).begin());
  solver.solve(loads, [&](std::int64_t vector, const Answer& answer) {
    BudgetNet& net = nets[static_cast<std::size_t>(vector)];
    net.check_bound_v = bound_of(answer.certificate);
    if (net.worst.empty()) return;
    const NetResult& of = report.nets[net.net];
    const double volts = answer.voltage_v[net.worst.front().node] - of.nominal_v;
    net.check_drop_v = of.is_ground ? std::abs(volts) : of.nominal_v > 0 ? -volts : volts;
  });
}

}  // namespace

BudgetReport bound_over_budget(Solver& solver, const IrReport& report, const BudgetTable& table,
                               const BudgetOptions& options) {
  const ThreadCount threads(solver.context().threads);
  const Stopwatch watch;
  if (report.design != solver.system().design()) throw InputError("this report is of another design than the solver");
  const std::vector<NodeId> chosen = nodes_named(report, options.nodes);
  const Budget budget(solver.system(), report.nodes.voltage_v, table);

  BudgetReport result;
  result.path = table.path;
  result.loads = static_cast<std::int64_t>(budget.loads().size());
  result.ranged = budget.ranged();
  result.blocks = budget.blocks();
  for (const BudgetLoad& load : budget.loads()) {
    result.least_a += load.least_a;
    result.most_a += load.most_a;
    result.deck_a += std::abs(report.circuit->current_sources.value[load.source]);
  }

  Search search(solver, report, budget, options);
  result.chosen = search.chosen(chosen);
  for (std::size_t k = 0; k < report.nets.size(); ++k) {
    if (report.nets[k].nodes == 0) continue;
    auto [net, above_a] = search.worst_of(static_cast<std::int32_t>(k));
    net.load_a = budget.source_amperes(above_a);
    judge(options.limits, report.nets[k], net);
    result.nets.push_back(std::move(net));
  }
  check_worst(solver, result.nets, report);
  result.adjoint_solves = search.solves();
  result.seconds = watch.seconds();
  return result;
}

std::string tolerance_miss(const BudgetReport& report, const SolverOptions& options) {
  double largest = 0;
  for (const BudgetNet& net : report.nets)
    for (const BudgetNode& node : net.worst) largest = std::max(largest, node.bound_v);
  for (const BudgetNode& node : report.chosen) largest = std::max(largest, node.bound_v);
  if (options.rtol || largest <= options.tolerance_v) return "";
  return fmt::format(
      "the worst cases over the budget are certified to {:.2e} V only, asked for {:.2e} V; try another {}", largest,
      options.tolerance_v, field("engine"));
}

}  // namespace gridiron
