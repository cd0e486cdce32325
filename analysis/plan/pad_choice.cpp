// SPDX-License-Identifier: Apache-2.0
#include "analysis/plan/pad_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <string_view>

#include "analysis/plan/die_cells.hpp"
#include "netlist/names/name_table.hpp"
#include "support/error_text.hpp"
#include "support/nearest_names.hpp"
#include "support/number_in.hpp"

namespace gridiron {
namespace {

constexpr size_t kPool = 24;         ///< nodes that are looked at exactly
constexpr double kWorthwhile = 0.6;  ///< share of what the best pad of a round saves
constexpr int kPoolCells = 12;       ///< per side of the die, of each the best node

constexpr std::string_view kPadName = "plan_pad_";

/// The largest number of a pad that an earlier plan has added, 0: there is none.
int64_t last_number(const System& before) {
  int64_t last = 0;
  for (const AddedPad& pad : before.topology().added_pads)
    if (pad.name.starts_with(kPadName))
      last = std::max(last, number_in<int64_t>(pad.name.substr(kPadName.size())).value_or(0));
  return last;
}

/// Pads that are chosen one after the other among a few nodes, of which each changes what the others do.
class PadPool {
 public:
  PadPool(const PlanGrid& grid, const Trial& trial, const PlanModel& model, std::span<const Adjoint> adjoints,
          const PlanStep& step)
      : grid_(grid),
        trial_(trial),
        model_(model),
        adjoints_(adjoints),
        price_(step.price),
        least_saving_(step.is_kept ? grid.means().costs.pad : 0) {
    std::vector<double> low;
    for (const double factor : model.factor) low.push_back(std::max(1.0, factor / 2));
    for (size_t k = 0; k < model.watched.size(); ++k)
      need_.push_back(std::max(0.0, model.value(k, low) - model.watched[k].allowed));
  }

  /// An estimate, with the least resistance that the adjoints allow the node.
  double estimate(NodeId m) const {
    double least_ohm = 0;
    for (size_t k = 0; k < adjoints_.size(); ++k) {
      const Watched& w = model_.watched[k];
      if (w.kind != Watched::Kind::drop || adjoints_[k].of_node[w.node] <= 0) continue;
      const double across = adjoints_[k].of_node[m];
      least_ohm = std::max(least_ohm, across * across / adjoints_[k].of_node[w.node]);
    }
    double saved = 0;
    for (size_t k = 0; k < adjoints_.size(); ++k)
      saved += price_[k] * std::min(need_[k], gain(adjoints_[k].sign, adjoints_[k].of_node[m],
                                                   away(m, model_.watched[k].vector), least_ohm));
    return saved;
  }

  void set_nodes(std::vector<NodeId> nodes) {
    nodes_ = std::move(nodes);
    const std::vector<UnitResponse> responses = grid_.solver().respond(nodes_);
    const size_t n = nodes_.size(), watched = adjoints_.size();
    ohm_.assign(n, std::vector<double>(n));
    lambda_.assign(watched, std::vector<double>(n));
    away_.assign(trial_.answers.size(), std::vector<double>(n));
    for (size_t i = 0; i < n; ++i) {
      for (size_t j = 0; j < n; ++j) ohm_[i][j] = responses[i].ohm[nodes_[j]];
      for (size_t k = 0; k < watched; ++k) lambda_[k][i] = adjoints_[k].of_node[nodes_[i]];
      for (size_t v = 0; v < away_.size(); ++v) away_[v][i] = away(nodes_[i], static_cast<int32_t>(v));
    }
    taken_.assign(n, false);
  }

  /// The best node that is left, −1 if none is worth its cost; it has its pad from then on.
  int32_t take_best() {
    int32_t best = -1;
    double most = least_saving_;
    for (size_t i = 0; i < nodes_.size(); ++i) {
      if (taken_[i]) continue;
      const double saved = saving(i);
      if (saved <= most) continue;
      most = saved;
      best = static_cast<int32_t>(i);
    }
    if (best >= 0) add(best);
    if (best >= 0) least_saving_ = std::max(least_saving_, kWorthwhile * most);
    return best;
  }

  NodeId node(int32_t i) const { return nodes_[i]; }

  /// What a pad at a node saves, each alone.
  double saving(size_t i) const {
    double saved = 0;
    for (size_t k = 0; k < adjoints_.size(); ++k) saved += price_[k] * std::min(need_[k], gain_of(k, i));
    return saved;
  }

 private:
  double pad_ohm() const { return grid_.means().pads->ohm; }
  /// What a pad's potential is above that of the node, V.
  double away(NodeId m, int32_t vector) const {
    const int32_t net = trial_.report.nodes.net[m];
    return trial_.report.nets[net].nominal_v - trial_.answers[vector].voltage_v[m];
  }
  double gain(double sign, double lambda, double away_v, double ohm) const {
    return -sign * lambda * away_v / (pad_ohm() + ohm);
  }
  double gain_of(size_t k, size_t i) const {
    return gain(adjoints_[k].sign, lambda_[k][i], away_[model_.watched[k].vector][i], ohm_[i][i]);
  }

  /// Sherman and Morrison's formula, for what is kept of the inverse.
  void add(size_t i) {
    taken_[i] = true;
    for (size_t k = 0; k < adjoints_.size(); ++k) need_[k] = std::max(0.0, need_[k] - gain_of(k, i));
    const std::vector<double> column = ohm_[i];
    const double through = 1 / (pad_ohm() + column[i]);
    for (auto& of_vector : away_) {
      const double amperes = of_vector[i] * through;
      for (size_t j = 0; j < nodes_.size(); ++j) of_vector[j] -= column[j] * amperes;
    }
    for (auto& lambda : lambda_) {
      const double amperes = lambda[i] * through;
      for (size_t j = 0; j < nodes_.size(); ++j) lambda[j] -= column[j] * amperes;
    }
    for (auto& row : ohm_) {
      const double amperes = row[i] * through;
      for (size_t j = 0; j < nodes_.size(); ++j) row[j] -= column[j] * amperes;
    }
  }

  const PlanGrid& grid_;
  const Trial& trial_;
  const PlanModel& model_;
  std::span<const Adjoint> adjoints_;
  std::vector<double> price_, need_;  ///< per watched quantity
  double least_saving_;               ///< that is worth a pad; first 0 where widths alone keep no limits
  std::vector<NodeId> nodes_;
  std::vector<std::vector<double>> ohm_;     ///< effective resistances between nodes
  std::vector<std::vector<double>> lambda_;  ///< per watched quantity and node
  std::vector<std::vector<double>> away_;    ///< per load vector and node
  std::vector<bool> taken_;
};

/// The best candidates, of each part of the die one.
std::vector<NodeId> best_nodes(const PadPool& pool, const NodeTable& nodes, std::span<const NodeId> candidates) {
  DieCells cells(nodes, kPoolCells);
  for (const NodeId m : candidates) cells.cover(m);
  std::map<int64_t, std::pair<double, NodeId>> best;
  for (const NodeId m : candidates) {
    const double saved = pool.estimate(m);
    if (saved <= 0) continue;
    auto& of_cell = best.try_emplace(cells.of(m), saved, m).first->second;
    if (saved > of_cell.first) of_cell = {saved, m};
  }
  std::vector<std::pair<double, NodeId>> list;
  for (const auto& [cell, entry] : best) list.push_back(entry);
  std::ranges::stable_sort(list, [](const auto& a, const auto& b) { return a.first > b.first; });
  if (list.size() > kPool) list.resize(kPool);
  std::vector<NodeId> chosen;
  for (const auto& [saved, m] : list) chosen.push_back(m);
  return chosen;
}

}  // namespace

bool is_failing(const Trial& trial, int32_t net) {
  const auto fails = [&](const auto& limit, double value, double most) {
    return same_name(limit.net, trial.report.nets[net].name) && value + trial.error_of(limit) > most;
  };
  return std::ranges::any_of(trial.report.limits, [&](const auto& l) { return fails(l, l.value_v, l.limit_v); }) ||
         std::ranges::any_of(trial.report.em_limits, [&](const auto& l) { return fails(l, l.value_a, l.limit_a); });
}

std::vector<NodeId> pad_nodes(const PlanGrid& grid, const Trial& today) {
  if (!grid.means().pads) return {};
  const std::string& name = grid.means().pads->layer;
  const IrReport& report = today.report;
  const auto layer =
      std::ranges::find_if(report.layer_names, [&](const std::string& other) { return same_name(other, name); });
  if (layer == report.layer_names.end())
    throw field_error("pad_layer", "{}: the netlist has no such layer; it has {}", name,
                      names_near(name, report.layer_names));
  const Merge& merge = grid.solver().system().topology().merge;
  std::vector<NodeId> nodes;
  for (NodeId n = 0; n < std::ssize(report.nodes.net); ++n)
    if (report.nodes.layer[n] == layer - report.layer_names.begin() && report.nodes.state[n] == NodeState::solved &&
        merge.group[n] < merge.unknowns && is_failing(today, report.nodes.net[n]))
      nodes.push_back(n);
  if (nodes.empty())
    throw field_error("pad_layer", "{}: no node on this layer of a net that exceeds a limit can get a pad", name);
  return nodes;
}

AddPad pad_at(const PlanGrid& grid, const IrReport& report, NodeId node, int64_t number) {
  return {std::string(std::string_view(report.node_name(node))), report.nets[report.nodes.net[node]].nominal_v,
          grid.means().pads->ohm, fmt::format("{}{}", kPadName, last_number(grid.before()) + number)};
}

std::vector<AddPad> choose_pads(const PlanGrid& grid, const Trial& trial, const PlanModel& model,
                                std::span<const Adjoint> adjoints, const PlanStep& step,
                                std::span<const NodeId> candidates, int most) {
  PadPool pool(grid, trial, model, adjoints, step);
  std::vector<NodeId> nodes = best_nodes(pool, trial.report.nodes, candidates);
  std::vector<AddPad> pads;
  if (nodes.empty()) return pads;
  pool.set_nodes(std::move(nodes));
  while (std::ssize(pads) < most) {
    const int32_t best = pool.take_best();
    if (best < 0) break;
    pads.push_back(pad_at(grid, trial.report, pool.node(best), std::ssize(trial.setting.pads) + std::ssize(pads) + 1));
  }
  return pads;
}

std::vector<AddPad> rank_pads(const PlanGrid& grid, const Trial& trial, const PlanModel& model,
                              std::span<const Adjoint> adjoints, const PlanStep& step,
                              std::span<const NodeId> candidates, size_t most) {
  PadPool pool(grid, trial, model, adjoints, step);
  std::vector<NodeId> nodes = best_nodes(pool, trial.report.nodes, candidates);
  if (nodes.empty()) return {};
  pool.set_nodes(nodes);
  std::vector<std::pair<double, NodeId>> order;
  for (size_t i = 0; i < nodes.size(); ++i) order.emplace_back(pool.saving(i), nodes[i]);
  std::ranges::stable_sort(order, std::greater(), &std::pair<double, NodeId>::first);
  std::vector<AddPad> pads;
  for (size_t i = 0; i < std::min(most, order.size()); ++i)
    pads.push_back(pad_at(grid, trial.report, order[i].second, std::ssize(trial.setting.pads) + 1));
  return pads;
}

}  // namespace gridiron
