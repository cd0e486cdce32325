// SPDX-License-Identifier: Apache-2.0
#include "analysis/distributed/node_index.hpp"

#include <algorithm>
#include <bit>

#include "support/error.hpp"

namespace gridiron::distributed {
namespace {

constexpr int kLeastSlotBits = 10, kMostSlotBits = 31;

}  // namespace

void NodeIndex::reserve(size_t nodes) {
  spelled_.reserve(nodes);
  resize(std::max(kLeastSlotBits, static_cast<int>(std::bit_width(3 * nodes / 2))));
}

void NodeIndex::resize(int slot_bits) {
  if (slot_bits > kMostSlotBits) throw ResourceError("too many nodes for one process; start more");
  slot_bits_ = slot_bits;
  slots_.assign(size_t{1} << slot_bits, 0);
  for (size_t n = 0; n < spelled_.size(); ++n) {
    if (name_key::is_text(spelled_[n])) continue;
    const uint32_t h = name_key::hash_of(stems_->as_looked_up(spelled_[n]));
    size_t slot = slot_of(h);
    while (slots_[slot] != 0) slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = h << slot_bits_ | static_cast<uint32_t>(n + 1);
  }
}

size_t NodeIndex::find_slot(NameKey looked_up, uint32_t hash) const {
  size_t slot = slot_of(hash);
  for (; slots_[slot] != 0; slot = (slot + 1) & (slots_.size() - 1))
    if ((slots_[slot] ^ hash << slot_bits_) >> slot_bits_ == 0 &&
        stems_->as_looked_up(spelled_[number_in(slot)]) == looked_up)
      break;
  return slot;
}

int32_t NodeIndex::intern(NameKey key) {
  if (3 * spelled_.size() >= 2 * slots_.size()) resize(std::max(kLeastSlotBits, slot_bits_ + 1));
  const NameKey looked_up = stems_->as_looked_up(key);
  const uint32_t h = name_key::hash_of(looked_up);
  const size_t slot = find_slot(looked_up, h);
  if (slots_[slot] != 0) return number_in(slot);
  spelled_.push_back(key);
  slots_[slot] = h << slot_bits_ | static_cast<uint32_t>(size());
  return size() - 1;
}

int32_t NodeIndex::find(NameKey key) const {
  if (slots_.empty()) return -1;
  const NameKey looked_up = stems_->as_looked_up(key);
  return number_in(find_slot(looked_up, name_key::hash_of(looked_up)));
}

int32_t NodeIndex::intern(std::string_view text) {
  const int32_t id = texts_.intern(text);
  if (id == static_cast<int32_t>(number_of_text_.size())) {
    number_of_text_.push_back(size());
    spelled_.push_back(name_key::of_text(id));
  }
  return number_of_text_[id];
}

void NodeIndex::respell(int32_t number, std::string_view text) {
  const int32_t id = name_key::text_of(spelled_[number]);
  if (this->text(spelled_[number]) != text) respelled_.insert_or_assign(id, std::string(text));
}

int32_t NodeIndex::find(std::string_view text) const {
  const int32_t id = texts_.find(text);
  return id < 0 ? id : number_of_text_[id];
}

void NodeIndex::put(int32_t number, Writer& message) const {
  const NameKey key = spelled_[number];
  message.put(key);
  if (name_key::is_text(key)) message.put(text(key));
}

int32_t NodeIndex::intern(Reader& message) {
  const auto key = message.take<NameKey>();
  return name_key::is_text(key) ? intern(message.text()) : intern(key);
}

int32_t NodeIndex::find(Reader& message) const {
  const auto key = message.take<NameKey>();
  return name_key::is_text(key) ? find(message.text()) : find(key);
}

SpelledName NodeIndex::name(int32_t number) const {
  const NameKey key = spelled_[number];
  return name_key::is_text(key) ? SpelledName(text(key)) : SpelledName(key, *stems_);
}

}  // namespace gridiron::distributed
