// SPDX-License-Identifier: Apache-2.0
#include "netlist/node_mentions.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <utility>

#include "netlist/node_place.hpp"

namespace gridiron {
namespace {

constexpr std::uint64_t kEach = 0x0101010101010101u;

std::uint64_t load(const char* from) {
  std::uint64_t word;
  std::memcpy(&word, from, sizeof word);
  return word;
}

/// The number that the last bytes of `word` spell, in the order of memory, and of how many digits it is: eight bytes at
/// once (D. Lemire).
std::uint64_t number_at_end(std::uint64_t word, int& digits) {
  word ^= '0' * kEach;
  const std::uint64_t others = (word | (word + 6 * kEach)) & 0xf0 * kEach;
  digits = std::countl_zero(others) / 8;
  if (digits == 0) return 0;
  word &= ~std::uint64_t{0} << (64 - 8 * digits);
  word = 10 * word + (word >> 8);
  constexpr std::uint64_t kPairs = 0x000000ff000000ffu;
  return ((word & kPairs) * (100 + (std::uint64_t{1000000} << 32)) +
          (word >> 16 & kPairs) * (1 + (std::uint64_t{10000} << 32))) >>
         32;
}

/// A name that reads STEM_X_Y, where X and Y are spelled as numbers are written.
struct PlacedName {
  std::string_view stem;
  NodeMentions::Key x, y;
};

/// Splits off a trailing `_NUMBER` of up to eight digits. `begin`: eight bytes can be read from there.
inline bool take_number(const char* begin, const char*& end, NodeMentions::Key& value) {
  const std::ptrdiff_t size = end - begin;
  int digits;
  value = number_at_end(size >= 8 ? load(end - 8) : load(begin) << (64 - 8 * size), digits);
  if (digits == 0 || digits > size - 2) return false;
  const char* const first = end - digits;
  if ((*first == '0' && digits > 1) || first[-1] != '_') return false;
  end = first - 1;
  return value >> NodeMentions::kCoordinateBits == 0;
}

bool split(std::string_view name, PlacedName& out) {
  constexpr std::string_view kPad = "xxxxxxxx";
  if (name.size() < kPad.size()) {
    char room[2 * kPad.size()];
    std::memcpy(room, kPad.data(), kPad.size());
    std::memcpy(room + kPad.size(), name.data(), name.size());
    if (!split({room, kPad.size() + name.size()}, out) || out.stem.size() <= kPad.size()) return false;
    out.stem = name.substr(0, out.stem.size() - kPad.size());
    return true;
  }
  const char *const begin = name.data(), *end = begin + name.size();
  if (!take_number(begin, end, out.y) || !take_number(begin, end, out.x)) return false;
  out.stem = {begin, static_cast<std::size_t>(end - begin)};
  return true;
}

}  // namespace

NodeMentions::NodeMentions() : keys_{kGroundKey} { texts_.intern("0"); }

void NodeMentions::spell(Key key, const std::vector<std::string>& stems, std::string& name) {
  char room[2 * 9];
  char* end = room;
  for (const auto at : {x_of(key), y_of(key)}) {
    *end++ = '_';
    end = std::to_chars(end, std::end(room), static_cast<std::uint32_t>(at)).ptr;
  }
  name += stems[stem_of(key)];
  name.append(room, end);
}

std::size_t NodeMentions::find_stem(std::string_view stem) {
  // Most are short, and a deck has few: those of the last cards are found without a look at the list.
  std::uint64_t head = 0;
  for (std::size_t k = 0; k < std::min(stem.size(), sizeof head); ++k)
    head = head << 8 | static_cast<unsigned char>(stem[k]);
  Recent& recent = recent_[head % kRecent];
  if (recent.head == head && recent.size == stem.size() && (stem.size() <= sizeof head || stems_[recent.stem] == stem))
    return recent.stem;
  const auto known = number_of_stem_.find(stem);
  const std::size_t number = known != number_of_stem_.end() ? known->second : add_stem(stem);
  if (number != kText) recent = {head, stem.size(), number};
  return number;
}

/// kText if it makes no place of a name, or does not fit.
std::size_t NodeMentions::add_stem(std::string_view stem) {
  if (!parse_node_name(std::string(stem) + "_0_0").has_place()) return kText;
  if (stems_.size() == kText) {
    has_too_many_stems_ = true;
    return kText;
  }
  const std::size_t number = stems_.size();
  const auto same = std::ranges::find_if(stems_, [&](const std::string& s) { return same_name(s, stem); });
  first_spelling_.push_back(static_cast<std::size_t>(same - stems_.begin()));
  stems_.emplace_back(stem);
  number_of_stem_.emplace(stem, number);
  return number;
}

NodeMentions::Key NodeMentions::key_of(std::string_view name) {
  if (PlacedName placed; split(name, placed))
    if (const std::size_t stem = find_stem(placed.stem); stem != kText)
      return Key{stem} << kStemShift | placed.x << kCoordinateBits | placed.y;
  return kGroundKey | static_cast<Key>(texts_.intern(name));
}

bool NodeMentions::is_same(Key a, Key b) const {
  if (a == b) return true;
  return (a ^ b) << (64 - kStemShift) == 0 && !is_text(a) && !is_text(b) &&
         first_spelling_[stem_of(a)] == first_spelling_[stem_of(b)];
}

std::int32_t NodeMentions::add(std::string_view name, std::int32_t other) {
  const auto newest = static_cast<std::int32_t>(keys_.size()) - 1;
  if (name == last_name_) return newest;
  if (name == "0") return 0;
  const Key key = key_of(name);
  if (is_same(key, keys_[other])) return other;
  last_name_ = name;
  keys_.push_back(key);
  return newest + 1;
}

std::string NodeMentions::name(std::int32_t mention) const {
  const Key key = keys_[mention];
  std::string name;
  if (is_text(key))
    name = texts_[text_of(key)];
  else
    spell(key, stems_, name);
  return name;
}

std::vector<NodeMentions::Key> NodeMentions::keys_of(std::string_view name) const {
  std::vector<Key> keys;
  if (const std::int32_t text = texts_.find(name); text >= 0) keys.push_back(kGroundKey | static_cast<Key>(text));
  if (PlacedName placed; split(name, placed))
    for (std::size_t s = 0; s < stems_.size(); ++s)
      if (same_name(stems_[s], placed.stem))
        keys.push_back(Key{s} << kStemShift | placed.x << kCoordinateBits | placed.y);
  return keys;
}

std::int32_t NodeMentions::append(NodeMentions later) {
  std::vector<Key> stems(later.stems_.size()), texts(static_cast<std::size_t>(later.texts_.size()));
  for (std::size_t s = 0; s < stems.size(); ++s) stems[s] = find_stem(later.stems_[s]);
  for (std::int32_t t = 0; t < later.texts_.size(); ++t) texts[t] = static_cast<Key>(texts_.intern(later.texts_[t]));
  has_too_many_stems_ |= later.has_too_many_stems_;
  const auto shift = static_cast<std::int32_t>(keys_.size()) - 1;
  constexpr Key kPlace = (Key{1} << kStemShift) - 1;
  for (std::size_t k = 1; k < later.keys_.size(); ++k) {
    const Key key = later.keys_[k];
    if (is_text(key)) {
      keys_.push_back(kGroundKey | texts[text_of(key)]);
    } else if (const Key stem = stems[stem_of(key)]; stem != kText) {
      keys_.push_back(stem << kStemShift | (key & kPlace));
    } else {
      keys_.push_back(kGroundKey | static_cast<Key>(texts_.intern(later.name(static_cast<std::int32_t>(k)))));
    }
  }
  last_name_ = {};
  return shift;
}

void NodeMentions::renumber_stems(const std::vector<Key>& number, std::vector<std::string> stems) {
  bool is_same = true;
  for (std::size_t s = 0; s < number.size(); ++s) is_same = is_same && number[s] == s;
  stems_ = std::move(stems);
  constexpr Key kPlace = (Key{1} << kStemShift) - 1;
  if (!is_same)
    for (Key& key : keys_)
      if (!is_text(key)) key = number[stem_of(key)] << kStemShift | (key & kPlace);
}

void NodeMentions::spell_all() {
  for (std::size_t k = 1; k < keys_.size(); ++k)
    if (!is_text(keys_[k])) keys_[k] = kGroundKey | static_cast<Key>(texts_.intern(name(static_cast<std::int32_t>(k))));
}

}  // namespace gridiron
