// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/core.h>

#include <cstdint>
#include <ostream>
#include <span>
#include <string_view>
#include <vector>

#include "netlist/names/name_key.hpp"
#include "netlist/names/name_table.hpp"
#include "support/copyable_flag.hpp"

namespace gridiron {

/// The name of a node as text. It may hold its characters itself: no view of it outlives it.
class SpelledName {
 public:
  explicit SpelledName(std::string_view stored) : stored_(stored.data()), size_(stored.size()) {}
  SpelledName(NameKey key, const NameStems& stems) : size_(static_cast<size_t>(stems.spell(key, room_) - room_)) {}

  std::string_view view() const { return {stored_ ? stored_ : room_, size_}; }
  operator std::string_view() const { return view(); }

  friend bool operator==(const SpelledName& a, const SpelledName& b) { return a.view() == b.view(); }
  friend bool operator==(const SpelledName& a, std::string_view b) { return a.view() == b; }
  friend std::ostream& operator<<(std::ostream& out, const SpelledName& name) { return out << name.view(); }

 private:
  const char* stored_ = nullptr;  ///< null: the name is in room_
  size_t size_;
  char room_[NameStems::kLongestName];
};

/// The names of nodes in the order of their ids, spelled as first seen; look-up ignores ASCII case, as SPICE does.
/// Those that tell a place are kept as numbers of eight bytes, unless they have more stems than such numbers tell
/// apart. Threads may look up at once.
class NodeNames {
 public:
  int32_t size() const { return has_places() ? static_cast<int32_t>(keys_.size()) : texts_.size(); }
  SpelledName operator[](int32_t id) const {
    const NameKey key = this->key(id);
    return name_key::is_text(key) ? SpelledName(texts_[name_key::text_of(key)]) : SpelledName(key, stems_);
  }

  /// Whether some name tells a place; if none does, ids of texts are those of the names.
  bool has_places() const { return !keys_.empty(); }
  NameKey key(int32_t id) const { return has_places() ? keys_[id] : name_key::of_text(id); }
  const NameStems& stems() const { return stems_; }
  const NameTable& texts() const { return texts_; }

  /// Id of `name`, or −1.
  int32_t find(std::string_view name) const;

  /// The same of a few, without an index of all where no name tells a place.
  std::vector<int32_t> find_few(std::span<const std::string_view> names) const;

  /// Id of `name`, added if new.
  int32_t intern(std::string_view name) { return intern(wanted(name)); }

  /// The same in steps, for callers with other work to hide memory latency.
  struct Wanted {
    std::string_view name;
    NameKey key;  ///< kGround: a text
    uint32_t hash;
  };
  Wanted wanted(std::string_view name);
  void prefetch(const Wanted& wanted) const {
    if (name_key::is_text(wanted.key)) return texts_.prefetch(wanted.hash);
    if (!slots_.empty()) __builtin_prefetch(&slots_[wanted.hash & (slots_.size() - 1)]);
  }
  void prefetch_name(const Wanted& wanted) const {
    if (name_key::is_text(wanted.key)) texts_.prefetch_name(wanted.hash);
  }
  int32_t intern(const Wanted& wanted);

  /// Id of a name that was met in letters of another case, too; −1: none is known. Of names that tell a place
  /// NameStems::in_other_case() tells.
  int32_t in_other_case() const {
    const int32_t text = texts_.in_other_case();
    return text < 0 || !has_places() ? text : id_of_text_[text];
  }

  /// Of a name that is here, if it is.
  void note_other_case(std::string_view name) {
    if (const int32_t text = texts_.find(name); text >= 0) texts_.note_other_case(text);
  }

  /// Adds a name that is known to be new.
  void append(std::string_view name);
  /// The same of STEM_X_Y.
  void append(std::string_view stem, int64_t x, int64_t y);
  /// Number of a stem for append_keys(), given now if it has none; name_key::kText where names with it are texts.
  size_t stem(std::string_view stem) { return has_only_texts_ ? name_key::kText : stems_.add(stem); }
  /// Adds names that tell a place, known to be new, by their keys.
  void append_keys(std::span<const NameKey> keys);
  void shrink_to_fit();

  /// What to reserve space for once it is known of what kind they are: about `names` names of about `bytes` bytes.
  void expect(int64_t names, int64_t bytes);

  /// Frees what look-ups need until there is one again.
  void drop_index();

  int64_t bytes() const;

 private:
  friend std::vector<std::vector<int32_t>> merge_names(std::span<NodeNames* const>, NodeNames&);

  size_t slot_of(NameKey looked_up, uint32_t hash) const;
  int32_t add(NameKey key);
  int32_t id_of(int32_t text);
  int32_t intern_text(std::string_view name, uint32_t hash);
  void begin_keys();
  void make_index() const;
  void make_slots(size_t slots) const;
  /// Makes texts of all names, now and from now on.
  void spell_all();

  NameStems stems_;
  NameTable texts_;
  std::vector<NameKey> keys_;        ///< by id; empty if all names are texts
  std::vector<int32_t> id_of_text_;  ///< likewise
  int64_t expected_names_ = 0, expected_bytes_ = 0;
  bool has_only_texts_ = false;         ///< as there are too many stems
  mutable std::vector<int32_t> slots_;  ///< ids of names that tell a place: open addressing, −1 free
  mutable CopyableFlag is_indexed_;     ///< slots_ holds every such name
};

/// As that of NameTable.
std::vector<std::vector<int32_t>> merge_names(std::span<NodeNames* const> tables, NodeNames& merged);

}  // namespace gridiron

/// @cond Doxygen does not know what this specializes.
template <>
struct fmt::formatter<gridiron::SpelledName> {
  constexpr auto parse(format_parse_context& context) { return context.begin(); }
  auto format(const gridiron::SpelledName& name, format_context& context) const {
    return fmt::format_to(context.out(), "{}", name.view());
  }
};
/// @endcond
