// SPDX-License-Identifier: Apache-2.0
//
// Grids with the shape of the IBM benchmarks (Nassif, "Power grid analysis benchmarks", ASP-DAC 2008): an interleaved
// VDD and GND mesh, dense on the lower metals, sparse straps above, pads on top, VDD cut into islands.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <utility>

#include "netlist/generator/cards.hpp"
#include "netlist/generator/grid.hpp"
#include "netlist/generator/ibm_floorplan.hpp"
#include "netlist/generator/random.hpp"

namespace gridiron::generator {
namespace {

constexpr int64_t kStubLength = 8;  ///< of straps beyond the outermost crossing
constexpr int64_t kBlocksPerSide = 4;
constexpr std::string_view kNetNames[] = {"GND", "VDD"}, kNetVolts[] = {"0", "1.8"}, kPadOhms = "0.25";

/// Keys that separate the random streams.
enum IbmStream : int64_t { kDropped = kFloorplanStreams, kViaKind, kShort, kLoad, kZero, kBlock };

/// A connected piece of a net.
struct Island {
  Block block;
  Mesh mesh;
  std::vector<Point> pads;
};

class IbmGrid : public Grid {
 public:
  IbmGrid(const GeneratorOptions& options, int64_t side);

  MeshSize size() const override;
  void write(DeckWriter& deck, int64_t extra_nodes) const override;

 private:
  struct Load {
    Point vdd, gnd;
    bool zero;
    int64_t block_x, block_y;
    int64_t current;  ///< fA
  };

  void add_island(Net net, const Block& block);
  int64_t mean_load() const;

  template <class F>
  void for_each_load(F&& f) const;

  bool is_sparse(int layer) const { return layer >= dense_; }
  bool via_dropped(int layer, size_t lower, size_t upper, size_t lower_count) const;
  int64_t via_nano_ohms(int layer, Point at) const;
  const std::string& prefix(int layer, Net net) const { return prefixes_[2 * layer + net]; }

  void write_wires(DeckWriter& deck, MetalCards& cards) const;
  void write_vias(DeckWriter& deck, MetalCards& cards) const;
  void write_pads(DeckWriter& deck) const;
  void write_loads(DeckWriter& deck, Probes& probes) const;
  void write_load(DeckWriter& deck, const Load& load, std::string_view label, Node node, Net net) const;

  GeneratorOptions options_;
  Random random_;
  int dense_;  ///< layers with a wire on every track
  std::vector<std::string> metals_, prefixes_;
  IbmFloorplan floorplan_;
  std::vector<Island> islands_[2];
  int64_t pad_count_ = 0, load_count_ = 0, decap_count_ = 0, mean_load_ = 0;
};

IbmGrid::IbmGrid(const GeneratorOptions& options, int64_t side)
    : options_(options),
      random_(options.seed),
      dense_(options.layers <= 3 ? 2 : 3),
      floorplan_(side, options.nets, random_) {
  const int lowest_metal = options.layers <= 6 ? 7 - options.layers : 1;
  for (int l = 0; l < options.layers; ++l) {
    metals_.push_back(fmt::format("M{}", lowest_metal + l));
    for (const Net net : {kGnd, kVdd}) prefixes_.push_back(fmt::format("n{}_", 2 * l + net));
  }

  add_island(kGnd, floorplan_.die());
  for (const Block& block : floorplan_.islands()) add_island(kVdd, block);
  mean_load_ = mean_load();
  for_each_load([&](const Load& load) {
    ++load_count_;
    decap_count_ += !load.zero;
  });
}

void IbmGrid::add_island(Net net, const Block& block) {
  const auto number = std::ssize(islands_[net]);
  std::vector<MeshLayer> layers;
  for (int l = 0; l < options_.layers; ++l) {
    const bool horizontal = l % 2 == 0;
    const Tracks tracks = horizontal ? floorplan_.rows(net, block) : floorplan_.columns(net, block);
    MeshLayer layer{prefix(l, net), horizontal, tracks, {}, {}};
    if (is_sparse(l)) {
      const int64_t spacing = dense_ == 2 ? 28 : l < dense_ + 2 ? 7 : 14;  // ibmpg5 and 6; ibmpg2; a guess
      const Tracks across = horizontal ? floorplan_.columns(net, block) : floorplan_.rows(net, block);
      layer.tracks = straps(tracks, spacing, random_, {l, net, number});
      layer.extra = {across.front() - kStubLength, across.back() + kStubLength};
    } else if (l + 1 < dense_) {
      layer.present = [this](Point p) { return !floorplan_.is_macro(p); };
    }
    layers.push_back(std::move(layer));
  }
  Mesh mesh(std::move(layers));

  const auto wanted = static_cast<double>(std::min(240 + options_.nodes / 1300, options_.nodes / 100));
  const double share = static_cast<double>(block.cells()) / static_cast<double>(floorplan_.die().cells());
  auto pads = mesh.spread_over_top(std::llround(wanted * share * (net == kGnd ? 0.63 : 0.37)));
  pad_count_ += std::ssize(pads);
  islands_[net].push_back({block, std::move(mesh), std::move(pads)});
}

/// Mean load in fA for which the worst drop is about a tenth of the supply: the drop is proportional to the number of
/// cells that share a pad, with a resistance that depends on the number of layers (measured on solved decks).
int64_t IbmGrid::mean_load() const {
  constexpr double kDrop = 0.15;  // V
  constexpr double kOhmsPerCell[] = {0, 0, 0.39, 0.33, 0.42, 0.5, 0.55, 0.62, 0.7, 0.8};
  double cells_per_pad = 0;
  for (const auto& islands : islands_) {
    for (const Island& island : islands) {
      const auto cells = static_cast<double>(island.block.cells());
      cells_per_pad = std::max(cells_per_pad, cells / static_cast<double>(island.pads.size()));
    }
  }
  return std::llround(kDrop / (kOhmsPerCell[options_.layers] * cells_per_pad) * 1e9) * 1'000'000;
}

template <class F>
void IbmGrid::for_each_load(F&& f) const {
  for (const Island& island : islands_[kVdd]) {
    const Block& block = island.block;
    for (int64_t j = block.rows.first; j < block.rows.last; ++j) {
      for (int64_t i = block.columns.first; i < block.columns.last; ++i) {
        const Point vdd = floorplan_.cell(kVdd, i, j), gnd = floorplan_.cell(kGnd, i, j);
        if (floorplan_.is_macro(vdd) || floorplan_.is_macro(gnd) || random_.below(10, {kLoad, i, j}) == 0) continue;
        const bool zero = random_.below(34, {kZero, i, j}) == 0;
        const int64_t block_x = i * kBlocksPerSide / floorplan_.die().columns.size();
        const int64_t block_y = j * kBlocksPerSide / floorplan_.die().rows.size();
        const int64_t permille = 600 + 50 * random_.below(16, {kBlock, block_x, block_y});
        f(Load{vdd, gnd, zero, block_x, block_y, zero ? 0 : mean_load_ / 1000 * permille});
      }
    }
  }
}

MeshSize IbmGrid::size() const {
  MeshSize size;
  for (const auto& islands : islands_) {
    for (const Island& island : islands) {
      const MeshSize mesh = measure(island.mesh);
      size.nodes += mesh.nodes;
      size.lowest_wires += mesh.lowest_wires;
    }
  }
  size.nodes += options_.transient ? 2 * pad_count_ + 2 * decap_count_ : pad_count_;
  return size;
}

void IbmGrid::write(DeckWriter& deck, int64_t extra_nodes) const {
  MetalCards cards(deck, extra_nodes, size().lowest_wires);
  Probes probes(2 * load_count_);
  write_wires(deck, cards);
  write_vias(deck, cards);
  write_pads(deck);
  write_loads(deck, probes);
  if (options_.transient) {
    probes.write(deck);
  } else if (deck.takes_card()) {
    deck << ".op\n.end\n";
  }
}

void IbmGrid::write_wires(DeckWriter& deck, MetalCards& cards) const {
  static constexpr int64_t kMeasured[2][4] = {
      {5'714'286, 634'921, 634'921, 634'921},        // ibmpg1, nΩ per unit
      {10'833'333, 16'250'000, 4'000'000, 634'921},  // ibmpg2
  };
  for (int l = 0; l < options_.layers; ++l) {
    for (const Net net : {kGnd, kVdd}) {
      if (deck.takes_card())
        deck << "* layer: " << metals_[l] << ',' << kNetNames[net] << " net: " << int64_t{2 * l + net} << '\n';
      for (const Island& island : islands_[net]) cards.wires(island.mesh, l, kMeasured[dense_ - 2][std::min(l, 3)]);
    }
  }
}

bool IbmGrid::via_dropped(int layer, size_t lower, size_t upper, size_t lower_count) const {
  if (!is_sparse(layer + 1) || lower == 0 || lower + 1 == lower_count) return false;
  return random_.below(5, {kDropped, layer, static_cast<int64_t>(lower), static_cast<int64_t>(upper)}) == 0;
}

int64_t IbmGrid::via_nano_ohms(int layer, Point at) const {
  if (layer == 0) return 50'000'000;
  if (!is_sparse(layer + 1)) return 30'000'000;
  return random_.below(4, {kViaKind, layer, at.x, at.y}) == 0 ? 20'000'000 : 1'935'484;
}

void IbmGrid::write_vias(DeckWriter& deck, MetalCards& cards) const {
  ViaDefects defects(options_.via_defects, random_);
  int64_t shorts = 0;
  for (int l = 0; l + 1 < options_.layers; ++l) {
    for (const Net net : {kGnd, kVdd}) {
      if (deck.takes_card())
        deck << "* vias from: " << int64_t{2 * l + net} << " to " << int64_t{2 * l + 2 + net} << '\n';
      for (const Island& island : islands_[net]) {
        const size_t lower_count = island.mesh.layer(l).tracks.size();
        island.mesh.vias(l, [&](Point at, size_t lower, size_t upper) {
          if (via_dropped(l, lower, upper, lower_count)) return;
          const Node a{prefix(l, net), at}, b{prefix(l + 1, net), at};
          const bool defect = defects.next();
          const bool is_short = l == 0 && (dense_ == 2 || random_.below(40, {kShort, net, at.x, at.y}) == 0);
          if (is_short && !defect) {
            const int64_t number = shorts++;
            if (deck.takes_card()) deck << "vv" << number << ' ' << a << ' ' << b << " 0\n";
          } else {
            cards.resistor(a, b, nano_ohms(via_nano_ohms(l, at) * (defect ? kDefectFactor : 1)));
          }
        });
      }
    }
  }
}

void IbmGrid::write_pads(DeckWriter& deck) const {
  uint64_t pad = 0;
  for (const Net net : {kGnd, kVdd}) {
    for (const Island& island : islands_[net]) {
      for (const Point at : island.pads) {
        const Node metal{prefix(options_.layers - 1, net), at}, bump{metal.prefix, at, "_X_"};
        const Node source{metal.prefix, at, options_.transient ? "_Y_" : "_X_"};
        const Hex number{pad++};
        if (!deck.takes_card(options_.transient ? 3 : 2)) continue;
        deck << "rr" << number << ' ' << metal << ' ' << bump << ' ' << kPadOhms << '\n';
        deck << 'v' << number << ' ' << source << " 0 " << kNetVolts[net] << '\n';
        if (options_.transient) deck << 'l' << number << ' ' << source << ' ' << bump << " 1e-9\n";
      }
    }
  }
}

void IbmGrid::write_loads(DeckWriter& deck, Probes& probes) const {
  int64_t number = 0;
  for_each_load([&](const Load& load) {
    probes.offer({prefix(0, kVdd), load.vdd});
    probes.offer({prefix(0, kGnd), load.gnd});
    const int64_t pair = number++;
    if (!deck.takes_card(options_.transient && !load.zero ? 6 : 2)) return;
    const std::string block = load.zero ? "G" : fmt::format("{}{}", load.block_x, load.block_y);
    write_load(deck, load, fmt::format("B{}_{}_v", block, pair), {prefix(0, kVdd), load.vdd}, kVdd);
    write_load(deck, load, fmt::format("B{}_{}_g", block, pair), {prefix(0, kGnd), load.gnd}, kGnd);
  });
}

void IbmGrid::write_load(DeckWriter& deck, const Load& load, std::string_view label, Node node, Net net) const {
  const auto from = [&] { net == kVdd ? deck << node : deck << '0'; };
  const auto to = [&] { net == kVdd ? deck << '0' : deck << node; };
  deck << 'i' << label << ' ';
  from();
  deck << ' ';
  to();
  if (!options_.transient || load.zero) {
    deck << ' ' << femto_amperes(load.current) << '\n';
    return;
  }

  // A decoupling branch in parallel: 5.55 nF per ampere of mean load and a time constant of 0.5 ns, as in ibmpg1t.
  const Node middle{node.prefix, node.at, "_Z_"};
  const int64_t block = load.block_x * kBlocksPerSide + load.block_y;
  deck << ' ' << femto_amperes(load.current / 1000);
  write_pulse(deck, load.current, random_, block, node.at);
  deck << "\nr" << label << ' ';
  from();
  deck << ' ' << middle << ' ' << Decimal{90'090'090'090'090'090 / load.current, -3} << "\nc" << label << ' ' << middle
       << ' ';
  to();
  deck << ' ' << Decimal{load.current * 555, -26} << '\n';
}

}  // namespace

std::unique_ptr<Grid> make_ibm_grid(const GeneratorOptions& options, int64_t side) {
  return std::make_unique<IbmGrid>(options, side);
}

int64_t smallest_ibm_side(const GeneratorOptions& options) { return IbmFloorplan::smallest_side(options.nets); }

}  // namespace gridiron::generator
