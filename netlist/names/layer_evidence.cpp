// SPDX-License-Identifier: Apache-2.0
#include "netlist/names/layer_evidence.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "netlist/names/layer_number.hpp"
#include "netlist/names/name_table.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron {
namespace {

/// More layers than this are none, unless their names are known ones.
constexpr size_t kMostGuessedLayers = 256;
/// A layer whose name is a known one is doubted if so many wires contradict it, and so many times as many as do not.
constexpr int64_t kLeastAgainst = 8, kTimesAgainst = 4;

/// What resistors say of each layer.
struct LayerEvidence {
  std::vector<int64_t> with, against;

  void add(const LayerEvidence& other) {
    for (size_t k = 0; k < with.size(); ++k) with[k] += other.with[k], against[k] += other.against[k];
  }
};

std::vector<uint8_t> guessed_layers(const Circuit& circuit, const NodePlaces& places) {
  std::vector<uint8_t> guessed;
  for (const std::string& layer : places.layers) {
    const auto is_layer = [&](const LayerCard& card) { return same_name(card.layer, layer); };
    guessed.push_back(!is_metal_name(layer) && std::ranges::none_of(circuit.layer_cards, is_layer));
  }
  return guessed;
}

void take(const NodePlaces& places, NodeId a, NodeId b, LayerEvidence& evidence) {
  const int32_t of_a = places.layer[a], of_b = places.layer[b];
  if (of_a < 0 || of_b < 0) return;
  const double dx = std::abs(places.x_um[a] - places.x_um[b]), dy = std::abs(places.y_um[a] - places.y_um[b]);
  if (!(dx >= 0) || !(dy >= 0)) return;
  const bool stays = dx == 0 && dy == 0;
  if (of_a != of_b) {
    if (!stays && (dx == 0 || dy == 0)) return;
    std::vector<int64_t>& counts = stays ? evidence.with : evidence.against;
    ++counts[of_a], ++counts[of_b];
  } else if (!stays) {
    constexpr double kRounding = 1e-9;
    const bool is_wire = dx == 0 || dy == 0 || std::abs(dx - dy) <= kRounding * dx;
    ++(is_wire ? evidence.with : evidence.against)[of_a];
  }
}

/// Of all resistors, or of some of them.
LayerEvidence gather(const Circuit& circuit, const NodePlaces& places, bool of_all, const SharedEvidence& shared) {
  constexpr int64_t kSample = 4096;
  const Elements& r = circuit.resistors;
  const int64_t step = of_all ? 1 : std::max<int64_t>(1, r.size() / kSample);
  const std::vector<int64_t> none(places.layers.size(), 0);
  LayerEvidence evidence = joined_ranges<LayerEvidence>(
      (r.size() + step - 1) / step,
      [&](int64_t begin, int64_t end) {
        LayerEvidence some{none, none};
        for (int64_t k = begin; k < end; ++k) {
          const NodeId a = r.a[k * step], b = r.b[k * step];
          if (!shared.counts || shared.counts(a, b)) take(places, a, b, some);
        }
        return some;
      },
      [&](LayerEvidence& all, const LayerEvidence& some) { all.with.empty() ? void(all = some) : all.add(some); });
  evidence.with.resize(none.size()), evidence.against.resize(none.size());
  if (shared.sum) shared.sum(evidence.with), shared.sum(evidence.against);
  return evidence;
}

/// Which more layers go. At first those for which nothing speaks: without them others may look better.
std::vector<uint8_t> contradicted(const LayerEvidence& evidence, const std::vector<uint8_t>& guessed,
                                  const std::vector<uint8_t>& dropped, bool at_first) {
  std::vector<uint8_t> out(guessed.size(), 0);
  for (size_t k = 0; k < guessed.size(); ++k) {
    const int64_t with = evidence.with[k], against = evidence.against[k];
    if (dropped[k]) continue;
    out[k] = guessed[k] ? with == 0 || (!at_first && against > with)
                        : !at_first && against >= kLeastAgainst && against > kTimesAgainst * with;
  }
  return out;
}

/// Leaves the labels that are kept in a list, and their numbers in a column.
void keep_labels(const std::vector<uint8_t>& kept, std::vector<std::string>& names, std::vector<int32_t>& column) {
  std::vector<int32_t> number(names.size(), -1);
  int32_t next = 0;
  for (size_t k = 0; k < names.size(); ++k) {
    if (!kept[k]) continue;
    number[k] = next;
    if (static_cast<size_t>(next) != k) names[next] = std::move(names[k]);
    ++next;
  }
  names.resize(next);
  parallel_each(std::ssize(column), [&](int64_t n) {
    if (column[n] >= 0) column[n] = number[column[n]];
  });
}

/// Returns how many nodes that are.
int64_t drop(const std::vector<uint8_t>& dropped, NodePlaces& places) {
  return parallel_sum<int64_t>(std::ssize(places.layer), [&](int64_t n) {
    if (places.layer[n] < 0 || !dropped[places.layer[n]]) return 0;
    places.layer[n] = places.net[n] = -1;
    places.x_um[n] = places.y_um[n] = std::numeric_limits<double>::quiet_NaN();
    return 1;
  });
}

/// Which net names are left.
std::vector<uint8_t> kept_nets(const NodePlaces& places, const SharedEvidence& shared) {
  std::vector<int64_t> nodes(places.nets.size(), 0);
  for (const int32_t net : places.net)
    if (net >= 0) ++nodes[net];
  if (shared.sum) shared.sum(nodes);
  std::vector<uint8_t> kept;
  for (const int64_t count : nodes) kept.push_back(count > 0);
  return kept;
}

}  // namespace

int64_t drop_contradicted_layers(const Circuit& circuit, NodePlaces& places, const SharedEvidence& shared) {
  const std::vector<uint8_t> guessed = guessed_layers(circuit, places);
  const auto guesses = static_cast<size_t>(std::ranges::count(guessed, 1));
  std::vector<uint8_t> dropped(guessed.size(), 0);
  int64_t nodes = 0;
  if (guesses > kMostGuessedLayers) {
    dropped = guessed;
    nodes = drop(dropped, places);
  }
  constexpr int kMostRounds = 4;
  for (int round = 0; round < kMostRounds && !guessed.empty(); ++round) {
    const LayerEvidence evidence = gather(circuit, places, guesses > 0, shared);
    std::vector<uint8_t> more = contradicted(evidence, guessed, dropped, true);
    if (std::ranges::count(more, 1) == 0) more = contradicted(evidence, guessed, dropped, false);
    if (std::ranges::count(more, 1) == 0) break;
    for (size_t k = 0; k < more.size(); ++k) dropped[k] |= more[k];
    nodes += drop(more, places);
  }
  if (std::ranges::count(dropped, 1) == 0) return 0;
  std::vector<uint8_t> kept;
  for (const uint8_t is_dropped : dropped) kept.push_back(!is_dropped);
  keep_labels(kept, places.layers, places.layer);
  keep_labels(kept_nets(places, shared), places.nets, places.net);
  return nodes;
}

}  // namespace gridiron
