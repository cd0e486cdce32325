// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gridiron {

/// The name of a node as one number. From the top: 12 bits for the stem, 26 for x, 26 for y of a name that tells a
/// place, STEM_X_Y. Where the stem is kText, the rest is the id of a text; of ground that is 0. Most nodes of a power
/// grid have such names: eight bytes take their place, which are hashed, compared and turned into a location without
/// any text.
using NameKey = uint64_t;

namespace name_key {

inline constexpr int kStemShift = 52, kCoordinateBits = 26;
inline constexpr NameKey kText = 0xfff, kGround = kText << kStemShift, kPlace = (NameKey{1} << kStemShift) - 1,
                         kLargest = (NameKey{1} << kCoordinateBits) - 1;

inline size_t stem_of(NameKey key) { return static_cast<size_t>(key >> kStemShift); }
inline bool is_text(NameKey key) { return stem_of(key) == kText; }
inline int64_t x_of(NameKey key) { return static_cast<int64_t>(key >> kCoordinateBits & kLargest); }
inline int64_t y_of(NameKey key) { return static_cast<int64_t>(key & kLargest); }
inline int32_t text_of(NameKey key) { return static_cast<int32_t>(key & 0xffffffffu); }
inline NameKey of_text(int32_t id) { return kGround | static_cast<NameKey>(id); }
inline bool has_room(int64_t at) { return at >= 0 && at <= static_cast<int64_t>(kLargest); }
inline NameKey of_place(size_t stem, int64_t x, int64_t y) {
  return NameKey{stem} << kStemShift | static_cast<NameKey>(x) << kCoordinateBits | static_cast<NameKey>(y);
}
inline NameKey with_stem(NameKey key, size_t stem) { return NameKey{stem} << kStemShift | (key & kPlace); }
/// Of a key as NameStems::as_looked_up() returns it, the same for all spellings.
inline uint32_t hash_of(NameKey looked_up) {
  return static_cast<uint32_t>((looked_up ^ looked_up >> 29) * 0x9e3779b97f4a7c15u >> 32);
}

}  // namespace name_key

/// The stems of names that tell a place, numbered as they come.
class NameStems {
 public:
  static constexpr size_t kLongest = 38;  ///< names with longer ones stay text

  size_t size() const { return names_.size(); }
  const std::string& operator[](size_t stem) const { return names_[stem]; }
  const std::vector<std::string>& names() const { return names_; }

  /// The key of a name STEM_X_Y that tells a place (parse_node_name()), X and Y spelled as numbers are written and with
  /// room in a key; nothing of others. Its stem gets a number if it has none.
  std::optional<NameKey> key_of(std::string_view name);
  /// Number of a stem that makes a place of a name, given now if it has none; kText where a key has no room for it.
  size_t add(std::string_view stem);
  /// Whether names stayed text only because a key does not tell more stems apart.
  bool has_too_many() const { return has_too_many_; }

  /// The one of all spellings of a key that is no text: with the first stem that differs only in case.
  NameKey as_looked_up(NameKey key) const { return name_key::with_stem(key, first_spelling_[name_key::stem_of(key)]); }
  /// The first stem that differs from an earlier one only in case; size(): there is none.
  size_t in_other_case() const {
    size_t stem = 0;
    while (stem < size() && first_spelling_[stem] == stem) ++stem;
    return stem;
  }
  /// Of a name in any spelling, without new stems.
  std::optional<NameKey> looked_up_key_of(std::string_view name) const;
  /// The keys that stand for a name, however it is spelled.
  std::vector<NameKey> keys_of(std::string_view name) const;
  /// Of a stem that is one of them.
  size_t number_of(std::string_view stem) const { return number_.find(stem)->second; }

  /// Writes the name of a key that is no text, which takes kLongestName characters at most, and returns its end.
  char* spell(NameKey key, char* to) const;
  static constexpr size_t kLongestName = kLongest + 18;

 private:
  std::vector<std::string> names_;
  std::map<std::string, size_t, std::less<>> number_, first_in_lower_case_;
  std::vector<size_t> first_spelling_;  ///< per stem the first one that differs only in case
  bool has_too_many_ = false;
  struct Recent {
    uint64_t head = 0;  ///< its first eight bytes
    size_t size = 0, stem = name_key::kText;
  };
  static constexpr size_t kRecent = 31;
  Recent recent_[kRecent];
};

}  // namespace gridiron
