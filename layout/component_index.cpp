// SPDX-License-Identifier: Apache-2.0
#include "layout/component_index.hpp"

#include <bit>
#include <functional>

namespace gridiron::layout {
namespace {

size_t hash_of_name(std::string_view name) { return std::hash<std::string_view>()(name); }

}  // namespace

int32_t ComponentIndex::find(std::string_view name) {
  if (slots_.empty()) make();
  return slots_[slot_of(name, hash_of_name(name))].component;
}

void ComponentIndex::make() {
  slots_.resize(std::bit_ceil(2 * names_.size() + 1));
  for (size_t i = 0; i < names_.size(); ++i) {
    const size_t hash = hash_of_name(names_[i]);
    Slot& slot = slots_[slot_of(names_[i], hash)];
    if (slot.component < 0) slot = {static_cast<uint32_t>(hash), static_cast<int32_t>(i)};
  }
}

size_t ComponentIndex::slot_of(std::string_view name, size_t hash) const {
  // The high half chooses the slot, so that names which meet there still differ in the low half.
  const size_t mask = slots_.size() - 1;
  for (size_t at = hash >> 32 & mask;; at = (at + 1) & mask) {
    const Slot& slot = slots_[at];
    if (slot.component < 0) return at;
    if (slot.hash == static_cast<uint32_t>(hash) && names_[slot.component] == name) return at;
  }
}

}  // namespace gridiron::layout
