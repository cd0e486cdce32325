// SPDX-License-Identifier: Apache-2.0
#include "analysis/ir/part_facts.hpp"

#include <algorithm>
#include <cmath>

namespace gridiron {
namespace {

void add_labels_and_loads(const NodePlaces& places, const Grid& grid, const Parts& parts,
                          std::vector<PartFacts>& facts) {
  // Neighbouring nodes mostly share part and label: count runs, not nodes.
  std::int32_t run_part = -1, run_label = -1;
  std::int64_t run = 0;
  const auto end_run = [&] {
    if (run > 0 && run_label >= 0) facts[run_part].labels[run_label] += run;
    run = 0;
  };
  for (std::size_t n = 1; n < parts.part.size(); ++n) {
    if (parts.part[n] != run_part || places.net[n] != run_label) {
      end_run();
      run_part = parts.part[n];
      run_label = places.net[n];
    }
    ++run;
    facts[parts.part[n]].load_a -= grid.network.injection[n];
  }
  end_run();
}

void add_sources(const Circuit& circuit, const Parts& parts, const std::vector<double>& known_volts,
                 std::vector<PartFacts>& facts) {
  for (std::size_t n = 1; n < known_volts.size(); ++n)
    if (!std::isnan(known_volts[n]))
      facts[parts.part[n]].feeds.try_emplace(known_volts[n], Feed{static_cast<NodeId>(n), {}});
  const Sources& sources = circuit.voltage_sources;
  for (std::int64_t i = 0; i < sources.size(); ++i)
    for (const NodeId n : {sources.a[i], sources.b[i]}) {
      if (n == kGround) continue;
      PartFacts& f = facts[parts.part[n]];
      if (!f.source) f.source = sources.origin[i];
      if (std::isnan(known_volts[n])) continue;
      Feed& feed = f.feeds[known_volts[n]];
      if (!feed.card) feed = {n, sources.origin[i]};
    }
}

/// Only parts without a source of the deck take their voltages from added pads.
void add_pads(const std::vector<AddedPad>& pads, const Parts& parts, std::vector<PartFacts>& facts) {
  std::vector<bool> has_volts(facts.size());
  std::transform(facts.begin(), facts.end(), has_volts.begin(), [](const PartFacts& f) { return !f.feeds.empty(); });
  for (const AddedPad& pad : pads)
    if (const std::int32_t part = parts.part[pad.node]; !has_volts[part])
      facts[part].feeds.try_emplace(pad.volts, Feed{pad.node, {}});
}

void find_quiet_systems(const Parts& parts, std::vector<PartFacts>& facts) {
  std::vector<bool> quiet(parts.systems, true);
  for (std::int32_t p = 0; p < parts.count(); ++p)
    for (const auto& [volts, feed] : facts[p].feeds)
      if (volts != 0) quiet[parts.system[p]] = false;
  for (std::int32_t p = 0; p < parts.count(); ++p) facts[p].is_quiet = quiet[parts.system[p]];
}

}  // namespace

std::vector<PartFacts> collect_part_facts(const Circuit& circuit, const NodePlaces& places, const Grid& grid,
                                          const Parts& parts, const std::vector<double>& known_volts,
                                          const std::vector<AddedPad>& added_pads) {
  std::vector<PartFacts> facts(parts.count());
  add_labels_and_loads(places, grid, parts, facts);
  add_sources(circuit, parts, known_volts, facts);
  add_pads(added_pads, parts, facts);
  find_quiet_systems(parts, facts);
  return facts;
}

}  // namespace gridiron
