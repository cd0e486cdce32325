// SPDX-License-Identifier: Apache-2.0
#include "netlist/node_mentions.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <utility>

#include "netlist/node_place.hpp"

namespace gridiron {
namespace {

/// A name that reads STEM_X_Y, where X and Y are spelled as numbers are written.
struct PlacedName {
  std::string_view stem;
  NodeMentions::Key x, y;
};

/// Splits off a trailing `_NUMBER`.
bool take_number(const char* begin, const char*& end, NodeMentions::Key& value) {
  constexpr std::ptrdiff_t kMostDigits = 8;
  value = 0;
  const char* p = end;
  for (NodeMentions::Key unit = 1; p != begin && p[-1] >= '0' && p[-1] <= '9'; unit *= 10) {
    if (end - p == kMostDigits) return false;
    value += unit * static_cast<NodeMentions::Key>(*--p - '0');
  }
  const std::ptrdiff_t digits = end - p;
  if (digits == 0 || (digits > 1 && *p == '0') || p - begin < 2 || p[-1] != '_') return false;
  end = p - 1;
  return value >> NodeMentions::kCoordinateBits == 0;
}

bool split(std::string_view name, PlacedName& out) {
  const char *const begin = name.data(), *end = begin + name.size();
  if (!take_number(begin, end, out.y) || !take_number(begin, end, out.x)) return false;
  out.stem = {begin, static_cast<std::size_t>(end - begin)};
  return true;
}

}  // namespace

NodeMentions::NodeMentions() : keys_{kGroundKey} { texts_.intern("0"); }

void NodeMentions::spell(Key key, const std::vector<std::string>& stems, std::string& name) {
  char digits[2 * 9];
  char* end = digits;
  for (const std::int64_t at : {x_of(key), y_of(key)}) {
    *end++ = '_';
    end = std::to_chars(end, std::end(digits), at).ptr;
  }
  name += stems[stem_of(key)];
  name.append(digits, end);
}

std::size_t NodeMentions::find_stem(std::string_view stem) {
  if (last_stem_ < stems_.size() && stems_[last_stem_] == stem) return last_stem_;
  const auto known = number_of_stem_.find(stem);
  if (known != number_of_stem_.end()) return last_stem_ = known->second;
  if (!parse_node_name(std::string(stem) + "_0_0").has_place()) return kText;
  if (stems_.size() == kText) {
    has_too_many_stems_ = true;
    return kText;
  }
  number_of_stem_.emplace(stem, stems_.size());
  stems_.emplace_back(stem);
  return last_stem_ = stems_.size() - 1;
}

NodeMentions::Key NodeMentions::key_of(std::string_view name) {
  if (PlacedName placed; split(name, placed))
    if (const std::size_t stem = find_stem(placed.stem); stem != kText)
      return Key{stem} << kStemShift | placed.x << kCoordinateBits | placed.y;
  return kGroundKey | static_cast<Key>(texts_.intern(name));
}

std::int32_t NodeMentions::add(std::string_view name, std::int32_t other) {
  const auto newest = static_cast<std::int32_t>(keys_.size()) - 1;
  if (name == last_name_) return newest;
  const Key key = key_of(name);
  if (key == kGroundKey) return 0;
  if (const Key same = keys_[other];
      key == same || ((key ^ same) << (64 - kStemShift) == 0 && !is_text(key) && !is_text(same) &&
                      same_name(stems_[stem_of(key)], stems_[stem_of(same)])))
    return other;
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
