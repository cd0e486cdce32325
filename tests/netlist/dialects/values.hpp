// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/netlist/dialects/deck_pair.hpp"
#include "tests/netlist/dialects/expressions.hpp"

namespace gridiron::test {

/// Spells values of cards in the ways of a language.
class Values {
 public:
  Values(const Language& language, Random& random, Expressions& expressions)
      : language_(language), random_(random), expressions_(expressions) {}

  bool needs_dialect = false;  ///< a suffix that means something else where the dialect is not given

  /// Digits with a suffix, of about `size`; `units` may follow, "" is none.
  Spelled number(double size, const std::vector<std::string>& units, bool in_expression = false) {
    const double factor_near = std::pow(10, 3 * std::floor(std::log10(size) / 3));
    const double digits = std::max(1., std::round(size / factor_near * 1e3) / 1e3);
    const auto [suffix, power] = suffix_near(factor_near);
    std::string text = fmt::format("{}", digits);
    if (random_.chance(0.1) && text.find('.') == text.npos) text += ".";
    if (random_.chance(0.2) && !in_expression) {
      const std::string exponent = fmt::format("e{}{}", power > 0 && random_.chance(0.5) ? "+" : "", power);
      return {random_.any_case(text + exponent), constant(text, power)};
    }
    std::string unit = random_.pick(units);
    if (suffix.empty() && (unit == "f" || unit == "F")) unit.clear();
    if (suffix.empty() && in_expression) unit.clear();
    const bool is_exact_case = !suffix.empty() && static_cast<unsigned char>(suffix[0]) >= 128;
    const std::string letters = is_exact_case ? suffix + unit : random_.any_case(suffix + unit);
    return {text + letters, constant(text, power)};
  }

  /// In brackets, or without them where the value of a parameter may be so.
  std::string bracketed(const std::string& text) {
    const std::string& pair = random_.pick(language_.brackets);
    const std::string gap = random_.chance(0.2) ? " " : "";
    return pair[0] + gap + text + gap + pair[1];
  }

  /// A positive value of about `size` for a card of `scope`.
  Spelled value(double size, const std::vector<std::string>& units, Scope& scope) {
    if (language_.functions.empty() || random_.chance(0.4)) return number(size, units);
    if (random_.chance(0.25)) return parameter(size, scope);
    const Expression e = expressions_.between(0.5, 4, scope.names, 2);
    const Spelled scale = number(size, {""}, true);
    return {bracketed(e.within(Expression::kProduct) + "*" + scale.text),
            [f = e.value, g = scale.value](const Environment& env) { return f(env) * g(env); }};
  }

  /// A number between two bounds as an expression of parameters, or plain.
  Spelled factor(double low, double high, Scope& scope) {
    if (language_.functions.empty() || random_.chance(0.5)) {
      const Expression n = expressions_.literal(low, high);
      return {n.text, n.value};
    }
    const Expression e = expressions_.between(low, high, scope.names, 1);
    return {bracketed(e.text), e.value};
  }

 private:
  static std::function<long double(const Environment&)> constant(const std::string& digits, int power) {
    const long double exact = std::stold(digits + "e" + std::to_string(power));
    return [exact](const Environment&) { return exact; };
  }

  /// A parameter of its own, of which the card has the name alone.
  Spelled parameter(double size, Scope& scope) {
    const std::string name = fmt::format("word{}", ++words_);
    const Spelled v = number(size, {""});
    scope.lines.push_back(random_.any_case(random_.pick(language_.parameter_words)) + " " + name + "=" + v.text);
    scope.definitions.emplace_back(name, v.value);
    const std::string text = random_.any_case(name);
    return {random_.chance(0.5) ? text : bracketed(text), v.value};
  }

  std::pair<std::string, int> suffix_near(double factor) {
    const int power = static_cast<int>(std::lround(std::log10(factor)));
    if (language_.has_mega_x && power == 6 && random_.chance(0.5)) return needs_dialect = true, std::pair("x", 6);
    if (language_.has_mega_x && power == -18) return needs_dialect = true, std::pair("a", -18);
    if (power == -6) return {random_.pick(language_.micro), -6};
    static const std::pair<const char*, int> kSuffixes[] = {{"t", 12}, {"g", 9},  {"meg", 6}, {"k", 3},  {"", 0},
                                                            {"m", -3}, {"n", -9}, {"p", -12}, {"f", -15}};
    for (const auto& [suffix, of] : kSuffixes)
      if (of == power) return {suffix, of};
    return {"", 0};
  }

  const Language& language_;
  Random& random_;
  Expressions& expressions_;
  int words_ = 0;
};

}  // namespace gridiron::test
