// SPDX-License-Identifier: Apache-2.0
#include "analysis/model/deck/duplicate_names.hpp"

#include <algorithm>
#include <bit>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "netlist/names/name_table.hpp"
#include "support/lists.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron {
namespace {

constexpr int kShards = 64;

/// Those that occur more than once, ascending. Sixteen bits per hash tell the few that may from all others, which need
/// no sorting.
std::vector<uint64_t> repeated_hashes(std::span<const uint64_t> hashes) {
  const size_t mask = std::bit_ceil(hashes.size() / 4 + 1) - 1;  // of words
  std::vector<uint64_t> seen(mask + 1), seen_twice(mask + 1);
  const auto bit = [](uint64_t hash) { return uint64_t{1} << (hash & 63); };
  const auto word = [mask](uint64_t hash) { return hash >> 6 & mask; };
  for (const uint64_t hash : hashes) {
    seen_twice[word(hash)] |= seen[word(hash)] & bit(hash);
    seen[word(hash)] |= bit(hash);
  }
  std::vector<uint64_t> some, repeated;
  for (const uint64_t hash : hashes)
    if (seen_twice[word(hash)] & bit(hash)) some.push_back(hash);
  std::ranges::sort(some);
  for (size_t i = 1; i < some.size(); ++i)
    if (some[i] == some[i - 1] && (repeated.empty() || repeated.back() != some[i])) repeated.push_back(some[i]);
  return repeated;
}

/// All elements in a row, kind after kind.
class ElementRow {
 public:
  explicit ElementRow(const Circuit& circuit) : circuit_(circuit) {
    for (const Kind kind : kEveryKind) first_[kind + 1] = first_[kind] + circuit.elements(kind).size();
  }

  DuplicateNames::Element operator[](int64_t i) const {
    const auto kind = static_cast<Kind>(std::upper_bound(first_, first_ + kKinds, i) - first_ - 1);
    return {kind, i - first_[kind]};
  }
  int64_t first(Kind kind) const { return first_[kind]; }
  std::string name(int64_t i) const {
    const DuplicateNames::Element e = (*this)[i];
    return circuit_.element_name(e.kind, e.index);
  }

 private:
  const Circuit& circuit_;
  int64_t first_[kKinds + 1] = {};
};

uint64_t hash_of(const Circuit& circuit, Kind kind, int64_t i) {
  uint64_t h = 0xcbf29ce484222325u;
  const auto mix_in = [&h](std::string_view name) {
    for (const char c : name)
      h = (h ^ static_cast<unsigned char>(c >= 'A' && c <= 'Z' ? c | 0x20 : c)) * 0x100000001b3u;
  };
  mix_in(circuit.instance_path(kind, i));
  mix_in(circuit.card_name(kind, i));
  return h ^ (h >> 29) ^ (h << 35);
}

/// Of a shard.
struct Repeats {
  int64_t count = 0;
  std::vector<std::pair<int64_t, int64_t>> first;  ///< element and the first one of its name, ascending
};

/// `some`: elements with their hashes, of those that occur more than once. What has one hash is compared as text.
Repeats compare_names(const ElementRow& row, std::vector<std::pair<uint64_t, int64_t>> some, int64_t most) {
  std::ranges::sort(some);
  Repeats repeats;
  std::vector<std::pair<std::string, int64_t>> distinct;  // of one hash
  for (size_t i = 0; i < some.size(); ++i) {
    if (i == 0 || some[i].first != some[i - 1].first) distinct.clear();
    std::string name = row.name(some[i].second);
    const auto same = std::ranges::find_if(distinct, [&](const auto& known) { return same_name(known.first, name); });
    if (same == distinct.end()) {
      distinct.emplace_back(std::move(name), some[i].second);
      continue;
    }
    ++repeats.count;
    repeats.first.emplace_back(some[i].second, same->second);
  }
  const auto kept = std::min(most, std::ssize(repeats.first));
  std::ranges::partial_sort(repeats.first, repeats.first.begin() + kept);
  repeats.first.resize(static_cast<size_t>(kept));
  return repeats;
}

}  // namespace

DuplicateNames find_duplicate_names(const Circuit& circuit, int64_t most) {
  const ElementRow row(circuit);
  const int64_t elements = circuit.element_count();
  const auto hashes = untouched<uint64_t>(elements);
  for (const Kind kind : kEveryKind)
    parallel_each(circuit.elements(kind).size(),
                  [&](int64_t i) { hashes[row.first(kind) + i] = hash_of(circuit, kind, i); });
  const auto shard_of = [&](int64_t i) { return static_cast<int64_t>(hashes[i] >> 58); };
  const GroupedByKey dealt(elements, kShards, shard_of);
  const auto of_shards = untouched<uint64_t>(elements);
  dealt.for_each_place(shard_of, [&](int64_t i, int64_t place) { of_shards[place] = hashes[i]; });
  const auto shard = [&](int64_t s) {
    return std::span(of_shards.get() + dealt.start(s), static_cast<size_t>(dealt.start(s + 1) - dealt.start(s)));
  };
  std::vector<std::vector<uint64_t>> repeated(kShards);
  parallel_tasks(kShards, [&](int64_t s) { repeated[s] = repeated_hashes(shard(s)); });
  DuplicateNames duplicates;
  if (std::ranges::all_of(repeated, [](const auto& of_shard) { return of_shard.empty(); })) return duplicates;

  // Only now it matters which elements they are.
  const auto numbers = untouched<int64_t>(elements);
  dealt.for_each_place(shard_of, [&](int64_t i, int64_t place) { numbers[place] = i; });
  std::vector<Repeats> repeats(kShards);
  parallel_tasks(kShards, [&](int64_t s) {
    std::vector<std::pair<uint64_t, int64_t>> some;
    const std::span<const uint64_t> of_shard = shard(s);
    for (size_t k = 0; k < of_shard.size(); ++k)
      if (std::ranges::binary_search(repeated[s], of_shard[k]))
        some.emplace_back(of_shard[k], numbers[dealt.start(s) + static_cast<int64_t>(k)]);
    repeats[s] = compare_names(row, std::move(some), most);
  });
  std::vector<std::pair<int64_t, int64_t>> all;
  for (const Repeats& of_shard : repeats) {
    duplicates.count += of_shard.count;
    append(all, of_shard.first);
  }
  std::ranges::sort(all);
  for (size_t k = 0; k < all.size() && std::ssize(duplicates.pairs) < most; ++k)
    duplicates.pairs.push_back({row[all[k].first], row[all[k].second]});
  return duplicates;
}

}  // namespace gridiron
