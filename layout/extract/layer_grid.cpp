// SPDX-License-Identifier: Apache-2.0
#include "layout/extract/layer_grid.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <span>
#include <utility>

#include "layout/extract/band_grid.hpp"
#include "layout/extract/bands.hpp"
#include "layout/extract/sort_places.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron::layout {
namespace {

std::vector<Box> in_axes(std::vector<Box> boxes, Axes axes) {
  if (axes.swapped) parallel_each(std::ssize(boxes), [&](std::int64_t i) { boxes[i] = axes(boxes[i]); });
  return boxes;
}

/// One layer on its way from shapes to nodes. What has edges of 45 degrees is one band. Places that no shape is near
/// form a band of their own, the last one.
class LayerWork {
 public:
  LayerWork(LayerShapes shapes, const LayerRules& rules)
      : rules_(rules),
        polygons_(std::move(shapes.polygons)),
        places_(std::move(shapes.places)),
        others_(std::move(shapes.others)),
        boxes_(polygons_.empty() ? std::vector<Box>() : std::move(shapes.boxes)),
        bands_(polygons_.empty() ? in_axes(std::move(shapes.boxes), rules.axes) : std::vector<Box>()),
        places_of_band_(std::ssize(places_), bands_.size() + 1, [&](std::int64_t i) { return band_of(i); }) {
    if (!polygons_.empty()) rules_.axes.swapped = false;  // trapezoids are always cut at right angles to x
    grids_.resize(static_cast<std::size_t>(bands()));
  }

  std::int64_t bands() const { return bands_.size() + 1; }
  /// A measure of the work that a band is.
  std::int64_t size_of(std::int64_t band) const {
    return 1 + std::ssize(places_of(band)) + (is_last(band) ? std::ssize(boxes_) : std::ssize(bands_.boxes(band)));
  }

  void make(std::int64_t band) {
    std::vector<Point> places;
    places.reserve(places_of(band).size());
    for (const std::int32_t i : places_of(band)) places.push_back(rules_.axes(places_[i]));
    grids_[band] = is_last(band) ? make_band_grid(boxes_, polygons_, places, rules_)
                                 : make_band_grid(bands_.boxes(band), {}, places, rules_);
  }

  LayerGrid joined() const;

 private:
  bool is_last(std::int64_t band) const { return band == bands_.size(); }
  std::int64_t band_of(std::int64_t place) const {
    const std::int64_t band = polygons_.empty() ? bands_.at(rules_.axes(places_[place]).y) : -1;
    return band < 0 ? bands_.size() : band;
  }
  std::span<const std::int32_t> places_of(std::int64_t band) const {
    const std::int32_t first = places_of_band_.start[band];
    return {places_of_band_.item.data() + first, static_cast<std::size_t>(places_of_band_.start[band + 1] - first)};
  }

  LayerRules rules_;
  std::vector<std::vector<Point>> polygons_;
  std::vector<Point> places_, others_;
  std::vector<Box> boxes_;  ///< of a layer with polygons
  Bands bands_;
  ItemsByNode<std::int32_t> places_of_band_;
  std::vector<BandGrid> grids_;
};

/// Where the entries of each band begin among those of all.
template <class Size>
std::vector<std::int64_t> starts(const std::vector<BandGrid>& grids, Size&& size) {
  std::vector<std::int64_t> start{0};
  for (const BandGrid& grid : grids) start.push_back(start.back() + static_cast<std::int64_t>(size(grid)));
  return start;
}

/// The nodes of the grid, band by band, and then the others: by x and y.
LayerGrid LayerWork::joined() const {
  const auto node = starts(grids_, [](const BandGrid& g) { return g.nodes.size(); });
  const auto wire = starts(grids_, [](const BandGrid& g) { return g.wires.size(); });
  const auto piece = starts(grids_, [](const BandGrid& g) { return g.pieces.size(); });
  const std::int64_t others = std::ssize(others_), all = node.back() + others;

  std::vector<KeyedPlace> entries;
  resize_untouched(entries, static_cast<std::size_t>(all));
  parallel_tasks(bands(), [&](std::int64_t band) {
    std::int64_t i = node[band];
    for (const Point p : grids_[band].nodes) {
      entries[i] = {key_of(rules_.axes(p)), static_cast<std::int32_t>(i)};
      ++i;
    }
  });
  parallel_each(others, [&](std::int64_t i) {
    entries[node.back() + i] = {key_of(others_[i]), static_cast<std::int32_t>(node.back() + i)};
  });
  sort_places(entries);
  std::vector<std::int32_t> rank;
  resize_untouched(rank, entries.size());
  LayerGrid out;
  resize_untouched(out.nodes, entries.size());
  parallel_each(all, [&](std::int64_t i) {
    rank[entries[i].index] = static_cast<std::int32_t>(i);
    out.nodes[i] = place_of(entries[i].key);
  });
  out.node_of_other.assign(rank.begin() + node.back(), rank.end());

  resize_untouched(out.node_of_place, places_.size());
  resize_untouched(out.wires, static_cast<std::size_t>(wire.back()));
  resize_untouched(out.pieces, static_cast<std::size_t>(piece.back()));
  resize_untouched(out.piece_node, static_cast<std::size_t>(piece.back()));
  parallel_tasks(bands(), [&](std::int64_t band) {
    const BandGrid& g = grids_[band];
    const auto final = [&](std::int32_t n) { return rank[node[band] + n]; };
    std::int64_t to = wire[band];
    for (const Wire& w : g.wires) out.wires[to++] = {final(w.a), final(w.b), w.length, w.width};
    to = piece[band];
    for (std::size_t i = 0; i < g.pieces.size(); ++i, ++to) {
      out.pieces[to] = rules_.axes(g.pieces[i]);
      out.piece_node[to] = final(g.piece_node[i]);
    }
    const std::span<const std::int32_t> places = places_of(band);
    for (std::size_t i = 0; i < places.size(); ++i) out.node_of_place[places[i]] = final(g.node_of_place[i]);
  });
  return out;
}

}  // namespace

std::vector<LayerGrid> make_layer_grids(std::vector<LayerShapes> shapes, const std::vector<LayerRules>& rules) {
  std::vector<std::unique_ptr<LayerWork>> layers;
  for (std::size_t layer = 0; layer < shapes.size(); ++layer)
    layers.push_back(std::make_unique<LayerWork>(std::move(shapes[layer]), rules[layer]));

  struct Task {
    std::size_t layer;
    std::int64_t first, last, size;
  };
  constexpr std::int64_t kSize = 1 << 13;
  std::vector<Task> tasks;
  for (std::size_t layer = 0; layer < layers.size(); ++layer)
    for (std::int64_t band = 0; band < layers[layer]->bands(); ++band) {
      if (band == 0 || tasks.back().size >= kSize) tasks.push_back({layer, band, band, 0});
      tasks.back().last = band + 1;
      tasks.back().size += layers[layer]->size_of(band);
    }
  std::stable_sort(tasks.begin(), tasks.end(), [](const Task& a, const Task& b) { return a.size > b.size; });
  parallel_tasks(std::ssize(tasks), [&](std::int64_t t) {
    for (std::int64_t band = tasks[t].first; band < tasks[t].last; ++band) layers[tasks[t].layer]->make(band);
  });

  std::vector<LayerGrid> grids;
  for (std::unique_ptr<LayerWork>& layer : layers) {
    grids.push_back(layer->joined());
    layer.reset();
  }
  return grids;
}

}  // namespace gridiron::layout
