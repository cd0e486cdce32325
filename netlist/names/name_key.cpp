// SPDX-License-Identifier: Apache-2.0
#include "netlist/names/name_key.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>

#include "netlist/names/lower_case.hpp"
#include "netlist/names/node_place.hpp"

namespace gridiron {
namespace {

using name_key::kText;

constexpr uint64_t kEach = 0x0101010101010101u;

uint64_t load(const char* from) {
  uint64_t word;
  std::memcpy(&word, from, sizeof word);
  return word;
}

/// The number that the last bytes of `word` spell, in the order of memory, and of how many digits it is: eight bytes at
/// once (D. Lemire).
uint64_t number_at_end(uint64_t word, int& digits) {
  word ^= '0' * kEach;
  const uint64_t others = (word | (word + 6 * kEach)) & 0xf0 * kEach;
  digits = std::countl_zero(others) / 8;
  if (digits == 0) return 0;
  word &= ~uint64_t{0} << (64 - 8 * digits);
  word = 10 * word + (word >> 8);
  constexpr uint64_t kPairs = 0x000000ff000000ffu;
  return ((word & kPairs) * (100 + (uint64_t{1000000} << 32)) +
          (word >> 16 & kPairs) * (1 + (uint64_t{10000} << 32))) >>
         32;
}

/// A name that reads STEM_X_Y, where X and Y are spelled as numbers are written.
struct PlacedName {
  std::string_view stem;
  NameKey x, y;

  NameKey key(size_t number) const { return name_key::with_stem(x << name_key::kCoordinateBits | y, number); }
};

/// Splits off a trailing `_NUMBER` of up to eight digits. `begin`: eight bytes can be read from there.
inline bool take_number(const char* begin, const char*& end, NameKey& value) {
  const ptrdiff_t size = end - begin;
  int digits;
  value = number_at_end(size >= 8 ? load(end - 8) : load(begin) << (64 - 8 * size), digits);
  if (digits == 0 || digits > size - 2) return false;
  const char* const first = end - digits;
  if ((*first == '0' && digits > 1) || first[-1] != '_') return false;
  end = first - 1;
  return value <= name_key::kLargest;
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
  out.stem = {begin, static_cast<size_t>(end - begin)};
  return true;
}

}  // namespace

std::optional<NameKey> NameStems::key_of(std::string_view name) {
  PlacedName placed;
  if (!split(name, placed)) return {};
  // Most stems are short, and a deck has few: those of the last cards are found without a look at the list.
  const std::string_view stem = placed.stem;
  uint64_t head = 0;
  for (size_t k = 0; k < std::min(stem.size(), sizeof head); ++k)
    head = head << 8 | static_cast<unsigned char>(stem[k]);
  Recent& recent = recent_[head % kRecent];
  const bool is_known = recent.head == head && recent.size == stem.size() &&
                        (stem.size() <= sizeof head || (recent.stem != kText && names_[recent.stem] == stem));
  if (!is_known) recent = {head, stem.size(), add(stem)};
  if (recent.stem == kText) return {};
  return placed.key(recent.stem);
}

size_t NameStems::add(std::string_view stem) {
  if (const auto known = number_.find(stem); known != number_.end()) return known->second;
  if (stem.size() > kLongest || !parse_node_name(std::string(stem) + "_0_0").has_place()) return kText;
  if (names_.size() == kText) {
    has_too_many_ = true;
    return kText;
  }
  const size_t number = names_.size();
  names_.emplace_back(stem);
  number_.emplace(stem, number);
  first_spelling_.push_back(first_in_lower_case_.emplace(lower(stem), number).first->second);
  return number;
}

std::optional<NameKey> NameStems::looked_up_key_of(std::string_view name) const {
  PlacedName placed;
  if (!split(name, placed)) return {};
  const auto first = first_in_lower_case_.find(lower(placed.stem));
  if (first == first_in_lower_case_.end()) return {};
  return placed.key(first->second);
}

std::vector<NameKey> NameStems::keys_of(std::string_view name) const {
  std::vector<NameKey> keys;
  if (const auto first = looked_up_key_of(name))
    for (size_t s = 0; s < size(); ++s)
      if (first_spelling_[s] == name_key::stem_of(*first)) keys.push_back(name_key::with_stem(*first, s));
  return keys;
}

char* NameStems::spell(NameKey key, char* to) const {
  const std::string& stem = names_[name_key::stem_of(key)];
  to = std::ranges::copy(stem, to).out;
  for (const auto at : {name_key::x_of(key), name_key::y_of(key)}) {
    *to++ = '_';
    to = std::to_chars(to, to + 8, static_cast<uint32_t>(at)).ptr;
  }
  return to;
}

}  // namespace gridiron
