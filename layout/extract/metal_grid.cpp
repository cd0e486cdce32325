// SPDX-License-Identifier: Apache-2.0
#include "layout/extract/metal_grid.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <memory_resource>
#include <span>
#include <utility>

#include "layout/extract/band_grid.hpp"
#include "layout/extract/band_mesh.hpp"
#include "layout/extract/bands.hpp"
#include "layout/extract/mesh_cells.hpp"
#include "layout/extract/sort_places.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron::layout {
namespace {

std::vector<Box> in_axes(std::vector<Box> boxes, Axes axes) {
  if (axes.swapped) parallel_each(std::ssize(boxes), [&](int64_t i) { boxes[i] = axes(boxes[i]); });
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
        boxes_(std::move(shapes.boxes)),
        bands_(polygons_.empty() ? in_axes(std::exchange(boxes_, {}), rules.axes) : std::vector<Box>()),
        places_of_band_(std::ssize(places_), bands_.size() + 1, [&](int64_t i) { return band_of(i); }) {
    set_cell(rules_.cell);
    if (!polygons_.empty()) rules_.axes.swapped = false;  // trapezoids are always cut at right angles to x
    grids_.resize(static_cast<size_t>(bands()));
  }

  int64_t bands() const { return bands_.size() + 1; }
  /// A measure of the work that a band is.
  int64_t size_of(int64_t band) const {
    return 1 + std::ssize(places_of(band)) + (is_last(band) ? std::ssize(boxes_) : std::ssize(bands_.boxes(band)));
  }

  /// Cells of a mesh of layers that have such.
  void set_cell(Dbu cell) { rules_.cell = rules_.cell > 0 ? std::min(cell, rules_.pitch) : 0; }

  /// `memory` is for what is of no use afterwards.
  void make(int64_t band, CellCount& count, std::pmr::memory_resource* memory) {
    std::pmr::vector<Point> places(memory);
    places.reserve(places_of(band).size());
    for (const int32_t i : places_of(band)) places.push_back(rules_.axes(places_[i]));
    const std::span<const Box> boxes = is_last(band) ? std::span<const Box>(boxes_) : bands_.boxes(band);
    if (rules_.cell > 0)
      grids_[band] = make_band_mesh(boxes, places, rules_, count);
    else
      grids_[band] = make_band_grid(
          boxes, is_last(band) ? std::span<const std::vector<Point>>(polygons_) : std::span<const std::vector<Point>>(),
          places, rules_, memory);
  }

  int64_t nodes() const { return node_first_.back() + std::ssize(others_); }
  int64_t wires() const { return wire_first_.back(); }
  int64_t pieces() const { return piece_first_.back(); }
  /// Numbers what the bands have made.
  void count();
  /// Puts it where the nodes, wires and pieces of this layer begin, and frees it.
  void put(int32_t layer, int64_t first_node, int64_t first_wire, int64_t first_piece, MetalGrid& out);

 private:
  std::vector<KeyedPlace> sorted_nodes() const;
  bool is_last(int64_t band) const { return band == bands_.size(); }
  int64_t band_of(int64_t place) const {
    const int64_t band = polygons_.empty() ? bands_.at(rules_.axes(places_[place]).y) : -1;
    return band < 0 ? bands_.size() : band;
  }
  std::span<const int32_t> places_of(int64_t band) const {
    const int32_t first = places_of_band_.start[band];
    return {places_of_band_.item.data() + first, static_cast<size_t>(places_of_band_.start[band + 1] - first)};
  }

  LayerRules rules_;
  std::vector<std::vector<Point>> polygons_;
  std::vector<Point> places_, others_;
  std::vector<Box> boxes_;  ///< of a layer with polygons
  Bands bands_;
  ItemsByNode<int32_t> places_of_band_;
  std::vector<BandGrid> grids_;
  std::vector<int64_t> node_first_, wire_first_, piece_first_;  ///< of each band
};

/// Where the entries of each band begin among those of all.
template <class Size>
std::vector<int64_t> starts(const std::vector<BandGrid>& grids, Size&& size) {
  std::vector<int64_t> start{0};
  for (const BandGrid& grid : grids) start.push_back(start.back() + static_cast<int64_t>(size(grid)));
  return start;
}

void LayerWork::count() {
  node_first_ = starts(grids_, [](const BandGrid& g) { return g.nodes.size(); });
  wire_first_ = starts(grids_, [](const BandGrid& g) { return g.wires.size(); });
  piece_first_ = starts(grids_, [](const BandGrid& g) { return g.pieces.size(); });
}

/// The nodes of the grid, band by band, and then the others: sorted by x and y.
std::vector<KeyedPlace> LayerWork::sorted_nodes() const {
  const int64_t of_bands = node_first_.back();
  std::vector<KeyedPlace> entries;
  resize_untouched(entries, static_cast<size_t>(nodes()));
  parallel_tasks(bands(), [&](int64_t band) {
    int64_t i = node_first_[band];
    for (const Point p : grids_[band].nodes) {
      entries[i] = {key_of(rules_.axes(p)), static_cast<int32_t>(i)};
      ++i;
    }
  });
  parallel_each(std::ssize(others_), [&](int64_t i) {
    entries[of_bands + i] = {key_of(others_[i]), static_cast<int32_t>(of_bands + i)};
  });
  sort_places(entries);
  return entries;
}

void LayerWork::put(int32_t layer, int64_t first_node, int64_t first_wire, int64_t first_piece, MetalGrid& out) {
  const std::vector<KeyedPlace> entries = sorted_nodes();
  std::vector<int32_t> number;
  resize_untouched(number, entries.size());
  parallel_each(nodes(), [&](int64_t i) {
    number[entries[i].index] = static_cast<int32_t>(first_node + i);
    out.node_layer[first_node + i] = layer;
    out.node_place[first_node + i] = place_of(entries[i].key);
  });
  out.node_of_other[layer] = parallel_copy(std::span<const int32_t>(number).subspan(node_first_.back()));
  std::vector<int32_t>& node_of_place = out.node_of_place[layer];
  resize_untouched(node_of_place, places_.size());
  parallel_tasks(bands(), [&](int64_t band) {
    BandGrid g = std::move(grids_[band]);
    const auto final = [&](int32_t n) { return number[node_first_[band] + n]; };
    int64_t to = first_wire + wire_first_[band];
    for (const Wire& w : g.wires) out.wires[to++] = {final(w.a), final(w.b), w.length, w.width};
    to = first_piece + piece_first_[band];
    for (size_t i = 0; i < g.pieces.size(); ++i, ++to) {
      out.piece_layer[to] = layer;
      out.piece_box[to] = rules_.axes(g.pieces[i]);
      out.piece_node[to] = final(g.piece_node[i]);
    }
    for (Trapezoid& t : g.trapezoids) {  // of the last band only, and in x and y
      const auto piece = static_cast<int32_t>(first_piece + piece_first_[band] + t.piece);
      out.trapezoids.push_back({piece, std::move(t.corners)});
    }
    const std::span<const int32_t> places = places_of(band);
    for (size_t i = 0; i < places.size(); ++i) node_of_place[places[i]] = final(g.node_of_place[i]);
  });
}

using Layers = std::vector<std::unique_ptr<LayerWork>>;

void make_bands(Layers& layers, CellCount& count) {
  struct Task {
    size_t layer;
    int64_t first, last, size;
  };
  constexpr int64_t kSize = 1 << 13;
  std::vector<Task> tasks;
  for (size_t layer = 0; layer < layers.size(); ++layer)
    for (int64_t band = 0; band < layers[layer]->bands(); ++band) {
      if (band == 0 || tasks.back().size >= kSize) tasks.push_back({layer, band, band, 0});
      tasks.back().last = band + 1;
      tasks.back().size += layers[layer]->size_of(band);
    }
  std::stable_sort(tasks.begin(), tasks.end(), [](const Task& a, const Task& b) { return a.size > b.size; });
  // A band takes dozens of short-lived arrays: from a buffer of its thread, as threads wait for each other in malloc().
  constexpr size_t kBuffer = size_t{1} << 20;
  const ScratchIndex thread;
  std::vector<std::unique_ptr<std::byte[]>> buffers(static_cast<size_t>(std::max(1, omp_get_max_threads())));
  parallel_tasks(std::ssize(tasks), [&](int64_t t) {
    std::unique_ptr<std::byte[]>& buffer = buffers[thread()];
    if (!buffer) buffer = std::make_unique_for_overwrite<std::byte[]>(kBuffer);
    for (int64_t band = tasks[t].first; band < tasks[t].last; ++band) {
      std::pmr::monotonic_buffer_resource memory(buffer.get(), kBuffer);
      layers[tasks[t].layer]->make(band, count, &memory);
    }
  });
}

/// Cells of the least size, a little above it, of which there are not too many; 0 if there are always.
Dbu cell_that_fits(Layers& layers, Dbu cell, int64_t cells) {
  constexpr double kMargin = 1.05;
  constexpr int kMostTries = 60;
  for (int i = 0; i < kMostTries; ++i) {
    const double by = std::sqrt(static_cast<double>(cells) / static_cast<double>(MeshCells::kMost)) * kMargin;
    cell = static_cast<Dbu>(std::min(std::ceil(cell * by), static_cast<double>(kFarthest)));
    for (auto& layer : layers) layer->set_cell(cell);
    CellCount count{.cells = 0, .makes_cells = false};
    make_bands(layers, count);
    if (count.cells <= MeshCells::kMost) return cell;
    cells = count.cells;
  }
  return 0;
}

/// Large layers one after the other, each on all threads, and small ones side by side.
Layers begin_layers(std::vector<LayerShapes> shapes, const std::vector<LayerRules>& rules) {
  constexpr size_t kLarge = 1 << 16;
  Layers layers(shapes.size());
  std::vector<size_t> small;
  const auto begin = [&](size_t layer) {
    layers[layer] = std::make_unique<LayerWork>(std::move(shapes[layer]), rules[layer]);
  };
  for (size_t layer = 0; layer < shapes.size(); ++layer)
    if (shapes[layer].boxes.size() + shapes[layer].places.size() < kLarge)
      small.push_back(layer);
    else
      begin(layer);
  parallel_tasks(std::ssize(small), [&](int64_t k) { begin(small[k]); });
  return layers;
}

}  // namespace

MetalGrid make_metal_grid(std::vector<LayerShapes> shapes, const std::vector<LayerRules>& rules) {
  Layers layers = begin_layers(std::move(shapes), rules);
  CellCount count;
  make_bands(layers, count);
  if (count.cells > MeshCells::kMost) {
    Dbu cell = 0;
    for (const LayerRules& layer : rules) cell = std::max(cell, layer.cell);
    throw TooManyCells(count.cells, cell_that_fits(layers, cell, count.cells));
  }

  int64_t nodes = 0, wires = 0, pieces = 0;
  for (const auto& layer : layers) {
    layer->count();
    nodes += layer->nodes(), wires += layer->wires(), pieces += layer->pieces();
  }
  MetalGrid grid;
  resize_untouched(grid.node_layer, static_cast<size_t>(nodes));
  resize_untouched(grid.node_place, static_cast<size_t>(nodes));
  resize_untouched(grid.wires, static_cast<size_t>(wires));
  resize_untouched(grid.piece_layer, static_cast<size_t>(pieces));
  resize_untouched(grid.piece_box, static_cast<size_t>(pieces));
  resize_untouched(grid.piece_node, static_cast<size_t>(pieces));
  grid.node_of_place.resize(layers.size());
  grid.node_of_other.resize(layers.size());
  nodes = wires = pieces = 0;
  for (size_t l = 0; l < layers.size(); ++l) {
    LayerWork& layer = *layers[l];
    layer.put(static_cast<int32_t>(l), nodes, wires, pieces, grid);
    nodes += layer.nodes(), wires += layer.wires(), pieces += layer.pieces();
    layers[l].reset();
  }
  return grid;
}

}  // namespace gridiron::layout
