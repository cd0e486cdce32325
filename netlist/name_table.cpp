// SPDX-License-Identifier: Apache-2.0
#include "netlist/name_table.hpp"

#include <cstring>
#include <mutex>

#include "support/parallel.hpp"

namespace gridiron {
namespace {

constexpr std::uint64_t kLowerCase = 0x2020202020202020u;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

/// Hash that ignores case: bit 5 is set in every byte, so a few other characters collide too, which is harmless.
std::uint32_t hash_of(std::string_view name) {
  const char* p = name.data();
  std::size_t left = name.size();
  std::uint64_t h = left * 0x9e3779b97f4a7c15u;
  const auto mix = [&h](std::uint64_t word) {
    h = (h ^ (word | kLowerCase)) * 0xff51afd7ed558ccdu;
    h ^= h >> 32;
  };
  std::uint64_t word;
  for (; left >= 8; left -= 8, p += 8) {
    std::memcpy(&word, p, 8);
    mix(word);
  }
  if (left > 0) {
    word = 0;
    std::memcpy(&word, p, left);
    mix(word);
  }
  h *= 0xc4ceb9fe1a85ec53u;
  return static_cast<std::uint32_t>(h >> 32);
}

/// same_name() for the hot path: most names are short and spelled alike.
inline bool equal(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  const char *p = a.data(), *q = b.data();
  std::size_t left = a.size();
  const auto load = [](const char* from) {
    std::uint64_t word;
    std::memcpy(&word, from, 8);
    return word;
  };
  if (left >= 8) {
    for (; left > 8; left -= 8, p += 8, q += 8)
      if (load(p) != load(q)) return same_name(a, b);
    if (load(p + left - 8) == load(q + left - 8)) return true;
    return same_name(a, b);
  }
  for (; left > 0; --left)
    if (*p++ != *q++) return same_name(a, b);
  return true;
}

}  // namespace

bool same_name(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  if (std::memcmp(a.data(), b.data(), a.size()) == 0) return true;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (lower(a[i]) != lower(b[i])) return false;
  return true;
}

std::size_t NameTable::slot_of(std::string_view name, std::uint32_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t slot = hash & mask;; slot = (slot + 1) & mask) {
    const Slot& s = slots_[slot];
    if (s.id < 0 || (s.hash == hash && equal(name_in(s), name))) return slot;
  }
}

void NameTable::grow(std::size_t slots) {
  std::vector<Slot> old(slots, Slot{0, -1, 0, 0});
  old.swap(slots_);
  const std::size_t mask = slots - 1;
  for (const Slot& s : old) {
    if (s.id < 0) continue;
    std::size_t slot = s.hash & mask;
    while (slots_[slot].id >= 0) slot = (slot + 1) & mask;
    slots_[slot] = s;
  }
}

std::size_t NameTable::wanted_slots() const {
  std::size_t slots = 16;
  while (slots < 2 * static_cast<std::size_t>(size() + 1)) slots *= 2;
  return slots;
}

void NameTable::make_index() const {
  if (is_indexed_.load(std::memory_order_acquire)) return;
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  if (is_indexed_.load(std::memory_order_relaxed)) return;
  slots_.assign(wanted_slots(), Slot{0, -1, 0, 0});
  const std::size_t mask = slots_.size() - 1;
  for (std::int32_t id = 0; id < size(); ++id) {
    const std::uint32_t hash = hash_[id];
    std::size_t slot = hash & mask;
    while (slots_[slot].id >= 0) slot = (slot + 1) & mask;
    slots_[slot] = make_slot(hash, id, begin_[id], (*this)[id].size());
  }
  is_indexed_.store(true, std::memory_order_release);
}

void NameTable::ensure_room() {
  make_index();
  const std::size_t slots = wanted_slots();
  if (slots_.size() < slots) grow(slots);
}

void NameTable::add(std::string_view name, std::uint32_t hash, std::size_t slot) {
  slots_[slot] = make_slot(hash, size(), begin_.back(), name.size());
  text_.insert(text_.end(), name.begin(), name.end());
  begin_.push_back(static_cast<std::int64_t>(text_.size()));
  hash_.push_back(hash);
}

std::int32_t NameTable::find(std::string_view name) const {
  make_index();
  return slots_[slot_of(name, hash_of(name))].id;
}

std::uint32_t NameTable::hash(std::string_view name) { return hash_of(name); }

std::int32_t NameTable::intern(std::string_view name) { return intern(name, hash_of(name)); }

std::int32_t NameTable::intern(std::string_view name, std::uint32_t hash) {
  if (2 * begin_.size() > slots_.size()) ensure_room();
  const std::size_t slot = slot_of(name, hash);
  if (slots_[slot].id < 0) add(name, hash, slot);
  return slots_[slot].id;
}

void NameTable::reserve(std::int64_t names, std::int64_t bytes) {
  begin_.reserve(names + 1);
  hash_.reserve(names);
  text_.reserve(bytes);
}

std::int64_t NameTable::bytes() const {
  return static_cast<std::int64_t>(text_.capacity() + begin_.capacity() * sizeof(begin_[0]) +
                                   hash_.capacity() * sizeof(hash_[0]) + slots_.capacity() * sizeof(Slot));
}

// Names are distributed to shards by hash; one task per shard finds the first occurrence of each name. Ids follow from
// the rank of the first occurrences, so they do not depend on how names are distributed over tables or threads.
std::vector<std::vector<std::int32_t>> merge_names(std::span<const NameTable* const> tables, NameTable& merged) {
  struct Occurrence {
    std::int32_t table, id;
  };
  constexpr int kShards = 64;
  const auto count = static_cast<std::int64_t>(tables.size());
  std::vector<std::vector<Occurrence>> first(
      tables.size());  // per table and name: its first occurrence, table −1: merged
  std::vector<std::vector<std::int32_t>> by_shard(tables.size());  // ids of a table, shard after shard
  std::vector<std::vector<std::int32_t>> shard_begin(tables.size());
  parallel_tasks(count, [&](std::int64_t t) {
    const NameTable& table = *tables[t];
    first[t].resize(table.size());
    by_shard[t].resize(table.size());
    std::vector<std::int32_t> start(kShards + 1, 0);
    for (const std::uint32_t h : table.hash_) ++start[(h >> 26) + 1];
    for (int s = 0; s < kShards; ++s) start[s + 1] += start[s];
    std::vector<std::int32_t> cursor(start.begin(), start.end() - 1);
    for (std::int32_t id = 0; id < table.size(); ++id) by_shard[t][cursor[table.hash_[id] >> 26]++] = id;
    shard_begin[t] = std::move(start);
  });

  const bool has_names = merged.size() > 0;
  if (has_names) merged.make_index();
  parallel_tasks(kShards, [&](std::int64_t shard) {
    std::size_t names = 0;
    for (std::int64_t t = 0; t < count; ++t) names += shard_begin[t][shard + 1] - shard_begin[t][shard];
    std::size_t size = 16;
    while (size < 2 * names) size *= 2;
    std::vector<Occurrence> slots(size, Occurrence{-1, -1});
    for (std::int32_t t = 0; t < count; ++t) {
      for (std::int32_t k = shard_begin[t][shard]; k < shard_begin[t][shard + 1]; ++k) {
        const std::int32_t id = by_shard[t][k];
        const std::string_view name = (*tables[t])[id];
        const std::uint32_t hash = tables[t]->hash_[id];
        if (has_names) {
          const std::int32_t known = merged.slots_[merged.slot_of(name, hash)].id;
          if (known >= 0) {
            first[t][id] = {-1, known};
            continue;
          }
        }
        std::size_t slot = hash & (size - 1);
        for (; slots[slot].table >= 0; slot = (slot + 1) & (size - 1)) {
          const Occurrence& o = slots[slot];
          if (tables[o.table]->hash_[o.id] == hash && equal((*tables[o.table])[o.id], name)) break;
        }
        if (slots[slot].table < 0) slots[slot] = {t, id};
        first[t][id] = slots[slot];
      }
    }
  });

  // Ids and text positions of the new names.
  std::vector<std::vector<std::int32_t>> map(tables.size());
  std::vector<std::int32_t> first_id(tables.size() + 1, merged.size());
  std::vector<std::int64_t> first_byte(tables.size() + 1, static_cast<std::int64_t>(merged.text_.size()));
  std::vector<std::int64_t> new_names(tables.size()), new_bytes(tables.size());
  parallel_tasks(count, [&](std::int64_t t) {
    for (std::int32_t id = 0; id < tables[t]->size(); ++id) {
      if (first[t][id].table != t || first[t][id].id != id) continue;
      ++new_names[t];
      new_bytes[t] += static_cast<std::int64_t>((*tables[t])[id].size());
    }
  });
  for (std::int64_t t = 0; t < count; ++t) {
    first_id[t + 1] = first_id[t] + static_cast<std::int32_t>(new_names[t]);
    first_byte[t + 1] = first_byte[t] + new_bytes[t];
  }
  merged.text_.resize(first_byte[count]);
  merged.begin_.resize(first_id[count] + 1);
  merged.hash_.resize(first_id[count]);
  merged.slots_.clear();
  merged.is_indexed_.store(false);
  parallel_tasks(count, [&](std::int64_t t) {
    map[t].resize(tables[t]->size());
    std::int32_t next = first_id[t];
    std::int64_t byte = first_byte[t];
    for (std::int32_t id = 0; id < tables[t]->size(); ++id) {
      if (first[t][id].table != t || first[t][id].id != id) continue;
      const std::string_view name = (*tables[t])[id];
      std::memcpy(merged.text_.data() + byte, name.data(), name.size());
      byte += static_cast<std::int64_t>(name.size());
      merged.hash_[next] = tables[t]->hash_[id];
      map[t][id] = next++;
      merged.begin_[next] = byte;
    }
  });
  parallel_tasks(count, [&](std::int64_t t) {
    for (std::int32_t id = 0; id < tables[t]->size(); ++id) {
      const Occurrence o = first[t][id];
      if (o.table < 0) {
        map[t][id] = o.id;
      } else if (o.table != t || o.id != id) {
        map[t][id] = map[o.table][o.id];
      }
    }
  });
  return map;
}

}  // namespace gridiron
