// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "netlist/values/quantity.hpp"
#include "netlist/values/spice_number.hpp"

namespace gridiron {

/// Computes expressions of numbers, names, signs, + − * /, parentheses and functions of the deck, as nearly all of
/// decks are, in the same steps as evaluate_expression(), to which everything else is left: powers, comparisons,
/// built-in functions, and all mistakes. `name(text, value)`, `number(digits, letters, value)` and `call(name,
/// arguments, value)` give the values of parameters, numbers with letters and functions, or false. Internal to
/// netlist/.
template <class Name, class Number, class Call>
class PlainArithmetic {
 public:
  PlainArithmetic(std::string_view text, Name& name, Number& number, Call& call)
      : at_(text.data()), end_(text.data() + text.size()), name_(name), number_(number), call_(call) {}

  std::optional<double> value() {
    double value = 0;
    if (end_ - at_ > kLongest || !sum(value, 0) || at_ != end_ || !std::isfinite(value)) return std::nullopt;
    return value;
  }
  /// Whether it was more than one number or name.
  bool has_operator() const { return has_operator_; }

 private:
  static constexpr int kLongest = 1000, kDeepest = 20;  // less than evaluate_expression() allows
  static constexpr size_t kMostArguments = 8;

  bool sum(double& value, int depth) {
    double sum = -0.0, product = -0.0;  // as -0 + x is x, whatever its sign
    for (char sign = '+';; sign = *at_++, has_operator_ = true) {
      double right = 0;
      if (!factor(right, depth)) return false;  // also the second star of a power
      if (sign == '*') {
        product *= right;
      } else if (sign == '/') {
        product /= right;
      } else {
        sum += product;
        product = sign == '+' ? right : -right;
      }
      if (at_ == end_ || part_at(at_) != Part::sign) break;
    }
    value = sum + product;
    return true;
  }

  /// With its signs before it and the blanks around.
  bool factor(double& value, int depth) {
    const char* p = at_;
    bool is_negative = false;
    Part part = Part::other;
    for (; p != end_; ++p) {
      part = part_at(p);
      if (part <= Part::digit || (part != Part::blank && *p != '-' && *p != '+')) break;
      is_negative ^= *p == '-';
    }
    if (p == end_) return false;
    if (part == Part::letter) {
      const char* const begin = p;
      do ++p;
      while (p != end_ && part_at(p) <= Part::digit);
      const std::string_view name(begin, static_cast<size_t>(p - begin));
      while (p != end_ && part_at(p) == Part::blank) ++p;
      if (p == end_ || *p != '(') {
        if (!name_(name, value)) return false;
      } else {
        at_ = p + 1;
        if (!called(name, value, depth)) return false;
        p = at_;
      }
    } else if (part == Part::digit) {
      if (!number(p, value)) return false;
    } else {
      if (*p != '(' || depth == kDeepest) return false;
      at_ = p + 1;
      if (!sum(value, depth + 1) || at_ == end_ || *at_ != ')') return false;
      p = at_ + 1;
    }
    while (p != end_ && part_at(p) == Part::blank) ++p;
    at_ = p;
    if (is_negative) value = -value;
    return true;
  }

  /// Behind the opening parenthesis.
  bool called(std::string_view name, double& value, int depth) {
    has_operator_ = true;
    std::array<double, kMostArguments> arguments;
    size_t count = 0;
    do {
      if (count == arguments.size() || depth == kDeepest || !sum(arguments[count], depth + 1) || at_ == end_)
        return false;
      ++count;
    } while (*at_++ == ',');
    return at_[-1] == ')' && call_(name, std::span(arguments.data(), count), value);
  }

  bool number(const char*& p, double& value) {
    const char* letters = parse_fixed_decimal(p, end_, value);
    if (!letters && !(letters = parse_decimal(p, end_, value))) return false;
    p = letters;
    if (p == end_ || is_sign(*p)) return true;
    p = end_of_letters(letters, end_);
    return p == letters || number_(value, std::string_view(letters, static_cast<size_t>(p - letters)), value);
  }

  /// What characters of names and numbers are, a point among the digits, and what is between them.
  enum class Part : uint8_t { letter, digit, sign, blank, other };
  static constexpr std::array<Part, 256> kParts = [] {
    std::array<Part, 256> table{};
    table.fill(Part::other);
    for (int c = 'a'; c <= 'z'; ++c) table[c] = table[c - 'a' + 'A'] = Part::letter;
    for (int c = '0'; c <= '9'; ++c) table[c] = Part::digit;
    table['_'] = Part::letter;
    table['.'] = Part::digit;
    for (const char c : {'+', '-', '*', '/'}) table[c] = Part::sign;
    for (const char c : {' ', '\t', '\r'}) table[c] = Part::blank;
    return table;
  }();
  static Part part_at(const char* p) { return kParts[static_cast<unsigned char>(*p)]; }

  static bool is_sign(char c) { return c >= '(' && c <= '/'; }  // ( ) * + , - . /

  const char* at_;
  const char* const end_;
  bool has_operator_ = false;
  Name& name_;
  Number& number_;
  Call& call_;
};

}  // namespace gridiron
