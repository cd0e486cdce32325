// SPDX-License-Identifier: Apache-2.0
#include "analysis/insight/budget.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "analysis/insight/budget_shares.hpp"
#include "analysis/results/instances.hpp"
#include "analysis/results/summarise.hpp"
#include "support/error_text.hpp"

namespace gridiron {
namespace {

using Unit = BudgetAmount::Unit;
using Lists = std::vector<std::vector<int64_t>>;

/// A block that is over its bound by no more than rounding is full.
constexpr double kRounding = 1e-12;

/// What power at the nominal voltage is current times, V; 0 where unknown.
double supply_of(const InstancePins& load, const NodeTable& nodes, std::span<const NetResult> nets) {
  const int32_t a = nodes.net[load.power], b = nodes.net[load.ground];
  if (load.is_one_ended()) return a < 0 ? 0 : nets[a].supply_v;
  return a < 0 || b < 0 ? 0 : std::abs(nets[a].nominal_v - nets[b].nominal_v);
}

BudgetLoad load_at(const InstancePins& pins, std::span<const double> deck_a) {
  const auto direction = [&](int64_t source) { return deck_a[source] < 0 ? -1.0 : 1.0; };
  BudgetLoad load;
  load.source = pins.source;
  load.sign = direction(pins.source);
  load.least_a = load.most_a = std::abs(deck_a[pins.source]);
  if (pins.twin >= 0) {
    const double ratio = deck_a[pins.source] == 0 ? 1 : std::abs(deck_a[pins.twin] / deck_a[pins.source]);
    load.twin = pins.twin;
    load.twin_factor = direction(pins.twin) * ratio;
  }
  return load;
}

std::string name_of(const Circuit& circuit, const BudgetLoad& load) {
  return circuit.element_name(kCurrentSource, load.source);
}

}  // namespace

Budget::Budget(const System& system, std::span<const double> voltage_v, const BudgetTable& table)
    : design_(system.design()) {
  const Circuit& circuit = *design_->circuit;
  const std::vector<double>& deck_a = circuit.current_sources.value;
  const std::vector<InstancePins> instances = find_instance_pins(circuit), pins = budget_pins(instances, deck_a);
  const NodeTable nodes = node_table(system, voltage_v);
  const std::vector<NetResult> nets = net_list(system, loaded_nets(instances, nodes));
  std::vector<double> supply_v;
  for (const InstancePins& load : pins) {
    loads_.push_back(load_at(load, deck_a));
    supply_v.push_back(supply_of(load, nodes, nets));
  }
  const std::vector<BudgetMember> members = find_members(*design_, table, pins, nodes, nets);
  require_shares(table, members, pins, deck_a);
  bound_loads(table, members, supply_v);
  add_blocks(table, members, supply_v);
}

void Budget::bound_loads(const BudgetTable& table, std::span<const BudgetMember> members,
                         std::span<const double> supply_v) {
  is_named_.assign(loads_.size(), 0);
  const std::vector<double>& deck_a = design_->circuit->current_sources.value;
  for (const auto& [row_index, load_index] : members) {
    const BudgetTable::Row& row = table.rows[row_index];
    if (row.is_sum) continue;
    BudgetLoad& load = loads_[load_index];
    const double supply = supply_v[load_index];
    const auto amperes = [&](const BudgetAmount& amount) {
      if (amount.unit == Unit::share) return amount.value * std::abs(deck_a[load.source]);
      if (amount.unit == Unit::ampere) return amount.value;
      if (!(supply > 0))
        throw input_error("{}: the supply voltage of {} is not known; give {} NET=VOLTS, or a current",
                          table.place(row), name_of(*design_->circuit, load), field("nominal"));
      return amount.value / supply;
    };
    load.least_a = amperes(row.least);
    load.most_a = amperes(row.most);
    is_named_[load_index] = 1;
    if (load.least_a > load.most_a)
      throw input_error("{}: the least of {}, {:.4g} A, is above its most, {:.4g} A; correct one of them",
                        table.place(row), name_of(*design_->circuit, load), load.least_a, load.most_a);
  }
}

void Budget::add_blocks(const BudgetTable& table, std::span<const BudgetMember> members,
                        std::span<const double> supply_v) {
  std::vector<int64_t> rows;
  std::vector<int64_t> block_of_row(table.rows.size(), -1);
  for (size_t row = 0; row < table.rows.size(); ++row)
    if (table.rows[row].is_sum) {
      block_of_row[row] = std::ssize(rows);
      rows.push_back(static_cast<int64_t>(row));
    }
  Lists lists(rows.size());
  for (const auto& [row, load] : members)
    if (table.rows[row].is_sum) lists[block_of_row[row]].push_back(load);

  // Blocks of one supply may be given in A or W; one over several supplies decides what all are counted in.
  const auto is_of_one_supply = [&](size_t b) {
    return std::ranges::all_of(lists[b], [&](int64_t load) { return supply_v[load] == supply_v[lists[b].front()]; });
  };
  const auto unit_of = [&](size_t b) { return table.rows[rows[b]].most.unit; };
  bool counts_power = false;
  for (size_t b = 0; b < rows.size(); ++b) counts_power |= unit_of(b) == Unit::watt && !is_of_one_supply(b);

  const std::vector<double>& deck_a = design_->circuit->current_sources.value;
  for (size_t b = 0; b < rows.size(); ++b) {
    const BudgetTable::Row& row = table.rows[rows[b]];
    const std::string place = table.place(row);
    const auto fail = [&](std::string_view what) { throw input_error("{}: {}", place, what); };
    const double supply = supply_v[lists[b].front()];
    if (unit_of(b) == Unit::watt || counts_power)
      for (const int64_t load : lists[b])
        if (!(supply_v[load] > 0))
          fail(fmt::format("the supply voltage of {} is not known; give {} NET=VOLTS",
                           name_of(*design_->circuit, loads_[load]), field("nominal")));
    if (unit_of(b) == Unit::ampere && counts_power && !is_of_one_supply(b))
      fail("a sum of currents over several supplies, while another sum is of power over several; give both in W");
    double least = 0, of_deck = 0;
    for (const int64_t load : lists[b]) {
      loads_[load].weight = counts_power ? supply_v[load] : 1;
      least += loads_[load].weight * loads_[load].least_a;
      of_deck += std::abs(deck_a[loads_[load].source]) * (counts_power ? supply_v[load] : 1);
    }
    const bool is_share = unit_of(b) == Unit::share, is_power = is_share ? counts_power : unit_of(b) == Unit::watt;
    const double given = is_share ? row.most.value * of_deck : row.most.value;
    const double most = is_power == counts_power ? given : counts_power ? given * supply : given / supply;
    if (least > most * (1 + kRounding))
      fail(
          fmt::format("the loads of this sum draw {:.6g} {} at least, above {:.6g}; raise it, or lower the least of "
                      "the loads (what no rule 'each' means draws what the deck says)",
                      least, counts_power ? "W" : "A", most));
    blocks_.push_back({row.text, place, std::ssize(lists[b]), given, is_power});
    slack_.push_back(std::max(0.0, most - least));
  }
  nest(table, lists, rows);
}

/// Goes from the largest block to the smallest: each must lie within one of those so far, the innermost of all its
/// loads.
void Budget::nest(const BudgetTable& table, const Lists& lists, std::span<const int64_t> rows) {
  std::vector<int32_t> order(lists.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, [&](int32_t a, int32_t b) { return lists[a].size() > lists[b].size(); });
  parent_.assign(lists.size(), -1);
  std::vector<int32_t> rank(lists.size());
  for (size_t k = 0; k < order.size(); ++k) rank[order[k]] = static_cast<int32_t>(k);
  for (const int32_t b : order) {
    parent_[b] = loads_[lists[b].front()].block;
    for (const int64_t load : lists[b]) {
      const int32_t other = loads_[load].block;
      if (other != parent_[b]) {
        const int32_t smaller = parent_[b] < 0 || (other >= 0 && rank[other] > rank[parent_[b]]) ? other : parent_[b];
        throw input_error(
            "{}: the sum over {:?} shares loads with that over {:?} ({}), and neither holds all of the other; sums "
            "must "
            "be nested or apart",
            table.place(table.rows[rows[b]]), blocks_[b].members, blocks_[smaller].members, blocks_[smaller].place);
      }
    }
    for (const int64_t load : lists[b]) loads_[load].block = b;
  }
}

int64_t Budget::ranged() const {
  return std::ranges::count_if(loads_, [](const BudgetLoad& l) { return l.most_a > l.least_a; });
}

double Budget::room_a(size_t load) const {
  const BudgetLoad& l = loads_[load];
  double room = l.most_a - l.least_a;
  for (int32_t b = l.block; b >= 0; b = parent_[b]) room = std::min(room, slack_[b] / l.weight);
  return room;
}

Budget::Filling Budget::fill(std::span<const double> gain) const {
  std::vector<std::pair<double, size_t>> order;
  order.reserve(loads_.size());
  for (size_t j = 0; j < loads_.size(); ++j)
    if (gain[j] > 0 && loads_[j].most_a > loads_[j].least_a) order.emplace_back(-gain[j] / loads_[j].weight, j);
  std::ranges::sort(order);
  Filling filling;
  filling.above_a.assign(loads_.size(), 0.0);
  std::vector<double> left = slack_;
  for (const auto& [_, j] : order) {
    const BudgetLoad& load = loads_[j];
    double amperes = load.most_a - load.least_a;
    for (int32_t b = load.block; b >= 0; b = parent_[b]) amperes = std::min(amperes, left[b] / load.weight);
    if (!(amperes > 0)) continue;
    for (int32_t b = load.block; b >= 0; b = parent_[b]) left[b] = std::max(0.0, left[b] - load.weight * amperes);
    filling.above_a[j] = amperes;
    filling.gain += gain[j] * amperes;
  }
  for (size_t b = 0; b < left.size(); ++b)
    if (left[b] <= kRounding * slack_[b]) filling.full_blocks.push_back(static_cast<int32_t>(b));
  return filling;
}

std::vector<double> Budget::source_amperes(std::span<const double> above_a) const {
  std::vector<double> amperes = design_->circuit->current_sources.value;
  for (size_t j = 0; j < loads_.size(); ++j) {
    if (!is_named_[j]) continue;
    const BudgetLoad& load = loads_[j];
    const double x = load.least_a + (above_a.empty() ? 0.0 : above_a[j]);
    amperes[load.source] = load.sign * x;
    if (load.twin >= 0) amperes[load.twin] = load.twin_factor * x;
  }
  return amperes;
}

}  // namespace gridiron
