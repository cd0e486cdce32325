// SPDX-License-Identifier: Apache-2.0
#include "analysis/plan/strap_gains.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>

#include "netlist/names/name_table.hpp"
#include "support/parallel.hpp"

namespace gridiron {
namespace {

constexpr double kLeastOhm = 1e-6;

/// The nodes of a net on a layer, by square cells of about two of them.
class NodesByPlace {
 public:
  NodesByPlace(const NodeTable& nodes, int32_t net, int32_t layer) : nodes_(nodes) {
    std::vector<NodeId> of;
    double x1 = -HUGE_VAL, y1 = -HUGE_VAL;
    for (NodeId n = 0; n < std::ssize(nodes.net); ++n) {
      if (nodes.net[n] != net || nodes.layer[n] != layer || !nodes.has_place(n)) continue;
      of.push_back(n);
      x0_ = std::min(x0_, nodes.x_um[n]), x1 = std::max(x1, nodes.x_um[n]);
      y0_ = std::min(y0_, nodes.y_um[n]), y1 = std::max(y1, nodes.y_um[n]);
    }
    if (of.empty()) return;
    const double count = static_cast<double>(of.size());
    side_ = std::max({std::sqrt(2 * (x1 - x0_) * (y1 - y0_) / count), 2 * (x1 - x0_ + y1 - y0_) / count, 1e-3});
    rings_ = static_cast<int>(std::max(x1 - x0_, y1 - y0_) / side_) + 1;
    for (const NodeId n : of) cells_[key(step(nodes.x_um[n] - x0_), step(nodes.y_um[n] - y0_))].push_back(n);
  }

  /// −1 if there are none.
  NodeId nearest(double x, double y) const {
    NodeId best = -1;
    double least = HUGE_VAL;
    const int64_t i = step(x - x0_), k = step(y - y0_);
    for (int ring = 0; !cells_.empty() && ring <= rings_ && least > (ring - 1) * side_; ++ring)
      for (int64_t a = i - ring; a <= i + ring; ++a)
        for (int64_t b = k - ring; b <= k + ring; b += a == i - ring || a == i + ring || ring == 0 ? 1 : 2 * ring) {
          const auto cell = cells_.find(key(a, b));
          if (cell == cells_.end()) continue;
          for (const NodeId n : cell->second) {
            const double away = std::hypot(nodes_.x_um[n] - x, nodes_.y_um[n] - y);
            if (away < least || (away == least && n < best)) least = away, best = n;
          }
        }
    return best;
  }

 private:
  int64_t step(double along) const { return static_cast<int64_t>(std::floor(along / side_)); }
  static int64_t key(int64_t i, int64_t k) { return i * (int64_t{1} << 32) + k; }

  const NodeTable& nodes_;
  double x0_ = HUGE_VAL, y0_ = HUGE_VAL, side_ = 1;
  int rings_ = 0;
  std::unordered_map<int64_t, std::vector<NodeId>> cells_;
};

/// The nodes nearest to the joints of a place, −1 where there is none.
class JointNodes {
 public:
  explicit JointNodes(const IrReport& report) : report_(report) {}

  std::vector<NodeId> of(const StrapPlace& place) {
    std::vector<NodeId> nodes;
    const auto net = std::ranges::find_if(report_.nets, [&](const auto& n) { return same_name(n.name, place.net); });
    for (const StrapPlace::Joint& joint : place.joints) {
      const auto layer =
          std::ranges::find_if(report_.layer_names, [&](const auto& l) { return same_name(l, joint.layer); });
      if (net == report_.nets.end() || layer == report_.layer_names.end()) {
        nodes.push_back(-1);
        continue;
      }
      const std::pair key(static_cast<int32_t>(net - report_.nets.begin()),
                          static_cast<int32_t>(layer - report_.layer_names.begin()));
      auto at = by_net_and_layer_.find(key);
      if (at == by_net_and_layer_.end())
        at = by_net_and_layer_.try_emplace(key, report_.nodes, key.first, key.second).first;
      nodes.push_back(at->second.nearest(joint.x_um, joint.y_um));
    }
    return nodes;
  }

 private:
  const IrReport& report_;
  std::map<std::pair<int32_t, int32_t>, NodesByPlace> by_net_and_layer_;
};

/// The currents that a ladder feeds into nodes that are held at some volts, each behind a resistance; `wire`: the
/// conductance from each rung to the next one.
std::vector<double> ladder_currents(std::span<const double> volts, std::span<const double> ohm,
                                    std::span<const double> wire) {
  const size_t n = volts.size();
  std::vector<double> diagonal(n), potential(n);
  for (size_t i = 0; i < n; ++i) {
    diagonal[i] = 1 / ohm[i] + (i > 0 ? wire[i - 1] : 0) + (i + 1 < n ? wire[i] : 0);
    potential[i] = volts[i] / ohm[i];
    if (i == 0) continue;
    const double factor = wire[i - 1] / diagonal[i - 1];
    diagonal[i] -= factor * wire[i - 1];
    potential[i] += factor * potential[i - 1];
  }
  for (size_t i = n; i-- > 0;)
    potential[i] = (potential[i] + (i + 1 < n ? wire[i] * potential[i + 1] : 0)) / diagonal[i];
  for (size_t i = 0; i < n; ++i) potential[i] = (potential[i] - volts[i]) / ohm[i];
  return potential;
}

/// The gains of one place.
class Ladder {
 public:
  Ladder(const StrapPlace& place, std::vector<NodeId> nodes) : place_(place), nodes_(std::move(nodes)) {}

  void add_gains(const Trial& trial, std::span<const Watched> watched, std::span<const Adjoint> adjoints,
                 std::span<double> gain) const {
    for (size_t first = 0, end; first < place_.joints.size(); first = end) {
      end = first;
      while (end < place_.joints.size() && place_.joints[end].piece == place_.joints[first].piece) ++end;
      for (size_t v = 0; v < trial.answers.size(); ++v)
        add_piece(first, end, static_cast<int32_t>(v), trial, watched, adjoints, gain);
    }
  }

 private:
  void add_piece(size_t first, size_t end, int32_t vector, const Trial& trial, std::span<const Watched> watched,
                 std::span<const Adjoint> adjoints, std::span<double> gain) const {
    std::vector<double> volts, ohm, wire;
    std::vector<NodeId> nodes;
    const StrapPlace::Joint* last = nullptr;
    for (size_t j = first; j < end; ++j) {
      const StrapPlace::Joint& joint = place_.joints[j];
      if (nodes_[j] < 0) continue;
      nodes.push_back(nodes_[j]);
      volts.push_back(trial.answers[vector].voltage_v[nodes_[j]]);
      ohm.push_back(std::max(kLeastOhm, joint.ohm + least_ohm(nodes_[j], watched, adjoints)));
      if (last) {
        const double length = std::abs(joint.x_um - last->x_um) + std::abs(joint.y_um - last->y_um);
        wire.push_back(1 / std::max(kLeastOhm, place_.ohm_per_um * length));
      }
      last = &joint;
    }
    if (nodes.size() < 2) return;
    const std::vector<double> amperes = ladder_currents(volts, ohm, wire);
    for (size_t k = 0; k < watched.size(); ++k) {
      if (watched[k].vector != vector) continue;
      for (size_t j = 0; j < nodes.size(); ++j)
        gain[k] -= adjoints[k].sign * adjoints[k].of_node[nodes[j]] * amperes[j];
    }
  }

  /// Of the current into a node, as far as adjoints tell.
  static double least_ohm(NodeId n, std::span<const Watched> watched, std::span<const Adjoint> adjoints) {
    double least = 0;
    for (size_t k = 0; k < watched.size(); ++k) {
      if (watched[k].kind != Watched::Kind::drop || adjoints[k].of_node[watched[k].node] <= 0) continue;
      const double across = adjoints[k].of_node[n];
      least = std::max(least, across * across / adjoints[k].of_node[watched[k].node]);
    }
    return least;
  }

  const StrapPlace& place_;
  std::vector<NodeId> nodes_;
};

}  // namespace

StrapGains::StrapGains(const Trial& trial, std::span<const Watched> watched, std::span<const Adjoint> adjoints,
                       std::span<const StrapPlace> places)
    : watched_(watched.begin(), watched.end()), places_(places.size()), gain_(places.size() * watched.size(), 0.0) {
  JointNodes joint_nodes(trial.report);
  std::vector<Ladder> ladders;
  for (const StrapPlace& place : places) ladders.emplace_back(place, joint_nodes.of(place));
  parallel_each(
      std::ssize(ladders),
      [&](int64_t p) {
        ladders[p].add_gains(trial, watched, adjoints, std::span(gain_).subspan(p * watched_.size(), watched_.size()));
      },
      1);
}

std::vector<int32_t> StrapGains::choose(double yield, const std::vector<double>& cost,
                                        const std::function<bool(const std::vector<int32_t>&, int32_t)>& fits) const {
  std::vector<double> need;
  for (const Watched& w : watched_) need.push_back(std::max(0.0, w.value - w.allowed));
  std::vector<int32_t> chosen;
  std::vector<uint8_t> is_out(places_, 0);
  while (std::ranges::any_of(need, [](double n) { return n > 0; })) {
    int32_t best = -1;
    double most = 0;
    for (size_t p = 0; p < places_; ++p) {
      if (is_out[p]) continue;
      double saved = 0;
      for (size_t k = 0; k < need.size(); ++k)
        saved += std::min(need[k], need[k] > 0 ? yield * gain(p, k) : 0.0) / watched_[k].allowed;
      saved /= cost[p];
      if (saved <= most) continue;
      if (!fits(chosen, static_cast<int32_t>(p))) {
        is_out[p] = 1;
        continue;
      }
      most = saved;
      best = static_cast<int32_t>(p);
    }
    if (best < 0) break;
    chosen.push_back(best);
    is_out[best] = 1;
    for (size_t k = 0; k < need.size(); ++k) need[k] = std::max(0.0, need[k] - yield * gain(best, k));
  }
  return chosen;
}

double StrapGains::excess(std::span<const int32_t> places) const {
  double most = -1;
  for (size_t k = 0; k < watched_.size(); ++k) {
    double value = watched_[k].value;
    for (const int32_t p : places) value -= gain(p, k);
    most = std::max(most, value / watched_[k].allowed - 1);
  }
  return most;
}

}  // namespace gridiron
