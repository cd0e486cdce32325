// SPDX-License-Identifier: Apache-2.0
//
// Grids with the shape of the ICCAD 2023 contest decks: long m1 rails with a node under every cell, m4 straps whose
// density varies by region, a coarse mesh of thick metal, supplies on its top layer.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <vector>

#include "netlist/generator/cards.hpp"
#include "netlist/generator/grid.hpp"
#include "netlist/generator/openroad_floorplan.hpp"
#include "netlist/generator/random.hpp"

namespace gridiron::generator {
namespace {

/// Resistances in nΩ, per database unit and of a via to the layer above; measured, as the dimensions of kOpenroadStraps
/// are, on testcase1 of the contest.
struct Metal {
  int64_t nano_ohms_per_unit, via_nano_ohms;
};
/// The contest decks end at m9; our layers above are twice as thick.
constexpr Metal kMetals[] = {
    {1'115'882, 15'000'000'000}, {291'667, 9'000'000'000}, {26'528, 1'000'000'000}, {5'357, 1'000'000'000},
    {4'286, 500'000'000},        {2'143, 500'000'000},     {2'143, 500'000'000},    {2'143, 500'000'000},
};
constexpr int64_t kCellPitch = 4800;
constexpr int64_t kStrapLayer = 1;  ///< m4, the layer with regions
/// By number of layers; the contest decks, with five, have one supply per 2500 to 5400 nodes.
constexpr int64_t kNodesPerSupply[] = {0, 0, 250, 400, 4000, 4000, 4000, 4000, 4000};
constexpr int64_t kUsualSupplies = 4;
constexpr std::string_view kVolts = "1.1";

/// Keys that separate the random streams.
enum OpenroadStream : int64_t { kLoaded = Regions::kFirstFreeKey, kAmperes };

struct NetGrid {
  std::string name;
  Mesh mesh;
  std::vector<Point> supplies;
};

class OpenroadGrid : public Grid {
 public:
  OpenroadGrid(const GeneratorOptions& options, int64_t side);

  MeshSize size() const override;
  void write(DeckWriter& deck, int64_t extra_nodes) const override;

 private:
  bool has_strap(int64_t net_start, Point p) const;
  int64_t load_at(Point p) const;
  int64_t least_load(int64_t width, int64_t height) const;

  void write_supplies(DeckWriter& deck) const;
  void write_loads(DeckWriter& deck) const;
  int64_t count_loads() const;
  template <class F>
  void for_each_load(F&& f) const;

  GeneratorOptions options_;
  Random random_;
  Regions regions_;
  std::vector<NetGrid> nets_;
  int64_t least_load_;  ///< fA, in a region of 100 % power
};

/// Tracks of a metal layer on a die that starts at `start`.
std::vector<int64_t> tracks(int64_t start, int64_t offset, int64_t pitch, int64_t size) {
  std::vector<int64_t> tracks;
  for (int64_t at = offset; at <= size; at += pitch) tracks.push_back(start + at);
  return tracks;
}

OpenroadGrid::OpenroadGrid(const GeneratorOptions& options, int64_t side)
    : options_(options), random_(options.seed), regions_(random_) {
  const int64_t height = (side + 1) / 2 * kCellPitch, width = side / 2 * kCellPitch;
  const int64_t net_distance = width + kOpenroadStraps[kStrapLayer].pitch;
  const int64_t nodes = options.nodes / options.nets;
  const int64_t supplies = std::max(nodes / kNodesPerSupply[options.layers],
                                    std::clamp<int64_t>(nodes / kNodesPerSupply[2], 1, kUsualSupplies));
  for (int64_t n = 0; n < options.nets; ++n) {
    const int64_t start = n * net_distance;
    std::vector<MeshLayer> layers;
    for (int l = 0; l < options.layers; ++l) {
      const Straps& metal = kOpenroadStraps[l];
      layers.push_back(
          {fmt::format("n{}_m{}_", n + 1, metal.number),
           metal.horizontal,
           tracks(metal.horizontal ? 0 : start, metal.offset, metal.pitch, metal.horizontal ? height : width),
           {},
           {}});
    }
    layers[0].extra = tracks(start, 0, kCellPitch, width);
    std::vector<int64_t> rail_nodes;
    std::ranges::set_union(layers[0].extra, layers[1].tracks, std::back_inserter(rail_nodes));
    layers[0].extra = std::move(rail_nodes);
    layers[kStrapLayer].present = [this, start](Point p) { return has_strap(start, p); };

    Mesh mesh(std::move(layers));
    auto supply_nodes = mesh.spread_over_top(supplies);
    nets_.push_back({fmt::format("n{}", n + 1), std::move(mesh), std::move(supply_nodes)});
  }
  least_load_ = least_load(options.nets * net_distance, height);
}

/// Scales the loads so that the worst drop is about a tenth of the supply: the drop is mostly local, in the rails and
/// straps of the region with the highest current per strap (resistance measured on solved decks).
int64_t OpenroadGrid::least_load(int64_t width, int64_t height) const {
  constexpr double kDrop = 0.1, kOhms = 1900, kMeanToLeast = 3.15;
  const int64_t worst = regions_.highest_current(width, height);
  return std::llround(kDrop * 1e15 / (kOhms * kMeanToLeast * static_cast<double>(worst) / 1e4));
}

bool OpenroadGrid::has_strap(int64_t net_start, Point p) const {
  const Straps& metal = kOpenroadStraps[kStrapLayer];
  return regions_.has_strap((p.x - net_start - metal.offset) / metal.pitch, p);
}

/// Load in fA of a rail node, 0 for none: regions differ in occupancy and power; cells follow a heavy-tailed
/// distribution, in which the largest draws 20 times the smallest.
int64_t OpenroadGrid::load_at(Point p) const {
  const Regions::Region r = regions_.at(p);
  if (random_.below(100, {kLoaded, p.x, p.y}) >= r.occupied_percent) return 0;
  const int64_t rarity = 50 + random_.below(951, {kAmperes, p.x, p.y});
  return least_load_ / 100 * r.power_percent * 1000 / rarity;
}

template <class F>
void OpenroadGrid::for_each_load(F&& f) const {
  for (const NetGrid& net : nets_) {
    const MeshLayer& rails = net.mesh.layer(0);
    for (const int64_t y : rails.tracks) {
      for (const int64_t x : rails.extra) {
        const int64_t current = load_at({x, y});
        if (current > 0) f(Node{rails.prefix, {x, y}}, current);
      }
    }
  }
}

MeshSize OpenroadGrid::size() const {
  MeshSize size;
  for (const NetGrid& net : nets_) {
    const MeshSize mesh = measure(net.mesh);
    size.nodes += mesh.nodes + (options_.transient ? std::ssize(net.supplies) : 0);
    size.lowest_wires += mesh.lowest_wires;
  }
  return size;
}

void OpenroadGrid::write(DeckWriter& deck, int64_t extra_nodes) const {
  if (deck.takes_card()) deck << "* dbu: 2000\n";
  for (const NetGrid& net : nets_)
    if (deck.takes_card()) deck << "* nominal: " << net.name << ' ' << kVolts << '\n';

  MetalCards cards(deck, extra_nodes, size().lowest_wires);
  for (const NetGrid& net : nets_) cards.wires(net.mesh, 0, kMetals[0].nano_ohms_per_unit);
  ViaDefects defects(options_.via_defects, random_);
  for (const NetGrid& net : nets_) {
    for (int l = 0; l < options_.layers; ++l) {
      if (l > 0) cards.wires(net.mesh, l, kMetals[l].nano_ohms_per_unit);
      if (l + 1 == options_.layers) continue;
      net.mesh.vias(l, [&](Point at, size_t, size_t) {
        const int64_t ohms = kMetals[l].via_nano_ohms * (defects.next() ? kDefectFactor : 1);
        cards.resistor({net.mesh.layer(l).prefix, at}, {net.mesh.layer(l + 1).prefix, at}, nano_ohms(ohms));
      });
    }
  }
  write_supplies(deck);
  write_loads(deck);
}

void OpenroadGrid::write_supplies(DeckWriter& deck) const {
  int64_t number = 0;
  for (const NetGrid& net : nets_) {
    for (const Point at : net.supplies) {
      const Node metal{net.mesh.layer(options_.layers - 1).prefix, at};
      const Node source{metal.prefix, at, options_.transient ? "_Y_" : ""};
      const int64_t supply = number++;
      if (!deck.takes_card(options_.transient ? 2 : 1)) continue;
      deck << 'V' << supply << ' ' << source << " 0 " << kVolts << '\n';
      if (options_.transient) deck << 'L' << supply << ' ' << source << ' ' << metal << " 1e-9\n";
    }
  }
}

int64_t OpenroadGrid::count_loads() const {
  int64_t count = 0;
  for_each_load([&](const Node&, int64_t) { ++count; });
  return count;
}

void OpenroadGrid::write_loads(DeckWriter& deck) const {
  int64_t number = 0;
  if (!options_.transient) {
    for_each_load([&](const Node& node, int64_t current) {
      const int64_t load = number++;
      if (deck.takes_card()) deck << 'I' << load << ' ' << node << " 0 " << femto_amperes(current) << '\n';
    });
    if (deck.takes_card()) deck << ".op\n.end\n";
    return;
  }
  Probes probes(count_loads());
  for_each_load([&](const Node& node, int64_t current) {
    probes.offer(node);
    const int64_t load = number++;
    if (!deck.takes_card(2)) return;
    deck << 'I' << load << ' ' << node << " 0 " << femto_amperes(current / 1000);
    write_pulse(deck, current, random_, regions_.at(node.at).key, node.at);
    deck << "\nC" << load << ' ' << node << " 0 " << Decimal{current * 555, -26} << '\n';
  });
  probes.write(deck);
}

}  // namespace

std::unique_ptr<Grid> make_openroad_grid(const GeneratorOptions& options, int64_t side) {
  return std::make_unique<OpenroadGrid>(options, side);
}

int64_t smallest_openroad_side(const GeneratorOptions&) { return 4; }

}  // namespace gridiron::generator
