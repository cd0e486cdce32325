// SPDX-License-Identifier: Apache-2.0
#include "analysis/distributed/shared_segments.hpp"

#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "analysis/results/segments.hpp"

namespace gridiron::distributed {
namespace {

/// What a process has on a layer of a net, and where its worst segment is.
struct LayerShare {
  SegmentLayerResult layer;
  Origin worst;
};

/// In the order of segments_by_layer().
auto place_in_list(const SegmentLayerResult& layer) {
  return std::tuple(layer.net, static_cast<std::uint32_t>(layer.layers.layer),
                    static_cast<std::uint32_t>(layer.layers.other));
}

/// Of equal currents the one that a run of one process finds first.
bool is_worse(const LayerShare& a, const LayerShare& b) {
  const double current = a.layer.largest_current_a, other = b.layer.largest_current_a;
  return current != other ? current > other
                          : std::tuple(a.worst.file, a.worst.offset) < std::tuple(b.worst.file, b.worst.offset);
}

}  // namespace

SharedSegments::SharedSegments(const Communicator& all, const SharedDesign& grid, const NodeTable& nodes)
    : all_(all), grid_(grid) {
  const Circuit& circuit = grid.local->circuit;
  const Elements& resistors = circuit.resistors;
  segments_ = find_segments(circuit, *grid.design->topology, nodes);
  for (std::int64_t i = 0; i < resistors.size(); ++i)
    if (!grid.local->counts(resistors.a[i], resistors.b[i], all.rank())) segments_.current_a[i] = std::nan("");
  std::vector<LayerShare> mine;
  for (const SegmentLayerResult& layer : segments_by_layer(circuit, nodes, segments_))
    mine.push_back({layer, resistors.origin[layer.worst]});
  using Place = decltype(place_in_list({}));
  std::map<Place, LayerShare> layers;
  for (const LayerShare& share : gather(all, mine)) {
    const auto [found, is_new] = layers.try_emplace(place_in_list(share.layer), share);
    if (is_new) continue;
    LayerShare& joined = found->second;
    const std::int64_t segments = joined.layer.segments + share.layer.segments;
    if (is_worse(share, joined)) joined = share;
    joined.layer.segments = segments;
  }
  for (auto& [_, share] : layers) {
    share.layer.worst = static_cast<std::int64_t>(worst_.size());
    layers_.push_back(share.layer);
    worst_.push_back(share.worst);
  }
}

void SharedSegments::keep_only_net(std::int32_t net) {
  std::erase_if(layers_, [net](const SegmentLayerResult& layer) { return layer.net != net; });
  for (SegmentLayerResult& layer : layers_) layer.net = 0;
}

void SharedSegments::check(const std::vector<EmLimit>& limits, NodeTable& nodes, IrReport& report) {
  IrReport of_this;  // what is judged here
  of_this.circuit = &grid_.local->circuit;
  of_this.nets = report.nets;
  of_this.layer_names = report.layer_names;
  of_this.certificate = report.certificate;
  of_this.segments = std::move(segments_);
  of_this.segment_layers = std::move(layers_);
  std::swap(of_this.nodes, nodes);
  of_this.em_limits = check_em_limits(of_this, *grid_.design->topology, limits, grid_.shared.totals.get());
  const auto counts = [&](NodeId a, NodeId b) { return grid_.local->counts(a, b, all_.rank()); };
  const std::int64_t unjudged = sum(all_, count_unjudged_segments(of_this, counts));
  for (Finding& finding : tell_unjudged_segments(unjudged)) report.findings.push_back(std::move(finding));
  for (Finding& finding : tell_em_limits(of_this, limits)) report.findings.push_back(std::move(finding));
  report.unlimited_layers = unlimited_layers(of_this, limits);
  std::swap(of_this.nodes, nodes);
  report.em_limits = std::move(of_this.em_limits);
}

}  // namespace gridiron::distributed
