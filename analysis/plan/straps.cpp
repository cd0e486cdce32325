// SPDX-License-Identifier: Apache-2.0
#include "analysis/plan/straps.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include "analysis/model/findings.hpp"
#include "analysis/results/segments.hpp"
#include "device/disjoint_sets.hpp"
#include "netlist/names/name_table.hpp"
#include "support/error_text.hpp"
#include "support/lists.hpp"
#include "support/nearest_names.hpp"

namespace gridiron {
namespace {

int32_t layer_to_widen(const IrReport& report, const std::string& name) {
  for (size_t k = 0; k < report.layer_names.size(); ++k)
    if (same_name(report.layer_names[k], name)) return static_cast<int32_t>(k);
  throw field_error("widen", "{}: the netlist has no such layer; it has {}", name,
                    names_near(name, report.layer_names));
}

/// A wire of a layer that may be widened.
struct Wire {
  int64_t resistor;
  size_t means;  ///< index into PlanMeans::widen
  float width_um;
};

enum class Direction { x, y, none };

class StrapFinder {
 public:
  StrapFinder(const IrReport& report, const PlanMeans& means, const std::function<double(int64_t)>& widened)
      : report_(report), resistors_(report.circuit->resistors), means_(means), widened_(widened) {
    for (const Widening& w : means.widen) layers_.push_back(layer_to_widen(report, w.layer));
  }

  std::vector<Strap> find() {
    find_wires();
    std::vector<Strap> straps, others;
    for (const std::vector<Wire>& line : lines()) {
      const Strap strap = made_of(line);
      if (!means_.on_wires) {
        straps.push_back(strap);
        continue;
      }
      std::vector<Wire> on_wires, off_wires;
      const std::vector<bool> is_on = means_.on_wires(strap, report_);
      for (size_t w = 0; w < line.size(); ++w) (is_on[w] ? on_wires : off_wires).push_back(line[w]);
      if (!on_wires.empty()) straps.push_back(made_of(on_wires));
      if (off_wires.empty()) continue;
      others.push_back(made_of(off_wires));
      others.back().is_wire = false;
      others.back().most = 1;
    }
    add_wires_below(others, straps);
    append(straps, others);
    return straps;
  }

 private:
  /// The wires of each strap, in the order of their first ones.
  std::vector<std::vector<Wire>> lines() const {
    DisjointSets sets(static_cast<int32_t>(wires_.size()));
    unite(Direction::x, sets);
    unite(Direction::y, sets);
    unite_rows(sets);
    unite_cards(sets);
    std::vector<std::vector<Wire>> lines;
    std::vector<int32_t> line_of(wires_.size(), -1);
    for (size_t w = 0; w < wires_.size(); ++w) {
      int32_t& line = line_of[sets.find(static_cast<int32_t>(w))];
      if (line < 0) {
        line = static_cast<int32_t>(lines.size());
        lines.emplace_back();
      }
      lines[line].push_back(wires_[w]);
    }
    return lines;
  }

  /// Of a wire along x or y: its net, layer, direction, and where it lies across that.
  using Row = std::tuple<int32_t, int32_t, Direction, double>;
  Row row_of(int64_t resistor) const {
    const NodeId a = resistors_.a[resistor];
    const Direction direction = direction_of(resistor);
    return {report_.nodes.net[a], report_.nodes.layer[a], direction,
            direction == Direction::x ? report_.nodes.y_um[a] : report_.nodes.x_um[a]};
  }

  /// The wires of a layout go on below other metal of their rows, such as pins, and cost as much there.
  void add_wires_below(std::vector<Strap>& metal, std::vector<Strap>& wires) const {
    std::map<Row, std::vector<Strap*>> of_row;
    for (Strap& wire : wires)
      if (direction_of(wire.resistors.front()) != Direction::none)
        of_row[row_of(wire.resistors.front())].push_back(&wire);
    std::erase_if(metal, [&](const Strap& piece) {
      const auto row = of_row.find(row_of(piece.resistors.front()));
      if (row == of_row.end()) return false;
      return std::ranges::all_of(piece.resistors, [&](int64_t r) { return add_wire_below(r, row->second); });
    });
  }

  /// Whether there is one.
  bool add_wire_below(int64_t resistor, const std::vector<Strap*>& wires) const {
    const NodeTable& nodes = report_.nodes;
    const NodeId a = resistors_.a[resistor], b = resistors_.b[resistor];
    const double x = (nodes.x_um[a] + nodes.x_um[b]) / 2, y = (nodes.y_um[a] + nodes.y_um[b]) / 2;
    const auto below = std::ranges::find_if(wires, [&](const Strap* wire) {
      return x >= wire->x0_um && x <= wire->x1_um && y >= wire->y0_um && y <= wire->y1_um;
    });
    if (below == wires.end()) return false;
    (*below)->unit_cost += means_.costs.area * (*below)->width_um * length_of(resistor);
    return true;
  }

  double length_of(int64_t resistor) const {
    const NodeId a = resistors_.a[resistor], b = resistors_.b[resistor];
    const double length =
        std::hypot(report_.nodes.x_um[a] - report_.nodes.x_um[b], report_.nodes.y_um[a] - report_.nodes.y_um[b]);
    return length > 0 ? length : 0;
  }

  double width_of(int64_t resistor) const {
    const double width = section_of(report_, resistor).width_um;
    return width > 0 ? width : 0;
  }

  void find_wires() {
    const TerminalNodes terminals(*report_.circuit);
    for (int64_t r = 0; r < resistors_.size(); ++r) {
      const NodeId a = resistors_.a[r], b = resistors_.b[r];
      if (a == kGround || b == kGround || !report_.segments.has(r) || terminals.has_link(r)) continue;
      if (resistors_.value[r] < 0) continue;  // of a model, not of metal
      const int32_t layer = report_.nodes.layer[a];
      if (layer < 0 || report_.nodes.layer[b] != layer || report_.nodes.net[a] != report_.nodes.net[b]) continue;
      const auto found = std::ranges::find(layers_, layer);
      if (found == layers_.end()) continue;
      const size_t of = found - layers_.begin();
      wires_.push_back({r, of, static_cast<float>(width_of(r))});
      if (means_.grid_um > 0 && wires_.back().width_um <= 0)
        throw field_error("grid", "{}: the width of {} on layer {} is not known; leave {} out", means_.grid_um,
                          shown(std::string_view(report_.circuit->element_name(kResistor, r))),
                          report_.layer_names[layer], field("grid"));
    }
    leave_out_parts_of_cards();
    std::vector<int64_t> count(layers_.size(), 0);
    for (const Wire& wire : wires_) ++count[wire.means];
    for (size_t k = 0; k < layers_.size(); ++k)
      if (count[k] == 0) throw field_error("widen", "{}: no wires of this layer are solved for", means_.widen[k].layer);
  }

  bool has_cards_of_instances() const {
    return !report_.circuit->made_names && !report_.circuit->instances[kResistor].empty();
  }
  uint64_t card_of(int64_t resistor) const {
    const Origin origin = resistors_.origin[resistor];
    return uint64_t{origin.file} << 48 | origin.offset;
  }

  /// A card of a subcircuit is a wire where it is one in all instances: an edited netlist has one value of it.
  void leave_out_parts_of_cards() {
    if (!has_cards_of_instances()) return;
    std::map<uint64_t, int64_t> others;
    for (const Wire& wire : wires_) --others[card_of(wire.resistor)];
    for (int64_t r = 0; r < resistors_.size(); ++r)
      if (const auto card = others.find(card_of(r)); card != others.end()) ++card->second;
    std::erase_if(wires_, [&](const Wire& wire) { return others[card_of(wire.resistor)] > 0; });
  }

  Direction direction_of(int64_t resistor) const {
    const NodeTable& nodes = report_.nodes;
    const NodeId a = resistors_.a[resistor], b = resistors_.b[resistor];
    if (nodes.y_um[a] == nodes.y_um[b] && nodes.x_um[a] != nodes.x_um[b]) return Direction::x;
    if (nodes.x_um[a] == nodes.x_um[b] && nodes.y_um[a] != nodes.y_um[b]) return Direction::y;
    return Direction::none;
  }

  /// Wires of this direction, of widths that are not known, that share a node.
  void unite(Direction direction, DisjointSets& sets) const {
    std::vector<int32_t> first(report_.nodes.state.size(), -1);
    for (int32_t w = 0; w < std::ssize(wires_); ++w) {
      const int64_t r = wires_[w].resistor;
      if (wires_[w].width_um > 0 || direction_of(r) != direction) continue;
      for (const NodeId n : {resistors_.a[r], resistors_.b[r]}) {
        if (first[n] >= 0)
          sets.unite(first[n], w);
        else
          first[n] = w;
      }
    }
  }

  /// Wires of one width in one row: a special wire of DEF goes on below the metal of pins, where it makes no resistor.
  void unite_rows(DisjointSets& sets) const {
    std::map<std::pair<Row, float>, int32_t> first;
    for (int32_t w = 0; w < std::ssize(wires_); ++w) {
      const Wire& wire = wires_[w];
      if (wire.width_um <= 0 || direction_of(wire.resistor) == Direction::none) continue;
      const auto [of_row, is_new] = first.try_emplace(std::pair(row_of(wire.resistor), wire.width_um), w);
      if (!is_new) sets.unite(of_row->second, w);
    }
  }

  /// Wires of several instances of a subcircuit that are one card there.
  void unite_cards(DisjointSets& sets) const {
    if (!has_cards_of_instances()) return;
    std::map<uint64_t, int32_t> first;
    for (int32_t w = 0; w < std::ssize(wires_); ++w) {
      const auto [card, is_new] = first.try_emplace(card_of(wires_[w].resistor), w);
      if (!is_new) sets.unite(card->second, w);
    }
  }

  Strap made_of(const std::vector<Wire>& wires) const {
    Strap strap = begin_strap(wires.front());
    for (const Wire& wire : wires) add(wire, strap);
    strap.width_um *= strap.widened;
    strap.most = std::max(1.0, strap.most / strap.widened);
    return strap;
  }

  Strap begin_strap(const Wire& wire) const {
    constexpr double kFar = std::numeric_limits<double>::infinity();
    Strap strap;
    strap.net = report_.nodes.net[resistors_.a[wire.resistor]];
    strap.layer = layers_[wire.means];
    strap.most = means_.widen[wire.means].most;
    strap.x0_um = strap.y0_um = kFar;
    strap.x1_um = strap.y1_um = -kFar;
    return strap;
  }

  void add(const Wire& wire, Strap& strap) const {
    const NodeTable& nodes = report_.nodes;
    const int64_t r = wire.resistor;
    const NodeId a = resistors_.a[r], b = resistors_.b[r];
    strap.resistors.push_back(r);
    strap.width_um = std::max(strap.width_um, width_of(r));
    if (!nodes.has_place(a) || !nodes.has_place(b)) {
      strap.x0_um = strap.x1_um = strap.y0_um = strap.y1_um = NAN;
    } else if (!std::isnan(strap.x0_um)) {
      strap.x0_um = std::min({strap.x0_um, nodes.x_um[a], nodes.x_um[b]});
      strap.x1_um = std::max({strap.x1_um, nodes.x_um[a], nodes.x_um[b]});
      strap.y0_um = std::min({strap.y0_um, nodes.y_um[a], nodes.y_um[b]});
      strap.y1_um = std::max({strap.y1_um, nodes.y_um[a], nodes.y_um[b]});
    }
    const double length = length_of(r), widened = widened_(r);
    strap.widened = std::max(strap.widened, widened);
    strap.unit_cost += means_.costs.area * widened *
                       (strap.width_um > 0 && length > 0 ? strap.width_um * length : 1 / resistors_.value[r]);
  }

  const IrReport& report_;
  const Elements& resistors_;
  const PlanMeans& means_;
  const std::function<double(int64_t)>& widened_;
  std::vector<int32_t> layers_;
  std::vector<Wire> wires_;
};

}  // namespace

std::vector<Strap> find_straps(const IrReport& report, const PlanMeans& means,
                               const std::function<double(int64_t)>& widened) {
  return StrapFinder(report, means, widened).find();
}

}  // namespace gridiron
