// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "netlist/values/quantity.hpp"

namespace gridiron {

/// The values of the last expressions that were computed: decks of parameters have few, a million times. Refers to
/// their texts, which must stay. Internal to netlist/.
class RecentValues {
 public:
  /// Null if it is not known.
  const double* find(std::string_view text, Quantity quantity) const {
    const Entry& entry = entries_[place_of(text, quantity)];
    return entry.text == text && entry.quantity == quantity && !text.empty() ? &entry.value : nullptr;
  }
  void keep(std::string_view text, Quantity quantity, double value) {
    entries_[place_of(text, quantity)] = {text, quantity, value};
  }
  void clear() { entries_ = {}; }

 private:
  struct Entry {
    std::string_view text;
    Quantity quantity = Quantity::anything;
    double value = 0;
  };

  /// Of the length and both ends, between which expressions that are written by programs hardly differ.
  size_t place_of(std::string_view text, Quantity quantity) const {
    uint64_t first = 0, last = 0;
    if (text.size() < sizeof first) {
      for (const char c : text) first = first << 8 | static_cast<unsigned char>(c);
    } else {
      std::memcpy(&first, text.data(), sizeof first);
      std::memcpy(&last, text.data() + text.size() - sizeof last, sizeof last);
    }
    const uint64_t mixed =
        (first ^ last * 3 ^ text.size() << 4 ^ static_cast<uint64_t>(quantity)) * uint64_t{0x9e3779b97f4a7c15};
    return mixed >> 58;
  }

  std::array<Entry, 64> entries_;  ///< as many as place_of() tells
};

}  // namespace gridiron
