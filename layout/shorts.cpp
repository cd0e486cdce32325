// SPDX-License-Identifier: Apache-2.0
#include "layout/shorts.hpp"

#include <algorithm>
#include <tuple>

#include "layout/extract/contacts.hpp"

namespace gridiron::layout {

std::vector<Short> find_shorts(const Library& library, std::span<const NetMetal> nets) {
  struct Found {
    size_t a, b;  ///< of `nets`
    Short where;
  };
  std::vector<Found> found;
  for (int32_t layer = 0; layer < std::ssize(library.layers); ++layer) {
    const Axes axes{library.layers[layer].direction == Direction::vertical};
    std::vector<LayerMetal> metal;
    for (const NetMetal& net : nets) metal.emplace_back(*net.network, layer, axes);
    for (size_t a = 0; a < nets.size(); ++a)
      for (size_t b = a + 1; b < nets.size(); ++b)
        for (const Box& box : joined(contacts(metal[a], metal[b], axes)))
          found.push_back({a, b, {nets[a].net, nets[b].net, layer, box}});
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Found& x, const Found& y) { return std::tie(x.a, x.b) < std::tie(y.a, y.b); });
  std::vector<Short> shorts;
  for (const Found& f : found) shorts.push_back(f.where);
  return shorts;
}

}  // namespace gridiron::layout
