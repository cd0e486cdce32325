// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analysis/distributed/owners.hpp"

namespace gridiron::distributed {

/// Numbers nodes from 0 on, in the order in which they come, and remembers how they were first spelled. It has at most
/// 2³¹ slots, which do for 1.4·10⁹ nodes.
class NodeIndex {
 public:
  explicit NodeIndex(const NameStems& stems) : stems_(&stems) {}

  void reserve(size_t nodes);
  int32_t size() const { return spelled_.size(); }
  /// The number of a key that is no text. intern() gives it one if it has none, and find() then returns −1.
  int32_t intern(NameKey key);
  int32_t find(NameKey key) const;
  /// Hides the latency of memory if it is called a little before intern(). GCC drops calls that only prefetch as being
  /// without effect, unless they are inlined first.
  [[gnu::always_inline]] void prefetch(NameKey key) const {
    if (!slots_.empty() && !name_key::is_text(key))
      __builtin_prefetch(&slots_[slot_of(name_key::hash_of(stems_->as_looked_up(key)))]);
  }
  int32_t intern(std::string_view text);
  int32_t find(std::string_view text) const;

  /// A name in a message is its key, and behind one that is a text this text.
  void put(int32_t number, Writer& message) const;
  int32_t intern(Reader& message);
  int32_t find(Reader& message) const;

  /// The key by which a node came first; that of a text refers to text().
  NameKey key(int32_t number) const { return spelled_[number]; }
  std::string_view text(NameKey key) const {
    const auto found = respelled_.find(name_key::text_of(key));
    return found != respelled_.end() ? std::string_view(found->second) : texts_[name_key::text_of(key)];
  }
  /// Takes the spelling of a mention that comes before those so far.
  void respell(int32_t number, NameKey key) { spelled_[number] = key; }
  void respell(int32_t number, std::string_view text);
  SpelledName name(int32_t number) const;

 private:
  size_t slot_of(uint32_t hash) const { return hash >> (32 - slot_bits_); }
  /// The slot of a key, or the free one where it belongs.
  size_t find_slot(NameKey looked_up, uint32_t hash) const;
  /// The number in a slot, −1 if it is free.
  int32_t number_in(size_t slot) const {
    return static_cast<int32_t>(slots_[slot] & ((uint32_t{1} << slot_bits_) - 1)) - 1;
  }
  void resize(int slot_bits);

  const NameStems* stems_;
  /// Open addressing; 0: free. A number + 1 has the lower slot_bits_, and the bits of the hash that do not tell the
  /// slot have the others, so that other keys in the way are seldom looked at: four bytes each, as each look is a cache
  /// miss.
  std::vector<uint32_t> slots_;
  int slot_bits_ = 0;
  std::vector<NameKey> spelled_;
  NameTable texts_;
  std::unordered_map<int32_t, std::string> respelled_;  ///< of texts_
  std::vector<int32_t> number_of_text_;
};

}  // namespace gridiron::distributed
