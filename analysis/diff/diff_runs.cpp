// SPDX-License-Identifier: Apache-2.0
#include "analysis/diff/diff_runs.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "analysis/diff/change_limits.hpp"
#include "analysis/diff/lifetime_changes.hpp"
#include "analysis/diff/moment_changes.hpp"
#include "analysis/diff/spot_changes.hpp"
#include "analysis/diff/stress_changes.hpp"
#include "analysis/results/net_statistics.hpp"
#include "netlist/names/lower_case.hpp"

namespace gridiron {
namespace {

/// Rows of one run by net, or by layer of a net.
using Rows = std::vector<int32_t>;

std::vector<Rows> rows_by_net(const RunData& run) {
  std::vector<Rows> rows(run.nets.size());
  for (int32_t row = 0; row < run.nodes(); ++row) rows[run.net[row]].push_back(row);
  return rows;
}

/// One more than there are layers; the last is for unknown ones.
std::vector<Rows> rows_by_layer(const RunData& run, const Rows& of_net) {
  std::vector<Rows> rows(run.layers.size() + 1);
  for (const int32_t row : of_net) rows[run.layer[row] < 0 ? run.layers.size() : run.layer[row]].push_back(row);
  return rows;
}

std::string layer_name(const RunData& run, size_t layer) {
  return layer < run.layers.size() ? run.layers[layer] : std::string();
}

/// The figures of some nodes of a run.
struct Figures {
  int64_t nodes = 0;
  double worst_v = 0, average_v = 0;
  Percentiles percentiles_v;
  std::string worst_node;
};

Figures figures_of(const RunData& run, const Rows& rows) {
  Figures figures;
  figures.nodes = std::ssize(rows);
  if (rows.empty()) return figures;
  std::vector<double> drops;
  int32_t worst = rows.front();
  for (const int32_t row : rows) {
    drops.push_back(run.drop_v[row]);
    if (run.drop_v[row] > run.drop_v[worst]) worst = row;
  }
  figures.worst_v = run.drop_v[worst];
  figures.worst_node = run.names[worst];
  figures.average_v = std::accumulate(drops.begin(), drops.end(), 0.0) / drops.size();
  figures.percentiles_v = percentiles_of(drops);
  return figures;
}

LayerChange layer_change(const RunData& before, const RunData& after, std::string layer, const Figures& a,
                         const Figures& b) {
  LayerChange change;
  change.layer = std::move(layer);
  change.nodes_before = a.nodes;
  change.nodes_after = b.nodes;
  change.worst = change_of(before, after, a.worst_v, b.worst_v);
  change.average = change_of(before, after, a.average_v, b.average_v);
  change.worst_before = a.worst_node;
  change.worst_after = b.worst_node;
  return change;
}

std::vector<LayerChange> layer_changes(const RunData& before, const RunData& after, const Rows& rows_a,
                                       const Rows& rows_b) {
  if (before.layers.empty() != after.layers.empty()) return {};  // one of them does not tell layers
  const std::vector<Rows> by_layer_a = rows_by_layer(before, rows_a), by_layer_b = rows_by_layer(after, rows_b);
  const Rows none;
  std::vector<LayerChange> changes;
  const auto add = [&](std::string layer, const Rows& a, const Rows& b) {
    if (!a.empty() || !b.empty())
      changes.push_back(layer_change(before, after, std::move(layer), figures_of(before, a), figures_of(after, b)));
  };
  std::vector<bool> is_in_after(by_layer_a.size(), false);
  for (size_t b = 0; b < by_layer_b.size(); ++b) {
    const Rows* earlier = &none;
    for (size_t a = 0; a < by_layer_a.size(); ++a)
      if (same_name(layer_name(before, a), layer_name(after, b))) {
        is_in_after[a] = true;
        earlier = &by_layer_a[a];
      }
    add(layer_name(after, b), *earlier, by_layer_b[b]);
  }
  for (size_t a = 0; a < by_layer_a.size(); ++a)
    if (!is_in_after[a]) add(layer_name(before, a), by_layer_a[a], none);
  return changes;
}

/// Keeps the row that drops most.
void keep_worst(const RunData& run, int32_t row, int32_t& worst) {
  if (worst < 0 || run.drop_v[row] > run.drop_v[worst]) worst = row;
}

/// The net before that a net of another name was: one that is gone and shares at least half of the nodes of both.
int32_t earlier_net(const RunData& before, const RunData& after, const std::vector<Rows>& nets_a, const Rows& rows_b) {
  std::vector<int64_t> common(before.nets.size(), 0);
  for (const int32_t b : rows_b)
    if (const int32_t a = before.names.find(after.names[b]); a >= 0) ++common[before.net[a]];
  const auto most = std::ranges::max_element(common);
  if (most == common.end()) return -1;
  const auto net = most - common.begin();
  const bool is_same = *most > 0 && 2 * *most >= std::ssize(rows_b) && 2 * *most >= std::ssize(nets_a[net]);
  return is_same && net_called(after, before.nets[net].name) < 0 ? static_cast<int32_t>(net) : -1;
}

/// Node by node; fills change_v.
void compare_nodes(const RunData& before, const RunData& after, const Rows& rows_a, const Rows& rows_b, NetChange& net,
                   std::vector<double>& change_v) {
  int64_t common = 0;
  net.largest_rise.drop = net.largest_fall.drop = net.highest = change_of(before, after, 0, 0);
  double highest = -INFINITY, at_most = -INFINITY;
  for (const int32_t b : rows_b) {
    const int32_t a = before.names.find(after.names[b]);
    if (a < 0 || rows_a.empty() || before.net[a] != before.net[rows_a.front()]) {
      ++net.only_after;
      keep_worst(after, b, net.worst_new);
      continue;
    }
    ++common;
    const NodeChange node{a, b, change_of(before, after, before.drop_v[a], after.drop_v[b])};
    const double change = change_v[b] = node.drop.change_v();
    if (change > highest) net.highest = node.drop;
    highest = std::max(highest, change);
    at_most = std::max(at_most, change + node.drop.bound_v);
    if (!node.drop.is_change()) continue;
    ++(change > 0 ? net.risen : net.fallen);
    if (change > std::max(0.0, net.largest_rise.drop.change_v())) net.largest_rise = node;
    if (change < std::min(0.0, net.largest_fall.drop.change_v())) net.largest_fall = node;
  }
  if (common > 0) net.highest.bound_v = std::max(net.highest.bound_v, at_most - highest);
  net.only_before = std::ssize(rows_a) - common;
  if (net.only_before == 0) return;
  for (const int32_t a : rows_a) {
    const int32_t b = after.names.find(before.names[a]);
    if (b < 0 || rows_b.empty() || after.net[b] != after.net[rows_b.front()]) keep_worst(before, a, net.worst_gone);
  }
}

NetSupply supply_of(const RunData::Net& net) { return {net.is_ground, net.nominal_v, net.supply_v}; }

BudgetChange budget_change(const RunData& before, const RunData& after, const RunData::Net* a, const RunData::Net* b) {
  BudgetChange change{a && a->over_budget_v, b && b->over_budget_v, {}};
  Change& worst = change.worst;
  const auto add = [&](const RunData& run, const RunData::Net& net, double& volts) {
    volts = *net.over_budget_v;
    worst.bound_v += net.over_budget_bound_v + run.rounding * std::abs(volts);
  };
  if (change.is_in_before) add(before, *a, worst.before_v);
  if (change.is_in_after) add(after, *b, worst.after_v);
  return change;
}

}  // namespace

Change change_of(const RunData& before, const RunData& after, double before_v, double after_v) {
  return {before_v, after_v,
          before.bound_v + after.bound_v + errors_in_time_v(before, after) + before.rounding * std::abs(before_v) +
              after.rounding * std::abs(after_v)};
}

int32_t net_called(const RunData& run, const std::string& name) {
  const auto found = std::ranges::find_if(run.nets, [&](const RunData::Net& net) { return same_name(net.name, name); });
  return found == run.nets.end() ? -1 : static_cast<int32_t>(found - run.nets.begin());
}

bool SupplyChange::is_change() const {
  constexpr double kSame = 1e-9;
  const auto differ = [](double a, double b) { return std::abs(a - b) > kSame * std::max(std::abs(a), std::abs(b)); };
  if (before.is_ground != after.is_ground || differ(before.nominal_v, after.nominal_v)) return true;
  return before.supply_v > 0 && after.supply_v > 0 && differ(before.supply_v, after.supply_v);
}

namespace {

std::optional<ViolationChange> violation_change(const RunData& before, const RunData& after) {
  if (!before.violations || !after.violations) return std::nullopt;
  const auto ends_of = [](const RunData::Violation& segment) {
    return std::minmax({lower(segment.from), lower(segment.to)});
  };
  std::map<std::pair<std::string, std::string>, int64_t> left;  // parallel segments have the same ends
  for (const RunData::Violation& segment : *before.violations) ++left[ends_of(segment)];
  ViolationChange change;
  for (const RunData::Violation& segment : *after.violations) {
    const auto same = left.find(ends_of(segment));
    if (same != left.end() && same->second > 0)
      --same->second;
    else
      change.appeared.push_back(segment);
  }
  for (const auto& [ends, count] : left) change.gone += count;
  return change;
}

}  // namespace

bool RunDiff::is_empty() const {
  const auto has_changed = [](const LayerChange& layer) {
    return layer.worst.is_change() || layer.average.is_change() || layer.nodes_before != layer.nodes_after;
  };
  const bool has_same_violations = !violations || (violations->appeared.empty() && violations->gone == 0);
  const bool has_same_stress = !stress || !stress->is_change();
  const bool has_same_lifetimes = em_parameters.empty() && (!lifetimes || !lifetimes->is_change());
  return spots.empty() && has_same_violations && has_same_stress && has_same_lifetimes &&
         std::ranges::none_of(nets, [&](const NetChange& net) {
           return !net.is_in_before || !net.is_in_after || !net.name_before.empty() || has_changed(net.whole) ||
                  net.supply.is_change() || net.over_budget.is_change() || net.risen > 0 || net.fallen > 0 ||
                  net.only_before > 0 || net.only_after > 0 || std::ranges::any_of(net.layers, has_changed);
         });
}

bool RunDiff::limit_exceeded() const {
  return std::ranges::any_of(limits, [](const ChangeLimitResult& limit) { return limit.exceeded; });
}

RunDiff diff_runs(const RunData& before, const RunData& after, const std::vector<ChangeLimit>& limits) {
  require_same_kind(before, after);
  RunDiff diff;
  diff.before = before.title;
  diff.after = after.title;
  diff.bound_before_v = before.bound_v;
  diff.bound_after_v = after.bound_v;
  diff.errors_in_time_v = errors_in_time_v(before, after);
  diff.simulation = simulation_change(before, after);
  diff.meet_tolerance = before.meets_tolerance && after.meets_tolerance;
  diff.change_v.assign(after.nodes(), NAN);
  const std::vector<Rows> nets_a = rows_by_net(before), nets_b = rows_by_net(after);
  const Rows none;
  const auto add = [&](const std::string& name, int32_t a, int32_t b) {
    const Rows &rows_a = a < 0 ? none : nets_a[a], &rows_b = b < 0 ? none : nets_b[b];
    const Figures figures_a = figures_of(before, rows_a), figures_b = figures_of(after, rows_b);
    NetChange& net = diff.nets.emplace_back();
    net.name = name;
    net.is_in_before = a >= 0;
    net.is_in_after = b >= 0;
    net.supply_v = b >= 0 ? after.nets[b].supply_v : before.nets[a].supply_v;
    if (a >= 0 && b >= 0) net.supply = {supply_of(before.nets[a]), supply_of(after.nets[b])};
    net.whole = layer_change(before, after, "", figures_a, figures_b);
    const Percentiles &p = figures_a.percentiles_v, &q = figures_b.percentiles_v;
    net.p50 = change_of(before, after, p.p50, q.p50);
    net.p95 = change_of(before, after, p.p95, q.p95);
    net.p99 = change_of(before, after, p.p99, q.p99);
    net.p999 = change_of(before, after, p.p999, q.p999);
    net.over_budget = budget_change(before, after, a < 0 ? nullptr : &before.nets[a], b < 0 ? nullptr : &after.nets[b]);
    net.moment = moment_change(before, after, a, b);
    net.layers = layer_changes(before, after, rows_a, rows_b);
    compare_nodes(before, after, rows_a, rows_b, net, diff.change_v);
  };
  std::vector<bool> is_matched(before.nets.size(), false);
  for (int32_t b = 0; b < static_cast<int32_t>(after.nets.size()); ++b) {
    int32_t a = net_called(before, after.nets[b].name);
    const bool is_of_its_name = a >= 0;
    if (!is_of_its_name) a = earlier_net(before, after, nets_a, nets_b[b]);
    add(after.nets[b].name, a, b);
    if (a < 0) continue;
    is_matched[a] = true;
    if (!is_of_its_name) diff.nets.back().name_before = before.nets[a].name;
  }
  for (int32_t a = 0; a < static_cast<int32_t>(before.nets.size()); ++a)
    if (!is_matched[a]) add(before.nets[a].name, a, -1);
  diff.left_out_before = before.left_out;
  diff.left_out_after = after.left_out;
  diff.spots = spot_changes(before, after);
  diff.violations = violation_change(before, after);
  diff.stress = stress_change(before, after);
  diff.lifetimes = lifetimes_change(before, after);
  diff.em_parameters = em_parameter_changes(before, after);
  diff.one_sided = one_sided(before, after);
  diff.run_limits = limit_changes(before.limits, after.limits);
  diff.limits = check_change_limits(after, diff, limits);
  return diff;
}

}  // namespace gridiron
