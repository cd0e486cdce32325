// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <string_view>
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
    for (int64_t i = 0; i < chip.components.size(); ++i) {
      if (!chip.components.placed[i]) continue;
      const auto orientation = static_cast<size_t>(chip.components.orientation[i]);
      for_each(chip.components, i, [&](int32_t p) {
        const int32_t m = chip.components.macro[i];
        std::optional<TurnedPin>& pin = turned_[m][p][orientation];
        if (!pin)
          pin = turned_pin(library, library.macros[m], library.macros[m].pins[p], chip.components.orientation[i],
                           chip.dbu_per_um);
      });
    }
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

/// Terminals that one thread adds, with places counted from those of its own.
struct TerminalsOfRange {
  std::vector<LayerShapes> layers;
  Terminals terminals;

  void add(const TurnedPin& pin, const BaseLayers& base, Point at, const Library& library) {
    const bool is_back = base.back >= 0 && (base.front < 0 || (pin.has_back && !pin.has_front));
    const auto add_node = [&](const LayerBox& b) {
      const Box box{b.box.x0 + at.x, b.box.y0 + at.y, b.box.x1 + at.x, b.box.y1 + at.y};
      const PlaceRef node = add_place(b.layer, centre(box), layers[b.layer].places);
      // A shape on the other side of the chip has its node, but no link to the terminal.
      if (library.layers[b.layer].backside == is_back) terminals.pin.push_back(node);
      return box;
    };
    for (const LayerBox& b : pin.boxes) {
      const Box box = add_node(b);
      layers[b.layer].boxes.push_back(box);
    }
    for (const LayerBox& b : pin.of_polygons) add_node(b);
    for (const LayerPolygon& p : pin.polygons) {
      std::vector<Point> corners = p.corners;
      for (Point& corner : corners) corner = {corner.x + at.x, corner.y + at.y};
      layers[p.layer].polygons.push_back(std::move(corners));
    }
    const auto mean = [&](int64_t sum, Dbu from) { return static_cast<Dbu>((sum + pin.corners * from) / pin.corners); };
    const int32_t layer = is_back ? base.back : base.front;
    const Point place{mean(pin.sum_x, at.x), mean(pin.sum_y, at.y)};
    terminals.base.push_back(add_place(layer, place, layers[layer].others));
    terminals.first_pin.push_back(static_cast<int64_t>(terminals.pin.size()));
  }
};

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

/// Puts together what ranges of components have.
Terminals join(std::vector<Terminals> ranges, const std::vector<PlacesBefore>& before) {
  Terminals all;
  std::vector<int64_t> first_terminal{0}, first_pin{0};
  for (const Terminals& some : ranges) {
    first_terminal.push_back(first_terminal.back() + std::ssize(some.base));
    first_pin.push_back(first_pin.back() + std::ssize(some.pin));
  }
  const auto terminals = static_cast<size_t>(first_terminal.back());
  resize_untouched(all.component, terminals);
  resize_untouched(all.pin_name, terminals);
  resize_untouched(all.base, terminals);
  resize_untouched(all.first_pin, terminals + 1);
  resize_untouched(all.pin, static_cast<size_t>(first_pin.back()));
  all.first_pin[0] = 0;
  parallel_tasks(std::ssize(ranges), [&](int64_t r) {
    const Terminals some = std::move(ranges[r]);
    for (int64_t t = 0; t < std::ssize(some.base); ++t) {
      const int64_t to = first_terminal[r] + t;
      all.component[to] = some.component[t];
      all.pin_name[to] = some.pin_name[t];
      all.base[to] = before[r].other(some.base[t]);
      all.first_pin[to + 1] = first_pin[r] + some.first_pin[t + 1];
    }
    for (int64_t p = 0; p < std::ssize(some.pin); ++p) all.pin[first_pin[r] + p] = before[r].place(some.pin[p]);
  });
  return all;
}

}  // namespace

void add_terminals(const Library& library, const Chip& chip, const SpecialNet& net, NetParts& parts) {
  const ConnectedPins pins(library, chip, net);
  const BaseLayers base(library);
  const std::vector<std::vector<int32_t>> pin_name = number_pins(library, parts.pin_names);
  constexpr int64_t kGrain = 1 << 14;
  const Components& components = chip.components;
  const auto count = static_cast<size_t>((components.size() + kGrain - 1) / kGrain);
  std::vector<std::vector<LayerShapes>> layers(count);
  std::vector<Terminals> terminals(count);
  const auto add_range = [&](int64_t begin, int64_t end) {
    TerminalsOfRange some;
    some.layers.resize(library.layers.size());
    for (int64_t i = begin; i < end; ++i) {
      if (!components.placed[i]) continue;
      const int32_t m = components.macro[i];
      pins.for_each(components, i, [&](int32_t p) {
        const TurnedPin& pin = pins.turned(m, p, components.orientation[i]);
        if (pin.boxes.empty() && pin.of_polygons.empty()) return;
        some.terminals.component.push_back(static_cast<int32_t>(i));
        some.terminals.pin_name.push_back(pin_name[m][p]);
        some.add(pin, base, components.place[i], library);
      });
    }
    layers[begin / kGrain] = std::move(some.layers);
    terminals[begin / kGrain] = std::move(some.terminals);
  };
  parallel_ranges(components.size(), add_range, kGrain);
  const std::vector<PlacesBefore> before = append(std::move(layers), parts.layers);
  parts.terminals = join(std::move(terminals), before);
}

}  // namespace gridiron::layout
