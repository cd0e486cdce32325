// SPDX-License-Identifier: Apache-2.0
#include "analysis/results/stress/lifetime.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "analysis/results/stress/lifetime_samples.hpp"
#include "analysis/results/stress/nucleation.hpp"
#include "analysis/results/stress/stress_modes.hpp"
#include "analysis/results/stress/tree_graphs.hpp"
#include "support/parallel.hpp"

namespace gridiron {
namespace {

constexpr double kSquareMicrometres = 1e12;  ///< per m²

/// Of a tree that is followed up to its last nodes; 0 where nothing is certified.
double without_ends(const StressTree& tree) {
  return std::isfinite(tree.volts_pa) ? tree.volts_pa + tree.rounding_pa : tree.rounding_pa;
}

std::vector<int32_t> trees_to_follow(const StressReport& stress) {
  std::vector<int32_t> list;
  for (const StressTree& tree : stress.trees) {
    const double bound = without_ends(tree);
    if (tree.is_known && tree.ceiling_pa + bound >= stress.metal.critical_stress_pa) list.push_back(tree.number);
  }
  return list;
}

/// So that no thread is left with a large one in the end.
std::vector<int32_t> largest_first(const StressReport& stress, const std::vector<int32_t>& trees) {
  std::vector<int32_t> order(trees.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::greater<>(), [&](int32_t k) { return stress.trees[trees[k]].segments; });
  return order;
}

void rank(LifetimeReport& lifetime) {
  constexpr size_t kMost = 10;
  for (size_t k = 0; k < lifetime.trees.size(); ++k)
    if (lifetime.trees[k].nucleates()) lifetime.first.push_back(static_cast<int32_t>(k));
  lifetime.nucleating = std::ssize(lifetime.first);
  lifetime.undecided = std::ranges::count(lifetime.trees, true, &TreeLifetime::is_undecided);
  const auto end = lifetime.first.begin() + static_cast<ptrdiff_t>(std::min(kMost, lifetime.first.size()));
  std::partial_sort(lifetime.first.begin(), end, lifetime.first.end(), [&](int32_t i, int32_t j) {
    const double a = lifetime.trees[i].time_s, b = lifetime.trees[j].time_s;
    return a != b ? a < b : i < j;
  });
  lifetime.first.erase(end, lifetime.first.end());
}

/// From a tenth of the time in which a void nucleates up to long after it, or to the horizon; extrapolated from cells
/// of two sizes, as times are.
StressCurve curve_of(const TreeLifetime& tree, const TreeGraph& graph, double residual_pa, double per_second,
                     double horizon_s) {
  constexpr double kReach = StressModes::kReach, kFinest = 0.125, kEarly = 0.1, kLong = 20;
  constexpr double kGrowth = 1.1;  // straight lines between such times are off by 0.05 % of the end value
  const double time = per_second * tree.time_s, until = std::min(kLong * time, per_second * horizon_s);
  const auto node = static_cast<int32_t>(std::ranges::find(graph.nodes, tree.node) - graph.nodes.begin());
  StressCurve curve{{0}, {residual_pa}};
  if (!(time > 0)) return curve;
  double at = kEarly * time;
  for (double scale = kReach * at;; scale *= kReach * kReach) {
    const double finest_um = kFinest * std::sqrt(scale);
    const StressMesh small_cells(graph.graph, finest_um, false), large_cells(graph.graph, finest_um, true);
    const StressModes small(small_cells, residual_pa, scale), large(large_cells, residual_pa, scale);
    for (; at <= kReach * scale; at = std::min(kGrowth * at, until)) {
      const double stress_pa = small.stress_pa(node, at);
      curve.time_s.push_back(at / per_second);
      curve.stress_pa.push_back(stress_pa + (stress_pa - large.stress_pa(node, at)) / 3);
      if (at >= until) return curve;
    }
  }
}

}  // namespace

double stress_diffusivity(const MetalParameters& metal) {
  constexpr double kBoltzmann = 1.380649e-23;  // J/K, exact
  constexpr double kFreezingK = 273.15;
  const double thermal = kBoltzmann * (metal.temperature_c + kFreezingK);
  const double atoms = metal.diffusivity_m2_s * std::exp(-metal.activation_energy_ev * kElementaryCharge / thermal);
  return atoms * metal.bulk_modulus_pa * metal.atomic_volume_m3 / thermal;
}

LifetimeReport find_lifetime(const IrReport& report, const Metal& metal, const StressReport& stress,
                             const LifetimeOptions& options) {
  LifetimeReport lifetime;
  lifetime.horizon_s = options.horizon_s;
  lifetime.diffusivity_m2_s = stress_diffusivity(stress.metal);
  const double per_second = lifetime.diffusivity_m2_s * kSquareMicrometres;
  const std::vector<int32_t> followed = trees_to_follow(stress);
  const TreeGraphs graphs(report, metal, stress, followed);
  lifetime.trees.resize(followed.size());
  std::vector<double> time_s(followed.size());  // also beyond the horizon, which faster diffusion may bring before it
  const std::vector<int32_t> order = largest_first(stress, followed);
  parallel_tasks(std::ssize(followed), [&](int64_t task) {
    const int32_t k = order[task];
    const StressTree& tree = stress.trees[followed[k]];
    TreeLifetime& result = lifetime.trees[k];
    result.tree = tree.number;
    result.net = tree.net;
    result.layer = tree.layer;
    const TreeGraph graph = graphs.make(k);
    const double horizon = options.horizon_s * per_second * std::max(1.0, fastest(options, tree.number));
    const Nucleation found =
        find_nucleation(graph.graph, {stress.metal.residual_stress_pa, stress.metal.critical_stress_pa, horizon});
    time_s[k] = found.time / per_second;
    if (found.node < 0) {
      result.is_undecided = found.peak_pa + found.peak_error_pa + without_ends(tree) >= stress.metal.critical_stress_pa;
      if (result.is_undecided) result.node = graph.nodes[found.peak_node];
      return;
    }
    const double error_s = (found.error + without_ends(tree) / found.slope) / per_second;
    result.own_error_s = (found.error + tree.rounding_pa / found.slope) / per_second;
    result.s_per_pa = 1 / (found.slope * per_second);
    result.is_undecided = !(time_s[k] <= options.horizon_s);
    if (result.is_undecided && !(time_s[k] - error_s <= options.horizon_s)) {
      result.is_undecided = false;
      return;
    }
    result.node = graph.nodes[found.node];
    result.time_s = time_s[k];
    result.error_s = std::isfinite(tree.volts_pa) ? error_s : std::numeric_limits<double>::infinity();
  });
  rank(lifetime);
  lifetime.curves.resize(lifetime.first.size());
  parallel_tasks(std::ssize(lifetime.first), [&](int64_t k) {
    const int32_t tree = lifetime.first[k];
    lifetime.curves[k] = curve_of(lifetime.trees[tree], graphs.make(tree), stress.metal.residual_stress_pa, per_second,
                                  options.horizon_s);
  });
  if (options.samples > 0) lifetime.samples = sample_lifetimes(options, followed, time_s);
  return lifetime;
}

}  // namespace gridiron
