// SPDX-License-Identifier: Apache-2.0
#pragma once

// The terminals of the grammar as Spirit X3 primitives: what separates tokens, words, numbers, the end of a card.

#include <array>
#include <boost/spirit/home/x3.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "netlist/grammar/ast.hpp"
#include "netlist/grammar/cdl_comment.hpp"
#include "netlist/values/quantity.hpp"
#include "netlist/values/spice_number.hpp"

namespace gridiron::grammar {

namespace x3 = boost::spirit::x3;
using Iterator = const char*;

/// Characters that names are made of: all but white space, control characters and SPICE's punctuation.
inline constexpr std::array<bool, 256> kWordChar = [] {
  std::array<bool, 256> table{};
  for (int c = 33; c < 256; ++c) table[c] = c != 127;
  for (const char c : {',', '=', '(', ')', '{', '}', '\'', '"', ';'}) table[static_cast<unsigned char>(c)] = false;
  return table;
}();
inline bool is_word_char(char c) { return kWordChar[static_cast<unsigned char>(c)]; }
inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/// The word at `at`, up to 40 characters of it; at least one character, whatever that is.
inline ast::Text first_word(const char* at, const char* end) {
  const char* p = at;
  while (p != end && is_word_char(*p) && p - at < 40) ++p;
  return {at, static_cast<size_t>(p == at ? 1 : p - at)};
}

/// What begins a line that is a comment.
inline bool is_comment_sign(char c) { return c == '*' || c == '$' || c == ';'; }

/// Behind the newline of a line that ends with the `\\` at `at`, so that the next one continues it, as in HSPICE and
/// ngspice; nullptr where that is none.
inline Iterator behind_backslashes(Iterator at, Iterator end) {
  if (end - at < 3 || at[0] != '\\' || at[1] != '\\') return nullptr;
  at += 2;
  while (at != end && is_blank(*at)) ++at;
  return at != end && *at == '\n' ? at + 1 : nullptr;
}

/// Whether a card of this thread may have names that begin with `$`, as PSpice's `$N_0001` and `$G_VCC`. Where it is
/// false, and where no such name begins, that sign begins a comment.
struct DollarNames {
  static inline thread_local bool are_read = false;

  explicit DollarNames(bool reads) : before_(std::exchange(are_read, reads)) {}
  ~DollarNames() { are_read = before_; }
  DollarNames(const DollarNames&) = delete;
  DollarNames& operator=(const DollarNames&) = delete;

 private:
  bool before_;
};

/// Whether the `$` at `at` can begin a name, and no annotation, such as `$w=0.1` and `$[model]`.
bool begins_dollar_name(Iterator at, Iterator end);

/// If the lines after the newline at `at` continue the card, the position after the '+'; else nullptr. Comment lines
/// and empty lines may come in between, but for comments of CDL, which such lines would continue.
Iterator continuation(Iterator at, Iterator end);

/// Whether the line after the newline at `at` goes on with the card; most begin with a letter or a point, and do not.
inline bool is_continued(Iterator at, Iterator end) {
  const char next = at + 1 != end ? at[1] : '.';
  const bool begins_card = ((next | 0x20) >= 'a' && (next | 0x20) <= 'z') || next == '.';
  return !begins_card && continuation(at, end);
}

/// The skipper: blanks, comments at the end of a line (`;` and `$`), and line continuations.
struct between_tokens : x3::parser<between_tokens> {
  using attribute_type = x3::unused_type;
  static constexpr bool has_attribute = false;

  template <class Context, class Attribute>
  bool parse(Iterator& first, const Iterator& last, const Context&, x3::unused_type, Attribute&) const {
    const Iterator start = first;
    while (first != last) {
      if (is_blank(*first)) {
        ++first;
      } else if (*first == '\n') {
        const Iterator next = continuation(first, last);
        if (!next) break;
        first = next;
      } else if (*first == '\\') {
        const Iterator next = behind_backslashes(first, last);
        if (!next) break;
        first = next;
        while (first != last && is_blank(*first)) ++first;
        if (first != last && *first == '+') ++first;  // it may say so twice
        // NOLINTNEXTLINE(bugprone-branch-clone): in the order in which characters are common
      } else if (*first == '$' && DollarNames::are_read && begins_dollar_name(first, last)) {
        break;
      } else if (*first == ';' || *first == '$') {
        while (first != last && *first != '\n') ++first;
      } else {
        break;
      }
    }
    return first != start;
  }
};

/// A parser of the characters that a value is spelled with. `Parser::read(at, last, value)` reads it from where it
/// begins and moves `at` behind it; otherwise it returns false and leaves both as they are. what() names it in
/// messages.
template <class Parser, class Value>
struct terminal : x3::parser<Parser> {
  using attribute_type = Value;
  static constexpr bool has_attribute = true;

  template <class Context, class Attribute>
  bool parse(Iterator& first, const Iterator& last, const Context& context, x3::unused_type,
             Attribute& attribute) const {
    x3::skip_over(first, last, context);
    Value value{};
    if (!this->derived().read(first, last, value)) return false;
    x3::traits::move_to(value, attribute);
    return true;
  }
};

/// A name, a node, a keyword: a run of word characters.
struct word : terminal<word, ast::Text> {
  const char* meaning;

  constexpr explicit word(const char* m) : meaning(m) {}
  std::string what() const { return meaning; }
  static bool read(Iterator& at, Iterator last, ast::Text& text) {
    const Iterator begin = at;
    while (at != last && is_word_char(*at)) ++at;
    text = ast::Text(begin, at - begin);
    return at != begin;
  }
};

/// The same in double quotes, as some extraction writes the names of nodes.
struct quoted_word : terminal<quoted_word, ast::Text> {
  static std::string what() { return "a quoted name"; }
  static bool read(Iterator& at, Iterator last, ast::Text& text) {
    Iterator p = at;
    if (p == last || *p++ != '"' || !word::read(p, last, text) || p == last || *p != '"') return false;
    at = p + 1;
    return true;
  }
};

/// The name of a node, which may stand in quotes.
struct node_name : terminal<node_name, ast::Text> {
  static std::string what() { return "a node name"; }
  static bool read(Iterator& at, Iterator last, ast::Text& text) {
    return word::read(at, last, text) || quoted_word::read(at, last, text);
  }
};

/// A SPICE number that ends at a word boundary: `1k` but not `1.2.3`.
struct number : terminal<number, ast::Value> {
  static std::string what() { return "a number"; }
  static bool read(Iterator& at, Iterator last, ast::Value& value) {
    double number = 0;
    const Iterator letters = parse_decimal(at, last, number);
    if (!letters) return false;
    const Iterator p = end_of_digits_behind(letters, end_of_letters(letters, last), last);
    if (p != last && is_word_char(*p) && *p != '$') return false;
    value = {number, {}, ast::Text(letters, p - letters)};
    at = p;
    return true;
  }
};

/// The same of a quantity that is known.
struct measure : terminal<measure, double> {
  Quantity quantity;

  constexpr explicit measure(Quantity q) : quantity(q) {}
  bool read(Iterator& at, Iterator last, double& value) const {
    ast::Value v;
    if (!number::read(at, last, v)) return false;
    try {
      value = scaled(v.number, v.letters, quantity).value;
    } catch (const UnitError&) {
      return false;
    }
    return true;
  }
};

/// `{…}` or `'…'`: the text inside, with all that continues lines in it.
struct expression_text : terminal<expression_text, ast::Text> {
  static bool read(Iterator& at, Iterator last, ast::Text& text) {
    if (at == last || (*at != '{' && *at != '\'')) return false;
    const char close = *at == '{' ? '}' : '\'';
    Iterator p = at + 1;
    while (p != last && *p != close) {
      const Iterator next = *p == '\\' ? behind_backslashes(p, last) : *p == '\n' ? continuation(p, last) : nullptr;
      if (!next && *p == '\n') return false;
      p = next ? next : p + 1;
    }
    if (p == last || p == at + 1) return false;
    text = ast::Text(at + 1, p - at - 1);
    at = p + 1;
    return true;
  }
};

/// A number or an expression.
struct value : terminal<value, ast::Value> {
  static std::string what() { return "a number or {expression}"; }
  static bool read(Iterator& at, Iterator last, ast::Value& v) {
    return number::read(at, last, v) || expression_text::read(at, last, v.expression);
  }
};

/// `keyword("dc")`: the word, in any case, and not the beginning of a longer one.
struct keyword : x3::parser<keyword> {
  using attribute_type = x3::unused_type;
  static constexpr bool has_attribute = false;
  std::string_view lower_case;

  constexpr explicit keyword(std::string_view w) : lower_case(w) {}

  template <class Context, class Attribute>
  bool parse(Iterator& first, const Iterator& last, const Context& context, x3::unused_type, Attribute&) const {
    x3::skip_over(first, last, context);
    Iterator p = first;
    for (const char c : lower_case) {
      if (p == last || (*p | 0x20) != c) return false;
      ++p;
    }
    if (p != last && is_word_char(*p)) return false;
    first = p;
    return true;
  }
};

/// End of card: end of line without a continuation, or end of text.
struct end_of_card : x3::parser<end_of_card> {
  using attribute_type = x3::unused_type;
  static constexpr bool has_attribute = false;
  static std::string what() { return "the end of the card"; }

  template <class Context, class Attribute>
  bool parse(Iterator& first, const Iterator& last, const Context& context, x3::unused_type, Attribute&) const {
    x3::skip_over(first, last, context);
    return first == last || *first == '\n';
  }
};

}  // namespace gridiron::grammar

// Names of the terminals in expectation failures.
namespace boost::spirit::x3 {
template <class Parser>
struct get_info<Parser, std::void_t<decltype(std::declval<const Parser&>().what())>> {
  using result_type = std::string;
  std::string operator()(const Parser& parser) const { return parser.what(); }
};
}  // namespace boost::spirit::x3
