// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <optional>
#include <string_view>

#include "netlist/values/quantity.hpp"
#include "netlist/values/spice_number.hpp"

namespace gridiron {

/// Computes expressions of numbers, names, signs, + − * / and parentheses, as nearly all of decks are, in the same
/// steps as evaluate_expression(), to which everything else is left: powers, comparisons, functions, and all mistakes.
/// `name(text, value)` and `number(digits, letters, value)` give the values of parameters and of numbers with letters,
/// or false. Internal to netlist/.
template <class Name, class Number>
class PlainArithmetic {
 public:
  PlainArithmetic(std::string_view text, Name& name, Number& number)
      : at_(text.data()), end_(text.data() + text.size()), name_(name), number_(number) {}

  std::optional<double> value() {
    double value = 0;
    if (end_ - at_ > kLongest || !sum(value, 0) || at_ != end_ || !std::isfinite(value)) return std::nullopt;
    return value;
  }
  /// Whether it was more than one number or name.
  bool has_operator() const { return has_operator_; }

 private:
  static constexpr int kLongest = 1000, kDeepest = 20;  // less than evaluate_expression() allows

  bool sum(double& left, int depth) {
    if (!product(left, depth)) return false;
    while (at_ != end_ && (*at_ == '+' || *at_ == '-')) {
      const bool is_plus = *at_++ == '+';
      has_operator_ = true;
      double right = 0;
      if (!product(right, depth)) return false;
      left = is_plus ? left + right : left - right;
    }
    return true;
  }

  bool product(double& left, int depth) {
    if (!factor(left, depth)) return false;
    while (at_ != end_ && (*at_ == '*' || *at_ == '/')) {
      const bool is_times = *at_++ == '*';
      has_operator_ = true;
      double right = 0;
      if (!factor(right, depth)) return false;  // also the second star of a power
      left = is_times ? left * right : left / right;
    }
    return true;
  }

  /// With its signs before it and the blanks around.
  bool factor(double& value, int depth) {
    bool is_negative = false;
    for (; at_ != end_ && (is_blank(*at_) || *at_ == '-' || *at_ == '+'); ++at_) is_negative ^= *at_ == '-';
    if (at_ == end_) return false;
    const char* const begin = at_;
    if (*at_ == '(') {
      ++at_;
      if (depth == kDeepest || !sum(value, depth + 1) || at_ == end_ || *at_ != ')') return false;
      ++at_;
    } else if (begins_name(*at_)) {
      do ++at_;
      while (at_ != end_ && (begins_name(*at_) || is_digit(*at_) || *at_ == '.'));
      if (!name_(std::string_view(begin, static_cast<size_t>(at_ - begin)), value)) return false;
    } else if (!is_digit(*at_) && *at_ != '.') {
      return false;
    } else {
      const char* const letters = parse_decimal(at_, end_, value);
      if (!letters) return false;
      at_ = letters;
      if (at_ != end_ && !is_sign(*at_)) {
        at_ = end_of_letters(letters, end_);
        if (at_ != letters && !number_(value, std::string_view(letters, static_cast<size_t>(at_ - letters)), value))
          return false;
      }
    }
    while (at_ != end_ && is_blank(*at_)) ++at_;
    if (is_negative) value = -value;
    return true;
  }

  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  static bool is_sign(char c) { return c >= '(' && c <= '/'; }  // ( ) * + , - . /
  static bool begins_name(char c) { return ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '_'; }

  const char* at_;
  const char* const end_;
  bool has_operator_ = false;
  Name& name_;
  Number& number_;
};

}  // namespace gridiron
