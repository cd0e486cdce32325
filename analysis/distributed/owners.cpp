// SPDX-License-Identifier: Apache-2.0
#include "analysis/distributed/owners.hpp"

#include <algorithm>
#include <limits>

#include "netlist/node_place.hpp"

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

}  // namespace

Owners::Owners(const Communicator& all, const NameTable& names) : count_(all.count()) {
  double bounds[4];
  std::fill_n(bounds, 4, -std::numeric_limits<double>::infinity());
  for (std::int32_t n = 1; n < names.size(); ++n)
    if (const NodeName name = parse_node_name(names[n]); name.has_place()) {
      const auto x = static_cast<double>(name.x), y = static_cast<double>(name.y);
      for (const auto& [k, value] : {std::pair(0, -x), {1, -y}, {2, x}, {3, y}}) bounds[k] = std::max(bounds[k], value);
    }
  all.largest(bounds);
  if (bounds[2] < -bounds[0]) return;  // no name tells a place
  least_x_ = static_cast<std::int64_t>(-bounds[0]);
  least_y_ = static_cast<std::int64_t>(-bounds[1]);
  for (double range = std::max(bounds[2] + bounds[0], bounds[3] + bounds[1]); range >= 4294967295.0; range /= 2)
    ++shift_;

  std::vector<std::uint64_t> keys;
  for (std::int32_t n = 1; n < names.size(); ++n)
    if (const NodeName name = parse_node_name(names[n]); name.has_place()) keys.push_back(key_of(name.x, name.y));
  std::sort(keys.begin(), keys.end());
  const auto total = sum(all, static_cast<double>(keys.size()));

  // Bisection for all processes at once: the least key with their share of the names below it.
  const auto cuts = static_cast<std::size_t>(count_ - 1);
  std::vector<std::uint64_t> low(cuts, 0), high(cuts, std::numeric_limits<std::uint64_t>::max());
  for (int bit = 0; bit < 64; ++bit) {
    std::vector<double> below(cuts);
    for (std::size_t k = 0; k < cuts; ++k)
      below[k] = static_cast<double>(std::lower_bound(keys.begin(), keys.end(), low[k] + (high[k] - low[k]) / 2) -
                                     keys.begin());
    all.sum(below);
    for (std::size_t k = 0; k < cuts; ++k) {
      const std::uint64_t middle = low[k] + (high[k] - low[k]) / 2;
      const bool is_enough = below[k] >= total * static_cast<double>(k + 1) / count_;
      (is_enough ? high[k] : low[k]) = is_enough || middle == high[k] ? middle : middle + 1;
    }
  }
  first_key_ = high;
}

std::uint64_t Owners::key_of(std::int64_t x, std::int64_t y) const {
  const auto cell = [this](std::int64_t at, std::int64_t least) {
    return (static_cast<std::uint64_t>(at) - static_cast<std::uint64_t>(least)) >> shift_ & 0xffffffffu;
  };
  return spread(cell(x, least_x_)) | spread(cell(y, least_y_)) << 1;
}

int Owners::of(std::string_view name) const {
  if (const NodeName place = parse_node_name(name); place.has_place())
    return static_cast<int>(std::upper_bound(first_key_.begin(), first_key_.end(), key_of(place.x, place.y)) -
                            first_key_.begin());
  std::uint64_t hash = NameTable::hash(name);
  hash *= 0x9e3779b97f4a7c15u;  // a table of names at the owner uses the same hash
  return static_cast<int>((hash >> 32) * static_cast<std::uint64_t>(count_) >> 32);
}

}  // namespace gridiron::distributed
