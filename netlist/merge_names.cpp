// SPDX-License-Identifier: Apache-2.0
// Names are distributed to shards by hash; one task per shard finds the first occurrence of each name. Ids follow from
// the rank of the first occurrences, so they do not depend on how names are distributed over tables or threads. Every
// pass reads memory in order, or in as many places at once as there are shards.
#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <type_traits>

#include "netlist/name_table.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron {
namespace {

/// `word` with its ASCII letters in lower case.
std::uint64_t lower_case(std::uint64_t word) {
  constexpr std::uint64_t kEach = 0x0101010101010101u, kHigh = 0x80 * kEach;
  const std::uint64_t low = word & ~kHigh;
  const std::uint64_t from_a = low + (0x80 - 'A') * kEach, beyond_z = low + (0x7f - 'Z') * kEach;
  return word | ((from_a ^ beyond_z) & ~word & kHigh) >> 2;
}

/// The beginning of a name in lower case, padded with zeros: of up to 23 bytes that is the name.
struct Head {
  std::uint64_t words[3];

  Head() = default;
  explicit Head(std::string_view name) : words{} {
    std::memcpy(words, name.data(), std::min(name.size(), sizeof words));
    for (std::uint64_t& word : words) word = lower_case(word);
  }
  bool operator==(const Head&) const = default;
  bool is_whole() const { return reinterpret_cast<const char*>(words)[sizeof words - 1] == 0; }
};

struct Occurrence {
  Head head;
  std::uint32_t hash;
  std::int32_t id;  ///< in its table
};
static_assert(std::is_trivially_default_constructible_v<Occurrence>, "or one thread would write to all of them");

/// Where occurrences lie: shard after shard, in each table after table.
class Shards {
 public:
  explicit Shards(std::span<const std::span<const std::uint32_t>> hashes) : tables_(hashes.size()) {
    std::size_t names = 0;
    for (const auto& of_table : hashes) names += of_table.size();
    constexpr std::size_t kNames = 8192;  // in a shard, so that what a task works on stays in its cache
    bits_ = std::bit_width(std::clamp<std::size_t>(names / kNames, 1, 1024)) - 1;
    begin_.resize(count() * tables_ + 1);
    parallel_tasks(static_cast<std::int64_t>(tables_), [&](std::int64_t t) {
      std::vector<std::int64_t> sizes(count());
      for (const std::uint32_t hash : hashes[t]) ++sizes[of(hash)];
      for (std::size_t s = 0; s < count(); ++s) begin_[s * tables_ + t + 1] = sizes[s];
    });
    for (std::size_t k = 1; k < begin_.size(); ++k) begin_[k] += begin_[k - 1];
  }

  std::size_t count() const { return std::size_t{1} << bits_; }
  std::int64_t names() const { return begin_.back(); }
  std::int64_t begin(std::size_t shard) const { return begin_[shard * tables_]; }
  std::size_t table_at(std::size_t shard, std::int64_t position) const {
    const auto row = begin_.begin() + static_cast<std::ptrdiff_t>(shard * tables_);
    return static_cast<std::size_t>(std::upper_bound(row, row + static_cast<std::ptrdiff_t>(tables_), position) - row) -
           1;
  }

  /// Calls f(id, position, shard) for the names of a table in order, which hash to `hashes`.
  template <class F>
  void for_names(std::size_t table, std::span<const std::uint32_t> hashes, F&& f) const {
    std::vector<std::int64_t> cursor(count());
    for (std::size_t s = 0; s < count(); ++s) cursor[s] = begin_[s * tables_ + table];
    for (std::size_t id = 0; id < hashes.size(); ++id) {
      const std::size_t shard = of(hashes[id]);
      f(static_cast<std::int32_t>(id), cursor[shard]++, shard);
    }
  }

 private:
  std::size_t of(std::uint32_t hash) const { return static_cast<std::size_t>(std::uint64_t{hash} << bits_ >> 32); }

  std::size_t tables_;
  int bits_ = 0;
  std::vector<std::int64_t> begin_;  ///< of every table in every shard
};

}  // namespace

std::vector<std::vector<std::int32_t>> merge_names(std::span<NameTable* const> tables, NameTable& merged) {
  std::vector<NameTable*> all{&merged};
  all.insert(all.end(), tables.begin(), tables.end());
  const auto count = static_cast<std::int64_t>(all.size());
  std::vector<std::span<const std::uint32_t>> hashes(all.size());
  parallel_tasks(count, [&](std::int64_t t) {
    all[t]->drop_index();
    all[t]->make_hashes();
    hashes[t] = all[t]->hash_;
  });
  const Shards shards(hashes);

  auto occurrence = std::make_unique_for_overwrite<Occurrence[]>(shards.names());
  parallel_tasks(count, [&](std::int64_t t) {
    shards.for_names(t, hashes[t], [&](std::int32_t id, std::int64_t at, std::size_t) {
      occurrence[at] = {Head((*all[t])[id]), hashes[t][id], id};
    });
  });

  const auto first = std::make_unique_for_overwrite<std::int32_t[]>(shards.names());  // of each name, within its shard
  parallel_tasks(static_cast<std::int64_t>(shards.count()), [&](std::int64_t s) {
    const std::int64_t begin = shards.begin(s), names = shards.begin(s + 1) - begin;
    const Occurrence* const here = occurrence.get() + begin;
    const auto text = [&](std::int64_t k) { return (*all[shards.table_at(s, begin + k)])[here[k].id]; };
    const std::size_t mask = std::bit_ceil(static_cast<std::size_t>(2 * names + 1)) - 1;
    std::vector<std::int32_t> slots(mask + 1, -1);
    for (std::int32_t k = 0; k < names; ++k) {
      std::size_t slot = here[k].hash & mask;
      for (; slots[slot] >= 0; slot = (slot + 1) & mask) {
        const Occurrence& o = here[slots[slot]];
        if (o.hash == here[k].hash && o.head == here[k].head &&
            (o.head.is_whole() || same_name(text(slots[slot]), text(k))))
          break;
      }
      if (slots[slot] < 0) slots[slot] = k;
      first[begin + k] = slots[slot];
    }
  });
  occurrence.reset();

  const auto is_new = [&](std::int64_t at, std::size_t shard) { return first[at] == at - shards.begin(shard); };
  std::vector<std::int32_t> first_id(count + 1, 0);
  std::vector<std::int64_t> first_byte(count + 1, 0);
  parallel_tasks(count, [&](std::int64_t t) {
    std::int32_t names = 0;
    std::int64_t bytes = 0;
    shards.for_names(t, hashes[t], [&](std::int32_t id, std::int64_t at, std::size_t shard) {
      if (!is_new(at, shard)) return;
      ++names;
      bytes += static_cast<std::int64_t>((*all[t])[id].size());
    });
    first_id[t + 1] = names;
    first_byte[t + 1] = bytes;
  });
  for (std::int64_t t = 0; t < count; ++t) {
    first_id[t + 1] += first_id[t];
    first_byte[t + 1] += first_byte[t];
  }

  const auto new_id = std::make_unique_for_overwrite<std::int32_t[]>(shards.names());  // where is_new()
  std::vector<char> text;
  std::vector<std::int64_t> begin;
  assign_in_parallel(text, first_byte[count]);
  assign_in_parallel(begin, std::int64_t{first_id[count]} + 1);
  parallel_tasks(count, [&](std::int64_t t) {
    std::int32_t next = first_id[t];
    std::int64_t byte = first_byte[t];
    shards.for_names(t, hashes[t], [&](std::int32_t id, std::int64_t at, std::size_t shard) {
      if (!is_new(at, shard)) return;
      const std::string_view name = (*all[t])[id];
      std::memcpy(text.data() + byte, name.data(), name.size());
      byte += static_cast<std::int64_t>(name.size());
      new_id[at] = next++;
      begin[next] = byte;
    });
  });

  std::vector<std::vector<std::int32_t>> map(tables.size());
  parallel_tasks(static_cast<std::int64_t>(tables.size()), [&](std::int64_t t) {
    map[t].resize(tables[t]->size());
    shards.for_names(t + 1, hashes[t + 1], [&](std::int32_t id, std::int64_t at, std::size_t shard) {
      map[t][id] = new_id[shards.begin(shard) + first[at]];
    });
  });
  merged.text_ = std::move(text);
  merged.begin_ = std::move(begin);
  merged.hash_ = {};
  return map;
}

}  // namespace gridiron
