// SPDX-License-Identifier: Apache-2.0
#include "netlist/names/node_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <mutex>
#include <optional>

#include "support/parallel_arrays.hpp"

namespace gridiron {

size_t NodeNames::slot_of(NameKey looked_up, uint32_t hash) const {
  const size_t mask = slots_.size() - 1;
  for (size_t slot = hash & mask;; slot = (slot + 1) & mask)
    if (slots_[slot] < 0 || stems_.as_looked_up(keys_[slots_[slot]]) == looked_up) return slot;
}

void NodeNames::make_slots(size_t slots) const {
  slots_.assign(slots, -1);
  const size_t mask = slots - 1;
  for (int32_t id = 0; id < static_cast<int32_t>(keys_.size()); ++id) {
    if (name_key::is_text(keys_[id])) continue;
    size_t slot = name_key::hash_of(stems_.as_looked_up(keys_[id])) & mask;
    while (slots_[slot] >= 0) slot = (slot + 1) & mask;
    slots_[slot] = id;
  }
}

void NodeNames::make_index() const {
  if (is_indexed_.load(std::memory_order_acquire)) return;
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  if (is_indexed_.load(std::memory_order_relaxed)) return;
  make_slots(std::bit_ceil(2 * keys_.size() + 16));
  is_indexed_.store(true, std::memory_order_release);
}

int32_t NodeNames::find(std::string_view name) const {
  if (has_places()) {
    if (const auto key = stems_.looked_up_key_of(name)) {
      make_index();
      return slots_[slot_of(*key, name_key::hash_of(*key))];
    }
  }
  const int32_t text = texts_.find(name);
  return text < 0 || !has_places() ? text : id_of_text_[text];
}

std::vector<int32_t> NodeNames::find_few(std::span<const std::string_view> names) const {
  if (!has_places()) return texts_.find_few(names);
  std::vector<int32_t> ids;
  for (const std::string_view name : names) ids.push_back(find(name));
  return ids;
}

NodeNames::Wanted NodeNames::wanted(std::string_view name) {
  if (!has_only_texts_)
    if (const auto key = stems_.key_of(name)) return {name, *key, name_key::hash_of(stems_.as_looked_up(*key))};
  return {name, name_key::kGround, NameTable::hash(name)};
}

int32_t NodeNames::intern(const Wanted& wanted) {
  if (stems_.has_too_many()) spell_all();
  if (name_key::is_text(wanted.key)) return intern_text(wanted.name, wanted.hash);
  if (has_only_texts_) return intern_text(wanted.name, NameTable::hash(wanted.name));
  if (!has_places()) begin_keys();
  make_index();
  if (2 * (keys_.size() + 1) > slots_.size()) make_slots(2 * slots_.size());
  const size_t slot = slot_of(stems_.as_looked_up(wanted.key), wanted.hash);
  if (slots_[slot] < 0) slots_[slot] = add(wanted.key);
  return slots_[slot];
}

int32_t NodeNames::intern_text(std::string_view name, uint32_t hash) {
  if (texts_.size() == 1 && !has_places()) texts_.reserve(expected_names_, expected_bytes_);  // beside ground
  return id_of(texts_.intern(name, hash));
}

int32_t NodeNames::add(NameKey key) {
  keys_.push_back(key);
  return static_cast<int32_t>(keys_.size()) - 1;
}

int32_t NodeNames::id_of(int32_t text) {
  if (!has_places()) return text;
  if (text == static_cast<int32_t>(id_of_text_.size())) id_of_text_.push_back(add(name_key::of_text(text)));
  return id_of_text_[text];
}

void NodeNames::begin_keys() {
  keys_.reserve(std::max<int64_t>(expected_names_, texts_.size() + 1));
  for (int32_t text = 0; text < texts_.size(); ++text) id_of_text_.push_back(add(name_key::of_text(text)));
  make_slots(std::bit_ceil(2 * keys_.capacity() + 16));
  is_indexed_.store(true);
}

void NodeNames::append(std::string_view name) {
  const auto key = has_only_texts_ ? std::nullopt : stems_.key_of(name);
  if (stems_.has_too_many()) spell_all();
  if (key && !has_only_texts_) {
    if (!has_places()) begin_keys();
    if (is_indexed_.load(std::memory_order_relaxed)) drop_index();
    add(*key);
  } else {
    texts_.append(name);
    id_of(texts_.size() - 1);
  }
}

void NodeNames::append(std::string_view stem, int64_t x, int64_t y) {
  const size_t number = name_key::has_room(x) && name_key::has_room(y) ? this->stem(stem) : name_key::kText;
  if (number == name_key::kText) return append(fmt::format("{}_{}_{}", stem, x, y));
  const NameKey key = name_key::of_place(number, x, y);
  append_keys({&key, 1});
}

void NodeNames::append_keys(std::span<const NameKey> keys) {
  if (!has_places()) begin_keys();
  if (is_indexed_.load(std::memory_order_relaxed)) drop_index();
  if (keys.size() == 1) return keys_.push_back(keys[0]);
  append_in_parallel(keys_, keys);
}

void NodeNames::shrink_to_fit() {
  texts_.shrink_to_fit();
  keys_.shrink_to_fit();
  id_of_text_.shrink_to_fit();
}

void NodeNames::expect(int64_t names, int64_t bytes) {
  expected_names_ = names;
  expected_bytes_ = bytes;
}

void NodeNames::drop_index() {
  texts_.drop_index();
  std::vector<int32_t>().swap(slots_);
  is_indexed_.store(false);
}

void NodeNames::spell_all() {
  NameTable spelled;
  for (int32_t id = 0; id < size(); ++id) spelled.append((*this)[id]);
  *this = NodeNames();
  texts_ = std::move(spelled);
  has_only_texts_ = true;
}

int64_t NodeNames::bytes() const {
  return texts_.bytes() + static_cast<int64_t>(keys_.capacity() * sizeof(keys_[0]) +
                                               (id_of_text_.capacity() + slots_.capacity()) * sizeof(slots_[0]));
}

}  // namespace gridiron
