// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "netlist/name_table.hpp"

namespace gridiron {

/// The nodes that cards mention, in order, for a reader that hands them on instead of looking them up. A name that
/// tells a place, STEM_X_Y, is one number; any other is the id of its text.
class NodeMentions {
 public:
  /// From the top: 12 bits for the stem, 26 for x, 26 for y. Where the stem is kText, the rest is the id of a text; of
  /// ground that is 0.
  using Key = std::uint64_t;
  static constexpr int kStemShift = 52, kCoordinateBits = 26;
  static constexpr Key kText = 0xfff, kGroundKey = kText << kStemShift;
  static std::size_t stem_of(Key key) { return static_cast<std::size_t>(key >> kStemShift); }
  static bool is_text(Key key) { return stem_of(key) == kText; }
  static std::int64_t x_of(Key key) { return static_cast<std::int64_t>(key >> kCoordinateBits & kLargest); }
  static std::int64_t y_of(Key key) { return static_cast<std::int64_t>(key & kLargest); }
  static std::int32_t text_of(Key key) { return static_cast<std::int32_t>(key & 0xffffffffu); }
  /// Appends the name of a key that is no text.
  static void spell(Key key, const std::vector<std::string>& stems, std::string& name);

  NodeMentions();

  /// Number of this mention, of the one before or of `other` if that is the same node; 0: ground. The text must last.
  std::int32_t add(std::string_view name, std::int32_t other = 0);
  void reserve(std::size_t mentions) { keys_.reserve(mentions); }

  std::size_t size() const { return keys_.size(); }
  Key operator[](std::int32_t mention) const { return keys_[mention]; }
  const std::vector<Key>& keys() const { return keys_; }
  std::string name(std::int32_t mention) const;
  /// What names are spelled with; whether there were more of them than a key can tell apart.
  const std::vector<std::string>& stems() const { return stems_; }
  bool has_too_many_stems() const { return has_too_many_stems_; }
  const NameTable& texts() const { return texts_; }

  /// The keys that stand for a name, however it is spelled.
  std::vector<Key> keys_of(std::string_view name) const;

  /// Adds those of a later part of the text, which it takes apart; what to add to their numbers but 0.
  std::int32_t append(NodeMentions later);
  /// Renumbers stems: `number[s]` instead of s in the list `stems`.
  void renumber_stems(const std::vector<Key>& number, std::vector<std::string> stems);
  /// Makes texts of all names.
  void spell_all();

 private:
  static constexpr Key kLargest = (Key{1} << kCoordinateBits) - 1;

  Key key_of(std::string_view name);
  std::size_t find_stem(std::string_view stem);
  std::size_t add_stem(std::string_view stem);
  bool is_same(Key a, Key b) const;

  std::vector<Key> keys_;
  std::vector<std::string> stems_;
  std::map<std::string, std::size_t, std::less<>> number_of_stem_;
  bool has_too_many_stems_ = false;
  std::vector<std::size_t> first_spelling_;  ///< per stem the first one that differs only in case
  struct Recent {
    std::uint64_t head = 0;  ///< its first eight bytes
    std::size_t size = 0, stem = 0;
  };
  static constexpr std::size_t kRecent = 31;
  Recent recent_[kRecent];
  std::string_view last_name_;
  NameTable texts_;
};

}  // namespace gridiron
