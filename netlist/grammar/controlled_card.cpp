// SPDX-License-Identifier: Apache-2.0
// Cards of controlled sources and couplings. SPICE programs write them in many ways, of which nodes in parentheses, the
// name of the kind and POLY mean nothing new; a rule for each would hide that they are words in a fixed order.
#include "netlist/grammar/controlled_card.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "netlist/grammar/card.hpp"
#include "netlist/grammar/primitives.hpp"
#include "netlist/names/lower_case.hpp"
#include "netlist/names/name_table.hpp"
#include "netlist/values/settings.hpp"

namespace gridiron::grammar {
namespace {

/// What may stand where the control begins, and asks for something else than a constant gain.
constexpr std::string_view kNotLinear[] = {
    "table", "laplace", "freq", "chebyshev", "foster", "pole", "delay", "pwl",         "npwl", "ppwl", "vcr",
    "vccap", "opamp",   "and",  "nand",      "or",     "nor",  "xor",   "transformer", "spur", "zopt", "noise",
};

/// The words of a card, one after the other.
class Words {
 public:
  Words(const char*& at, const char* end) : at_(at), end_(end) {}

  const char* here() {
    skip(false);
    return at_;
  }
  bool is_end() {
    const char* const p = here();
    return p == end_ || *p == '\n';
  }
  bool accept(char c) {
    if (is_end() || *at_ != c) return false;
    ++at_;
    return true;
  }
  /// A node, which may stand in parentheses with another one, or between commas.
  ast::Text node(const char* expected) {
    skip(true);
    return word_here(expected);
  }
  ast::Text name(const char* expected) {
    skip(false);
    return word_here(expected);
  }
  /// The next word, which stays where it is; empty if there is none.
  ast::Text next() {
    skip(true);
    const char* p = at_;
    ast::Text text;
    word::read(p, end_, text);
    return text;
  }
  /// Whether an equals sign follows a word that next() gave.
  bool is_key(ast::Text word) const {
    const char* p = word.data() + word.size();
    while (p != end_ && is_blank(*p)) ++p;
    return p != end_ && *p == '=';
  }
  void pass(ast::Text word) { at_ = word.data() + word.size(); }
  /// A number, an {expression}, or the name of a parameter.
  ast::Value value() {
    skip(true);
    ast::Value v;
    if (is_end() || (!value::read(at_, end_, v) && !word::read(at_, end_, v.expression)))
      throw SyntaxError(at_, grammar::value::what());
    return v;
  }
  void expect_end() {
    skip(true);
    if (!is_end()) throw SyntaxError(at_, "the end of the card");
  }

 private:
  void skip(bool with_punctuation) {
    x3::unused_type unused;
    do between_tokens().parse(at_, end_, unused, unused, unused);
    while (with_punctuation && at_ != end_ && (*at_ == '(' || *at_ == ')' || *at_ == ',') && ++at_);
  }
  ast::Text word_here(const char* expected) {
    ast::Text text;
    if (is_end() || !word::read(at_, end_, text)) throw SyntaxError(at_, expected);
    return text;
  }

  const char*& at_;
  const char* end_;
};

bool is_one_of(ast::Text word, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(words, [word](std::string_view w) { return same_name(word, w); });
}

bool is_controlled_by_voltage(const ast::Controlled& card) { return is_one_of(card.name.substr(0, 1), {"e", "g"}); }

/// `VALUE={…}`, of which a constant is left: what refers to voltages and currents is not linear as far as we can tell.
ast::Value constant_value(Words& words, ast::Text key) {
  words.accept('=');
  const char* const where = words.here();
  const ast::Value value = words.value();
  std::string text = lower(value.expression);
  std::erase_if(text, [](char c) { return is_blank(c); });
  for (const std::string_view probe : {"v(", "i("})
    for (size_t at = text.find(probe); at != text.npos; at = text.find(probe, at + 1))
      if (at == 0 || !is_word_char(text[at - 1]) ||
          std::string_view("+-*/").find(text[at - 1]) != std::string_view::npos)
        throw CardError{where,
                        fmt::format("{}= of voltages and currents is not read; write a linear source with its gain, "
                                    "like 'e1 a b c d 2'",
                                    key)};
  return value;
}

/// The number of controls.
size_t read_polynomial(Words& words) {
  constexpr double kMost = 1000;
  const char* const where = words.here();
  words.accept('(');
  const ast::Value inputs = words.value();
  words.accept(')');
  const bool is_count = inputs.expression.empty() && inputs.letters.empty() && inputs.number >= 1 &&
                        inputs.number <= kMost && std::trunc(inputs.number) == inputs.number;
  if (!is_count) throw CardError{where, "expected the number of controls, as in POLY(2)"};
  return static_cast<size_t>(inputs.number);
}

void read_settings_of_source(Words& words, ast::Controlled& card) {
  while (!words.is_end()) {
    const ast::Text key = words.name("M=");
    const bool is_current = is_one_of(card.name.substr(0, 1), {"f", "g"});
    if (!is_current || !is_one_of(key, {"m"}))
      throw CardError{key.data(), fmt::format("'{}' is not read here; expected the end of the card{}", key,
                                              is_current ? " or M=" : "")};
    if (card.multiplier) throw CardError{key.data(), "a second M; remove one"};
    words.accept('=');
    card.multiplier = words.value();
  }
}

bool is_letter(char c) { return lower(c) >= 'a' && lower(c) <= 'z'; }

}  // namespace

void parse_controlled(const char*& at, const char* end, ast::Controlled& card) {
  Words words(at, end);
  card.name = words.name("a name");
  card.a = words.node("a node name");
  card.b = words.node("a node name");
  const bool by_voltage = is_controlled_by_voltage(card);
  const bool is_voltage = is_one_of(card.name.substr(0, 1), {"e", "h"});
  ast::Text key = words.next();
  if (is_one_of(key, {is_voltage ? (by_voltage ? "vcvs" : "ccvs") : (by_voltage ? "vccs" : "cccs")})) {
    words.pass(key);
    key = words.next();
  }
  if (std::ranges::any_of(kNotLinear, [key](std::string_view word) { return same_name(key, word); }))
    throw CardError{key.data(),
                    fmt::format("{} is not read; a linear source has a constant gain, like 'e1 a b c d 2'", key)};
  if (is_one_of(key, {"value", is_voltage ? "vol" : "cur"})) {
    words.pass(key);
    card.coefficients = {constant_value(words, key)};
    read_settings_of_source(words, card);
    return words.expect_end();
  }
  const bool is_polynomial = is_one_of(key, {"poly"});
  if (is_polynomial) words.pass(key);
  card.inputs = is_polynomial ? read_polynomial(words) : 1;
  for (size_t i = 0; i < card.inputs * (by_voltage ? 2 : 1); ++i)
    card.controls.push_back(words.node(by_voltage ? "a node name" : "the name of a voltage source"));
  if (!is_polynomial) card.coefficients = {{0, {}, {}}};
  do {
    card.coefficients.push_back(words.value());
    key = words.next();
  } while (is_polynomial && !words.is_end() && (key.empty() || !words.is_key(key)));
  if (is_polynomial && card.inputs == 1 && card.coefficients.size() == 1)
    throw CardError{card.name.data(),
                    fmt::format("the only coefficient of '{}' is its constant to ngspice and its gain to HSPICE; write "
                                "both",
                                card.name)};
  read_settings_of_source(words, card);
  words.expect_end();
}

void parse_coupling(const char*& at, const char* end, ast::Coupling& card) {
  Words words(at, end);
  card.name = words.name("a name");
  const auto is_name = [&] { return !words.is_end() && is_letter(*words.here()) && !words.is_key(words.next()); };
  while (is_name()) card.inductors.push_back(words.name("the name of an inductor"));
  if (card.inductors.size() < 2) throw SyntaxError(words.here(), "the name of an inductor");
  if (const ast::Text key = words.next(); is_one_of(key, {"k", "coupling"})) {
    words.pass(key);
    words.accept('=');
  }
  card.coefficient = words.value();
  words.expect_end();
}

}  // namespace gridiron::grammar
