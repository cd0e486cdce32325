// SPDX-License-Identifier: Apache-2.0
#include "analysis/distributed/node_index.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace gridiron::distributed {

void NodeIndex::reserve(std::size_t nodes) {
  spelled_.reserve(nodes);
  resize(std::bit_ceil(3 * nodes / 2 + 1));
}

void NodeIndex::resize(std::size_t slots) {
  std::vector<Slot> old(slots, Slot{0, -1});
  old.swap(slots_);
  free_bits_ = 64 - std::countr_zero(slots);
  for (const Slot& moved : old) {
    if (moved.number < 0) continue;
    std::size_t slot = slot_of(moved.key);
    while (slots_[slot].number >= 0) slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = moved;
  }
}

std::int32_t NodeIndex::intern(Key key) {
  if (3 * spelled_.size() >= 2 * slots_.size()) resize(std::max<std::size_t>(1024, 2 * slots_.size()));
  const Key looked_up = stems_->as_looked_up(key);
  std::size_t slot = slot_of(looked_up);
  for (; slots_[slot].number >= 0; slot = (slot + 1) & (slots_.size() - 1))
    if (slots_[slot].key == looked_up) return slots_[slot].number;
  slots_[slot] = {looked_up, size()};
  spelled_.push_back(key);
  return size() - 1;
}

std::int32_t NodeIndex::find(Key key) const {
  if (slots_.empty()) return -1;
  const Key looked_up = stems_->as_looked_up(key);
  std::size_t slot = slot_of(looked_up);
  while (slots_[slot].number >= 0 && slots_[slot].key != looked_up) slot = (slot + 1) & (slots_.size() - 1);
  return slots_[slot].number;
}

std::int32_t NodeIndex::intern(std::string_view text) {
  const std::int32_t id = texts_.intern(text);
  if (id == static_cast<std::int32_t>(number_of_text_.size())) {
    number_of_text_.push_back(size());
    spelled_.push_back(NodeMentions::kGroundKey | static_cast<Key>(id));
  }
  return number_of_text_[id];
}

std::int32_t NodeIndex::find(std::string_view text) const {
  const std::int32_t id = texts_.find(text);
  return id < 0 ? id : number_of_text_[id];
}

std::string_view NodeIndex::name(std::int32_t number, std::string& room) const {
  const Key key = spelled_[number];
  if (NodeMentions::is_text(key)) return text(key);
  room.clear();
  NodeMentions::spell(key, stems_->names, room);
  return room;
}

}  // namespace gridiron::distributed
