// SPDX-License-Identifier: Apache-2.0
#include "regularize/survey.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "support/parallel.hpp"

namespace gridiron {
namespace {

void join(PartSurvey& to, const PartSurvey& from) {
  to.nodes += from.nodes;
  to.left = std::min(to.left, from.left);
  to.right = std::max(to.right, from.right);
  to.bottom = std::min(to.bottom, from.bottom);
  to.top = std::max(to.top, from.top);
  to.layers |= from.layers;
  to.places += from.places;
}

/// look(i, parts) for every i in [0, n). Ranges, which depend on n and the number of parts only, fill surveys of their
/// own; these are joined in order.
template <class Look>
void gather(std::int64_t n, std::vector<PartSurvey>& parts, Look look) {
  constexpr std::int64_t kMostRanges = 64;
  const auto count = static_cast<std::int64_t>(parts.size());
  const std::int64_t ranges = std::clamp<std::int64_t>(n / (1024 + 4 * count), 1, kMostRanges);
  std::vector<std::vector<PartSurvey>> found(ranges);
  parallel_tasks(ranges, [&](std::int64_t r) {
    found[r].resize(parts.size());
    for (std::int64_t i = n * r / ranges; i < n * (r + 1) / ranges; ++i) look(i, found[r]);
  });
  for (const std::vector<PartSurvey>& some : found)
    for (std::int64_t p = 0; p < count; ++p) join(parts[p], some[p]);
}

std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 31)) * 0x9e3779b97f4a7c15u;
  return (x ^ (x >> 29)) * 0xbf58476d1ce4e5b9u;
}

/// A place of a part; two places that share 64 bits would count as one, which nobody would notice.
std::uint64_t hash_of_place(double x_um, double y_um, std::int32_t part) {
  const auto x = std::bit_cast<std::uint64_t>(x_um + 0.0), y = std::bit_cast<std::uint64_t>(y_um + 0.0);  // −0 is 0
  return mixed(mixed(mixed(x) ^ y) ^ static_cast<std::uint64_t>(part));
}

/// Hashes in an open table.
class HashSet {
 public:
  explicit HashSet(std::size_t most) : table_(std::bit_ceil(2 * most + 1), 0) {}

  /// False when the hash was there before.
  bool insert(std::uint64_t hash) {
    hash |= 1;  // 0 marks free slots
    std::size_t slot = (hash >> 16) & (table_.size() - 1);
    while (table_[slot] != 0 && table_[slot] != hash) slot = (slot + 1) & (table_.size() - 1);
    return std::exchange(table_[slot], hash) == 0;
  }

 private:
  std::vector<std::uint64_t> table_;
};

/// 1 for the first node of each place. The hashes are dealt out to owners, each with a set that fits the cache.
std::vector<std::uint8_t> first_at_place(const Geometry& geometry, const Surveys& surveys) {
  constexpr std::int64_t kChunk = 1 << 16, kOwners = 64;
  struct Entry {
    std::uint64_t hash;
    std::int64_t node;
  };
  const auto nodes = static_cast<std::int64_t>(geometry.net.size());
  std::vector<std::array<std::vector<Entry>, kOwners>> dealt((nodes + kChunk - 1) / kChunk);
  parallel_tasks(static_cast<std::int64_t>(dealt.size()), [&](std::int64_t chunk) {
    for (std::int64_t i = chunk * kChunk; i < std::min(nodes, (chunk + 1) * kChunk); ++i) {
      const std::uint64_t hash =
          hash_of_place(geometry.x_um[i], geometry.y_um[i], surveys.part_of_net[geometry.net[i] + 1]);
      dealt[chunk][hash >> 58].push_back({hash, i});
    }
  });
  std::vector<std::uint8_t> is_first(nodes, 0);
  parallel_tasks(kOwners, [&](std::int64_t owner) {
    std::size_t entries = 0;
    for (const auto& chunk : dealt) entries += chunk[owner].size();
    HashSet places(entries);
    for (const auto& chunk : dealt)
      for (const Entry& entry : chunk[owner]) is_first[entry.node] = places.insert(entry.hash);
  });
  return is_first;
}

}  // namespace

Surveys survey_parts(const Geometry& geometry, bool counts_places) {
  const auto nodes = static_cast<std::int64_t>(geometry.net.size());
  Surveys surveys;
  std::vector<PartSurvey>& parts = surveys.parts;
  if (nodes == 0) return surveys;

  const std::int32_t last = *std::max_element(geometry.net.begin(), geometry.net.end());
  surveys.part_of_net.assign(static_cast<std::size_t>(last) + 2, -1);
  for (const std::int32_t net : geometry.net) surveys.part_of_net[net + 1] = 0;
  for (std::int32_t net = -1; net <= last; ++net) {
    if (surveys.part_of_net[net + 1] < 0) continue;
    surveys.part_of_net[net + 1] = static_cast<std::int32_t>(parts.size());
    parts.emplace_back().net = net;
  }

  gather(nodes, parts, [&](std::int64_t i, std::vector<PartSurvey>& found) {
    PartSurvey& part = found[surveys.part_of_net[geometry.net[i] + 1]];
    ++part.nodes;
    part.left = std::min(part.left, geometry.x_um[i]);
    part.right = std::max(part.right, geometry.x_um[i]);
    part.bottom = std::min(part.bottom, geometry.y_um[i]);
    part.top = std::max(part.top, geometry.y_um[i]);
    part.layers |= std::uint64_t{1} << (geometry.layer[i] + 1);
  });
  if (!counts_places) return surveys;
  const std::vector<std::uint8_t> is_first = first_at_place(geometry, surveys);
  gather(nodes, parts, [&](std::int64_t i, std::vector<PartSurvey>& found) {
    found[surveys.part_of_net[geometry.net[i] + 1]].places += is_first[i];
  });
  return surveys;
}

}  // namespace gridiron
