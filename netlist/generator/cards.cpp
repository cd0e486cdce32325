// SPDX-License-Identifier: Apache-2.0
#include "netlist/generator/cards.hpp"

#include <cmath>

namespace gridiron::generator {

ViaDefects::ViaDefects(double share, Random random)
    : threshold_(std::llround(share * static_cast<double>(kParts))), random_(random) {}

void MetalCards::wires(const Mesh& mesh, int layer, int64_t nano_ohms_per_unit) {
  const std::string_view prefix = mesh.layer(layer).prefix;
  const auto piece = [&](Point a, Point b) {
    const int64_t length = (b.x - a.x) + (b.y - a.y);
    resistor({prefix, a}, {prefix, b}, nano_ohms(length * nano_ohms_per_unit));
  };
  mesh.walk(
      layer, [](Point) {},
      [&](Point a, Point b) {
        const int64_t inner = layer == 0 ? extra_.next() : 0;
        Point from = a;
        for (int64_t i = 1; i <= inner; ++i) {
          const Point to{a.x + (b.x - a.x) * i / (inner + 1), a.y + (b.y - a.y) * i / (inner + 1)};
          piece(from, to);
          from = to;
        }
        piece(from, b);
      });
}

void write_pulse(DeckWriter& deck, int64_t mean, const Random& random, int64_t group, Point load) {
  const int64_t delay_ps = 1000 * random.below(2, {1, group}) + 50 * random.below(5, {2, load.x, load.y});
  const int64_t period_ps = 2000 + 1000 * random.below(2, {3, group});
  deck << " pulse(" << femto_amperes(mean / 1000) << ", " << femto_amperes(mean / 2 * 5) << ", "
       << Decimal{delay_ps, -12} << ", 1e-10, 1e-10, 1e-11, " << Decimal{period_ps, -12} << ")";
}

void Probes::write(DeckWriter& deck) const {
  if (!deck.takes_card()) return;
  deck << ".tran 1e-11 1e-8\n.print tran";
  for (const Node& node : nodes_) deck << " v(" << node << ')';
  deck << "\n.end\n";
}

}  // namespace gridiron::generator
