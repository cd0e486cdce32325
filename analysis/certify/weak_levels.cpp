// SPDX-License-Identifier: Apache-2.0
// Why the levels of weakly tied parts can be bounded apart from everything else. Let Z have a column per part, one on
// the part and zero elsewhere, G be the matrix of the network and C = ZᵀG Z. An error e with G e = r is Z c + f with
// C c = Zᵀr. To form Zᵀr takes no voltage inside a part, only its loads and the currents of its ties; so c is known to
// rounding, and ErrorBound::settle() takes it out of the answer.
//
// What is left is f with G f = r' and Zᵀr' = 0. Each part has an anchor p, one of its nodes. Let u be the solution for
// r' with all anchors held at 0, and z_p what 1 V at p makes of the others, no current being fed in. Then f is
// u + Σ f_p z_p with 0 ≤ Σ z_p ≤ 1, and |u| ≤ U = max|r'| · max w / (1 − δ) for any w ≥ 0 with (G w)ᵢ ≥ 1 − δ
// everywhere but at anchors. As ZᵀG f = 0,
//
//   max |f_p| ≤ 2 κ U / (1 − 4 κ β max w / (1 − δ)),
//
// where κ bounds the entries of C⁻¹ times the conductance of each part's ties (spread_), and β is the largest
// conductance of ties at one node (strongest_tie_). A rough solution for source(), which leaves through the anchors
// what it feeds into their parts, is such a w. Where the denominator is below one half, ties are not weak enough for
// this, and the plain barrier serves.
#include "analysis/certify/weak_levels.hpp"

#include <algorithm>
#include <utility>

#include "engines/assemble.hpp"
#include "linalg/dense_inverse.hpp"
#include "linalg/weak_parts.hpp"
#include "support/error.hpp"

namespace gridiron {
namespace {

/// Above this share, what anchors' potentials do to each other through ties is not small.
constexpr double kMostFeedback = 0.5;

}  // namespace

std::optional<WeakLevels> WeakLevels::find(const MergedNetwork& network, std::span<const int32_t> system) {
  WeakParts found = find_weak_parts(assemble(network), network.pad);
  if (found.empty()) return std::nullopt;
  WeakLevels levels;
  levels.network_ = &network;
  levels.part_ = std::move(found.of_unknown);
  std::vector<int32_t> renumbered(found.count(), -1);
  std::vector<double> conductance(network.nodes, 0.0);
  for (int64_t e = 0; e < network.edges(); ++e)
    for (const int32_t i : {network.a[e], network.b[e]}) conductance[i] += network.conductance[e];
  for (int32_t i = 0; i < network.nodes; ++i) {
    int32_t& part = levels.part_[i];
    if (system[i] < 0) part = -1;
    if (part < 0) continue;
    if (renumbered[part] < 0) {
      renumbered[part] = static_cast<int32_t>(levels.anchor_.size());
      levels.anchor_.push_back(i);
      levels.nodes_.push_back(0);
    }
    part = renumbered[part];
    ++levels.nodes_[part];
    if (conductance[i] > conductance[levels.anchor_[part]]) levels.anchor_[part] = i;
  }
  if (levels.anchor_.empty()) return std::nullopt;
  levels.collect_ties();
  try {
    const auto count = std::ssize(levels.anchor_);
    std::vector<double> couplings(count * count, 0.0), grounds(count, 0.0);
    for (const Tie& tie : levels.ties_) {
      const int32_t from = levels.part_[tie.from], to = tie.to < 0 ? -1 : levels.part_[tie.to];
      if (to < 0) {
        grounds[from] += tie.conductance;
        continue;
      }
      couplings[from * count + to] -= tie.conductance;
      couplings[to * count + from] -= tie.conductance;
    }
    levels.inverse_ = invert_by_sums(count, std::move(couplings), std::move(grounds), "certificate");
  } catch (const SolverError&) {  // tied to nothing but each other, as far as doubles can tell
    return std::nullopt;
  }
  levels.spread_ = levels.bound(levels.total_);
  return levels;
}

void WeakLevels::collect_ties() {
  const MergedNetwork& network = *network_;
  std::vector<double> of_node(part_.size(), 0.0);
  total_.assign(anchor_.size(), 0.0);
  const auto add = [&](int32_t node, double conductance) {
    of_node[node] += conductance;
    if (part_[node] >= 0) total_[part_[node]] += conductance;
  };
  for (int64_t e = 0; e < network.edges(); ++e) {
    int32_t i = network.a[e], j = network.b[e];
    if (part_[i] == part_[j]) continue;
    if (part_[i] < 0) std::swap(i, j);
    ties_.push_back({i, j, network.conductance[e]});
    add(i, network.conductance[e]);
    add(j, network.conductance[e]);
  }
  for (int32_t i = 0; i < network.nodes; ++i)
    if (part_[i] >= 0 && network.pad[i] != 0) {
      ties_.push_back({i, -1, network.pad[i]});
      add(i, network.pad[i]);
    }
  rounding_of_sums_ = 2 * std::numeric_limits<double>::epsilon() * static_cast<double>(ties_.size() + 2);
  strongest_tie_ = (1 + rounding_of_sums_) * *std::ranges::max_element(of_node);
}

std::vector<double> WeakLevels::source() const {
  std::vector<double> source(part_.size(), 1.0);
  for (size_t k = 0; k < anchor_.size(); ++k) source[anchor_[k]] -= static_cast<double>(nodes_[k]);
  return source;
}

void WeakLevels::lower(std::span<double> w) const {
  std::vector<double> lowest(anchor_.size(), INFINITY);
  for (size_t i = 0; i < part_.size(); ++i)
    if (part_[i] >= 0) lowest[part_[i]] = std::min(lowest[part_[i]], w[i]);
  for (size_t i = 0; i < part_.size(); ++i)
    if (part_[i] >= 0) w[i] -= lowest[part_[i]];
}

WeakLevels::Sums WeakLevels::sums(FineVoltages voltage, const FineInjection& injection) const {
  std::vector<FineSum> sum(anchor_.size());
  for (size_t i = 0; i < part_.size(); ++i)
    if (part_[i] >= 0) {
      sum[part_[i]].add(injection.value[i]);
      sum[part_[i]].add(injection.rest_at(i));
    }
  for (const Tie& tie : ties_) {
    const auto from = static_cast<size_t>(tie.from);
    if (tie.to < 0) {
      sum[part_[from]].add_current(-tie.conductance, voltage.at(from));
      continue;
    }
    const auto to = static_cast<size_t>(tie.to);
    sum[part_[from]].add_current(-tie.conductance, voltage.difference(from, to));
    if (part_[to] >= 0) sum[part_[to]].add_current(tie.conductance, voltage.difference(from, to));
  }
  Sums sums;
  for (const FineSum& of_part : sum) {
    sums.value.push_back(of_part.value());
    sums.rounding.push_back(of_part.rounding());
  }
  return sums;
}

std::vector<double> WeakLevels::shifts(const Sums& sums) const {
  const size_t count = anchor_.size();
  std::vector<double> shift(count, 0.0);
  for (size_t j = 0; j < count; ++j)
    for (size_t k = 0; k < count; ++k) shift[j] += inverse_[j * count + k] * sums.value[k];
  return shift;
}

/// C is an M-matrix: any y ≥ 0 with C y ≥ magnitude is a bound, and is checked tie by tie.
double WeakLevels::bound(std::span<const double> magnitude) const {
  const size_t count = anchor_.size();
  std::vector<double> y(count, 0.0), current(count, 0.0), gross(count, 0.0);
  for (size_t j = 0; j < count; ++j) {
    for (size_t k = 0; k < count; ++k) y[j] += inverse_[j * count + k] * magnitude[k];
    y[j] *= 1 + 1e-6;
    if (!(y[j] >= 0)) return INFINITY;
  }
  for (const Tie& tie : ties_) {
    const int32_t from = part_[tie.from], to = tie.to < 0 ? -1 : part_[tie.to];
    const double through = tie.conductance * (y[from] - (to < 0 ? 0.0 : y[to]));
    current[from] += through;
    gross[from] += std::abs(through);
    if (to < 0) continue;
    current[to] -= through;
    gross[to] += std::abs(through);
  }
  for (size_t j = 0; j < count; ++j)
    if (!(current[j] - rounding_of_sums_ * gross[j] >= (1 + rounding_of_sums_) * magnitude[j])) return INFINITY;
  return *std::ranges::max_element(y);
}

double WeakLevels::amplification(double held) const {
  const double feedback = 4 * spread_ * strongest_tie_ * held;
  return feedback < kMostFeedback ? 1 + 2 * spread_ / (1 - feedback) : INFINITY;
}

}  // namespace gridiron
