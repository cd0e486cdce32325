// SPDX-License-Identifier: Apache-2.0
#include "netlist/names/name_table.hpp"
#include "netlist/names/lower_case.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <mutex>

namespace gridiron {
namespace {

constexpr uint64_t kLowerCase = 0x2020202020202020u;

/// Hash that ignores case: bit 5 is set in every byte, so a few other characters collide too, which is harmless.
uint32_t hash_of(std::string_view name) {
  const char* p = name.data();
  size_t left = name.size();
  uint64_t h = left * 0x9e3779b97f4a7c15u;
  const auto mix = [&h](uint64_t word) {
    h = (h ^ (word | kLowerCase)) * 0xff51afd7ed558ccdu;
    h ^= h >> 32;
  };
  const auto load = [](const char* from, auto word) {
    std::memcpy(&word, from, sizeof word);
    return uint64_t{word};
  };
  if (left >= 8) {
    for (; left > 8; left -= 8, p += 8) mix(load(p, uint64_t{}));
    mix(load(p + left - 8, uint64_t{}));
  } else if (left >= 4) {
    mix(load(p, uint32_t{}) << 32 | load(p + left - 4, uint32_t{}));
  } else if (left > 0) {
    mix(load(p, uint8_t{}) << 16 | load(p + left / 2, uint8_t{}) << 8 | load(p + left - 1, uint8_t{}));
  }
  h *= 0xc4ceb9fe1a85ec53u;
  return static_cast<uint32_t>(h >> 32);
}

}  // namespace

bool same_name(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  if (std::memcmp(a.data(), b.data(), a.size()) == 0) return true;
  for (size_t i = 0; i < a.size(); ++i)
    if (lower(a[i]) != lower(b[i])) return false;
  return true;
}

template <class Note>
inline size_t NameTable::slot_of(std::string_view name, uint32_t hash, Note&& in_other_case) const {
  const size_t mask = slots_.size() - 1;
  for (size_t slot = hash & mask;; slot = (slot + 1) & mask) {
    const Slot& s = slots_[slot];
    if (s.id < 0) return slot;
    if (s.hash != hash) continue;
    if (is_spelled(name_in(s), name)) return slot;
    if (!same_name(name_in(s), name)) continue;
    in_other_case(s.id);
    return slot;
  }
}

void NameTable::grow(size_t slots) {
  std::vector<Slot> old(slots, Slot{0, -1, 0, 0});
  old.swap(slots_);
  const size_t mask = slots - 1;
  for (const Slot& s : old) {
    if (s.id < 0) continue;
    size_t slot = s.hash & mask;
    while (slots_[slot].id >= 0) slot = (slot + 1) & mask;
    slots_[slot] = s;
  }
}

size_t NameTable::wanted_slots() const {
  size_t slots = 16;
  while (slots < 2 * static_cast<size_t>(size() + 1)) slots *= 2;
  return slots;
}

void NameTable::make_hashes() const {
  for (auto id = static_cast<int32_t>(hash_.size()); id < size(); ++id) hash_.push_back(hash_of((*this)[id]));
}

void NameTable::make_index() const {
  if (is_indexed_.load(std::memory_order_acquire)) return;
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  if (is_indexed_.load(std::memory_order_relaxed)) return;
  make_hashes();
  slots_.assign(wanted_slots(), Slot{0, -1, 0, 0});
  const size_t mask = slots_.size() - 1;
  for (int32_t id = 0; id < size(); ++id) {
    const uint32_t hash = hash_[id];
    size_t slot = hash & mask;
    while (slots_[slot].id >= 0) slot = (slot + 1) & mask;
    slots_[slot] = make_slot(hash, id, begin_[id], (*this)[id].size());
  }
  is_indexed_.store(true, std::memory_order_release);
}

void NameTable::ensure_room() {
  make_index();
  const size_t slots = wanted_slots();
  if (slots_.size() < slots) grow(slots);
}

void NameTable::drop_index() {
  std::vector<Slot>().swap(slots_);
  is_indexed_.store(false);
}

void NameTable::add(std::string_view name, uint32_t hash, size_t slot) {
  slots_[slot] = make_slot(hash, size(), begin_.back(), name.size());
  text_.insert(text_.end(), name.begin(), name.end());
  begin_.push_back(std::ssize(text_));
  hash_.push_back(hash);
}

int32_t NameTable::find(std::string_view name) const {
  make_index();
  return slots_[slot_of(name, hash_of(name), [](int32_t) {})].id;
}

std::vector<int32_t> NameTable::find_few(std::span<const std::string_view> names) const {
  constexpr int64_t kLongest = 63;
  uint64_t is_long = 0;  // a bit for each length that one of them has
  for (const std::string_view name : names) is_long |= uint64_t{1} << std::min(std::ssize(name), kLongest);
  std::vector<int32_t> ids(names.size(), -1);
  for (int32_t id = 0; id < size(); ++id) {
    if ((is_long >> std::min(begin_[id + 1] - begin_[id], kLongest) & 1) == 0) continue;
    for (size_t i = 0; i < names.size(); ++i)
      if (ids[i] < 0 && same_name((*this)[id], names[i])) ids[i] = id;
  }
  return ids;
}

uint32_t NameTable::hash(std::string_view name) { return hash_of(name); }

int32_t NameTable::intern(std::string_view name) { return intern(name, hash_of(name)); }

int32_t NameTable::intern(std::string_view name, uint32_t hash) {
  if (2 * begin_.size() > slots_.size()) ensure_room();
  const size_t slot = slot_of(name, hash, [this](int32_t id) { note_other_case(id); });
  if (slots_[slot].id < 0) add(name, hash, slot);
  return slots_[slot].id;
}

void NameTable::append(std::string_view name) {
  if (is_indexed_.load(std::memory_order_relaxed)) drop_index();
  text_.insert(text_.end(), name.begin(), name.end());
  begin_.push_back(std::ssize(text_));
}

void NameTable::shrink_to_fit() {
  text_.shrink_to_fit();
  begin_.shrink_to_fit();
  hash_.shrink_to_fit();
}

void NameTable::reserve(int64_t names, int64_t bytes) {
  begin_.reserve(names + 1);
  hash_.reserve(names);
  text_.reserve(bytes);
  make_index();
  if (const size_t slots = std::bit_ceil(static_cast<size_t>(2 * names + 2)); slots > slots_.size()) grow(slots);
}

int64_t NameTable::bytes() const {
  return static_cast<int64_t>(text_.capacity() + begin_.capacity() * sizeof(begin_[0]) +
                              hash_.capacity() * sizeof(hash_[0]) + slots_.capacity() * sizeof(Slot));
}

}  // namespace gridiron
