// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "netlist/names/name_key.hpp"
#include "netlist/names/name_table.hpp"

namespace gridiron {

/// The nodes that cards mention, in order, for a reader that hands them on instead of looking them up.
class NodeMentions {
 public:
  NodeMentions();

  /// Number of this mention, of the one before or of `other` if that is the same node; 0: ground. The text must last.
  int32_t add(std::string_view name, int32_t other = 0);
  void reserve(size_t mentions) { keys_.reserve(mentions); }

  size_t size() const { return keys_.size(); }
  NameKey operator[](int32_t mention) const { return keys_[mention]; }
  const std::vector<NameKey>& keys() const { return keys_; }
  std::string name(int32_t mention) const;
  /// What names are spelled with; whether there were more of them than a key can tell apart.
  const NameStems& stems() const { return stems_; }
  bool has_too_many_stems() const { return has_too_many_stems_ || stems_.has_too_many(); }
  const NameTable& texts() const { return texts_; }

  /// The keys that stand for a name, however it is spelled.
  std::vector<NameKey> keys_of(std::string_view name) const;

  /// Adds those of a later part of the text, which it takes apart; what to add to their numbers but 0.
  int32_t append(NodeMentions later);
  /// Numbers stems as `stems` does, which has all of them.
  void renumber_stems(const NameStems& stems);
  /// Makes texts of all names.
  void spell_all();

 private:
  NameKey key_of(std::string_view name);
  bool is_same(NameKey a, NameKey b) const;

  std::vector<NameKey> keys_;
  NameStems stems_;
  bool has_too_many_stems_ = false;  ///< in what append() took apart
  std::string_view last_name_;
  NameTable texts_;
};

}  // namespace gridiron
