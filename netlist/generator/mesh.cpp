// SPDX-License-Identifier: Apache-2.0
#include "netlist/generator/mesh.hpp"

#include <cmath>

namespace gridiron::generator {
namespace {

/// The middle of the i-th of n equal parts of [0, size).
int64_t middle(int64_t i, int64_t n, int64_t size) { return (2 * i + 1) * size / (2 * n); }

}  // namespace

Mesh::Mesh(std::vector<MeshLayer> layers) : layers_(std::move(layers)) {
  static const std::vector<int64_t> none;
  for (int l = 0; l < layer_count(); ++l) {
    crossings_.push_back(
        merge(l > 0 ? layer(l - 1).tracks : none, l + 1 < layer_count() ? layer(l + 1).tracks : none, layer(l).extra));
  }
}

std::vector<Mesh::Crossing> Mesh::merge(const std::vector<int64_t>& below, const std::vector<int64_t>& above,
                                        const std::vector<int64_t>& extra) {
  std::vector<Crossing> all;
  all.reserve(below.size() + above.size() + extra.size());
  for (const int64_t along : below) all.push_back({along, true, false, false});
  for (const int64_t along : above) all.push_back({along, false, true, false});
  for (const int64_t along : extra) all.push_back({along, false, false, true});
  std::ranges::stable_sort(all, [](const auto& a, const auto& b) { return a.along < b.along; });

  std::vector<Crossing> merged;
  for (const Crossing& c : all) {
    if (merged.empty() || merged.back().along != c.along) {
      merged.push_back(c);
    } else {
      merged.back().below |= c.below;
      merged.back().above |= c.above;
      merged.back().extra |= c.extra;
    }
  }
  return merged;
}

std::vector<Point> Mesh::nodes_of_track(int l, int64_t track) const {
  std::vector<Point> nodes;
  for (const Crossing& crossing : crossings_[l]) {
    const Point at = place(l, track, crossing.along);
    if (has_metal(l, at) && lands(l, crossing, at)) nodes.push_back(at);
  }
  return nodes;
}

std::vector<Point> Mesh::spread_over_top(int64_t count) const {
  const int top = layer_count() - 1;
  const auto& tracks = layer(top).tracks;
  const auto& crossings = crossings_.back();
  const double height = static_cast<double>(tracks.back() - tracks.front() + 1);
  const double width = static_cast<double>(crossings.back().along - crossings.front().along + 1);
  const auto ideal = std::llround(std::sqrt(static_cast<double>(count) * height / width));
  const auto used = std::clamp<int64_t>(ideal, 1, std::ssize(tracks));
  const auto per_track = std::max<int64_t>(count / used, 1);

  std::vector<Point> points;
  const auto add_from = [&](int64_t track) {
    const std::vector<Point> nodes = nodes_of_track(top, tracks[track]);
    const int64_t taken = std::min(per_track, std::ssize(nodes));
    for (int64_t j = 0; j < taken; ++j) points.push_back(nodes[middle(j, taken, std::ssize(nodes))]);
  };
  for (int64_t i = 0; i < used; ++i) add_from(middle(i, used, std::ssize(tracks)));
  for (int64_t i = 0; points.empty() && i < std::ssize(tracks); ++i) add_from(i);
  return points;
}

MeshSize measure(const Mesh& mesh) {
  MeshSize size;
  for (int l = 0; l < mesh.layer_count(); ++l) {
    mesh.walk(
        l, [&](Point) { ++size.nodes; }, [&](Point, Point) { size.lowest_wires += l == 0; });
  }
  return size;
}

}  // namespace gridiron::generator
