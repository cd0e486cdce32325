// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>

#include "netlist/names/first_occurrences.hpp"
#include "netlist/names/name_table.hpp"
#include "netlist/names/node_names.hpp"
#include "support/lists.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron {
namespace {

/// `word` with its ASCII letters in lower case.
uint64_t lower_case(uint64_t word) {
  constexpr uint64_t kEach = 0x0101010101010101u, kHigh = 0x80 * kEach;
  const uint64_t low = word & ~kHigh;
  const uint64_t from_a = low + (0x80 - 'A') * kEach, beyond_z = low + (0x7f - 'Z') * kEach;
  return word | ((from_a ^ beyond_z) & ~word & kHigh) >> 2;
}

/// The beginning of a name in lower case, padded with zeros: of up to 23 bytes that is the name.
struct Head {
  uint64_t words[3];

  Head() = default;
  explicit Head(std::string_view name) : words{} {
    std::memcpy(words, name.data(), std::min(name.size(), sizeof words));
    for (uint64_t& word : words) word = lower_case(word);
  }
  bool operator==(const Head&) const = default;
  bool is_whole() const { return reinterpret_cast<const char*>(words)[sizeof words - 1] == 0; }
};

/// The texts of tables; see FirstOccurrences.
struct Texts {
  std::span<NameTable* const> tables;
  std::span<const std::span<const uint32_t>> hashes;

  struct Item {
    Head head;
    uint32_t hash_of_name;
    int32_t id;
    uint32_t hash() const { return hash_of_name; }
  };
  int32_t size(int64_t t) const { return tables[t]->size(); }
  uint32_t hash(int64_t t, int32_t id) const { return hashes[t][id]; }
  Item item(int64_t t, int32_t id) const { return {Head((*tables[t])[id]), hashes[t][id], id}; }
  template <class TableOf>
  bool same(const Item& a, const TableOf& table_of_a, const Item& b, const TableOf& table_of_b) const {
    return a.hash_of_name == b.hash_of_name && a.head == b.head &&
           (a.head.is_whole() || same_name((*tables[table_of_a()])[a.id], (*tables[table_of_b()])[b.id]));
  }
};

/// The keys of tables with the numbers that stems and texts have in all of them.
struct Keys {
  struct Table {
    const NodeNames* names;
    int32_t size;                       ///< before texts are merged
    std::vector<size_t> stem;           ///< by its number in the table
    const std::vector<int32_t>* texts;  ///< likewise; null: as they are
  };
  std::vector<Table> tables;
  const NameStems& stems;

  NameKey spelled(int64_t t, int32_t id) const {
    const Table& table = tables[t];
    const NameKey key = table.names->key(id);
    if (!name_key::is_text(key)) return name_key::with_stem(key, table.stem[name_key::stem_of(key)]);
    return table.texts ? name_key::of_text((*table.texts)[name_key::text_of(key)]) : key;
  }

  struct Item {
    NameKey looked_up;
    uint32_t hash() const { return name_key::hash_of(looked_up); }
  };
  int32_t size(int64_t t) const { return tables[t].size; }
  uint32_t hash(int64_t t, int32_t id) const { return item(t, id).hash(); }
  Item item(int64_t t, int32_t id) const {
    const NameKey key = spelled(t, id);
    return {name_key::is_text(key) ? key : stems.as_looked_up(key)};
  }
  template <class TableOf>
  bool same(const Item& a, const TableOf&, const Item& b, const TableOf&) const {
    return a.looked_up == b.looked_up;
  }
};

}  // namespace

std::vector<std::vector<int32_t>> merge_names(std::span<NameTable* const> tables, NameTable& merged) {
  std::vector<NameTable*> all{&merged};
  append(all, tables);
  const auto count = std::ssize(all);
  std::vector<std::span<const uint32_t>> hashes(all.size());
  parallel_tasks(count, [&](int64_t t) {
    all[t]->drop_index();
    all[t]->make_hashes();
    hashes[t] = all[t]->hash_;
  });
  const Texts items{all, hashes};
  const FirstOccurrences<Texts> names(count, items);

  std::vector<int64_t> first_byte(count + 1, 0);
  parallel_tasks(count, [&](int64_t t) {
    int64_t bytes = 0;
    names.for_first(t, [&](int32_t id, int32_t) { bytes += std::ssize((*all[t])[id]); });
    first_byte[t + 1] = bytes;
  });
  for (int64_t t = 0; t < count; ++t) first_byte[t + 1] += first_byte[t];

  std::vector<char> text;
  std::vector<int64_t> begin;
  make_room_in_parallel(text, first_byte[count]);
  assign_in_parallel(begin, int64_t{names.count()} + 1);
  parallel_tasks(count, [&](int64_t t) {
    int64_t byte = first_byte[t];
    names.for_first(t, [&](int32_t id, int32_t number) {
      const std::string_view name = (*all[t])[id];
      std::memcpy(text.data() + byte, name.data(), name.size());
      byte += std::ssize(name);
      begin[number + 1] = byte;
    });
  });

  std::vector<std::vector<int32_t>> map(tables.size());
  std::vector<int32_t> in_other_case(tables.size(), -1);
  parallel_tasks(std::ssize(tables), [&](int64_t t) {
    map[t] = names.numbers(t + 1);
    const NameTable& table = *tables[t];
    NameTable noted;
    if (table.in_other_case_ >= 0) noted.note_other_case(map[t][table.in_other_case_]);
    for (int32_t id = 0; id < table.size(); ++id) {
      const int32_t number = map[t][id];
      if (number >= names.first_number(t + 1)) continue;  // it is spelled as here
      const std::string_view first(text.data() + begin[number], static_cast<size_t>(begin[number + 1] - begin[number]));
      if (first != table[id]) noted.note_other_case(number);
    }
    in_other_case[t] = noted.in_other_case_;
  });
  for (const int32_t number : in_other_case)
    if (number >= 0) merged.note_other_case(number);
  merged.text_ = std::move(text);
  merged.begin_ = std::move(begin);
  merged.hash_ = {};
  return map;
}

std::vector<std::vector<int32_t>> merge_names(std::span<NodeNames* const> tables, NodeNames& merged) {
  std::vector<NodeNames*> all{&merged};
  append(all, tables);
  const auto count = std::ssize(all);
  parallel_tasks(count, [&](int64_t t) { all[t]->drop_index(); });
  std::vector<std::vector<size_t>> stem(all.size());
  bool are_too_many = false, has_places = false;
  for (int64_t t = 0; t < count; ++t) {
    for (const std::string& name : all[t]->stems_.names()) stem[t].push_back(merged.stems_.add(name));
    are_too_many =
        are_too_many || all[t]->has_only_texts_ || all[t]->stems_.has_too_many() || merged.stems_.has_too_many();
    has_places = has_places || all[t]->has_places();
  }
  if (are_too_many) parallel_tasks(count, [&](int64_t t) { all[t]->spell_all(); });

  const int32_t known = merged.size();
  std::vector<NameTable*> texts;
  for (NodeNames* const table : tables) texts.push_back(&table->texts_);
  std::vector<std::vector<int32_t>> text = merge_names(texts, merged.texts_);
  if (are_too_many || !has_places) return text;

  Keys items{{}, merged.stems_};
  for (int64_t t = 0; t < count; ++t)
    items.tables.push_back(
        {all[t], t == 0 ? known : all[t]->size(), std::move(stem[t]), t == 0 ? nullptr : &text[t - 1]});
  const FirstOccurrences<Keys> names(count, items);
  std::vector<NameKey> keys;
  std::vector<int32_t> id_of_text(merged.texts_.size());
  make_room_in_parallel(keys, names.count());
  parallel_tasks(count, [&](int64_t t) {
    names.for_first(t, [&](int32_t id, int32_t number) {
      const NameKey key = keys[number] = items.spelled(t, id);
      if (name_key::is_text(key)) id_of_text[name_key::text_of(key)] = number;
    });
  });
  std::vector<std::vector<int32_t>> map(tables.size());
  parallel_tasks(std::ssize(tables), [&](int64_t t) { map[t] = names.numbers(t + 1); });
  merged.keys_ = std::move(keys);
  merged.id_of_text_ = std::move(id_of_text);
  return map;
}

}  // namespace gridiron
