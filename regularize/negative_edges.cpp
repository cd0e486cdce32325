// SPDX-License-Identifier: Apache-2.0
#include "regularize/negative_edges.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>
#include <vector>

#include "support/parallel_arrays.hpp"

namespace gridiron {
namespace {

/// The conductances between two nodes of which one is negative.
struct PairSum {
  double sum = 0, size = 0;
  int64_t negative = -1;  ///< the first negative edge
  bool is_outweighed() const { return sum > kLeastShare * size; }
};

using PairSums = std::unordered_map<uint64_t, PairSum>;

uint64_t key_of(int32_t a, int32_t b) {
  return static_cast<uint64_t>(static_cast<uint32_t>(std::min(a, b))) << 32 | static_cast<uint32_t>(std::max(a, b));
}

std::vector<int64_t> negative_edges(const std::vector<double>& conductance) {
  return parallel_list<int64_t>(std::ssize(conductance), [&](int64_t e, auto& list) {
    if (conductance[e] < 0) list.push_back(e);
  });
}

/// `ends_of(e)`: the merged nodes of an edge, equal where it has no effect.
template <class EndsOf>
PairSums sums_of(const std::vector<double>& conductance, const std::vector<int64_t>& negative, EndsOf ends_of) {
  PairSums sums;
  for (const int64_t e : negative)
    if (const auto [a, b] = ends_of(e); a != b) {
      PairSum& pair = sums[key_of(a, b)];
      if (pair.negative < 0) pair.negative = e;
    }
  for (int64_t e = 0; e < std::ssize(conductance) && !sums.empty(); ++e) {
    const auto [a, b] = ends_of(e);
    const auto found = a == b ? sums.end() : sums.find(key_of(a, b));
    if (found == sums.end()) continue;
    found->second.sum += conductance[e];
    found->second.size += std::abs(conductance[e]);
  }
  return sums;
}

/// All that is fixed is one node here, whatever its potential.
std::pair<int32_t, int32_t> merged_ends(const Network& network, const Merge& merge, int64_t edge) {
  const auto end = [&](int32_t node) { return std::min(merge.group[node], merge.unknowns); };
  return {end(network.a[edge]), end(network.b[edge])};
}

}  // namespace

int64_t find_not_outweighed(const Network& network, const Merge& merge) {
  const std::vector<int64_t> negative = negative_edges(network.conductance);
  if (negative.empty()) return -1;
  const auto ends_of = [&](int64_t e) { return merged_ends(network, merge, e); };
  const PairSums sums = sums_of(network.conductance, negative, ends_of);
  for (const int64_t e : negative)
    if (const auto [a, b] = ends_of(e); a != b && !sums.at(key_of(a, b)).is_outweighed()) return e;
  return -1;
}

bool join_negative_edges(MergedNetwork& network) {
  if (!holds_for_all(network.nodes, [&](int64_t n) { return network.pad[n] >= 0; })) return false;
  const std::vector<int64_t> negative = negative_edges(network.conductance);
  if (negative.empty()) return true;
  const auto ends_of = [&](int64_t e) { return std::pair(network.a[e], network.b[e]); };
  PairSums sums = sums_of(network.conductance, negative, ends_of);
  for (const auto& [key, pair] : sums)
    if (!pair.is_outweighed()) return false;
  int64_t kept = 0;
  for (int64_t e = 0; e < network.edges(); ++e) {
    const auto found = sums.find(key_of(network.a[e], network.b[e]));
    if (found != sums.end() && found->second.size == 0) continue;  // it is in the sum
    network.conductance[kept] = found == sums.end() ? network.conductance[e] : found->second.sum;
    if (found != sums.end()) found->second.size = 0;
    network.a[kept] = network.a[e];
    network.b[kept++] = network.b[e];
  }
  network.a.resize(kept);
  network.b.resize(kept);
  network.conductance.resize(kept);
  return true;
}

std::vector<MergedNetwork::Opposed> opposed_conductances(const Network& network, const Merge& merge,
                                                         std::span<const double> reference) {
  const std::vector<int64_t> negative = negative_edges(network.conductance);
  const auto ends_of = [&](int64_t e) { return merged_ends(network, merge, e); };
  const PairSums sums = sums_of(network.conductance, negative, ends_of);
  std::vector<MergedNetwork::Opposed> out;
  for (int64_t e = 0; e < network.edges() && !sums.empty(); ++e) {
    const auto [a, b] = ends_of(e);
    if (a == b || !sums.contains(key_of(a, b))) continue;
    const bool swaps = a == merge.unknowns;
    const int32_t from = swaps ? network.b[e] : network.a[e], to = swaps ? network.a[e] : network.b[e];
    const int32_t group = merge.group[from], beyond = merge.group[to];
    double volts = merge.offset[to] - merge.offset[from];
    if (beyond >= merge.unknowns) volts += merge.known_volts[beyond - merge.unknowns];
    if (beyond >= merge.unknowns && !reference.empty()) volts -= reference[group];
    out.push_back({group, beyond < merge.unknowns ? beyond : -1, std::abs(network.conductance[e]), volts});
  }
  return out;
}

}  // namespace gridiron
