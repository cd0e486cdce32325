// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "netlist/deck/deck.hpp"
#include "netlist/deck/parameter_card.hpp"
#include "netlist/grammar/primitives.hpp"

namespace gridiron {

/// A word of less than eight lower-case characters, to be compared with eight bytes of a text at once.
struct ShortWord {
  size_t size = 0;
  uint64_t bytes = 0, mask = 0;

  consteval ShortWord(const char* word) {
    std::array<char, sizeof bytes> of_word{}, of_mask{};
    for (; word[size] != '\0'; ++size) of_word[size] = word[size], of_mask[size] = '\xff';
    bytes = std::bit_cast<uint64_t>(of_word);
    mask = std::bit_cast<uint64_t>(of_mask);
  }
};

/// Reads cards of .if blocks that stand on a line of their own, without a comment. Internal to netlist/.
class PlainConditions {
 public:
  /// False for any other card. `at`, a point, gets to the newline; `end` of the text follows one, so that no word runs
  /// over it.
  bool read(const char*& at, const char* end, ConditionCard& card) {
    constexpr uint64_t kLowerCase = 0x2020202020202020;
    const char* p = at;
    uint64_t first = 0;
    if (end - p < static_cast<ptrdiff_t>(sizeof first)) return false;
    std::memcpy(&first, p, sizeof first);
    first |= kLowerCase;
    const auto takes = [&p, first](const ShortWord& word) {
      if ((first & word.mask) != word.bytes || grammar::is_word_char(p[word.size])) return false;
      p += word.size;
      return true;
    };
    card.condition = {};
    if (takes(".if")) {
      card.kind = ConditionCard::kIf;
      take_condition(p, end, last_if_, card.condition);
    } else if (takes(".endif")) {
      card.kind = ConditionCard::kEndif;
    } else if (takes(".else")) {
      card.kind = ConditionCard::kElse;
    } else if (takes(".elseif")) {
      card.kind = ConditionCard::kElseif;
      take_condition(p, end, last_elseif_, card.condition);
    } else {
      return false;
    }
    while (grammar::is_blank(*p)) ++p;
    if (*p != '\n' || grammar::is_continued(p, end)) return false;
    at = p;
    return true;
  }

 private:
  struct Condition {
    ast::Text text;     ///< behind the word, with what ended it
    ast::Text content;  ///< without blanks and brackets around it
  };

  /// Up to what ends it. Decks repeat them: one that is as the `last` one was is not looked at.
  static void take_condition(const char*& p, const char* end, Condition& last, ast::Text& condition) {
    static constexpr std::array<bool, 256> kEndsCondition = [] {
      std::array<bool, 256> table{};
      for (const char c : {'\n', ';', '$', '\\'}) table[static_cast<unsigned char>(c)] = true;
      return table;
    }();
    const char* const begin = p;
    const size_t known = last.text.size();
    if (known == 0 || static_cast<size_t>(end - p) < known || std::memcmp(p, last.text.data(), known) != 0) {
      while (!kEndsCondition[static_cast<unsigned char>(*p)]) ++p;
      last.text = {begin, static_cast<size_t>(p - begin) + 1};
      last.content = without_brackets(last.text.substr(0, last.text.size() - 1));
    }
    condition = {begin + (last.content.data() - last.text.data()), last.content.size()};
    p = begin + last.text.size() - 1;
  }

  Condition last_if_, last_elseif_;
};

}  // namespace gridiron
