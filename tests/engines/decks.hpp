// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "tests/engines/systems.hpp"

namespace gridiron::test {

/// A power grid made by hand; it stays where it is, as the problem points into it.
struct Deck {
  MergedNetwork network;
  Geometry geometry;
  Problem problem;

  std::int32_t node(double x, double y, std::int32_t layer, std::int32_t net, double pad = 0) {
    geometry.x_um.push_back(x);
    geometry.y_um.push_back(y);
    geometry.layer.push_back(layer);
    geometry.net.push_back(net);
    network.pad.push_back(pad);
    network.injection.push_back(0);
    return network.nodes++;
  }
  void wire(std::int32_t a, std::int32_t b, double conductance) {
    network.a.push_back(a);
    network.b.push_back(b);
    network.conductance.push_back(conductance);
  }
  void finish() {
    Rows rows(network.nodes);
    for (std::int32_t i = 0; i < network.nodes; ++i) rows[i][i] += network.pad[i];
    for (std::int64_t e = 0; e < network.edges(); ++e) {
      const std::int32_t a = network.a[e], b = network.b[e];
      const double g = network.conductance[e];
      rows[a][a] += g;
      rows[b][b] += g;
      rows[a][b] -= g;
      rows[b][a] -= g;
    }
    problem = problem_of(rows);
    problem.structure = PowerGrid{&network, geometry};
  }
};

/// Rails along x on layer 0, straps along y on layer 1, a via where they cross, some pads on the straps.
inline void add_mesh(Deck& deck, std::int32_t nx, std::int32_t ny, double via, std::int32_t net, double x0 = 0) {
  const std::int32_t first = deck.network.nodes;
  for (std::int32_t layer = 0; layer < 2; ++layer)
    for (std::int32_t y = 0; y < ny; ++y)
      for (std::int32_t x = 0; x < nx; ++x)
        deck.node(x0 + x, 1.5 * y, layer, net, layer == 1 && (y * nx + x) % 61 == 3 ? 0.5 : 0);
  const auto at = [&](std::int32_t x, std::int32_t y, std::int32_t layer) { return first + (layer * ny + y) * nx + x; };
  for (std::int32_t y = 0; y < ny; ++y) {
    for (std::int32_t x = 0; x < nx; ++x) {
      if (x + 1 < nx) deck.wire(at(x, y, 0), at(x + 1, y, 0), 1 + 0.1 * (x % 3));
      if (y + 1 < ny) deck.wire(at(x, y, 1), at(x, y + 1, 1), 2 + 0.2 * (y % 4));
      deck.wire(at(x, y, 0), at(x, y, 1), via);
    }
  }
}

}  // namespace gridiron::test
