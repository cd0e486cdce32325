// SPDX-License-Identifier: Apache-2.0
#include "engines/hybrid/contracted_grid.hpp"

#include "engines/assemble.hpp"

namespace gridiron {

Problem contracted_grid(const PowerGrid& grid, std::span<const int64_t> cluster_of_node,
                        std::span<const int32_t> leader) {
  const auto& [whole, places] = grid;
  auto network = std::make_shared<MergedNetwork>();
  network->nodes = static_cast<int32_t>(leader.size());
  network->pad.assign(leader.size(), 0.0);
  network->injection.assign(leader.size(), 0.0);
  for (int32_t i = 0; i < whole->nodes; ++i) network->pad[cluster_of_node[i]] += whole->pad[i];
  for (int64_t e = 0; e < whole->edges(); ++e) {
    const int32_t a = cluster_of_node[whole->a[e]];
    const int32_t b = cluster_of_node[whole->b[e]];
    if (a == b) continue;
    network->a.push_back(a);
    network->b.push_back(b);
    network->conductance.push_back(whole->conductance[e]);
  }

  Geometry geometry;
  for (const int32_t i : leader) {
    geometry.x_um.push_back(places.x_um[i]);
    geometry.y_um.push_back(places.y_um[i]);
    geometry.layer.push_back(places.layer[i]);
    geometry.net.push_back(places.net[i]);
  }
  Problem problem;
  problem.matrix = assemble(*network);
  problem.structure = PowerGrid{std::move(network), std::move(geometry)};
  return problem;
}

}  // namespace gridiron
