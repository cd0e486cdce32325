// SPDX-License-Identifier: Apache-2.0
#include "analysis/distributed/shared_parts.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>

#include "analysis/model/findings.hpp"
#include "analysis/model/floating_loads.hpp"
#include "device/disjoint_sets.hpp"
#include "support/lists.hpp"

namespace gridiron::distributed {
namespace {

constexpr int64_t kNoSerial = INT64_MAX;

/// A part of one process.
struct LocalPart {
  int64_t first_serial;  ///< of its own nodes
  int64_t nodes;         ///< own ones
  int32_t rank, part, system;
  bool is_anchored;
};

/// Two parts that a node of both joins.
struct Joint {
  int32_t rank, part, other_rank, other_part;
  auto operator<=>(const Joint&) const = default;
};

std::vector<LocalPart> parts_of(const LocalCircuit& local, const Parts& parts, int rank) {
  std::vector<LocalPart> all(parts.count());
  for (int32_t p = 0; p < parts.count(); ++p) all[p] = {kNoSerial, 0, rank, p, parts.system[p], parts.anchored[p] != 0};
  for (NodeId n = 1; n <= local.own; ++n) {
    LocalPart& part = all[parts.part[n]];
    part.first_serial = std::min(part.first_serial, local.serial[n]);
    ++part.nodes;
  }
  return all;
}

std::vector<Joint> joints_of(const Communicator& all, const LocalCircuit& local, const Parts& parts) {
  const auto of_owner = ask_owners<int32_t>(all, local, [&](NodeId n) { return parts.part[n]; });
  std::vector<Joint> joints;
  size_t next = 0;
  for (size_t p = 0; p < local.others.size(); ++p)
    for (int32_t k = 0; k < local.others[p]; ++k, ++next)
      joints.push_back({all.rank(), parts.part[local.own + 1 + next], static_cast<int32_t>(p), of_owner[next]});
  sort_unique(joints);
  return joints;
}

/// Adds a node to those that messages show.
NodeId show(PartNames& names, std::string_view name, int32_t part) {
  const NodeId node = names.circuit.nodes.intern(name);
  if (node < static_cast<NodeId>(names.parts.part.size())) return node;
  names.parts.part.push_back(part);
  names.places.net.push_back(-1);
  names.places.layer.push_back(-1);
  names.places.x_um.push_back(NAN);
  names.places.y_um.push_back(NAN);
  return node;
}

struct FeedRow {
  double volts;
  int64_t serial;
  int64_t card;  ///< its number; kNoCard: none
  int64_t label;
};
constexpr int64_t kNoCard = INT64_MAX;

int64_t number_or_none(const std::optional<Origin>& card) { return card ? card_number(*card) : kNoCard; }

/// Takes the card of another process if it comes before this one.
void take_first(int64_t number, std::optional<Origin>& card) {
  if (number < number_or_none(card)) card = card_of(number);
}

void put(const PartFacts& f, const LocalCircuit& local, Writer& writer) {
  writer.put(f.labels.size());
  for (const auto& [label, count] : f.labels) writer.put(label), writer.put(count);
  writer.put(f.feeds.size());
  for (const auto& [volts, feed] : f.feeds) {
    writer.put(FeedRow{volts, local.serial[feed.node], number_or_none(feed.card), feed.label});
    writer.put(local.circuit.node_name(feed.node));
  }
  writer.put(f.load_a);
  writer.put(f.inside);
  writer.put(number_or_none(f.source));
}

/// What all processes know of each part.
std::vector<PartFacts> gather_facts(const Communicator& all, const LocalCircuit& local,
                                    const std::vector<PartFacts>& mine, PartNames& names) {
  Writer writer;
  for (size_t part = 0; part < mine.size(); ++part) {
    const PartFacts& f = mine[part];
    if (f.labels.empty() && f.feeds.empty() && f.load_a == 0 && f.inside == 0 && !f.source) continue;
    writer.put(static_cast<int32_t>(part));
    put(f, local, writer);
  }
  std::vector<PartFacts> facts(mine.size());
  std::vector<std::map<double, int64_t>> lowest(mine.size());
  read_all(all, writer, [&](Reader& reader) {
    const auto part = reader.take<int32_t>();
    PartFacts& f = facts[part];
    for (auto n = reader.take<size_t>(); n > 0; --n) {
      const auto label = reader.take<int32_t>();
      f.labels[label] += reader.take<int64_t>();
    }
    for (auto n = reader.take<size_t>(); n > 0; --n) {
      const auto row = reader.take<FeedRow>();
      const std::string_view name = reader.text();
      const auto [at, is_new] = lowest[part].try_emplace(row.volts, row.serial);
      Feed& feed = f.feeds[row.volts];
      if (is_new || row.serial < at->second) {
        feed.node = show(names, name, part);
        feed.label = static_cast<int32_t>(row.label);
      }
      at->second = std::min(at->second, row.serial);
      take_first(row.card, feed.card);
    }
    f.load_a += reader.take<double>();
    f.inside += reader.take<int64_t>();
    take_first(reader.take<int64_t>(), f.source);
  });
  find_quiet_systems(names.parts, facts);
  return facts;
}

/// The loads at floating parts of all processes.
std::vector<PartLoad> gather_loads(const Communicator& all, const LocalCircuit& local, const Parts& parts,
                                   PartNames& names) {
  Writer writer;
  const Circuit& circuit = local.circuit;
  for (const FloatingLoad& load :
       floating_loads(circuit, parts, sources_at_floating(circuit, parts), circuit.current_sources.value)) {
    if (load.node > local.own) continue;
    writer.put(parts.part[load.node]);
    writer.put(load.cancels);
    writer.put(std::abs(load.amperes));
    writer.put(circuit.node_name(load.node));
  }
  std::vector<PartLoad> loads(parts.count());
  read_all(all, writer, [&](Reader& reader) {
    const auto part = reader.take<int32_t>();
    const bool cancels = reader.take<bool>();
    const double current = reader.take<double>();
    const std::string_view name = reader.text();
    PartLoad& load = loads[part];
    load.cancels |= cancels;
    if (cancels) return;
    load.total += current;
    if (!(current > load.largest)) return;
    load.largest = current;
    load.node = show(names, name, part);
  });
  return loads;
}

/// A part of all processes.
struct WholePart {
  int64_t first_serial = kNoSerial, nodes = 0;
  int32_t root;
};

/// Shows the first nodes of the parts; their owners tell names and places.
void name_first_nodes(const Communicator& all, const LocalCircuit& local, const NodePlaces& places,
                      const std::vector<WholePart>& order, PartNames& names) {
  std::map<int64_t, int32_t> wanted;
  for (size_t k = 0; k < order.size(); ++k) wanted[order[k].first_serial] = static_cast<int32_t>(k);
  struct First {
    int32_t part, layer;
    double x_um, y_um;
  };
  Writer writer;
  std::vector<First> firsts;
  for (NodeId n = 1; n <= local.own; ++n)
    if (const auto found = wanted.find(local.serial[n]); found != wanted.end()) {
      writer.put(local.circuit.node_name(n));
      firsts.push_back({found->second, places.layer[n], places.x_um[n], places.y_um[n]});
    }
  firsts = gather(all, firsts);
  const std::vector<std::string> texts = gather_texts(all, writer);
  Circuit& circuit = names.circuit;
  circuit.files = local.circuit.files;
  circuit.net_cards = local.circuit.net_cards;
  circuit.layer_cards = local.circuit.layer_cards;
  circuit.nominal_cards = local.circuit.nominal_cards;
  names.places.placed = places.placed;
  names.places.nets = places.nets;
  names.places.layers = places.layers;
  show(names, "0", -1);
  names.parts.first_node.resize(order.size(), kGround);
  for (size_t k = 0; k < firsts.size(); ++k) {
    const NodeId node = show(names, texts[k], firsts[k].part);
    names.parts.first_node[firsts[k].part] = node;
    names.places.layer[node] = firsts[k].layer;
    names.places.x_um[node] = firsts[k].x_um;
    names.places.y_um[node] = firsts[k].y_um;
  }
}

}  // namespace

PartNames number_parts(const Communicator& all, const LocalCircuit& local, const NodePlaces& places, Parts& parts) {
  const std::vector<LocalPart> rows = gather(all, parts_of(local, parts, all.rank()));
  const std::vector<Joint> joints = gather(all, joints_of(all, local, parts));
  std::vector<int32_t> first(static_cast<size_t>(all.count()) + 1, 0);  // row of each process's part 0
  for (const LocalPart& row : rows) ++first[row.rank + 1];
  std::partial_sum(first.begin(), first.end(), first.begin());

  const int32_t count = rows.size();
  DisjointSets joined(count), supplies(count);
  for (const Joint& j : joints)
    for (DisjointSets* const sets : {&joined, &supplies})
      sets->unite(first[j.rank] + j.part, first[j.other_rank] + j.other_part);
  std::map<std::pair<int32_t, int32_t>, int32_t> of_system;
  for (int32_t i = 0; i < count; ++i)
    supplies.unite(i, of_system.try_emplace({rows[i].rank, rows[i].system}, i).first->second);

  std::map<int32_t, WholePart> wholes;
  std::vector<bool> anchored(rows.size(), false);
  for (int32_t i = 0; i < count; ++i) {
    WholePart& whole = wholes[joined.find(i)];
    whole.root = joined.find(i);
    whole.first_serial = std::min(whole.first_serial, rows[i].first_serial);
    whole.nodes += rows[i].nodes;
    if (rows[i].is_anchored) anchored[supplies.find(i)] = true;
  }
  std::vector<WholePart> order;
  for (const auto& [root, whole] : wholes) order.push_back(whole);
  std::ranges::sort(order, [](const WholePart& a, const WholePart& b) { return a.first_serial < b.first_serial; });

  PartNames names;
  Parts& shown = names.parts;
  std::vector<int32_t> number(rows.size(), -1), system(rows.size(), -1);
  for (size_t k = 0; k < order.size(); ++k) {
    number[order[k].root] = static_cast<int32_t>(k);
    int32_t& of_supply = system[supplies.find(order[k].root)];
    if (of_supply < 0) of_supply = shown.systems++;
    shown.system.push_back(of_supply);
    shown.anchored.push_back(anchored[supplies.find(order[k].root)]);
    shown.nodes.push_back(order[k].nodes);
  }
  for (int32_t& part : parts.part)
    if (part >= 0) part = number[joined.find(first[all.rank()] + part)];

  name_first_nodes(all, local, places, order, names);
  const std::vector<int32_t> part = std::move(parts.part);
  parts = shown;
  parts.part = part;
  return names;
}

void name_parts(const Communicator& all, const LocalCircuit& local, const NodePlaces& places,
                const std::map<std::string, double>& overrides, PartNames names, Topology& topology) {
  Parts own = topology.parts;
  own.part.resize(static_cast<size_t>(local.own) + 1);
  const std::vector<PartFacts> facts = gather_facts(
      all, local, collect_part_facts(local.circuit, places, own, topology.merge, topology.branches.inside, {}), names);
  const std::vector<PartLoad> loads = gather_loads(all, local, topology.parts, names);
  if (local.elements_in_all[kVoltageSource] > 0) {
    Sources& sources = names.circuit.voltage_sources;
    int64_t first = kNoCard;
    for (const Origin& origin : local.circuit.voltage_sources.origin) first = std::min(first, card_number(origin));
    sources.a = sources.b = {kGround};
    sources.value = {0};
    sources.origin = {card_of(std::ranges::min(gather(all, std::vector<int64_t>{first})))};
    sources.waveform = {-1};
  }
  together(all, [&] {
    topology.nets = name_nets(names.circuit, names.places, names.parts, facts, overrides);
    require_used(overrides, topology.nets);
  });
  topology.findings = check_parts(names.circuit, names.parts, names.places, loads);
  append(topology.findings, topology.nets.findings);
}

}  // namespace gridiron::distributed
