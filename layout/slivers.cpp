// SPDX-License-Identifier: Apache-2.0
#include "layout/slivers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>

#include "layout/extract/axes.hpp"
#include "layout/extract/box_tree.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron::layout {
namespace {

Dbu least_width(const Layer& layer, double dbu_per_um) {
  return static_cast<Dbu>(std::llround(layer.width_um * dbu_per_um));
}

/// From end to end.
Box extent(const Network& network, int64_t resistor) {
  const Point a = network.node_place[network.from[resistor]], b = network.node_place[network.to[resistor]];
  return {std::min(a.x, b.x), std::min(a.y, b.y), std::max(a.x, b.x), std::max(a.y, b.y)};
}

/// Turns a current along y, that of a wire which is as long along x, too.
Axes along_x(const Box& wire) { return {.swapped = wire.width() <= wire.height()}; }

/// The slivers of one layer, and what is within WIDTH beside them.
class SliversOfLayer {
 public:
  SliversOfLayer(const Network& network, int32_t layer, Dbu least, std::span<Sliver> slivers)
      : network_(network), layer_(layer), least_(least), slivers_(slivers), windows_(windows()) {}

  void find_widths() {
    std::vector<uint8_t> is_trapezoid(network_.piece_box.size(), 0);
    for (const Trapezoid& trapezoid : network_.trapezoids) is_trapezoid[trapezoid.piece] = 1;
    const std::vector<Beside> pieces = beside(network_.pieces(), [&](int64_t i) -> std::optional<Box> {
      if (network_.piece_layer[i] != layer_ || is_trapezoid[i]) return std::nullopt;
      return network_.piece_box[i];
    });
    const std::vector<Beside> wires = beside(network_.resistors(), [&](int64_t i) -> std::optional<Box> {
      if (network_.width[i] == 0 || network_.node_layer[network_.from[i]] != layer_) return std::nullopt;
      const Box wire = extent(network_, i);
      return run_[along_x(wire).swapped] ? std::optional(wire) : std::nullopt;
    });
    parallel_each(std::ssize(slivers_), [&](int64_t k) {
      const auto of_sliver = [&](const std::vector<Beside>& all) {
        const auto first = std::ranges::lower_bound(all, static_cast<int32_t>(k), {}, &Beside::sliver);
        const auto last = std::ranges::upper_bound(all, static_cast<int32_t>(k), {}, &Beside::sliver);
        return std::span<const Beside>(first, last);
      };
      Sliver& sliver = slivers_[k];
      sliver.width = width(extent(network_, sliver.resistor), network_.width[sliver.resistor], of_sliver(pieces),
                           of_sliver(wires));
    });
  }

 private:
  struct Beside {
    int32_t sliver;
    Box box;
  };

  std::vector<Box> windows() {
    std::vector<Box> windows;
    for (const Sliver& sliver : slivers_) {
      const Box wire = extent(network_, sliver.resistor);
      const Axes axes = along_x(wire);
      const Box at = axes(wire);
      run_[axes.swapped] = true;
      windows.push_back(axes(Box{at.x0, at.y0 - least_, at.x1, at.y1 + least_}));
    }
    return windows;
  }

  /// The boxes that meet the windows of slivers, by sliver.
  std::vector<Beside> beside(int64_t boxes, auto&& box_of) const {
    std::vector<Beside> all = parallel_list<Beside>(boxes, [&](int64_t i, auto& list) {
      const std::optional<Box> box = box_of(i);
      if (!box) return;
      windows_.any_meeting(*box, [&](int32_t sliver) {
        list.push_back({sliver, *box});
        return false;
      });
    });
    std::ranges::sort(all, {}, &Beside::sliver);
    return all;
  }

  /// What a wire has of the metal beside it; 0: not known.
  Dbu width(const Box& wire, Dbu own, std::span<const Beside> pieces, std::span<const Beside> wires) const {
    const Axes axes = along_x(wire);
    const Box at = axes(wire);
    std::vector<Box> metal;  // along all of the wire
    for (const Beside& beside : pieces)
      if (const Box piece = axes(beside.box); piece.x0 <= at.x0 && at.x1 <= piece.x1) metal.push_back(piece);
    std::ranges::sort(metal, {}, &Box::y0);
    const auto its =
        std::ranges::find_if(metal, [&](const Box& piece) { return piece.y0 <= at.y0 && at.y1 <= piece.y1; });
    if (its == metal.end()) return 0;
    Dbu low = its->y0, high = its->y1;
    for (auto next = its + 1; next != metal.end() && next->y0 <= high; ++next) high = std::max(high, next->y1);
    for (auto next = its; next != metal.begin() && (next - 1)->y1 >= low; --next) low = (next - 1)->y0;
    low = std::max(low, at.y0 - least_), high = std::min(high, at.y1 + least_);
    const int64_t sharing = std::ranges::count_if(wires, [&](const Beside& beside) {
      const Box other = axes(beside.box);
      return along_x(beside.box).swapped == axes.swapped && other.y0 <= high && low <= other.y1 &&
             std::min(other.x1, at.x1) > std::max(other.x0, at.x0);
    });
    return std::max(own, std::min(least_, static_cast<Dbu>((high - low) / std::max<int64_t>(sharing, 1))));
  }

  const Network& network_;
  int32_t layer_;
  Dbu least_;
  std::span<Sliver> slivers_;
  std::array<bool, 2> run_ = {};  ///< whether some have their current along x, or along y
  BoxTree windows_;
};

}  // namespace

std::vector<Sliver> find_slivers(const Library& library, double dbu_per_um, const Network& network) {
  if (network.is_mesh) return {};
  std::vector<Dbu> least;
  for (const Layer& layer : library.layers) least.push_back(least_width(layer, dbu_per_um));
  const auto layer_of = [&](int64_t i) { return network.node_layer[network.from[i]]; };
  std::vector<Sliver> slivers = parallel_list<Sliver>(network.resistors(), [&](int64_t i, auto& list) {
    if (network.width[i] > 0 && network.width[i] < least[layer_of(i)]) list.push_back({i, 0});
  });
  // Resistors are in the order of their nodes, and these in that of layers.
  for (size_t first = 0, last = 0; first < slivers.size(); first = last) {
    const int32_t layer = layer_of(slivers[first].resistor);
    while (last < slivers.size() && layer_of(slivers[last].resistor) == layer) ++last;
    SliversOfLayer(network, layer, least[layer], std::span(slivers).subspan(first, last - first)).find_widths();
  }
  return slivers;
}

}  // namespace gridiron::layout
