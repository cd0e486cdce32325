// SPDX-License-Identifier: Apache-2.0
#include "analysis/model/reference_potentials.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <utility>

#include "support/parallel_arrays.hpp"

namespace gridiron {
namespace {

/// The potential beyond a pad of the merged network.
struct PadVolts {
  int32_t group;
  double volts;
};

std::vector<PadVolts> pads_of(const Topology& t, int32_t own) {
  const Network& network = t.grid.network;
  const Merge& merge = t.merge;
  auto pads = parallel_list<PadVolts>(network.edges(), [&](int64_t k, auto& list) {
    int32_t inside = network.a[k], outside = network.b[k];
    if (merge.group[inside] >= merge.unknowns) std::swap(inside, outside);
    const int32_t group = merge.group[inside], known = merge.group[outside] - merge.unknowns;
    if (group < own && known >= 0)
      list.push_back({group, merge.known_volts[known] + merge.offset[outside] - merge.offset[inside]});
  });
  for (const AddedPad& pad : t.added_pads)
    if (merge.group[pad.node] < own) pads.push_back({merge.group[pad.node], pad.volts - merge.offset[pad.node]});
  return pads;
}

/// How many pads have a potential, per system.
using PadCounts = std::vector<std::map<double, int64_t>>;

/// Those of all processes. Each round finds the highest potential of every system below those of the rounds before.
PadCounts counts_of_all(const PadCounts& mine, const Shares& shares) {
  PadCounts all(mine.size());
  std::vector<double> below(mine.size(), INFINITY), volts(mine.size()), counts(mine.size());
  for (bool is_more = true; is_more;) {
    for (size_t s = 0; s < mine.size(); ++s) {
      const auto next = mine[s].lower_bound(below[s]);
      volts[s] = next == mine[s].begin() ? -INFINITY : std::prev(next)->first;
    }
    shares.largest(volts);
    for (size_t s = 0; s < mine.size(); ++s) {
      const auto found = mine[s].find(volts[s]);
      counts[s] = found == mine[s].end() ? 0.0 : static_cast<double>(found->second);
    }
    shares.sum(counts);
    is_more = false;
    for (size_t s = 0; s < mine.size(); ++s) {
      if (volts[s] == -INFINITY) continue;
      all[s][volts[s]] = static_cast<int64_t>(counts[s]);
      below[s] = volts[s];
      is_more = true;
    }
  }
  return all;
}

/// Per connected system the potential of most of its pads; of several the highest.
std::vector<double> commonest_volts(const PadCounts& counts) {
  std::vector<double> of_system(counts.size(), 0.0);
  for (size_t s = 0; s < counts.size(); ++s) {
    int64_t most = 0;
    for (const auto& [volts, count] : counts[s])
      if (count >= most) most = count, of_system[s] = volts;
  }
  return of_system;
}

}  // namespace

ReferencePotentials reference_potentials(const Topology& topology, std::span<const int32_t> system, int32_t own,
                                         const Shares* totals) {
  const std::vector<PadVolts> pads = pads_of(topology, own);
  PadCounts counts(topology.parts.systems);
  for (const auto& [group, volts] : pads)
    if (system[group] >= 0) ++counts[system[group]][volts];
  if (totals) counts = counts_of_all(counts, *totals);
  ReferencePotentials out{commonest_volts(counts)};

  // Potentials are rounded, and so is their final sum with the reference. Sources in series are rounded, and sources in
  // parallel contradict each other, twice, as both a known potential and an offset may be off.
  const Merge& merge = topology.merge;
  double largest = 0, largest_reference = 0;
  for (const auto& [group, volts] : pads) {
    const double reference = system[group] >= 0 ? out.of_system[system[group]] : 0.0;
    largest = std::max(largest, std::abs(volts - reference));
    largest_reference = std::max(largest_reference, std::abs(reference));
  }
  largest = std::max(largest,
                     parallel_max(topology.grid.network.nodes, [&](int64_t n) { return std::abs(merge.offset[n]); }));
  double in_groups = 2 * merge.rounding_volts + 2 * merge.accepted_volts;
  if (totals) {
    for (double* value : {&largest, &largest_reference}) totals->largest({value, 1});
    totals->sum({&in_groups, 1});
  }
  constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
  out.data_error_v = 8 * kEpsilon * largest + kEpsilon * largest_reference + in_groups;
  return out;
}

}  // namespace gridiron
