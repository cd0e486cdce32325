// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

#include "netlist/values/quantity.hpp"

namespace gridiron {

/// The values of the last expressions that were computed: decks of parameters have few, a million times. Refers to
/// their texts, which must stay. Internal to netlist/.
class RecentValues {
 public:
  /// Null if it is not known.
  const double* find(std::string_view text, Quantity quantity) const {
    const Ends ends(text);
    const Entry& entry = entries_[place_of(ends, quantity)];
    return entry.is_of(text, ends, quantity) ? &entry.value : nullptr;
  }
  /// What is known, or else what `compute` gives, which is kept unless it is none.
  template <class Compute>
  std::optional<double> find_or(std::string_view text, Quantity quantity, Compute compute) {
    const Ends ends(text);
    Entry& entry = entries_[place_of(ends, quantity)];
    if (entry.is_of(text, ends, quantity)) return entry.value;
    const std::optional<double> value = compute();
    if (value) entry = {ends, text.data(), quantity, *value};
    return value;
  }
  void keep(std::string_view text, Quantity quantity, double value) {
    const Ends ends(text);
    entries_[place_of(ends, quantity)] = {ends, text.data(), quantity, value};
  }
  void clear() { entries_ = {}; }

 private:
  /// The length and both ends of a text, eight characters each: all of it up to sixteen.
  struct Ends {
    uint64_t first = 0, last = 0;
    size_t size = 0;

    Ends() = default;
    explicit Ends(std::string_view text) : size(text.size()) {
      const char* const p = text.data();
      if (size >= 8)
        first = load<uint64_t>(p), last = load<uint64_t>(p + size - 8);
      else if (size >= 4)
        first = load<uint32_t>(p), last = load<uint32_t>(p + size - 4);
      else if (size > 0)
        first = load<uint8_t>(p), last = load<uint8_t>(p + size / 2) << 8 | load<uint8_t>(p + size - 1);
    }
    bool operator==(const Ends&) const = default;

    template <class Word>
    static uint64_t load(const char* from) {
      Word word;
      std::memcpy(&word, from, sizeof word);
      return word;
    }
  };

  struct Entry {
    Ends ends;
    const char* text = nullptr;
    Quantity quantity = Quantity::anything;
    double value = 0;

    bool is_of(std::string_view other, const Ends& other_ends, Quantity other_quantity) const {
      return ends == other_ends && quantity == other_quantity && ends.size > 0 &&
             (ends.size <= 16 || std::memcmp(text + 8, other.data() + 8, ends.size - 16) == 0);
    }
  };

  /// Between its ends, expressions that are written by programs hardly differ.
  static size_t place_of(const Ends& ends, Quantity quantity) {
    const uint64_t mixed =
        (ends.first ^ ends.last * 3 ^ ends.size << 4 ^ static_cast<uint64_t>(quantity)) * uint64_t{0x9e3779b97f4a7c15};
    return mixed >> 58;
  }

  std::array<Entry, 64> entries_;  ///< as many as place_of() tells
};

}  // namespace gridiron
