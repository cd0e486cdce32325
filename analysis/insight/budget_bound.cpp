// SPDX-License-Identifier: Apache-2.0
#include "analysis/insight/budget_bound.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "analysis/insight/budget_candidates.hpp"
#include "analysis/insight/budget_check.hpp"
#include "analysis/insight/budget_node.hpp"
#include "analysis/model/deck/unknown_name.hpp"
#include "analysis/results/loose_bound.hpp"
#include "netlist/names/name_table.hpp"
#include "support/error_text.hpp"
#include "support/freed_memory.hpp"
#include "support/parallel.hpp"
#include "support/plural.hpp"
#include "support/shown_number.hpp"
#include "support/stopwatch.hpp"

namespace gridiron {
namespace {

constexpr int64_t kLargestBlock = 32;    ///< unit responses at once
constexpr size_t kWorthTightening = 64;  ///< nodes that were bounded, and others that still have to be
constexpr int64_t kEntriesAtOnce = int64_t{1} << 27;

/// Bounds nodes in blocks of unit responses.
class Search {
 public:
  Search(Solver& solver, const IrReport& report, const Budget& budget, const BudgetOptions& options)
      : solver_(solver),
        options_(options),
        bounds_(solver, report, budget),
        candidates_(solver.system(), report, bounds_),
        most_at_once_(std::clamp<int64_t>(kEntriesAtOnce / std::ssize(report.nodes.net), 1, kLargestBlock)) {}

  int64_t solves() const { return solves_; }

  std::vector<BudgetNode> chosen(std::span<const NodeId> nodes) {
    std::vector<BudgetNode> results(nodes.size());
    for (size_t k = 0; k < nodes.size(); ++k)
      if (bounds_.is_fixed(nodes[k])) results[k] = bounds_.fixed(nodes[k]);
    for (size_t first = 0; first < nodes.size(); first += most_at_once_) {
      const auto block = nodes.subspan(first, std::min<size_t>(most_at_once_, nodes.size() - first));
      std::vector<NodeBounds::Found> found = bounded(block);
      for (size_t k = 0; k < block.size(); ++k)
        if (!bounds_.is_fixed(block[k])) results[first + k] = std::move(found[k].bound);
    }
    return results;
  }

  /// The worst of a net, and the loads that cause it (empty: none do).
  std::pair<BudgetNet, std::vector<double>> worst_of(int32_t net) {
    std::vector<NodeId> nodes = candidates_.of_net(net, bounds_);
    BudgetNet result;
    result.net = net;
    result.candidates = std::ssize(nodes);
    if (const std::optional<BudgetNode>& fixed = candidates_.fixed(net)) {
      result.ceiling_v = std::max(0.0, fixed->drop_v + fixed->bound_v);
      list(*fixed, result.worst);
    }
    std::vector<double> above_a;
    const auto is_open = [&](NodeId node) {
      return result.worst.empty() || bounds_.ceiling(node) > result.worst.front().drop_v;
    };
    std::vector<NodeBounds::Found> known;  // without their loads
    size_t tightened_at = 0;
    while (!nodes.empty() && result.solved < options_.most_solves) {
      const int64_t to_list = static_cast<int64_t>(options_.worst) - result.solved;
      if (to_list <= 0) std::erase_if(nodes, [&](NodeId node) { return !is_open(node); });
      if (nodes.size() > kWorthTightening && known.size() >= std::max(kWorthTightening, 2 * tightened_at)) {
        bounds_.tighten(solver_, known);
        tightened_at = known.size();
        sort_by_ceiling(nodes, bounds_);
        continue;
      }
      const int64_t wanted = std::min(to_list > 0 ? to_list : kLargestBlock, most_at_once_);
      const std::vector<NodeId> block =
          taken_from(nodes, static_cast<size_t>(std::min(wanted, options_.most_solves - result.solved)), known.empty());
      for (NodeBounds::Found& found : bounded(block)) {
        result.ceiling_v = std::max(result.ceiling_v, found.bound.drop_v + found.bound.bound_v);
        list(found.bound, result.worst);
        if (result.worst.front().node == found.bound.node) above_a = std::move(found.above_a);
        free_memory(found.above_a);  // loads × solves
        known.push_back(std::move(found));
      }
      result.solved += std::ssize(block);
    }
    result.is_certain = std::ranges::none_of(nodes, is_open);
    if (!result.is_certain)
      for (const NodeId node : nodes)
        result.ceiling_v = std::max(result.ceiling_v, bounds_.ceiling(node) + bounds_.ceiling_error());
    result.ceiling_v = std::max(result.ceiling_v, result.is_certain && !result.worst.empty()
                                                      ? result.worst.front().drop_v + bounds_.ceiling_error()
                                                      : 0.0);
    leave_out_idle(result.worst);
    return {std::move(result), std::move(above_a)};
  }

 private:
  /// Takes the first nodes from the front, and of later ones every second one from somewhere in the rest, so that
  /// ceilings come down everywhere.
  static std::vector<NodeId> taken_from(std::vector<NodeId>& nodes, size_t count, bool is_first) {
    count = std::min(count, nodes.size());
    std::vector<NodeId> taken;
    std::vector<uint8_t> is_taken(nodes.size(), 0);
    const size_t front = is_first ? count : (count + 1) / 2, rest = nodes.size() - front;
    for (size_t k = 0; k < count; ++k) is_taken[k < front ? k : front + (k - front) * rest / (count - front)] = 1;
    std::vector<NodeId> left;
    for (size_t k = 0; k < nodes.size(); ++k) (is_taken[k] ? taken : left).push_back(nodes[k]);
    nodes = std::move(left);
    return taken;
  }

  /// A node that a source holds is listed where it drops, or where it is the worst.
  void leave_out_idle(std::vector<BudgetNode>& worst) const {
    for (size_t k = 1; k < worst.size(); ++k)
      if (bounds_.is_fixed(worst[k].node) && !(worst[k].drop_v > 0)) {
        worst.erase(worst.begin() + k);
        return;
      }
  }

  std::vector<NodeBounds::Found> bounded(std::span<const NodeId> nodes) {
    const SolverOptions& wanted = solver_.options();
    const std::vector<UnitResponse> responses =
        wanted.rtol ? solver_.respond(nodes) : solver_.respond(nodes, bounds_.response_error(wanted.tolerance_v));
    solves_ += std::ssize(nodes);
    std::vector<NodeBounds::Found> found(nodes.size());
    parallel_tasks(std::ssize(nodes), [&](int64_t k) { found[k] = bounds_.bounded(responses[k]); });
    return found;
  }

  void list(BudgetNode node, std::vector<BudgetNode>& worst) const {
    const auto at = std::ranges::find_if(worst, [&](const BudgetNode& w) { return node.drop_v > w.drop_v; });
    worst.insert(at, std::move(node));
    if (worst.size() > options_.worst) worst.pop_back();
  }

  Solver& solver_;
  const BudgetOptions& options_;
  NodeBounds bounds_;
  BudgetCandidates candidates_;
  int64_t most_at_once_, solves_ = 0;
};

std::vector<NodeId> nodes_named(const IrReport& report, const std::vector<std::string>& names) {
  std::vector<NodeId> nodes;
  for (const std::string& name : names) {
    const NodeId node = report.circuit->nodes.find(name);
    if (node < 0)
      throw unknown_node(*report.circuit, name, fmt::format("{} {}: {}", field("budget_node"), name, kNoNode));
    if (report.nodes.net[node] < 0)
      throw field_error("budget_node",
                        "{}: the node has no drop: it floats, is ground, or is on a net that was not asked for", name);
    nodes.push_back(node);
  }
  return nodes;
}

bool is_on_worst_of_net(const LimitRequest& limit) { return limit.quantity == "worst" && limit.layer.empty(); }

void judge(const std::vector<LimitRequest>& limits, const NetResult& net, BudgetNet& result) {
  for (const LimitRequest& limit : limits) {
    if (!is_on_worst_of_net(limit)) continue;
    if (!limit.net.empty() && !same_name(limit.net, net.name)) continue;
    const double volts = limit.is_share ? limit.value * net.supply_v : limit.value;
    result.limit_v = std::min(result.limit_v.value_or(volts), volts);
  }
  if (!result.limit_v) return;
  result.exceeded = !result.worst.empty() && result.worst.front().drop_v > *result.limit_v;
  result.undecided = !result.exceeded && !(result.ceiling_v <= *result.limit_v);
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
  result.loads = static_cast<int64_t>(budget.loads().size());
  result.ranged = budget.ranged();
  result.blocks = budget.blocks();
  for (const BudgetLoad& load : budget.loads()) {
    result.least_a += load.least_a;
    result.most_a += load.most_a;
    result.deck_a += std::abs(report.circuit->current_sources.value[load.source]);
  }

  Search search(solver, report, budget, options);
  result.chosen = search.chosen(chosen);
  for (size_t k = 0; k < report.nets.size(); ++k) {
    if (report.nets[k].nodes == 0) continue;
    auto [net, above_a] = search.worst_of(static_cast<int32_t>(k));
    net.load_a = budget.source_amperes(above_a);
    judge(options.limits, report.nets[k], net);
    result.nets.push_back(std::move(net));
  }
  check_over_budget(solver, report, result.nets);
  result.adjoint_solves = search.solves();
  result.seconds = watch.seconds();
  return result;
}

std::vector<Finding> find_unjudged_limits(const SummaryOptions& options) {
  const bool is_on_metal =
      !options.em_limits.empty() || (options.em && options.em->limit) || (options.stress && options.stress->limit);
  if (!is_on_metal && std::ranges::all_of(options.limits, is_on_worst_of_net)) return {};
  return {{Finding::Severity::info, "budget-limits",
           fmt::format("limits on layers, averages and percentiles, on currents and stress hold for the loads of the "
                       "deck; over {}, those on the worst drop of nets are judged",
                       field("budget")),
           ""}};
}

std::string describe(const BudgetNet& net, const IrReport& report) {
  const double drop = net.worst.empty() ? 0 : net.worst.front().drop_v, limit = net.limit_v.value_or(0);
  const std::string what =
      fmt::format("net {}: worst drop over the budget of {:.4g} mV", report.nets[net.net].name, 1e3 * drop);
  if (net.exceeded) return fmt::format("{} exceeds {:.4g} mV", what, 1e3 * limit);
  if (net.undecided && !net.is_certain)
    return fmt::format("{} is within {:.4g} mV, but after {} another node may drop by {:.4g} mV; raise {}", what,
                       1e3 * limit, counted(net.solved, "solve"), 1e3 * net.ceiling_v, field("budget_solves"));
  if (net.undecided)
    return fmt::format("{} is within {:.4g} mV, but {}", what, 1e3 * limit,
                       certified_only_to(net.ceiling_v - drop, "V"));
  return fmt::format("{} is within {:.4g} mV", what, 1e3 * limit);
}

std::string tolerance_miss(const BudgetReport& report, const SolverOptions& options) {
  double largest = 0;
  for (const BudgetNet& net : report.nets)
    for (const BudgetNode& node : net.worst) largest = std::max(largest, node.bound_v);
  for (const BudgetNode& node : report.chosen) largest = std::max(largest, node.bound_v);
  if (options.rtol || largest <= options.tolerance_v) return "";
  return fmt::format(
      "the worst cases over the budget are certified to {:.2e} V only, asked for {:.2e} V; try another {}",
      Shown{largest}, options.tolerance_v, field("engine"));
}

}  // namespace gridiron
