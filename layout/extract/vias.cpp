// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>

#include "layout/extract/net_parts.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron::layout {
namespace {

Box moved(const Box& box, Point by) { return {box.x0 + by.x, box.y0 + by.y, box.x1 + by.x, box.y1 + by.y}; }
Point moved(Point p, Point by) { return {p.x + by.x, p.y + by.y}; }

/// For how many ordinary cuts one of this size counts.
double cuts_of(const Layer& layer, const Box& cut, double dbu_per_um) {
  const int32_t cut_class = cut_class_of(layer, cut, dbu_per_um);
  return cut_class < 0 ? 1 : layer.cut_classes[cut_class].cuts;
}

/// A via as it stands in one orientation, about its centre.
struct TurnedVia {
  std::vector<LayerBox> boxes;  ///< enclosures
  std::vector<LayerPolygon> polygons;
  struct Link {
    Point place;
    double cuts;
  };
  std::vector<Link> links;
  double ohm_per_link = 0;
};

/// A cut as parts that are no larger than a cell of the mesh, up to so many that more make no difference.
void add_parts(const Box& cut, double cuts, Dbu cell, std::vector<TurnedVia::Link>& links) {
  constexpr int64_t kMost = 8;
  const auto parts = [&](Dbu length) { return std::clamp<int64_t>((int64_t{length} + cell - 1) / cell, 1, kMost); };
  const int64_t nx = parts(cut.width()), ny = parts(cut.height());
  const auto line = [](Dbu low, int64_t length, int64_t k, int64_t n) {
    return static_cast<Dbu>(low + length * k / n);
  };
  for (int64_t i = 0; i < nx; ++i)
    for (int64_t j = 0; j < ny; ++j)
      links.push_back({centre({line(cut.x0, cut.width(), i, nx), line(cut.y0, cut.height(), j, ny),
                               line(cut.x0, cut.width(), i + 1, nx), line(cut.y0, cut.height(), j + 1, ny)}),
                       cuts / static_cast<double>(nx * ny)});
}

TurnedVia turned_via(const Library& library, const Via& via, Orientation orientation, double dbu_per_um,
                     const std::vector<Dbu>& pitch, Dbu cell) {
  TurnedVia out;
  std::optional<Box> extent;
  const auto take = [&](const Box& box) {
    const Box b = turned(box, orientation);
    extent = extent ? Box{std::min(extent->x0, b.x0), std::min(extent->y0, b.y0), std::max(extent->x1, b.x1),
                          std::max(extent->y1, b.y1)}
                    : b;
    return b;
  };
  for (const Box& box : via.bottom_boxes) out.boxes.push_back({via.bottom, take(box)});
  for (const Box& box : via.top_boxes) out.boxes.push_back({via.top, take(box)});
  for (const LayerPolygon& polygon : via.polygons) {
    out.polygons.push_back({polygon.layer, {}});
    for (const Point corner : polygon.corners) {
      const Box at = take({corner.x, corner.y, corner.x, corner.y});
      out.polygons.back().corners.push_back({at.x0, at.y0});
    }
  }
  double all_cuts = 0;
  for (const Box& box : via.cuts) {
    const Box cut = take(box);
    const double cuts = via.cut < 0 ? 1 : cuts_of(library.layers[via.cut], cut, dbu_per_um);
    if (cell > 0)
      add_parts(cut, cuts, cell, out.links);
    else
      out.links.push_back({centre(cut), cuts});
    all_cuts += cuts;
  }
  if (via.bottom < 0 || via.top < 0 || via.cut < 0) out.links.clear();
  if (out.links.empty()) return out;
  if (cell == 0 && std::max(extent->width(), extent->height()) < std::min(pitch[via.bottom], pitch[via.top]))
    out.links = {{Point{0, 0}, all_cuts}};
  const double of_rule = via.rule < 0 ? 0 : std::max(0.0, library.rules[via.rule].ohm_per_cut) / all_cuts;
  out.ohm_per_link = (via.ohm > 0 ? via.ohm : of_rule) * static_cast<double>(out.links.size());
  return out;
}

/// Adds a via at its place. f(layer, place) gives a reference to a place.
template <class AddPlace>
void add_via(const PlacedVia& placed, const Via& kind, int32_t cut, const TurnedVia& via,
             std::vector<LayerShapes>& layers, std::vector<ViaLink>& links, AddPlace&& place) {
  for (const LayerBox& b : via.boxes) layers[b.layer].boxes.push_back(moved(b.box, placed.place));
  for (const LayerPolygon& p : via.polygons) {
    std::vector<Point> corners;
    for (const Point corner : p.corners) corners.push_back(moved(corner, placed.place));
    add_polygon(layers[p.layer], corners);
  }
  for (const TurnedVia::Link& link : via.links) {
    const Point at = moved(link.place, placed.place);
    links.push_back(
        {place(kind.bottom, at), place(kind.top, at), cut, static_cast<float>(link.cuts), via.ohm_per_link});
  }
}

}  // namespace

void add_vias(const Library& library, const Chip& chip, const SpecialNet& net, Dbu cell, NetParts& parts) {
  const std::vector<Dbu> pitch = node_pitches(library, chip.dbu_per_um);
  std::vector<InOrientations<TurnedVia>> turned_vias(chip.vias.size());
  for (const PlacedVia& v : net.vias) {
    std::optional<TurnedVia>& via = turned_vias[v.via][static_cast<size_t>(v.orientation)];
    if (!via) via = turned_via(library, chip.vias[v.via], v.orientation, chip.dbu_per_um, pitch, cell);
  }

  CutSizes cuts = cut_sizes(library, chip);
  constexpr int64_t kGrain = 1 << 14;
  const auto n = static_cast<int64_t>(net.vias.size());
  const auto ranges = static_cast<size_t>((n + kGrain - 1) / kGrain);
  std::vector<std::vector<LayerShapes>> layers(ranges);
  std::vector<std::vector<ViaLink>> links(ranges);
  const auto add_range = [&](int64_t begin, int64_t end) {
    std::vector<LayerShapes>& own = layers[begin / kGrain];
    own.resize(library.layers.size());
    const auto place = [&](int32_t layer, Point p) { return add_place(layer, p, own[layer].places); };
    for (int64_t i = begin; i < end; ++i) {
      const PlacedVia& v = net.vias[i];
      add_via(v, chip.vias[v.via], cuts.of_via[v.via], *turned_vias[v.via][static_cast<size_t>(v.orientation)], own,
              links[begin / kGrain], place);
    }
  };
  parallel_ranges(n, add_range, kGrain);
  const std::vector<PlacesBefore> before = append(std::move(layers), parts.layers);
  parallel_tasks(std::ssize(links), [&](int64_t r) {
    for (ViaLink& link : links[r]) link.bottom = before[r].place(link.bottom), link.top = before[r].place(link.top);
  });
  parts.vias = concatenated(std::move(links));
  parts.cut_sizes = std::move(cuts.sizes);
}

}  // namespace gridiron::layout
