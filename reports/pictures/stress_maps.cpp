// SPDX-License-Identifier: Apache-2.0
#include "reports/pictures/stress_maps.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gridiron {
namespace {

IrReport stresses_as_drops(const IrReport& result) {
  const StressReport& stress = *result.stress;
  IrReport stresses;
  stresses.design = result.design;
  stresses.circuit = result.circuit;
  stresses.layer_names = result.layer_names;
  stresses.dbu_per_um = result.dbu_per_um;
  stresses.dbu_is_guess = result.dbu_is_guess;
  stresses.nets = result.nets;
  stresses.nodes = result.nodes;
  for (NetResult& net : stresses.nets) net.worst_drop_v = -INFINITY;
  for (size_t n = 0; n < stress.tree.size(); ++n) {
    const int32_t tree = stress.tree[n];
    if (tree < 0 || !stress.trees[tree].is_known || result.nodes.net[n] < 0) {
      stresses.nodes.net[n] = -1;
      continue;
    }
    stresses.nodes.drop_v[n] = stress.stress_at(stress.trees[tree], result.nodes.voltage_v[n]);
    double& worst = stresses.nets[result.nodes.net[n]].worst_drop_v;
    worst = std::max(worst, stresses.nodes.drop_v[n]);
  }
  return stresses;
}

}  // namespace

StressMaps stress_maps(const IrReport& result) {
  IrReport stresses = stresses_as_drops(result);
  std::vector<HeatMap> maps = heat_maps(stresses, ScaleKind::around_zero);
  return {std::move(stresses), std::move(maps)};
}

}  // namespace gridiron
