// SPDX-License-Identifier: Apache-2.0
#include "analysis/model/part_facts.hpp"

#include <algorithm>

#include "support/lists.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron {
namespace {

void add_labels_and_loads(const Circuit& circuit, const NodePlaces& places, const Parts& parts,
                          std::vector<PartFacts>& facts) {
  const std::vector<double> injection = node_injection(circuit, circuit.current_sources.value);
  // Neighbouring nodes mostly share part and label: what is joined are runs, not nodes.
  struct Run {
    int32_t part, label;
    int64_t nodes;
    double load_a;
  };
  const auto runs = joined_ranges<std::vector<Run>>(
      std::ssize(parts.part),
      [&](int64_t begin, int64_t end) {
        std::vector<Run> some;
        for (int64_t n = std::max<int64_t>(begin, 1); n < end; ++n) {
          if (some.empty() || some.back().part != parts.part[n] || some.back().label != places.net[n])
            some.push_back({parts.part[n], places.net[n], 0, 0.0});
          ++some.back().nodes;
          some.back().load_a -= injection[n];
        }
        return some;
      },
      [](auto& all, const auto& some) { append(all, some); });
  for (const Run& run : runs) {
    facts[run.part].load_a += run.load_a;
    if (run.label >= 0) facts[run.part].labels[run.label] += run.nodes;
  }
}

void add_sources(const Circuit& circuit, const NodePlaces& places, const Parts& parts, const Merge& merge,
                 std::vector<PartFacts>& facts) {
  const auto fed = parallel_list<NodeId>(std::ssize(parts.part), [&](int64_t n, auto& list) {
    if (n != kGround && merge.group[n] >= merge.unknowns) list.push_back(static_cast<NodeId>(n));
  });
  for (const NodeId n : fed)
    facts[parts.part[n]].feeds.try_emplace(merge.known_volts_of(n), Feed{n, {}, places.net[n]});
  const Sources& sources = circuit.voltage_sources;
  for (int64_t i = 0; i < sources.size(); ++i)
    for (const NodeId n : {sources.a[i], sources.b[i]}) {
      if (n == kGround) continue;
      PartFacts& f = facts[parts.part[n]];
      if (!f.source) f.source = sources.origin[i];
      if (merge.group[n] < merge.unknowns) continue;
      Feed& feed = f.feeds[merge.known_volts_of(n)];
      if (!feed.card) feed = {n, sources.origin[i], places.net[n]};
    }
}

/// Only parts without a source of the deck take their voltages from added pads.
void add_pads(const std::vector<AddedPad>& pads, const NodePlaces& places, const Parts& parts,
              std::vector<PartFacts>& facts) {
  std::vector<bool> has_volts(facts.size());
  std::transform(facts.begin(), facts.end(), has_volts.begin(), [](const PartFacts& f) { return !f.feeds.empty(); });
  for (const AddedPad& pad : pads)
    if (const int32_t part = parts.part[pad.node]; !has_volts[part])
      facts[part].feeds.try_emplace(pad.volts, Feed{pad.node, {}, places.net[pad.node]});
}

}  // namespace

void find_quiet_systems(const Parts& parts, std::vector<PartFacts>& facts) {
  std::vector<bool> quiet(parts.systems, true);
  for (int32_t p = 0; p < parts.count(); ++p)
    for (const auto& [volts, feed] : facts[p].feeds)
      if (volts != 0) quiet[parts.system[p]] = false;
  for (int32_t p = 0; p < parts.count(); ++p) facts[p].is_quiet = quiet[parts.system[p]];
}

std::vector<PartFacts> collect_part_facts(const Circuit& circuit, const NodePlaces& places, const Parts& parts,
                                          const Merge& merge, const std::vector<uint8_t>& inside,
                                          const std::vector<AddedPad>& added_pads) {
  std::vector<PartFacts> facts(parts.count());
  add_labels_and_loads(circuit, places, parts, facts);
  add_sources(circuit, places, parts, merge, facts);
  add_pads(added_pads, places, parts, facts);
  find_quiet_systems(parts, facts);
  if (!inside.empty())
    for (size_t n = 1; n < parts.part.size(); ++n) facts[parts.part[n]].inside += inside[n];
  return facts;
}

}  // namespace gridiron
