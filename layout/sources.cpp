// SPDX-License-Identifier: Apache-2.0
#include "layout/sources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "layout/extract/axes.hpp"
#include "layout/extract/box_tree.hpp"
#include "layout/tokens.hpp"
#include "netlist/names/name_table.hpp"
#include "support/error.hpp"
#include "support/field.hpp"

namespace gridiron::layout {
namespace {

/// The nodes of the grid and the pieces of one layer.
class LayerIndex {
 public:
  LayerIndex(const Network& network, int32_t layer)
      : nodes_(nodes_of(network, layer)), pieces_(pieces_of(network, layer)) {}

  /// Nodes of the network.
  std::vector<int32_t> nodes_in(const Box& box) const {
    std::vector<int32_t> nodes = nodes_.meeting(box);
    for (int32_t& n : nodes) n = node_[n];
    return nodes;
  }
  int32_t nearest_node(Point p) const { return node_[nodes_.nearest(p)]; }
  /// Pieces of the network.
  std::vector<int32_t> pieces_in(const Box& box) const {
    std::vector<int32_t> pieces = pieces_.meeting(box);
    for (int32_t& p : pieces) p += first_piece_;
    return pieces;
  }

 private:
  std::vector<Box> nodes_of(const Network& network, int32_t layer) {
    std::vector<Box> places;
    const auto [first, last] = std::equal_range(network.node_layer.begin(), network.node_layer.end(), layer);
    for (auto at = first; at != last; ++at) {
      const auto n = static_cast<int32_t>(at - network.node_layer.begin());
      if (network.node_kind[n] != NodeKind::wire) continue;
      node_.push_back(n);
      const Point p = network.node_place[n];
      places.push_back({p.x, p.y, p.x, p.y});
    }
    return places;
  }
  std::vector<Box> pieces_of(const Network& network, int32_t layer) {
    const auto [first, last] = std::equal_range(network.piece_layer.begin(), network.piece_layer.end(), layer);
    first_piece_ = static_cast<int32_t>(first - network.piece_layer.begin());
    return {network.piece_box.begin() + first_piece_, network.piece_box.begin() + (last - network.piece_layer.begin())};
  }

  std::vector<int32_t> node_;
  int32_t first_piece_ = 0;
  BoxTree nodes_, pieces_;
};

/// The highest layer that has nodes of the grid, −1 if there is none.
int32_t top_layer(const Network& network) {
  for (int64_t n = network.nodes(); n-- > 0;)
    if (network.node_kind[n] == NodeKind::wire) return network.node_layer[n];
  return -1;
}

/// The nodes that sources hold, source by source.
class Holders {
 public:
  explicit Holders(const Network& network) : network_(network) {}

  void add(std::vector<int32_t> nodes) {
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    const int32_t sharing = network_.is_mesh ? static_cast<int32_t>(nodes.size()) : 1;
    for (const int32_t node : nodes) held_.emplace_back(node, sharing);
  }
  /// Nodes of several sources become those of the smallest.
  void put(SourceSites& sites) {
    std::sort(held_.begin(), held_.end());
    for (const auto& [node, sharing] : held_) {
      if (!sites.node.empty() && sites.node.back() == node) continue;
      sites.node.push_back(node);
      sites.sharing.push_back(sharing);
    }
  }

 private:
  const Network& network_;
  std::vector<std::pair<int32_t, int32_t>> held_;
};

void add_boxes(const Network& network, const LayerIndex& top, const std::vector<Box>& boxes, Holders& holders,
               std::vector<SourceSites::Moved>& moved) {
  for (const Box& box : boxes) {
    std::vector<Box> parts;
    for (const int32_t piece : top.pieces_in(box)) parts.push_back(common(box, network.piece_box[piece]));
    if (parts.empty()) {
      parts.push_back(box);
      moved.push_back({box, top.nearest_node(centre(box))});
    }
    std::vector<int32_t> held;
    for (const Box& part : parts) {
      const std::vector<int32_t> nodes = top.nodes_in(part);
      held.insert(held.end(), nodes.begin(), nodes.end());
      if (nodes.empty()) held.push_back(top.nearest_node(centre(part)));
    }
    holders.add(std::move(held));
  }
}

/// The nodes of the grid that shapes of pins hang on: merging may have moved them out of these, and the middle of a
/// cell may lie beside them.
void add_nodes_below(const Network& network, const std::vector<int32_t>& pin_nodes, Holders& holders) {
  if (pin_nodes.empty()) return;
  std::vector<uint8_t> is_wanted(static_cast<size_t>(network.nodes()), 0);
  for (const int32_t node : pin_nodes) is_wanted[node] = 1;
  for (int64_t r = 0; r < network.resistors(); ++r) {
    if (is_wanted[network.from[r]]) holders.add({network.to[r]});
    if (is_wanted[network.to[r]]) holders.add({network.from[r]});
  }
}

void add_block_pins(const Network& network, Holders& holders) {
  std::vector<int32_t> layers = network.block_pin_layer;
  std::sort(layers.begin(), layers.end());
  layers.erase(std::unique(layers.begin(), layers.end()), layers.end());
  std::vector<int32_t> without_nodes;
  for (const int32_t layer : layers) {
    const LayerIndex index(network, layer);
    for (size_t i = 0; i < network.block_pin.size(); ++i) {
      if (network.block_pin_layer[i] != layer) continue;
      std::vector<int32_t> nodes = index.nodes_in(network.block_pin_box[i]);
      if (nodes.empty()) without_nodes.push_back(network.block_pin_node[i]);
      holders.add(std::move(nodes));
    }
  }
  add_nodes_below(network, without_nodes, holders);
}

Dbu positive(double value, double scale, const char* name) {
  if (!(value * scale >= 1 && value * scale < static_cast<double>(kFarthest)))
    throw InputError(
        fmt::format("{} {}: {} um must be positive and smaller than a chip", field("source_set"), name, value));
  return static_cast<Dbu>(value * scale);
}

void refuse_too_many(double sources, const char* name) {
  constexpr double kMost = 1e7;
  if (sources > kMost)
    throw InputError(fmt::format("{} {}: that would be {:.0f} sources; the most are {:.0f}", field("source_set"), name,
                                 sources, kMost));
}

std::vector<Box> bumps(const Chip& chip, const SourceSettings& settings) {
  const Dbu dx = positive(settings.bump_dx_um, chip.dbu_per_um, "bump_dx"),
            dy = positive(settings.bump_dy_um, chip.dbu_per_um, "bump_dy"),
            half = positive(settings.bump_size_um, chip.dbu_per_um, "bump_size") / 2;
  if (settings.bump_interval < 1)
    throw InputError(
        fmt::format("{} bump_interval: {}: must be at least 1", field("source_set"), settings.bump_interval));
  refuse_too_many(static_cast<double>(chip.die.width()) / dx * chip.die.height() / dy, "bump_dx");
  std::vector<Box> boxes;
  const auto add = [&](Point p) { boxes.push_back({p.x - half, p.y - half, p.x + half, p.y + half}); };
  int32_t column = 0;
  for (Dbu x = chip.die.x0 + dx / 2; x < chip.die.x1; x += dx, ++column) {
    int32_t row = 0;
    for (Dbu y = chip.die.y0 + dy / 2; y < chip.die.y1; y += dy, ++row)
      if ((column % settings.bump_interval + row) % settings.bump_interval == 0) add({x, y});
  }
  if (boxes.empty()) add(centre(chip.die));
  return boxes;
}

/// Without its die a design would get one source, at 0, 0.
void require_die(const Chip& chip) {
  if (chip.die.width() > 0 && chip.die.height() > 0) return;
  throw InputError(fmt::format("{}: no DIEAREA over which sources could be spread; add it, or give {}",
                               chip.texts.front()->path(), field("sources")));
}

std::vector<Box> straps(const Library& library, const Chip& chip, int32_t top, const SourceSettings& settings) {
  int32_t above = top;
  for (size_t l = static_cast<size_t>(top) + 1; l < library.layers.size() && above == top; ++l)
    if (library.layers[l].kind == LayerKind::routing) above = static_cast<int32_t>(l);
  const Layer& layer = library.layers[above];
  const Dbu pitch = positive(settings.strap_track_pitch * layer.pitch_x_um, chip.dbu_per_um, "strap_track_pitch");
  const Dbu width = to_dbu(layer.width_um, chip.dbu_per_um);
  const bool is_horizontal = library.layers[top].direction == Direction::horizontal;  // straps then run along y
  if (!chip.unknown_site.empty())
    throw InputError(
        fmt::format("{}: no LEF file has the SITE {} of this row, so that the core, where straps are, is unknown; "
                    "give the file that has it",
                    chip.describe(chip.unknown_site_place), shown(chip.unknown_site)));
  const Box& core = chip.core;
  const Axes axes{!is_horizontal};
  const Box across = axes(core), along = axes(chip.die);
  refuse_too_many(static_cast<double>(across.width()) / pitch, "strap_track_pitch");
  std::vector<Box> boxes;
  const auto add = [&](Dbu low) { boxes.push_back(axes(Box{low, along.y0, low + width, along.y1})); };
  for (Dbu low = across.x0 + pitch / 2; low < across.x1; low += pitch) add(low);
  if (boxes.empty()) add(middle(across.x0, across.x1) - width / 2);
  return boxes;
}

}  // namespace

SourcePattern source_pattern_named(std::string_view name) {
  if (same_name(name, "bumps")) return SourcePattern::bumps;
  if (same_name(name, "straps")) return SourcePattern::straps;
  if (same_name(name, "full")) return SourcePattern::full;
  throw InputError(fmt::format("{} {}: expected bumps, straps or full", field("source_type"), name));
}

SourceSites place_sources(const Library& library, const Chip& chip, const Network& network, const SourceFile* file,
                          const SourceSettings& settings) {
  SourceSites sites;
  const int32_t top = top_layer(network);
  if (top < 0) return sites;
  const bool takes_pins = !file && (!settings.pattern || settings.pins_first) && !network.block_pin.empty();
  const SourcePattern pattern = settings.pattern.value_or(SourcePattern::bumps);
  const LayerIndex index(network, top);
  Holders holders(network);
  if (file) {
    add_boxes(network, index, file->boxes, holders, sites.moved);
  } else if (takes_pins) {
    sites.kind = SourceSites::Kind::pins;
    add_block_pins(network, holders);
  } else if (pattern == SourcePattern::full) {
    sites.kind = SourceSites::Kind::full;
    for (int64_t n = 0; n < network.nodes(); ++n)
      if (network.node_layer[n] == top && network.node_kind[n] == NodeKind::wire)
        holders.add({static_cast<int32_t>(n)});
  } else {
    require_die(chip);
    const bool is_bumps = pattern == SourcePattern::bumps;
    sites.kind = is_bumps ? SourceSites::Kind::bumps : SourceSites::Kind::straps;
    std::vector<SourceSites::Moved> moved;  // not told: a pattern knows nothing of the net's metal
    add_boxes(network, index, is_bumps ? bumps(chip, settings) : straps(library, chip, top, settings), holders, moved);
  }
  holders.put(sites);
  return sites;
}

}  // namespace gridiron::layout
