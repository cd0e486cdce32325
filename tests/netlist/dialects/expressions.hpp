// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tests/netlist/dialects/language.hpp"
#include "tests/netlist/dialects/random.hpp"

namespace gridiron::test {

/// Values of parameters.
using Environment = std::map<std::string, long double>;

/// An expression as text and as a function: the second, in more digits, does not depend on the reader. Values are
/// positive, and known to lie between two bounds, so that no difference cancels and no condition is decided by
/// rounding.
struct Expression {
  enum { kChoice, kLogical, kComparison, kSum, kProduct, kPower, kAtom };
  std::string text;
  int binds;  ///< one of these
  std::function<long double(const Environment&)> value;
  double low, high;

  /// In parentheses where it would not bind tightly enough.
  std::string within(int level) const { return binds >= level ? text : "(" + text + ")"; }
};

/// A name that expressions may use; its value lies between the bounds.
struct Named {
  std::string name;
  double low, high;
};

/// `.func NAME(x, y)`.
struct Function {
  std::string name;
  Expression body;  ///< of x and y
};

/// Makes random expressions of a language.
class Expressions {
 public:
  Expressions(const Language& language, Random& random) : language_(language), random_(random) {}

  std::vector<Function> functions;  ///< that calls may be made of

  /// A positive number of a few digits.
  Expression literal(double low, double high) {
    const double v = std::round(random_.uniform(low, high) * 1000) / 1000;
    const std::string text = fmt::format("{}", v);
    const long double exact = std::stold(text);
    return {text, Expression::kAtom, [exact](const Environment&) { return exact; }, v, v};
  }

  Expression make(const std::vector<Named>& names, int depth) {
    if (depth == 0 || random_.chance(0.1)) return leaf(names);
    const Expression a = make(names, depth - 1), b = make(names, depth - 1);
    switch (random_.integer(0, 9)) {
      case 0:
      case 1:
        return sum(a, b);
      case 2:
      case 3:
        return product(a, b);
      case 4:
        return quotient(a, b);
      case 5:
        return difference(a, b);
      case 6:
        return language_.has_choice || language_.has_single_signs ? choice(a, b) : sum(a, b);
      case 7:
        return functions.empty() ? product(a, b) : call(a, b);
      default:
        return built_in(a, b);
    }
  }

  /// The same, scaled to lie between `low` and `high`.
  Expression between(double low, double high, const std::vector<Named>& names, int depth) {
    const Expression e = make(names, depth);
    const double span = std::ceil(e.high / (high - low) * 1.01);
    return sum(number(low), quotient(e, number(span)));
  }

 private:
  using Value = std::function<long double(const Environment&)>;

  std::string gap() { return random_.chance(0.3) ? " " : ""; }

  static Expression number(double v) {
    const std::string text = fmt::format("{}", v);
    const long double exact = std::stold(text);
    return {text, Expression::kAtom, [exact](const Environment&) { return exact; }, v, v};
  }

  Expression leaf(const std::vector<Named>& names) {
    if (names.empty() || random_.chance(0.4)) return literal(0.5, 4);
    const Named& n = random_.pick(names);
    return {random_.any_case(n.name), Expression::kAtom,
            [name = n.name](const Environment& env) { return env.at(name); }, n.low, n.high};
  }

  Expression binary(const std::string& sign, int level, int right_level, const Expression& a, const Expression& b,
                    double low, double high, Value value) {
    return {a.within(level) + gap() + sign + gap() + b.within(right_level), level, std::move(value), low, high};
  }
  Expression sum(const Expression& a, const Expression& b) {
    return binary("+", Expression::kSum, Expression::kProduct, a, b, a.low + b.low, a.high + b.high,
                  [f = a.value, g = b.value](const Environment& e) { return f(e) + g(e); });
  }
  Expression product(const Expression& a, const Expression& b) {
    if (a.high * b.high > 1e6) return sum(a, b);
    return binary("*", Expression::kProduct, Expression::kPower, a, b, a.low * b.low, a.high * b.high,
                  [f = a.value, g = b.value](const Environment& e) { return f(e) * g(e); });
  }
  Expression quotient(const Expression& a, const Expression& b) {
    if (a.low / b.high < 1e-6) return sum(a, b);
    return binary("/", Expression::kProduct, Expression::kPower, a, b, a.low / b.high, a.high / b.low,
                  [f = a.value, g = b.value](const Environment& e) { return f(e) / g(e); });
  }
  /// `c - a`, c large enough; with a sign before a power, which binds more tightly, now and then.
  Expression difference(const Expression& a, const Expression& b) {
    const Expression c = number(std::ceil(a.high * a.high + b.high) * 2);
    if (a.high < 100 && random_.chance(0.3)) {
      const Value square = [f = a.value, g = c.value](const Environment& e) { return g(e) - f(e) * f(e); };
      return {"-" + a.within(Expression::kAtom) + "**2+" + c.text, Expression::kSum, square, c.low - a.high * a.high,
              c.high};
    }
    return binary("-", Expression::kSum, Expression::kProduct, c, a, c.low - a.high, c.high - a.low,
                  [f = a.value, g = c.value](const Environment& e) { return g(e) - f(e); });
  }

  /// A condition that holds or does not whatever the values are.
  std::string condition(const Expression& a, bool& holds) {
    const bool first = random_.chance(0.5);
    const std::string limit = fmt::format("{}", first ? std::ceil(a.high) + 1 : std::floor(a.low * 500) / 1000);
    const std::string sign = random_.pick(std::vector<std::string>{"<", "<=", ">", ">="});
    holds = first == (sign[0] == '<');
    std::string text = a.within(Expression::kSum) + gap() + sign + gap() + limit;
    if (language_.has_single_signs && random_.chance(0.3)) {
      const bool negated = random_.chance(0.5), with_and = random_.chance(0.5);
      holds = with_and ? holds && !negated : holds || !negated;
      text = "(" + text + ")" + (with_and ? "&" : "|") + (negated ? "~(2>1)" : "(2>1)");
    } else if (language_.has_choice && !language_.has_single_signs && random_.chance(0.3)) {
      const bool negated = random_.chance(0.5), with_and = random_.chance(0.5);
      holds = with_and ? holds && !negated : holds || !negated;
      text = "(" + text + ")" + gap() + (with_and ? "&&" : "||") + gap() + (negated ? "!(2==2)" : "(2!=1)");
    }
    return text;
  }
  Expression choice(const Expression& a, const Expression& b) {
    bool holds = false;
    const std::string c = condition(leaf({}), holds);
    const Expression& taken = holds ? a : b;
    const bool is_call = !language_.has_choice || (language_.has_single_signs && random_.chance(0.5));
    // Behind '?' and ':' ngspice lets a sign bind more tightly than a power, and finds no function of the deck.
    const auto branch = [this](const Expression& e) {
      const bool needs_parentheses = e.text.starts_with("-") || e.text.starts_with("fun");
      return gap() + (needs_parentheses ? "(" + e.text + ")" : e.within(Expression::kSum));
    };
    const std::string text = is_call ? "if(" + c + "," + gap() + a.text + "," + b.text + ")"
                                     : "(" + c + ")" + gap() + "?" + branch(a) + gap() + ":" + branch(b);
    return {text, is_call ? Expression::kAtom : Expression::kChoice, taken.value, taken.low, taken.high};
  }

  Expression call(const Expression& a, const Expression& b) {
    const Function& f = random_.pick(functions);
    const Value body = f.body.value;
    // Bounds of the body hold for arguments between 0.5 and 4.
    const Expression x = a.low >= 0.5 && a.high <= 4 ? a : literal(0.5, 4);
    const Expression y = b.low >= 0.5 && b.high <= 4 ? b : literal(0.5, 4);
    return {f.name + "(" + x.text + "," + gap() + y.text + ")", Expression::kAtom,
            [body, f = x.value, g = y.value](const Environment& e) {
              return body({{"x", f(e)}, {"y", g(e)}});
            },
            f.body.low, f.body.high};
  }

  /// A function of one argument between `low` and `high`.
  static Expression of_one(const std::string& text, double low, double high, Value value) {
    return {text, Expression::kAtom, std::move(value), low, high};
  }

  Expression built_in(const Expression& a, const Expression& b);
  Expression usual(const std::string& name, const Expression& a, const Expression& b);
  Expression of_dialect(const std::string& name, const Expression& a, const Expression& b);

  const Language& language_;
  Random& random_;
};

inline Expression Expressions::built_in(const Expression& a, const Expression& b) {
  const std::string name = random_.pick(language_.functions);
  const Expression x = a.high < 5 && a.low > 0.1 ? a : literal(0.5, 4);
  const bool is_power = name == "**";
  if (is_power) {
    const int n = random_.integer(2, 3);
    const std::string sign = language_.has_hat && random_.chance(0.5) ? "^" : "**";
    return {x.within(Expression::kAtom) + gap() + sign + gap() + fmt::format("{}", n), Expression::kPower,
            [f = x.value, n](const Environment& e) { return std::pow(f(e), static_cast<long double>(n)); },
            std::pow(x.low, n), std::pow(x.high, n)};
  }
  const Expression known = usual(name, x, b);
  return known.text.empty() ? of_dialect(name, x, b) : known;
}

/// Functions that mean the same everywhere; an empty text for others.
inline Expression Expressions::usual(const std::string& name, const Expression& x, const Expression& b) {
  struct Row {
    const char* name;
    long double (*f)(long double);
  };
  static constexpr Row kRising[] = {
      {"sqrt", [](long double v) { return std::sqrt(v); }},   {"exp", [](long double v) { return std::exp(v); }},
      {"tanh", [](long double v) { return std::tanh(v); }},   {"abs", [](long double v) { return std::abs(v); }},
      {"arctan", [](long double v) { return std::atan(v); }}, {"uramp", [](long double v) { return v > 0 ? v : 0; }}};
  for (const Row& row : kRising)
    if (name == row.name)
      return of_one(name + "(" + x.text + ")", static_cast<double>(row.f(x.low)), static_cast<double>(row.f(x.high)),
                    [f = x.value, g = row.f](const Environment& e) { return g(f(e)); });
  // Logarithms of numbers above 1, which no rounding makes small.
  if (name == "ln" || name == "log" || name == "log10") {
    const bool is_decimal = name == "log10";
    const auto f = [is_decimal](long double v) { return is_decimal ? std::log10(v) : std::log(v); };
    return of_one(name + "(10+" + x.within(Expression::kProduct) + ")", static_cast<double>(f(10 + x.low)),
                  static_cast<double>(f(10 + x.high)), [f, g = x.value](const Environment& e) { return f(10 + g(e)); });
  }
  if (name == "min" || name == "max") {
    const bool is_max = name == "max";
    return of_one(name + "(" + x.text + "," + gap() + b.text + ")",
                  is_max ? std::max(x.low, b.low) : std::min(x.low, b.low),
                  is_max ? std::max(x.high, b.high) : std::min(x.high, b.high),
                  [is_max, f = x.value, g = b.value](const Environment& e) {
                    return is_max ? std::max(f(e), g(e)) : std::min(f(e), g(e));
                  });
  }
  if (name == "hypot")
    return of_one("hypot(3," + x.text + ")", 3, 3 + x.high,
                  [f = x.value](const Environment& e) { return std::hypot(3.0L, f(e)); });
  if (name == "atan2")
    return of_one("atan2(" + x.text + ",2)", std::atan2(x.low, 2), 1.6,
                  [f = x.value](const Environment& e) { return std::atan2(f(e), 2.0L); });
  return {};
}

/// Functions with a jump, of constants, and what this dialect alone has.
inline Expression Expressions::of_dialect(const std::string& name, const Expression& x, const Expression&) {
  const Dialect d = language_.dialect;
  const auto fixed = [](const std::string& text, double v) {
    return Expression{text, Expression::kAtom, [v](const Environment&) { return v; }, v, v};
  };
  if (name == "int" || name == "floor") return fixed(name + "(3.75)", 3);
  if (name == "ceil") return fixed("ceil(3.25)", 4);
  if (name == "round") return fixed("round(2.5)", 3);
  if (name == "nint") return random_.chance(0.5) ? fixed("nint(2.5)", 2) : fixed("nint(3.5)", 4);
  if (name == "sgn") return fixed("(3+sgn(-" + x.within(Expression::kAtom) + "))", 2);
  if (name == "sign") return fixed("(9+sign(4,-" + x.within(Expression::kAtom) + "))", 5);
  if (name == "stp" || name == "u") return fixed("(2-" + name + "(" + x.text + "))", 1);
  if (name == "if") return fixed("if(" + x.text + ">0,3,4)", 3);
  if (name == "limit")
    return random_.chance(0.5) ? fixed("limit(" + x.text + ",10,20)", 10)
                               : fixed("limit(40+" + x.within(Expression::kProduct) + ",10,20)", 20);
  if (name == "table")
    return of_one("table(" + x.text + ",0,1,100,101)", 1 + x.low, 1 + x.high,
                  [f = x.value](const Environment& e) { return 1 + f(e); });
  if (name == "nominal") return fixed(random_.pick(std::vector<std::string>{"agauss(5,0.1,3)", "unif(5,0.2)"}), 5);
  if (name == "odd_root")
    return of_one("(9+sqrt(-" + x.within(Expression::kAtom) + "))", 9 - std::sqrt(x.high), 9,
                  [f = x.value](const Environment& e) { return 9 - std::sqrt(f(e)); });
  if (name == "odd_power") {
    // (−x)³: a number's own in HSPICE and LTspice, that of its magnitude in ngspice.
    const int sign = d == Dialect::ngspice ? 1 : -1;
    return of_one("(200+(-" + x.within(Expression::kAtom) + ")**3)", 200 - 125, 200 + 125,
                  [f = x.value, sign](const Environment& e) { return 200 + sign * f(e) * f(e) * f(e); });
  }
  if (name == "pow") {
    // To the power of the whole part of the exponent in HSPICE.
    const long double n = d == Dialect::hspice ? 2.0L : 2.5L;
    return of_one("pow(" + x.text + ",2.5)", std::pow(x.low, 2.5) / 5, std::pow(x.high, 2.5) + 1,
                  [f = x.value, n](const Environment& e) { return std::pow(f(e), n); });
  }
  // |x|^y with the sign of x: pwrs everywhere, pwr in HSPICE.
  const bool is_odd = name == "pwrs" || d == Dialect::hspice;
  return of_one("(80+" + name + "(-" + x.within(Expression::kAtom) + ",2.5))", 80 - 56, 80 + 56,
                [f = x.value, is_odd](const Environment& e) { return 80 + (is_odd ? -1 : 1) * std::pow(f(e), 2.5L); });
}

}  // namespace gridiron::test
