// SPDX-License-Identifier: Apache-2.0
#include "analysis/distributed/shared_segments.hpp"

#include <cmath>
#include <utility>

#include "analysis/results/segments.hpp"
#include "support/lists.hpp"

namespace gridiron::distributed {
namespace {

/// What all processes have on each layer; resistors go by the numbers of their cards.
SegmentsByLayer segments_of_all(const Communicator& all, const Circuit& circuit, const NodeTable& nodes,
                                const SegmentTable& segments) {
  struct Row {
    SegmentPlace place;
    SegmentStatistics layer;
  };
  std::vector<Row> mine;
  for (auto [place, layer] : segments_by_layer(circuit, nodes, segments)) {
    layer.currents.largest.at = card_number(circuit.resistors.origin[layer.currents.largest.at]);
    mine.push_back({place, layer});
  }
  SegmentsByLayer layers;
  for (const auto& [place, layer] : gather(all, mine)) layers[place].take(layer);
  return layers;
}

}  // namespace

SegmentTable find_shared_segments(const Communicator& all, const SharedDesign& grid, const NodeTable& nodes) {
  const Elements& resistors = grid.local->circuit.resistors;
  SegmentTable segments = find_segments(grid.local->circuit, *grid.design->topology, nodes);
  for (int64_t i = 0; i < resistors.size(); ++i)
    if (!grid.local->counts(resistors.a[i], resistors.b[i], all.rank())) segments.current_a[i] = NAN;
  return segments;
}

void check_shared_segments(const Communicator& all, const SharedDesign& grid, SegmentTable segments,
                           const std::vector<EmLimit>& limits, NodeTable& nodes, IrReport& report) {
  const Circuit& circuit = grid.local->circuit;
  IrReport of_this;  // what is judged here
  of_this.circuit = &circuit;
  of_this.nets = report.nets;
  of_this.layer_names = report.layer_names;
  of_this.certificate = report.certificate;
  of_this.segment_layers = layer_results(segments_of_all(all, circuit, nodes, segments));
  of_this.segments = std::move(segments);
  std::swap(of_this.nodes, nodes);
  of_this.em_limits = check_em_limits(of_this, *grid.design->topology, limits, grid.shared.totals.get());
  for (EmLimitResult& limit : of_this.em_limits) {
    limit.resistor = circuit.card_name(card_of(limit.worst));
    limit.worst = -1;
  }
  const auto counts = [&](NodeId a, NodeId b) { return grid.local->counts(a, b, all.rank()); };
  append(report.findings, tell_unjudged_segments(sum(all, count_unjudged_segments(of_this, counts))));
  append(report.findings, tell_em_limits(of_this, limits));
  report.unlimited_layers = unlimited_layers(of_this, limits);
  std::swap(of_this.nodes, nodes);
  report.em_limits = std::move(of_this.em_limits);
}

}  // namespace gridiron::distributed
