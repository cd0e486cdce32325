// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <charconv>
#include <concepts>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <string_view>

#include "netlist/deck/deck_file.hpp"

namespace gridiron::generator {

struct Point {
  int64_t x, y;
  bool operator==(const Point&) const = default;
};

/// A node LEAD PREFIX X_Y without blanks, such as n3_48_72 or, with lead "_X_", the far side of its pad resistor.
struct Node {
  std::string_view prefix;
  Point at;
  std::string_view lead = {};
};

/// digits · 10^exponent, nonnegative. Integers keep the text independent of the machine's floating-point arithmetic.
struct Decimal {
  int64_t digits;
  int exponent;
};

constexpr Decimal nano_ohms(int64_t n) { return {n, -9}; }
constexpr Decimal femto_amperes(int64_t n) { return {n, -15}; }

struct Hex {
  uint64_t value;
};

/// The cards that begin on some of the lines of a deck, counted from 0; half open.
struct CardRange {
  int64_t first = 0, last = std::numeric_limits<int64_t>::max();
};

/// Writes text to a DeckFile, or to standard output for "-". A part of a deck is made by going through all of it twice,
/// with a writer that counts lines and with one that writes its own lines only: so what makes grids knows nothing of
/// parts, and numbers of cards need no formulas.
class DeckWriter {
 public:
  /// Counts lines only.
  DeckWriter() : range_{0, 0} {}
  /// Writes those of `range`.
  DeckWriter(const std::filesystem::path& path, CardRange range);

  /// To be asked before each card, or some that stay together, of so many lines: whether to write it.
  bool takes_card(int64_t lines = 1) {
    const int64_t line = lines_;
    lines_ += lines;
    return line >= range_.first && line < range_.last;
  }
  /// Of the cards so far, written or not.
  int64_t lines() const { return lines_; }

  DeckWriter& operator<<(std::string_view text) {
    if (text.size() > room()) flush();
    end_ = std::ranges::copy(text, end_).out;
    return *this;
  }
  DeckWriter& operator<<(const char* text) { return *this << std::string_view(text); }
  DeckWriter& operator<<(std::same_as<char> auto c) {
    if (room() == 0) flush();
    *end_++ = c;
    return *this;
  }
  DeckWriter& operator<<(int64_t number) { return integer(number, 10); }
  DeckWriter& operator<<(Hex hex) { return integer(static_cast<int64_t>(hex.value), 16); }
  DeckWriter& operator<<(Node node) { return *this << node.lead << node.prefix << node.at.x << '_' << node.at.y; }

  /// Scientific notation with at most seven digits, as in the published decks.
  DeckWriter& operator<<(Decimal value);

  /// Commits the file; without this call it is discarded.
  void finish();

 private:
  size_t room() const { return static_cast<size_t>(buffer_.get() + kBytes - end_); }
  DeckWriter& integer(int64_t number, int base) {
    if (room() < 24) flush();
    end_ = std::to_chars(end_, end_ + 24, number, base).ptr;
    return *this;
  }
  void flush();

  static constexpr size_t kBytes = size_t{1} << 20;
  CardRange range_;
  int64_t lines_ = 0;
  std::unique_ptr<DeckFile> file_;  ///< null for standard output
  std::unique_ptr<char[]> buffer_ = std::make_unique_for_overwrite<char[]>(kBytes);
  char* end_ = buffer_.get();
};

}  // namespace gridiron::generator
