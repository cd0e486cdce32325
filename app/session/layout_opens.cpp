// SPDX-License-Identifier: Apache-2.0
#include "app/session/layout_opens.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "reports/text/escape.hpp"

namespace gridiron {
namespace {

constexpr int64_t kMostLines = 1000;  // of a kind, as OpenROAD prints

/// `line(i)` for each of `count` things, of very many the first.
void add_lines(std::string& out, int64_t count, const char* what, auto&& line) {
  for (int64_t i = 0; i < std::min(count, kMostLines); ++i) out += line(i) + '\n';
  if (count > kMostLines) out += fmt::format("... and {} more {}\n", count - kMostLines, what);
}

void put_box(const layout::Chip& chip, const layout::Box& box, Marker& marker) {
  const double dbu = chip.dbu_per_um;
  marker.left_um = box.x0 / dbu;
  marker.bottom_um = box.y0 / dbu;
  marker.right_um = box.x1 / dbu;
  marker.top_um = box.y1 / dbu;
}

std::string terminal_name(const layout::Chip& chip, const layout::Network& network,
                          const layout::Opens::Terminal& terminal) {
  return fmt::format("{}/{}", chip.components.name[terminal.component],
                     network.pin_names[network.terminal_pin[terminal.terminal]]);
}

}  // namespace

std::string open_lines(const layout::Library& library, const layout::Chip& chip, int32_t net,
                       const layout::Network& network, const layout::Opens& opens) {
  const std::string name = printable(chip.nets[net].name);
  if (opens.is_connected()) return fmt::format("[INFO PSM-0040] All shapes on net {} are connected.\n", name);
  const double dbu = chip.dbu_per_um;
  const auto extent = [&](const layout::Box& box, int32_t layer) {
    return fmt::format("({:.3f}um, {:.3f}um) - ({:.3f}um, {:.3f}um), layer: {}.", box.x0 / dbu, box.y0 / dbu,
                       box.x1 / dbu, box.y1 / dbu, printable(library.layers[layer].name));
  };
  std::string out;
  add_lines(out, std::ssize(opens.shapes), "shapes", [&](int64_t i) {
    return fmt::format("[WARNING PSM-0038] Unconnected shape on net {} at {}", name,
                       extent(opens.shapes[i].box, opens.shapes[i].layer));
  });
  add_lines(out, std::ssize(opens.terminals), "instances", [&](int64_t i) {
    const layout::Opens::Terminal& t = opens.terminals[i];
    return fmt::format("[WARNING PSM-0039] Unconnected instance {} at location ({:.3f}um, {:.3f}um).",
                       printable(terminal_name(chip, network, t)), t.place.x / dbu, t.place.y / dbu);
  });
  add_lines(out, std::ssize(opens.pins), "pins", [&](int64_t i) {
    return fmt::format("[WARNING] Unconnected pin {} of the block on net {} at {}",
                       printable(chip.pins[opens.pins[i].pin].name), name,
                       extent(opens.pins[i].box, opens.pins[i].layer));
  });
  return out;
}

void add_markers(const layout::Library& library, const layout::Chip& chip, int32_t net, const layout::Network& network,
                 const layout::Opens& opens, Markers& markers) {
  const auto add = [&](Marker::Kind kind, const layout::Box& box, int32_t layer, std::string what) {
    Marker marker;
    marker.kind = kind;
    marker.net = chip.nets[net].name;
    marker.layer = library.layers[layer].name;
    marker.node = std::move(what);
    put_box(chip, box, marker);
    markers.list.push_back(std::move(marker));
  };
  for (const layout::Opens::Shape& shape : opens.shapes)
    add(Marker::Kind::unconnected_shape, shape.box, shape.layer, "shape of " + chip.nets[net].name);
  for (const layout::Opens::Terminal& t : opens.terminals)
    add(Marker::Kind::unconnected_load, component_box(library, chip, t.component), t.layer,
        terminal_name(chip, network, t));
  for (const layout::Opens::Pin& pin : opens.pins)
    add(Marker::Kind::unconnected_shape, pin.box, pin.layer, "pin " + chip.pins[pin.pin].name);
}

void add_marker(const layout::Library& library, const layout::Chip& chip, const layout::Short& where,
                Markers& markers) {
  Marker& marker = markers.list.emplace_back();
  marker.kind = Marker::Kind::touching_nets;
  marker.net = chip.nets[where.a].name;
  marker.other_net = chip.nets[where.b].name;
  marker.layer = library.layers[where.layer].name;
  put_box(chip, where.box, marker);
}

}  // namespace gridiron
