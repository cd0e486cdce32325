// SPDX-License-Identifier: Apache-2.0
#include "layout/extract.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "layout/extract/layer_grid.hpp"
#include "layout/extract/net_parts.hpp"
#include "support/error.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron::layout {
namespace {

/// Between a terminal, or a pin of the block, and a node of the grid.
constexpr double kLinkOhm = 1e-3;

std::vector<LayerRules> rules_for(const Library& library, const Chip& chip, const std::vector<LayerShapes>& shapes) {
  const std::vector<Dbu> pitch = node_pitches(library, chip.dbu_per_um);
  std::vector<LayerRules> rules(library.layers.size());
  for (std::size_t layer = 0; layer < rules.size(); ++layer)
    rules[layer] = {{library.layers[layer].direction == Direction::vertical}, pitch[layer], false};
  for (std::size_t layer = rules.size(); layer-- > 0;) {
    if (shapes[layer].boxes.empty() && shapes[layer].polygons.empty() && shapes[layer].places.empty()) continue;
    rules[layer].has_fillers = true;
    break;
  }
  return rules;
}

/// Gives nodes of the grid, terminals and pins of the block their numbers.
class Numbering {
 public:
  Numbering(const NetParts& parts, const std::vector<LayerGrid>& grids, Network& network) : network_(network) {
    std::vector<std::vector<Other>> others(grids.size());
    const Terminals& terminals = parts.terminals;
    terminal_.resize(terminals.base.size());
    block_pin_.resize(parts.block_pins.size());
    for (std::size_t t = 0; t < terminals.base.size(); ++t)
      others[terminals.base_layer[t]].push_back({terminals.base[t], NodeKind::terminal, static_cast<std::int32_t>(t)});
    for (std::size_t p = 0; p < parts.block_pins.size(); ++p) {
      const LayerBox& shape = parts.block_pins[p].shape;
      others[shape.layer].push_back({centre(shape.box), NodeKind::block_pin, static_cast<std::int32_t>(p)});
    }
    for (std::size_t layer = 0; layer < grids.size(); ++layer) {
      parallel_sort(others[layer], [](const Other& a, const Other& b) {
        return std::tie(a.place, a.kind, a.index) < std::tie(b.place, b.kind, b.index);
      });
      add_layer(static_cast<std::int32_t>(layer), grids[layer].nodes, others[layer]);
    }
  }

  std::int32_t grid(std::int32_t layer, std::int32_t node) const { return grid_[layer][node]; }
  std::int32_t terminal(std::int64_t t) const { return terminal_[t]; }
  std::int32_t block_pin(std::int64_t p) const { return block_pin_[p]; }

 private:
  struct Other {
    Point place;
    NodeKind kind;
    std::int32_t index;
  };

  void add_layer(std::int32_t layer, const std::vector<Point>& nodes, const std::vector<Other>& others) {
    std::vector<std::int32_t>& number = grid_.emplace_back();
    number.reserve(nodes.size());
    std::size_t other = 0;
    const auto add = [&](Point place, NodeKind kind) {
      network_.node_layer.push_back(layer);
      network_.node_place.push_back(place);
      network_.node_kind.push_back(kind);
      return static_cast<std::int32_t>(network_.nodes() - 1);
    };
    const auto add_other = [&] {
      const Other& o = others[other++];
      (o.kind == NodeKind::terminal ? terminal_ : block_pin_)[o.index] = add(o.place, o.kind);
    };
    for (const Point place : nodes) {
      while (other < others.size() && others[other].place < place) add_other();
      number.push_back(add(place, NodeKind::wire));
    }
    while (other < others.size()) add_other();
  }

  Network& network_;
  std::vector<std::vector<std::int32_t>> grid_;
  std::vector<std::int32_t> terminal_, block_pin_;
};

/// A resistor in the making.
struct Link {
  enum class Kind : std::uint8_t { wire, via, terminal };

  std::int32_t from, to;
  Kind kind;
  std::int32_t cut_layer;  ///< of a via
  Dbu length, width;       ///< of a wire
  float cuts;              ///< of a via
  double siemens;          ///< of vias whose own resistance LEF gives
};

Link link(std::int32_t a, std::int32_t b, Link::Kind kind) {
  return {std::min(a, b), std::max(a, b), kind, -1, 0, 0, 0, 0};
}

class Resistors {
 public:
  Resistors(const Library& library, const LayerResistances& resistances, const NetParts& parts,
            const std::vector<LayerGrid>& grids, const Numbering& numbering, Network& network)
      : library_(library), resistances_(resistances), numbering_(numbering), grids_(grids), network_(network) {
    add_wires();
    add_vias(parts);
    add_terminals(parts);
    sort();
    fill();
  }

 private:
  std::int32_t node(PlaceRef place) const {
    return numbering_.grid(place.layer, grids_[place.layer].node_of_place[place.index]);
  }

  void add_wires() {
    for (std::size_t layer = 0; layer < grids_.size(); ++layer)
      for (const Wire& wire : grids_[layer].wires) {
        Link l = link(numbering_.grid(static_cast<std::int32_t>(layer), wire.a),
                      numbering_.grid(static_cast<std::int32_t>(layer), wire.b), Link::Kind::wire);
        l.length = wire.length, l.width = wire.width;
        links_.push_back(l);
      }
  }
  void add_vias(const NetParts& parts) {
    for (const ViaLink& via : parts.vias) {
      Link l = link(node(via.bottom), node(via.top), Link::Kind::via);
      l.cut_layer = via.cut_layer, l.cuts = via.cuts;
      if (resistances_.ohm_per_cut[via.cut_layer] == 0 && via.via_ohm > 0) l.siemens = 1 / via.via_ohm;
      links_.push_back(l);
    }
  }
  void add_terminals(const NetParts& parts) {
    const Terminals& terminals = parts.terminals;
    for (std::size_t t = 0; t < terminals.base.size(); ++t)
      for (std::int64_t p = terminals.first_pin[t]; p < terminals.first_pin[t + 1]; ++p)
        links_.push_back(
            link(numbering_.terminal(static_cast<std::int64_t>(t)), node(terminals.pin[p]), Link::Kind::terminal));
    for (std::size_t p = 0; p < parts.block_pins.size(); ++p)
      links_.push_back(link(numbering_.block_pin(static_cast<std::int64_t>(p)), node(parts.block_pins[p].node),
                            Link::Kind::terminal));
  }

  /// By their nodes; those between the same two become one: cuts and conductances add up, links of a terminal do not.
  void sort() {
    const ItemsByNode<std::int32_t> by_node(std::ssize(links_), network_.nodes(),
                                            [&](std::int64_t i) { return std::int64_t{links_[i].from}; });
    sorted_.resize(links_.size());
    std::vector<std::int32_t> count(static_cast<std::size_t>(network_.nodes()));
    parallel_each(network_.nodes(), [&](std::int64_t n) {
      const auto first = sorted_.begin() + by_node.start[n];
      auto last = first;
      for (std::int32_t i = by_node.start[n]; i < by_node.start[n + 1]; ++i) *last++ = links_[by_node.item[i]];
      std::sort(first, last, [](const Link& a, const Link& b) {
        return std::tie(a.to, a.kind, a.length, a.width, a.cut_layer, a.cuts, a.siemens) <
               std::tie(b.to, b.kind, b.length, b.width, b.cut_layer, b.cuts, b.siemens);
      });
      auto kept = first;
      for (auto l = first; l != last; ++l) {
        if (kept != first && std::prev(kept)->to == l->to && std::prev(kept)->kind == l->kind) {
          std::prev(kept)->cuts += l->cuts;
          std::prev(kept)->siemens += l->siemens;
        } else {
          *kept++ = *l;
        }
      }
      count[n] = static_cast<std::int32_t>(kept - first);
    });
    std::size_t kept = 0;
    for (std::int64_t n = 0; n < network_.nodes(); ++n)
      for (std::int32_t i = 0; i < count[n]; ++i) sorted_[kept++] = sorted_[by_node.start[n] + i];
    sorted_.resize(kept);
    links_ = {};
  }

  void fill() {
    check_resistances();
    const std::size_t n = sorted_.size();
    network_.from.resize(n);
    network_.to.resize(n);
    network_.ohm.resize(n);
    network_.width.resize(n);
    network_.cuts.resize(n);
    parallel_each(static_cast<std::int64_t>(n), [&](std::int64_t i) {
      const Link& l = sorted_[i];
      network_.from[i] = l.from;
      network_.to[i] = l.to;
      network_.ohm[i] = ohm(l);
      network_.width[i] = l.width;
      network_.cuts[i] = l.cuts;
    });
  }

  double ohm(const Link& l) const {
    switch (l.kind) {
      case Link::Kind::wire:
        return static_cast<double>(l.length) / l.width * resistances_.ohm_per_square[network_.node_layer[l.from]];
      case Link::Kind::via:
        return l.siemens > 0 ? 1 / l.siemens : resistances_.ohm_per_cut[l.cut_layer] / l.cuts;
      default:
        return kLinkOhm;
    }
  }

  void check_resistances() const {
    std::vector<std::uint8_t> squares(library_.layers.size(), 0), cuts(library_.layers.size(), 0);
    for (const Link& l : sorted_) {
      if (l.kind == Link::Kind::wire) squares[network_.node_layer[l.from]] = 1;
      if (l.kind == Link::Kind::via && l.siemens == 0) cuts[l.cut_layer] = 1;
    }
    for (std::size_t layer = 0; layer < library_.layers.size(); ++layer) {
      if (squares[layer] && !(resistances_.ohm_per_square[layer] > 0)) fail(layer, "RPERSQ, ohm per square");
      if (cuts[layer] && !(resistances_.ohm_per_cut[layer] > 0)) fail(layer, "ohm per cut");
    }
  }
  [[noreturn]] void fail(std::size_t layer, const char* what) const {
    throw InputError(fmt::format("{}: layer {} has no resistance ({}); give it there or by {}",
                                 library_.describe(library_.layers[layer].place), library_.layers[layer].name, what,
                                 field("layer_rc")));
  }

  const Library& library_;
  const LayerResistances& resistances_;
  const Numbering& numbering_;
  const std::vector<LayerGrid>& grids_;
  Network& network_;
  std::vector<Link> links_, sorted_;
};

void add_pieces(const std::vector<LayerGrid>& grids, const Numbering& numbering, Network& network) {
  for (std::size_t layer = 0; layer < grids.size(); ++layer)
    for (std::size_t i = 0; i < grids[layer].pieces.size(); ++i) {
      network.piece_layer.push_back(static_cast<std::int32_t>(layer));
      network.piece_box.push_back(grids[layer].pieces[i]);
      network.piece_node.push_back(numbering.grid(static_cast<std::int32_t>(layer), grids[layer].piece_node[i]));
    }
}

}  // namespace

Network extract(const Library& library, const Chip& chip, std::int32_t net, const LayerResistances& resistances) {
  NetParts parts = collect_net_parts(library, chip, chip.nets[net]);
  const std::vector<LayerRules> rules = rules_for(library, chip, parts.layers);
  const std::vector<LayerGrid> grids = make_layer_grids(std::move(parts.layers), rules);
  Network network;
  const Numbering numbering(parts, grids, network);
  const Resistors resistors(library, resistances, parts, grids, numbering, network);
  add_pieces(grids, numbering, network);
  network.terminal_component = std::move(parts.terminals.component);
  network.terminal_pin = std::move(parts.terminals.pin_name);
  network.pin_names = std::move(parts.pin_names);
  for (std::int64_t t = 0; t < std::ssize(network.terminal_component); ++t)
    network.terminal_node.push_back(numbering.terminal(t));
  for (const BlockPinShape& pin : parts.block_pins) {
    network.block_pin_node.push_back(numbering.block_pin(std::ssize(network.block_pin_node)));
    network.block_pin.push_back(pin.pin);
    network.block_pin_layer.push_back(pin.shape.layer);
    network.block_pin_box.push_back(pin.shape.box);
  }
  return network;
}

}  // namespace gridiron::layout
