// SPDX-License-Identifier: Apache-2.0
#include "analysis/model/part_facts.hpp"

#include <algorithm>
#include <cmath>

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

/// Of extracted decks, terminals of an instance (u12:1, u12:2) are named like nets of a few nodes. Where most nodes of
/// a part have another name or none, those are none.
void forget_terminals(const NodePlaces& places, const Parts& parts, std::vector<PartFacts>& facts) {
  constexpr int64_t kMostTerminals = 4;
  int64_t labelled = 0;
  for (const PartFacts& f : facts)
    for (const auto& [label, count] : f.labels) labelled += count;
  if (labelled <= places.placed) return;  // names that tell a net tell a place, too
  std::vector<int64_t> nodes(places.nets.size(), 0);
  std::vector<uint8_t> has_place(places.nets.size(), 0);
  for (size_t n = 0; n < places.net.size(); ++n) {
    if (places.net[n] < 0) continue;
    ++nodes[places.net[n]];
    if (places.layer[n] >= 0 || !std::isnan(places.x_um[n])) has_place[places.net[n]] = 1;
  }
  for (size_t part = 0; part < facts.size(); ++part) {
    std::map<int32_t, int64_t>& labels = facts[part].labels;
    int64_t most = 0, others = parts.nodes[part];
    for (const auto& [label, count] : labels) most = std::max(most, count), others -= count;
    most = std::max(most, others);
    std::erase_if(labels, [&](const auto& label) {
      return !has_place[label.first] && nodes[label.first] <= kMostTerminals && label.second < most;
    });
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

/// Takes over what feeds a part from another one, of which a source keeps it `offset` V apart. Where that is little, as
/// at a meter of current or a terminal behind a drop, it is the supply of the other; else it is a supply of its own.
void feed_from(const PartFacts& other, double offset, NodeId node, bool is_terminal, PartFacts& f) {
  constexpr double kOneSupply = 0.1;
  const bool is_highest = other.feeds.rbegin()->first > 0;
  const auto& [volts, feed] = is_highest ? *other.feeds.rbegin() : *other.feeds.begin();
  if (!f.source) f.source = other.source;
  if (std::abs(offset) > kOneSupply * std::abs(volts)) {
    f.feeds.emplace(volts + offset, Feed{node, feed.card, f.labels.empty() ? -1 : f.labels.begin()->first});
    return;
  }
  f.feeds.emplace(volts, feed);
  if (is_terminal) f.labels = other.labels;
}

/// Sources of some volts between two parts feed one from the other, possibly through others in between.
void feed_through_sources(const Circuit& circuit, const Parts& parts, std::vector<PartFacts>& facts) {
  constexpr int kMostBetween = 8;
  constexpr int64_t kMostOfTerminal = 2;
  const Sources& sources = circuit.voltage_sources;
  for (int round = 0; round < kMostBetween; ++round) {
    bool is_fed = false;
    const auto feed = [&](NodeId to, NodeId from, double offset) {
      PartFacts& f = facts[parts.part[to]];
      const PartFacts& other = facts[parts.part[from]];
      if (!f.feeds.empty() || other.feeds.empty()) return;
      feed_from(other, offset, to, parts.nodes[parts.part[to]] <= kMostOfTerminal, f);
      is_fed = true;
    };
    for (int64_t i = 0; i < sources.size(); ++i) {
      const NodeId a = sources.a[i], b = sources.b[i];
      if (a == kGround || b == kGround || parts.part[a] == parts.part[b]) continue;
      feed(a, b, sources.value[i]);
      feed(b, a, -sources.value[i]);
    }
    if (!is_fed) return;
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
  const bool are_all_here = std::ssize(parts.part) == circuit.node_count();
  if (are_all_here) forget_terminals(places, parts, facts);
  add_sources(circuit, places, parts, merge, facts);
  if (are_all_here) feed_through_sources(circuit, parts, facts);
  add_pads(added_pads, places, parts, facts);
  find_quiet_systems(parts, facts);
  if (!inside.empty())
    for (size_t n = 1; n < parts.part.size(); ++n) facts[parts.part[n]].inside += inside[n];
  return facts;
}

}  // namespace gridiron
