// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "layout/extract/net_parts.hpp"
#include "support/error.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron::layout {
namespace {

/// A pin of a macro as it lies in one orientation of a macro whose low corner is the origin.
struct TurnedPin {
  std::vector<LayerBox> boxes;                ///< on routing layers, each with a node at its centre
  std::vector<LayerPolygon> polygons;         ///< those with edges of 45 degrees
  std::vector<LayerBox> of_polygons;          ///< bounding boxes of their trapezoids, each with a node at its centre
  int64_t sum_x = 0, sum_y = 0, corners = 0;  ///< of two corners of every box on any layer
  bool has_front = false, has_back = false;
};

TurnedPin turned_pin(const Library& library, const Macro& macro, const MacroPin& pin, Orientation orientation,
                     double dbu_per_um) {
  TurnedPin out;
  if (orientation != Orientation::N && !(macro.width_um > 0 && macro.height_um > 0))
    throw InputError(
        fmt::format("{}: MACRO {} has no SIZE, by which components that are turned find their place; add it",
                    library.describe(macro.place), macro.name));
  const Dbu width = to_dbu(macro.width_um, dbu_per_um), height = to_dbu(macro.height_um, dbu_per_um);
  const auto take = [&](int32_t layer, const Box& box, std::vector<LayerBox>& list) {
    out.sum_x += int64_t{box.x0} + box.x1;
    out.sum_y += int64_t{box.y0} + box.y1;
    out.corners += 2;
    (library.layers[layer].backside ? out.has_back : out.has_front) = true;
    if (library.layers[layer].kind == LayerKind::routing) list.push_back({layer, box});
  };
  for (const ShapeUm& shape : pin.shapes) {
    std::vector<Point> corners;
    for (size_t i = 0; i + 1 < shape.xy.size(); i += 2)
      corners.push_back({to_dbu(shape.xy[i], dbu_per_um), to_dbu(shape.xy[i + 1], dbu_per_um)});
    if (!shape.is_polygon) {
      const Box box{corners[0].x, corners[0].y, corners[1].x, corners[1].y};
      take(shape.layer, placed(box, width, height, {}, orientation), out.boxes);
      continue;
    }
    const std::vector<Box> rectangles = rectangles_of(corners);
    for (const Box& box : rectangles) take(shape.layer, placed(box, width, height, {}, orientation), out.boxes);
    if (!rectangles.empty()) continue;
    for (Point& corner : corners) corner = placed(corner, width, height, {}, orientation);
    for (const Box& box : pieces_of_polygon(corners)) take(shape.layer, box, out.of_polygons);
    if (library.layers[shape.layer].kind == LayerKind::routing) out.polygons.push_back({shape.layer, corners});
  }
  return out;
}

/// The pins of macros that a net connects.
class ConnectedPins {
 public:
  ConnectedPins(const Library& library, const Chip& chip, const SpecialNet& net)
      : library_(library), of_macro_(library.macros.size()), turned_(library.macros.size()) {
    std::vector<std::string_view> everywhere;
    std::vector<const Connection*> single;
    for (const Connection& c : net.connections) {
      if (c.instance == "*") everywhere.push_back(c.pin);
      if (c.instance != "*" && c.instance != "PIN") single.push_back(&c);
    }
    for (size_t m = 0; m < library.macros.size(); ++m) {
      const std::vector<MacroPin>& pins = library.macros[m].pins;
      turned_[m].resize(pins.size());
      for (size_t p = 0; p < pins.size(); ++p)
        if (std::find(everywhere.begin(), everywhere.end(), pins[p].name) != everywhere.end())
          of_macro_[m].push_back(static_cast<int32_t>(p));
    }
    if (!single.empty()) connect(chip, net, single);
    turn_all(chip);
  }

  /// f(index of the macro's pin), ascending.
  template <class F>
  void for_each(const Components& components, int64_t component, F&& f) const {
    const std::vector<int32_t>& pins = of_macro_[components.macro[component]];
    auto own = single_.end();
    if (!single_.empty())
      own = std::lower_bound(single_.begin(), single_.end(), std::pair{static_cast<int32_t>(component), 0});
    if (own == single_.end() || own->first != component) {
      for (const int32_t p : pins) f(p);
      return;
    }
    std::vector<int32_t> all = pins;
    for (; own != single_.end() && own->first == component; ++own) all.push_back(own->second);
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    for (const int32_t p : all) f(p);
  }

  const TurnedPin& turned(int32_t macro, int32_t pin, Orientation orientation) const {
    return *turned_[macro][pin][static_cast<size_t>(orientation)];
  }

 private:
  /// The pins of macros as their components lie.
  void turn_all(const Chip& chip) {
    const Components& all = chip.components;
    constexpr size_t kOrientations = std::tuple_size_v<InOrientations<TurnedPin>>;
    std::vector<uint8_t> occurs(library_.macros.size() * kOrientations, 0);
    parallel_each(all.size(), [&](int64_t i) {
      if (!all.placed[i]) return;
      const std::atomic_ref<uint8_t> seen(
          occurs[static_cast<size_t>(all.macro[i]) * kOrientations + static_cast<size_t>(all.orientation[i])]);
      if (seen.load(std::memory_order_relaxed) == 0) seen.store(1, std::memory_order_relaxed);
    });
    for (size_t m = 0; m < library_.macros.size(); ++m)
      for (size_t o = 0; o < kOrientations; ++o)
        if (occurs[m * kOrientations + o])
          for (const int32_t p : of_macro_[m]) turn(static_cast<int32_t>(m), p, static_cast<Orientation>(o), chip);
    for (const auto& [component, p] : single_)
      if (all.placed[component]) turn(all.macro[component], p, all.orientation[component], chip);
  }

  void turn(int32_t macro, int32_t pin, Orientation orientation, const Chip& chip) {
    std::optional<TurnedPin>& turned = turned_[macro][pin][static_cast<size_t>(orientation)];
    const Macro& of = library_.macros[macro];
    if (!turned) turned = turned_pin(library_, of, of.pins[pin], orientation, chip.dbu_per_um);
  }

  void connect(const Chip& chip, const SpecialNet& net, const std::vector<const Connection*>& single) {
    for (const Connection* c : single) {
      const int32_t component = chip.component(c->instance);
      if (component < 0)
        throw InputError(fmt::format("{}: net {} connects component {}, which does not exist", chip.describe(net.place),
                                     net.name, c->instance));
      const Macro& macro = library_.macros[chip.components.macro[component]];
      const auto pin =
          std::find_if(macro.pins.begin(), macro.pins.end(), [&](const MacroPin& p) { return p.name == c->pin; });
      if (pin == macro.pins.end())
        throw InputError(fmt::format("{}: net {} connects pin {} of component {}, but macro {} has no such pin",
                                     chip.describe(net.place), net.name, c->pin, c->instance, macro.name));
      single_.emplace_back(component, static_cast<int32_t>(pin - macro.pins.begin()));
    }
    std::sort(single_.begin(), single_.end());
  }

  const Library& library_;
  std::vector<std::vector<int32_t>> of_macro_;                  ///< pins that are connected wherever the macro is
  std::vector<std::pair<int32_t, int32_t>> single_;             ///< component and pin
  std::vector<std::vector<InOrientations<TurnedPin>>> turned_;  ///< by macro and pin
};

/// The layers that terminals hang on: the lowest, or for cells with pins on the back only, the highest there.
struct BaseLayers {
  int32_t front = -1, back = -1;

  bool is_back(const TurnedPin& pin) const { return back >= 0 && (front < 0 || (pin.has_back && !pin.has_front)); }

  explicit BaseLayers(const Library& library) {
    for (size_t l = 0; l < library.layers.size(); ++l) {
      if (library.layers[l].kind != LayerKind::routing) continue;
      if (library.layers[l].backside)
        back = static_cast<int32_t>(l);
      else if (front < 0)
        front = static_cast<int32_t>(l);
    }
  }
};

/// Places in the lists of terminals and of shapes by layer: first how many each range of components adds, then where.
struct TerminalPlaces {
  struct OfLayer {
    int64_t boxes = 0, places = 0, others = 0;
  };
  int64_t terminals = 0, pins = 0;
  std::vector<OfLayer> layers;

  /// Passes over what a pin adds.
  void count(const TurnedPin& pin, const BaseLayers& base, const Library& library) {
    const bool is_back = base.is_back(pin);
    const auto count_node = [&](const LayerBox& b) {
      ++layers[b.layer].places;
      pins += library.layers[b.layer].backside == is_back ? 1 : 0;
    };
    for (const LayerBox& b : pin.boxes) {
      ++layers[b.layer].boxes;
      count_node(b);
    }
    for (const LayerBox& b : pin.of_polygons) count_node(b);
    ++layers[is_back ? base.back : base.front].others;
    ++terminals;
  }

  /// Moves on by what others add.
  void pass(const TerminalPlaces& others) {
    terminals += others.terminals;
    pins += others.pins;
    for (size_t l = 0; l < layers.size(); ++l) {
      layers[l].boxes += others.layers[l].boxes;
      layers[l].places += others.layers[l].places;
      layers[l].others += others.layers[l].others;
    }
  }
};

/// Fills what was counted, from where `to` is on. Polygons are appended to a list, by layer.
class TerminalWriter {
 public:
  TerminalWriter(const Library& library, const BaseLayers& base, TerminalPlaces to, NetParts& parts)
      : library_(library), base_(base), to_(std::move(to)), parts_(parts) {}

  void write(int32_t component, int32_t pin_name, const TurnedPin& pin, Point at) {
    const bool is_back = base_.is_back(pin);
    for (const LayerBox& b : pin.boxes) {
      const Box box = add_node(b, at, is_back);
      parts_.layers[b.layer].boxes[to_.layers[b.layer].boxes++] = box;
    }
    for (const LayerBox& b : pin.of_polygons) add_node(b, at, is_back);
    for (const LayerPolygon& p : pin.polygons) {
      polygons.push_back(p);
      for (Point& corner : polygons.back().corners) corner = {corner.x + at.x, corner.y + at.y};
    }
    Terminals& terminals = parts_.terminals;
    const int64_t t = to_.terminals++;
    terminals.component[t] = component;
    terminals.pin_name[t] = pin_name;
    const auto mean = [&](int64_t sum, Dbu from) { return static_cast<Dbu>((sum + pin.corners * from) / pin.corners); };
    const int32_t layer = is_back ? base_.back : base_.front;
    terminals.base[t] = put({mean(pin.sum_x, at.x), mean(pin.sum_y, at.y)}, layer, parts_.layers[layer].others,
                            to_.layers[layer].others);
    terminals.first_pin[t + 1] = to_.pins;
  }

  std::vector<LayerPolygon> polygons;

 private:
  static PlaceRef put(Point place, int32_t layer, std::vector<Point>& list, int64_t& to) {
    list[to] = place;
    return {layer, static_cast<int32_t>(to++)};
  }

  Box add_node(const LayerBox& b, Point at, bool is_back) {
    const Box box{b.box.x0 + at.x, b.box.y0 + at.y, b.box.x1 + at.x, b.box.y1 + at.y};
    const PlaceRef node = put(centre(box), b.layer, parts_.layers[b.layer].places, to_.layers[b.layer].places);
    // A shape on the other side of the chip has its node, but no link to the terminal.
    if (library_.layers[b.layer].backside == is_back) parts_.terminals.pin[to_.pins++] = node;
    return box;
  }

  const Library& library_;
  const BaseLayers& base_;
  TerminalPlaces to_;
  NetParts& parts_;
};

/// Makes room for what all ranges add, and tells each where its own begins.
void make_room(std::vector<TerminalPlaces>& ranges, NetParts& parts) {
  TerminalPlaces next;
  for (const LayerShapes& layer : parts.layers)
    next.layers.push_back({std::ssize(layer.boxes), std::ssize(layer.places), std::ssize(layer.others)});
  for (TerminalPlaces& range : ranges) {
    TerminalPlaces first = next;
    next.pass(range);
    range = std::move(first);
  }
  for (size_t l = 0; l < parts.layers.size(); ++l) {
    grow_in_parallel(parts.layers[l].boxes, static_cast<size_t>(next.layers[l].boxes));
    grow_in_parallel(parts.layers[l].places, static_cast<size_t>(next.layers[l].places));
    grow_in_parallel(parts.layers[l].others, static_cast<size_t>(next.layers[l].others));
  }
  const auto terminals = static_cast<size_t>(next.terminals);
  resize_untouched(parts.terminals.component, terminals);
  resize_untouched(parts.terminals.pin_name, terminals);
  resize_untouched(parts.terminals.base, terminals);
  resize_untouched(parts.terminals.first_pin, terminals + 1);
  resize_untouched(parts.terminals.pin, static_cast<size_t>(next.pins));
  parts.terminals.first_pin[0] = 0;
}

/// Numbers the names of pins that have shapes; −1 of others.
std::vector<std::vector<int32_t>> number_pins(const Library& library, std::vector<std::string>& names) {
  std::unordered_map<std::string_view, int32_t> number;
  std::vector<std::vector<int32_t>> of_macro(library.macros.size());
  for (size_t m = 0; m < library.macros.size(); ++m)
    for (const MacroPin& pin : library.macros[m].pins) {
      int32_t own = -1;
      if (!pin.shapes.empty()) {
        const auto [at, is_new] = number.emplace(pin.name, static_cast<int32_t>(names.size()));
        if (is_new) names.push_back(pin.name);
        own = at->second;
      }
      of_macro[m].push_back(own);
    }
  return of_macro;
}

}  // namespace

void add_terminals(const Library& library, const Chip& chip, const SpecialNet& net, NetParts& parts) {
  const ConnectedPins pins(library, chip, net);
  const BaseLayers base(library);
  const std::vector<std::vector<int32_t>> pin_name = number_pins(library, parts.pin_names);
  constexpr int64_t kGrain = 1 << 14;
  const Components& components = chip.components;
  /// f(component, pin of its macro, turned pin) of those that have shapes.
  const auto for_each_terminal = [&](int64_t begin, int64_t end, auto&& f) {
    for (int64_t i = begin; i < end; ++i) {
      if (!components.placed[i]) continue;
      pins.for_each(components, i, [&](int32_t p) {
        const TurnedPin& pin = pins.turned(components.macro[i], p, components.orientation[i]);
        if (!pin.boxes.empty() || !pin.of_polygons.empty()) f(i, p, pin);
      });
    }
  };
  std::vector<TerminalPlaces> ranges(static_cast<size_t>((components.size() + kGrain - 1) / kGrain));
  parallel_ranges(
      components.size(),
      [&](int64_t begin, int64_t end) {
        TerminalPlaces& own = ranges[begin / kGrain];
        own.layers.resize(library.layers.size());
        for_each_terminal(begin, end, [&](int64_t, int32_t, const TurnedPin& pin) { own.count(pin, base, library); });
      },
      kGrain);
  make_room(ranges, parts);
  std::vector<std::vector<LayerPolygon>> polygons(ranges.size());
  parallel_ranges(
      components.size(),
      [&](int64_t begin, int64_t end) {
        TerminalWriter writer(library, base, ranges[begin / kGrain], parts);
        for_each_terminal(begin, end, [&](int64_t i, int32_t p, const TurnedPin& pin) {
          writer.write(static_cast<int32_t>(i), pin_name[components.macro[i]][p], pin, components.place[i]);
        });
        polygons[begin / kGrain] = std::move(writer.polygons);
      },
      kGrain);
  for (std::vector<LayerPolygon>& some : polygons)
    for (LayerPolygon& p : some) parts.layers[p.layer].polygons.push_back(std::move(p.corners));
}

}  // namespace gridiron::layout
