// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/distributed/owners.hpp"

namespace gridiron::distributed {

/// Numbers nodes from 0 on, in the order in which they come; remembers how they were first spelled.
class NodeIndex {
 public:
  using Key = NodeMentions::Key;

  explicit NodeIndex(const Stems& stems) : stems_(&stems) {}

  void reserve(std::size_t nodes);
  std::int32_t size() const { return static_cast<std::int32_t>(spelled_.size()); }
  /// Of a key that is no text: its number, given now if it has none; −1 if find() does not find it.
  std::int32_t intern(Key key);
  std::int32_t find(Key key) const;
  /// Hides the latency of memory if it is called a little before intern().
  void prefetch(Key key) const {
    if (!slots_.empty()) __builtin_prefetch(&slots_[slot_of(stems_->as_looked_up(key))]);
  }
  std::int32_t intern(std::string_view text);
  std::int32_t find(std::string_view text) const;

  /// The key by which it came first; that of a text refers to text().
  Key key(std::int32_t number) const { return spelled_[number]; }
  std::string_view text(Key key) const { return texts_[NodeMentions::text_of(key)]; }
  /// Of its name, in `room` if it has to be spelled.
  std::string_view name(std::int32_t number, std::string& room) const;

 private:
  struct Slot {
    Key key;              ///< as it is looked up
    std::int32_t number;  ///< −1 if free
  };
  std::size_t slot_of(Key looked_up) const {
    return static_cast<std::size_t>((looked_up ^ looked_up >> 29) * 0x9e3779b97f4a7c15u >> free_bits_);
  }
  void resize(std::size_t slots);

  const Stems* stems_;
  std::vector<Slot> slots_;  ///< open addressing, size a power of two
  int free_bits_ = 64;       ///< of a hash, beyond those of a slot
  std::vector<Key> spelled_;
  NameTable texts_;
  std::vector<std::int32_t> number_of_text_;
};

}  // namespace gridiron::distributed
