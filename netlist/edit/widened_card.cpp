// SPDX-License-Identifier: Apache-2.0
#include "netlist/edit/widened_card.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "netlist/edit/widened_annotation.hpp"
#include "netlist/grammar/card.hpp"
#include "netlist/grammar/primitives.hpp"
#include "netlist/names/name_table.hpp"
#include "netlist/values/quantity.hpp"
#include "netlist/values/spice_number.hpp"
#include "support/error_text.hpp"

namespace gridiron {
namespace {

constexpr int kDigitsOfWidths = 9;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Where the digits begin that end at `end`; behind a plus, which may be that of a continued line.
const char* begin_of_number(const char* end) {
  const char* p = end;
  const auto is_exponent_sign = [](const char* sign) {
    return (*sign == '+' || *sign == '-') && (sign[-1] | 0x20) == 'e';
  };
  while (is_digit(p[-1]) || p[-1] == '.' || (p[-1] | 0x20) == 'e' || is_exponent_sign(p - 1)) --p;
  return p[-1] == '-' ? p - 1 : p;
}

/// Whether it changes the value of a resistor that has one.
bool changes_value(const ast::Setting& setting) {
  constexpr std::string_view kKeys[] = {"tc", "tc1", "tc2", "tce", "temp", "dtemp", "m", "scale"};
  return std::ranges::any_of(kKeys, [&](std::string_view key) { return same_name(setting.key, key); });
}

/// An R card, and how to change it.
class ResistorCard {
 public:
  ResistorCard(const SourceText& source, uint64_t offset, const CardElements& elements)
      : source_(source), offset_(offset), values_(elements.values), is_at_top_(elements.are_at_top) {
    const bool is_resistor = (source_.text()[offset_] | 0x20) == 'r';
    if (!is_resistor || !(parse(false) || parse(true)))
      fail("this card is none of a resistor, whose value could be changed; write its resistance as an R card");
  }

  std::vector<TextEdit> widened(double factor) const {
    std::vector<TextEdit> edits;
    const ast::Value* const value = find_value();
    if (value && can_change(*value)) {
      edits.push_back(value->expression.empty() ? of_number(*value, factor) : of_expression(value->expression, factor));
      if (const ast::Setting* const w = find_setting("w")) edits.push_back(multiplied(*w, factor, kDigitsOfWidths));
    } else {
      edits.push_back(in_parallel(value ? value->letters : last_word_of_model(), factor));
    }
    if (std::optional<TextEdit> width = widened_annotation(source_, offset_, factor))
      edits.push_back(std::move(*width));
    return edits;
  }

 private:
  /// False for a card without a value. `has_dollars`: names may begin with this sign, as in PSpice.
  bool parse(bool has_dollars) {
    const grammar::DollarNames dollars(has_dollars);
    const std::string_view text = source_.text();
    const char* at = text.data() + offset_;
    card_ = {};
    try {
      grammar::parse_passive(at, text.data() + text.size(), card_);
    } catch (const grammar::SyntaxError&) {
      return false;
    }
    return find_value() || card_.model;
  }

  const ast::Value* find_value() const {
    if (card_.value) return &*card_.value;
    if (card_.model && card_.model->value) return &*card_.model->value;
    const ast::Setting* const r = find_setting("r");
    return r ? &r->values[0] : nullptr;
  }

  const ast::Setting* find_setting(std::string_view key) const {
    const auto found =
        std::ranges::find_if(card_.settings, [key](const ast::Setting& s) { return same_name(s.key, key); });
    return found == card_.settings.end() || found->values.empty() ? nullptr : &*found;
  }

  /// Whether a number is the value of all elements by itself, as the deck's dialect reads it.
  bool is_value_of_all(const ast::Value& number) const {
    for (const Dialect dialect : {Dialect::automatic, Dialect::hspice, Dialect::ltspice}) try {
        const double value = scaled(number.number, number.letters, Quantity::resistance, dialect).value;
        if (std::ranges::all_of(values_, [value](double v) { return v == value; })) return true;
      } catch (const UnitError&) {
      }
    return false;
  }

  ast::Text last_word_of_model() const { return card_.model->second.empty() ? card_.model->name : card_.model->second; }

  /// Not that of a 4k7 that settings turn into another one.
  bool can_change(const ast::Value& value) const {
    return !value.expression.empty() || std::ranges::none_of(value.letters, is_digit) || is_value_of_all(value);
  }

  TextEdit of_number(const ast::Value& number, double factor) const {
    const char* const begin = begin_of_number(number.letters.data());
    if (is_value_of_all(number))
      return edit(begin, number.letters.data() + number.letters.size(), fmt::format("{}", values_[0] / factor));
    return edit(begin, number.letters.data(), fmt::format("{}", number.number / factor));
  }

  TextEdit of_expression(ast::Text text, double factor) const {
    const bool is_value = is_at_top_ && !card_.model && std::ranges::none_of(card_.settings, changes_value);
    return replaced(text, is_value ? fmt::format("{}", values_[0] / factor) : changed(text, '/', factor));
  }

  /// An expression by or times a number. Only programs that quote expressions have names of parameters without.
  static std::string changed(ast::Text text, char operation, double factor) {
    const bool has_braces = text.data()[-1] == '{';
    return fmt::format("{}({}){}{}{}", has_braces ? '{' : '\'', text, operation, factor, has_braces ? '}' : '\'');
  }

  /// An expression with what encloses it.
  TextEdit replaced(ast::Text text, std::string by) const {
    const bool is_enclosed = text.data()[-1] == '{' || text.data()[-1] == '\'';
    const ptrdiff_t around = is_enclosed ? 1 : 0;
    return edit(text.data() - around, text.data() + text.size() + around, std::move(by));
  }

  TextEdit in_parallel(ast::Text last_word, double factor) const {
    const char* const end = last_word.data() + last_word.size();
    const ast::Setting* const m = find_setting("m");
    return m ? multiplied(*m, factor) : edit(end, end, fmt::format(" m={}", factor));
  }

  /// With so many digits; 0: with all that it takes to read the same number.
  TextEdit multiplied(const ast::Setting& setting, double factor, int digits = 0) const {
    const ast::Value& value = setting.values[0];
    if (!value.expression.empty()) return replaced(value.expression, changed(value.expression, '*', factor));
    if (std::ranges::any_of(value.letters, is_digit))
      fail(fmt::format("{}= of this card has digits behind a suffix; write them before it", setting.key));
    const double number = value.number * factor;
    return edit(begin_of_number(value.letters.data()), value.letters.data(),
                digits > 0 ? fmt::format("{:.{}g}", number, digits) : fmt::format("{}", number));
  }

  TextEdit edit(const char* begin, const char* end, std::string text) const {
    return {static_cast<uint64_t>(begin - source_.text().data()), static_cast<uint64_t>(end - begin), std::move(text)};
  }

  [[noreturn]] void fail(std::string_view message) const {
    throw input_error("{}: {}", source_.describe(offset_), message);
  }

  const SourceText& source_;
  uint64_t offset_;
  std::span<const double> values_;
  bool is_at_top_;
  ast::Passive card_;
};

}  // namespace

std::vector<TextEdit> widened_card(const SourceText& source, uint64_t offset, const CardElements& elements,
                                   double factor) {
  return ResistorCard(source, offset, elements).widened(factor);
}

}  // namespace gridiron
