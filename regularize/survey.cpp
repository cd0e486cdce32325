// SPDX-License-Identifier: Apache-2.0
#include "regularize/survey.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "support/parallel.hpp"

namespace gridiron {
namespace {

/// look(i, parts) for every i in [0, n). Ranges, which depend only on n and the number of parts, fill separate surveys,
/// which are merged in order.
void gather(int64_t n, std::vector<PartSurvey>& parts, auto look) {
  constexpr int64_t kMostRanges = 64;
  const auto count = std::ssize(parts);
  const int64_t ranges = std::clamp<int64_t>(n / (1024 + 4 * count), 1, kMostRanges);
  std::vector<std::vector<PartSurvey>> found(ranges);
  parallel_tasks(ranges, [&](int64_t r) {
    found[r].resize(parts.size());
    for (int64_t i = n * r / ranges; i < n * (r + 1) / ranges; ++i) look(i, found[r]);
  });
  for (const std::vector<PartSurvey>& some : found)
    for (int64_t p = 0; p < count; ++p) parts[p].join(some[p]);
}

/// Hashes in an open table; 0 marks empty slots.
class HashSet {
 public:
  explicit HashSet(size_t most) : table_(std::bit_ceil(2 * most + 1), 0) {}

  /// False if the hash was already present.
  bool insert(uint64_t hash) {
    size_t slot = (hash >> 16) & (table_.size() - 1);
    while (table_[slot] != 0 && table_[slot] != hash) slot = (slot + 1) & (table_.size() - 1);
    return std::exchange(table_[slot], hash) == 0;
  }

 private:
  std::vector<uint64_t> table_;
};

/// 1 for the first node at each location. The hashes are distributed to owners, each with a set that fits in cache.
std::vector<uint8_t> first_at_place(const Geometry& geometry) {
  constexpr int64_t kChunk = 1 << 16, kOwners = 64;
  struct Entry {
    uint64_t hash;
    int64_t node;
  };
  const auto nodes = std::ssize(geometry.net);
  std::vector<std::array<std::vector<Entry>, kOwners>> dealt((nodes + kChunk - 1) / kChunk);
  parallel_tasks(std::ssize(dealt), [&](int64_t chunk) {
    for (int64_t i = chunk * kChunk; i < std::min(nodes, (chunk + 1) * kChunk); ++i) {
      const uint64_t hash = hash_of_place(geometry.x_um[i], geometry.y_um[i], geometry.net[i]);
      dealt[chunk][hash >> 58].push_back({hash, i});
    }
  });
  std::vector<uint8_t> is_first(nodes, 0);
  parallel_tasks(kOwners, [&](int64_t owner) {
    size_t entries = 0;
    for (const auto& chunk : dealt) entries += chunk[owner].size();
    HashSet places(entries);
    for (const auto& chunk : dealt)
      for (const Entry& entry : chunk[owner]) is_first[entry.node] = places.insert(entry.hash);
  });
  return is_first;
}

}  // namespace

void PartSurvey::join(const PartSurvey& other) {
  nodes += other.nodes;
  left = std::min(left, other.left);
  right = std::max(right, other.right);
  bottom = std::min(bottom, other.bottom);
  top = std::max(top, other.top);
  layers |= other.layers;
  places += other.places;
}

Surveys survey_parts(const Geometry& geometry, bool counts_places) {
  const auto nodes = std::ssize(geometry.net);
  Surveys surveys;
  std::vector<PartSurvey>& parts = surveys.parts;
  if (nodes == 0) return surveys;

  const int32_t last = *std::ranges::max_element(geometry.net);
  surveys.part_of_net.assign(static_cast<size_t>(last) + 2, -1);
  for (const int32_t net : geometry.net) surveys.part_of_net[net + 1] = 0;
  for (int32_t net = -1; net <= last; ++net) {
    if (surveys.part_of_net[net + 1] < 0) continue;
    surveys.part_of_net[net + 1] = static_cast<int32_t>(parts.size());
    parts.emplace_back().net = net;
  }

  gather(nodes, parts, [&](int64_t i, std::vector<PartSurvey>& found) {
    found[surveys.part_of_net[geometry.net[i] + 1]].add(geometry.x_um[i], geometry.y_um[i], geometry.layer[i]);
  });
  if (!counts_places) return surveys;
  const std::vector<uint8_t> is_first = first_at_place(geometry);
  gather(nodes, parts, [&](int64_t i, std::vector<PartSurvey>& found) {
    found[surveys.part_of_net[geometry.net[i] + 1]].places += is_first[i];
  });
  return surveys;
}

}  // namespace gridiron
