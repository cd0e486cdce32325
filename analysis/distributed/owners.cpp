// SPDX-License-Identifier: Apache-2.0
#include "analysis/distributed/owners.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace gridiron::distributed {
namespace {

/// Bit b becomes bit 2 b.
std::uint64_t spread(std::uint64_t x) {
  x = (x | x << 16) & 0x0000ffff0000ffffu;
  x = (x | x << 8) & 0x00ff00ff00ff00ffu;
  x = (x | x << 4) & 0x0f0f0f0f0f0f0f0fu;
  x = (x | x << 2) & 0x3333333333333333u;
  return (x | x << 1) & 0x5555555555555555u;
}

/// The first keys of processes 1, 2, …, by bisection for all at once: the least with their share of the names below it.
std::vector<std::uint64_t> first_keys(const Communicator& all, std::vector<std::uint64_t> keys) {
  std::sort(keys.begin(), keys.end());
  const auto total = sum(all, static_cast<double>(keys.size()));
  const auto cuts = static_cast<std::size_t>(all.count() - 1);
  std::vector<std::uint64_t> low(cuts, 0), high(cuts, std::numeric_limits<std::uint64_t>::max());
  for (int bit = 0; bit < 64; ++bit) {
    std::vector<double> below(cuts);
    for (std::size_t k = 0; k < cuts; ++k)
      below[k] = static_cast<double>(std::lower_bound(keys.begin(), keys.end(), low[k] + (high[k] - low[k]) / 2) -
                                     keys.begin());
    all.sum(below);
    for (std::size_t k = 0; k < cuts; ++k) {
      const std::uint64_t middle = low[k] + (high[k] - low[k]) / 2;
      const bool is_enough = below[k] >= total * static_cast<double>(k + 1) / all.count();
      (is_enough ? high[k] : low[k]) = is_enough || middle == high[k] ? middle : middle + 1;
    }
  }
  return high;
}

}  // namespace

Owners::Owners(const Communicator& all, const NameTable& names)
    : owner_(static_cast<std::size_t>(names.size())), style_(owner_.size()) {
  std::vector<Place> places;
  std::vector<NodeId> placed;
  for (NodeId n = 1; n < names.size(); ++n) {
    const NodeName name = parse_node_name(names[n]);
    style_[n] = name.style;
    if (name.has_place()) {
      places.push_back({name.x, name.y});
      placed.push_back(n);
      continue;
    }
    // A table of names at the owner uses the same hash.
    const std::uint64_t hash = NameTable::hash(names[n]) * 0x9e3779b97f4a7c15u;
    owner_[n] = static_cast<std::int32_t>((hash >> 32) * static_cast<std::uint64_t>(all.count()) >> 32);
  }
  const std::vector<std::uint64_t> keys = keys_of(all, std::move(places)), first = first_keys(all, keys);
  for (std::size_t k = 0; k < keys.size(); ++k)
    owner_[placed[k]] =
        static_cast<std::int32_t>(std::upper_bound(first.begin(), first.end(), keys[k]) - first.begin());
}

std::vector<std::uint64_t> Owners::keys_of(const Communicator& all, std::vector<Place> places) const {
  double bounds[4];
  std::fill_n(bounds, 4, -std::numeric_limits<double>::infinity());
  for (const Place& place : places) {
    const auto x = static_cast<double>(place.x), y = static_cast<double>(place.y);
    for (const auto& [k, value] : {std::pair(0, -x), {1, -y}, {2, x}, {3, y}}) bounds[k] = std::max(bounds[k], value);
  }
  all.largest(bounds);
  int shift = 0;  // so that coordinates have 32 bits
  for (double range = std::max(bounds[2] + bounds[0], bounds[3] + bounds[1]); range >= 4294967295.0; range /= 2)
    ++shift;
  std::vector<std::uint64_t> keys;
  keys.reserve(places.size());
  const auto cell = [shift](std::int64_t at, double least) {
    return (static_cast<std::uint64_t>(at) - static_cast<std::uint64_t>(static_cast<std::int64_t>(least))) >> shift &
           0xffffffffu;
  };
  for (const Place& place : places)
    keys.push_back(spread(cell(place.x, -bounds[0])) | spread(cell(place.y, -bounds[1])) << 1);
  return keys;
}

}  // namespace gridiron::distributed
