// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include "support/copyable_flag.hpp"

namespace gridiron {

/// Names in the order of their ids, spelled as first seen; look-up ignores ASCII case, as SPICE does. Threads may look
/// up at once.
class NameTable {
 public:
  NameTable() = default;

  int32_t size() const { return static_cast<int32_t>(begin_.size()) - 1; }
  std::string_view operator[](int32_t id) const {
    return {text_.data() + begin_[id], static_cast<size_t>(begin_[id + 1] - begin_[id])};
  }

  /// Id of `name`, or −1.
  int32_t find(std::string_view name) const;

  /// The same of a few, without an index of all.
  std::vector<int32_t> find_few(std::span<const std::string_view> names) const;

  /// Id of `name`, added if new.
  int32_t intern(std::string_view name);

  /// The same in two steps, for callers with other work to hide memory latency: hash() and prefetch() first,
  /// intern(name, hash) a little later.
  static uint32_t hash(std::string_view name);
  void prefetch(uint32_t hash) const {
    if (!slots_.empty()) __builtin_prefetch(&slots_[hash & (slots_.size() - 1)]);
  }
  void prefetch_name(uint32_t hash) const {
    if (!slots_.empty()) __builtin_prefetch(text_.data() + slots_[hash & (slots_.size() - 1)].begin);
  }
  int32_t intern(std::string_view name, uint32_t hash);

  /// Lowest id of a name that intern() or merge_names() met in letters of another case, too; −1: there is none.
  int32_t in_other_case() const { return in_other_case_; }
  void note_other_case(int32_t id) {
    if (in_other_case_ < 0 || id < in_other_case_) in_other_case_ = id;
  }

  /// Adds a name that is known to be new.
  void append(std::string_view name);
  void shrink_to_fit();

  /// Reserves space for about `names` names of about `bytes` bytes in total.
  void reserve(int64_t names, int64_t bytes);

  /// Frees what look-ups need until there is one again.
  void drop_index();

  int64_t bytes() const;

 private:
  friend std::vector<std::vector<int32_t>> merge_names(std::span<NameTable* const>, NameTable&);

  /// Holds the position of its name in text_, so that a look-up touches two cache lines: the slot's and the text's.
  struct Slot {
    uint32_t hash;
    int32_t id;  ///< −1 if free
    uint64_t begin : 40, length : 24;
  };
  static constexpr uint64_t kLongestInSlot = (uint64_t{1} << 24) - 1;  ///< longer names: see begin_
  static Slot make_slot(uint32_t hash, int32_t id, int64_t begin, size_t length) {
    return {hash, id, static_cast<uint64_t>(begin), length < kLongestInSlot ? length : kLongestInSlot};
  }
  std::string_view name_in(const Slot& slot) const {
    return slot.length == kLongestInSlot ? (*this)[slot.id] : std::string_view(text_.data() + slot.begin, slot.length);
  }
  template <class Note>
  size_t slot_of(std::string_view name, uint32_t hash, Note&& in_other_case) const;
  void add(std::string_view name, uint32_t hash, size_t slot);
  void grow(size_t slots);
  size_t wanted_slots() const;
  void make_hashes() const;
  void make_index() const;
  void ensure_room();

  std::vector<char> text_;
  std::vector<int64_t> begin_{0};
  mutable std::vector<uint32_t> hash_;  ///< per name; as the next one, built on demand after merge_names()
  mutable std::vector<Slot> slots_;     ///< open addressing, size a power of two
  mutable CopyableFlag is_indexed_;     ///< slots_ holds every name
  int32_t in_other_case_ = -1;
};

/// Interns the names of several tables, in order, into `merged` (which may hold names already): gives the same result
/// as interning every name in sequence, but runs on all threads. The tables are distinct, and none of them is `merged`.
/// Returns per table the map from its ids to ids of `merged`.
std::vector<std::vector<int32_t>> merge_names(std::span<NameTable* const> tables, NameTable& merged);

/// Whether two names are the same, letters in the same case: for short ones and such that differ in their first
/// letters.
inline bool is_spelled(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  const char *p = a.data(), *q = b.data();
  size_t left = a.size();
  const auto load = [](const char* from) {
    uint64_t word;
    std::memcpy(&word, from, 8);
    return word;
  };
  if (left >= 8) {
    for (; left > 8; left -= 8, p += 8, q += 8)
      if (load(p) != load(q)) return false;
    return load(p + left - 8) == load(q + left - 8);
  }
  for (; left > 0; --left)
    if (*p++ != *q++) return false;
  return true;
}

/// True if the names are the same to SPICE.
bool same_name(std::string_view a, std::string_view b);

}  // namespace gridiron
