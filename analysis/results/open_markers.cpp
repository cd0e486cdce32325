// SPDX-License-Identifier: Apache-2.0
#include "analysis/results/open_markers.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace gridiron {
namespace {

Marker::Kind kind_of(Placement::Open::Kind kind) {
  switch (kind) {
    case Placement::Open::Kind::terminal:
      return Marker::Kind::open_terminal;
    case Placement::Open::Kind::pin:
      return Marker::Kind::open_pin;
    default:
      return Marker::Kind::open_shape;
  }
}

}  // namespace

std::string name_of(const Placement::Open& open) {
  std::string name(open.instance);
  if (!name.empty()) name += '/';
  return name.append(open.terminal);
}

void mark_shorts(const Placement* placement, Markers& out) {
  if (!placement) return;
  out.cell = placement->design;
  ShownMarkers shown{Marker::Kind::touching_nets, {}, {}};
  shown.of = std::ssize(placement->shorts);
  shown.shown = std::min(shown.of, static_cast<int64_t>(kMostMarkers));
  for (int64_t i = 0; i < shown.shown; ++i) {
    const Placement::Short& s = placement->shorts[i];
    Marker& marker = out.list.emplace_back();
    marker.kind = shown.kind;
    marker.net = s.net;
    marker.other_net = s.other;
    marker.layer = placement->layers[s.layer].name;
    marker.left_um = s.box.left_um, marker.bottom_um = s.box.bottom_um;
    marker.right_um = s.box.right_um, marker.top_um = s.box.top_um;
  }
  if (shown.shown < shown.of) out.cut.push_back(shown);
}

bool mark_opens(const Placement* placement, double half_um, Markers& out) {
  if (!placement || placement->opens.empty()) return false;
  std::array<ShownMarkers, 3> shown{
      {{Marker::Kind::open_shape, {}, {}}, {Marker::Kind::open_terminal, {}, {}}, {Marker::Kind::open_pin, {}, {}}}};
  for (const Placement::Open& open : placement->opens) {
    ShownMarkers& of_kind = shown[static_cast<size_t>(open.kind)];
    if (++of_kind.of > static_cast<int64_t>(kMostMarkers)) continue;
    ++of_kind.shown;
    const double margin = open.kind == Placement::Open::Kind::terminal ? half_um : 0;
    out.list.push_back({kind_of(open.kind), placement->nets[open.net].name, placement->layers[open.layer].name,
                        name_of(open), open.box.left_um - margin, open.box.bottom_um - margin,
                        open.box.right_um + margin, open.box.top_um + margin});
  }
  for (const ShownMarkers& of_kind : shown)
    if (of_kind.shown < of_kind.of) out.cut.push_back(of_kind);
  return true;
}

}  // namespace gridiron
