// SPDX-License-Identifier: Apache-2.0
#include "netlist/values/expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "netlist/names/lower_case.hpp"
#include "netlist/names/name_table.hpp"
#include "netlist/values/expression_text.hpp"
#include "netlist/values/function_calls.hpp"
#include "netlist/values/functions.hpp"
#include "netlist/values/spice_number.hpp"

namespace gridiron {
namespace {

using namespace expression_text;

constexpr size_t kLongest = 10'000;
constexpr int kDeepest = 200;  // nesting, bodies of functions and parameters asked for included
constexpr size_t kMostArguments = 100;

/// How deep this thread is in expressions that ask for others.
thread_local int t_depth = 0;

struct Nesting {
  /// `calls`: of functions that it lies in.
  explicit Nesting(int calls) {
    if (++t_depth <= kDeepest) return;
    --t_depth;
    throw ExpressionError(calls > kDeepest / 2
                              ? fmt::format("functions call one another more than {} deep", calls)
                              : fmt::format("more than {} nested parentheses, choices or functions", kDeepest));
  }
  ~Nesting() { --t_depth; }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;
};

/// Reads an expression from left to right, a function for each level of precedence, and computes on the way. What a
/// condition rules out is read, but neither looked up nor computed.
class Evaluator {
 public:
  Evaluator(std::string_view text, const ParameterLookup& parameter, const ScaledNumber& number,
            const ExpressionLanguage& language, Calls& calls, const Frame* frame = nullptr)
      : text_(text),
        at_(text.data()),
        end_(text.data() + text.size()),
        has_choice_(has_choice(text)),
        parameter_(parameter),
        number_(number),
        language_(language),
        calls_(calls),
        frame_(frame) {
    if (text.size() > kLongest) throw ExpressionError(fmt::format("expression longer than {} characters", kLongest));
  }

  double value() {
    const double value = choice();
    if (next() != '\0' || at_ != end_) fail_here();
    return value;
  }

 private:
  double choice() {
    const Nesting nesting(frame_ ? frame_->depth : 0);
    const double condition = either();
    if (!take("?")) return condition;
    const bool was_live = is_live_, holds = is_true(condition);
    is_live_ = was_live && holds;
    const double first = chosen_first();
    if (!take(":")) fail("a ':'");
    is_live_ = was_live && !holds;
    const double second = choice();
    is_live_ = was_live;
    return holds ? first : second;
  }

  /// What stands between ? and :.
  double chosen_first() {
    if (!is_read_by_ngspice()) return choice();
    const double first = either();
    if (next() == '?')
      throw ExpressionError("a choice between '?' and ':' is misread by ngspice; put it into parentheses");
    return first;
  }

  double either() {
    double left = both();
    while (next() == '|') {
      take_logical('|');
      const bool holds = is_true(left);
      left = ruled_out(holds, &Evaluator::both) || holds;
    }
    return left;
  }

  double both() {
    double left = equality();
    while (next() == '&') {
      take_logical('&');
      const bool holds = is_true(left);
      left = ruled_out(!holds, &Evaluator::equality) && holds;
    }
    return left;
  }

  /// The right side of a logical operator, which does not count where the left one decides.
  bool ruled_out(bool is_decided, double (Evaluator::*side)()) {
    const bool was_live = is_live_;
    is_live_ = was_live && !is_decided;
    const bool holds = is_true((this->*side)());
    is_live_ = was_live;
    return holds;
  }

  /// One level for all comparisons in ngspice; elsewhere, == and != bind less tightly.
  double equality() {
    double left = relation(sum());
    for (;;) {
      if (take("=="))
        left = compared(left, compared_with(), [](double a, double b) { return a == b; });
      else if (take("!=") || take("<>"))
        left = compared(left, compared_with(), [](double a, double b) { return a != b; });
      else if (next() == '=')
        fail("'==' for a comparison");
      else
        return left;
      if (language_.dialect == Dialect::ngspice) left = relation(left);
    }
  }

  /// The right side of == or !=.
  double compared_with() {
    const double right = sum();
    if (!begins_relation() || language_.dialect == Dialect::ngspice) return right;
    if (language_.dialect == Dialect::automatic)
      throw ExpressionError(
          "ngspice compares from the left to the right, other programs with == and != last; put one comparison into "
          "parentheses");
    return relation(right);
  }

  bool begins_relation() {
    const char sign = next();
    return sign == '>' || (sign == '<' && !starts_with("<>"));
  }

  /// What follows the left side of a comparison by size, and whether it holds; `left` itself where none follows.
  double relation(double left) {
    while (begins_relation()) {
      const char sign = *at_;
      ++at_;
      const bool with_equal = at_ != end_ && *at_ == '=';
      at_ += with_equal;
      const double right = sum();
      left = compared(left, right, [sign, with_equal](double a, double b) {
        return (sign == '<' ? a < b : a > b) || (with_equal && a == b);
      });
    }
    return left;
  }

  template <class Holds>
  double compared(double a, double b, Holds holds) const {
    if (is_live_ && (std::isnan(a) || std::isnan(b)))
      throw ExpressionError(fmt::format("a side of a comparison in '{}' is not a number", spelled()));
    return holds(a, b);
  }

  double sum() {
    double left = product();
    for (;;) {
      const char sign = next();
      if (sign != '+' && sign != '-') return left;
      ++at_;
      left = sign == '+' ? left + product() : left - product();
    }
  }

  double product() {
    double left = signed_power();
    for (;;) {
      const char sign = next();
      if (sign != '*' && sign != '/' && sign != '%') return left;
      ++at_;
      const double right = signed_power();
      left = sign == '*' ? left * right : sign == '/' ? left / right : std::fmod(left, right);
    }
  }

  /// Signs and negations before a power, which binds more tightly.
  double signed_power() {
    next();
    const char* const begin = at_;
    while (next() == '+' || *here() == '-' || *here() == '!' || (*here() == '~' && has_single_signs())) ++at_;
    const char* const end = at_;
    double value = power(std::find(begin, end, '-') != end && is_behind_operator(begin));
    for (const char* sign = end; sign != begin;) {
      --sign;
      if (*sign == '-') value = -value;
      if (*sign == '!' || *sign == '~') value = !is_true(value);
    }
    return value;
  }

  double power(bool has_disputed_sign) {
    const double base = atom();
    if (!take_power()) return base;
    if (has_disputed_sign)
      throw ExpressionError(
          "a sign between an operator and a power belongs to its base in ngspice alone; put one of them into "
          "parentheses");
    bool is_negative = false;
    while (next() == '+' || *here() == '-') is_negative ^= *at_++ == '-';
    const double exponent = atom();
    if (next() == '^' || starts_with("**"))
      throw ExpressionError(
          "a power of a power is read from the left by some programs and from the right by others; put one of them "
          "into parentheses");
    return is_live_ ? raised(base, is_negative ? -exponent : exponent, language_.dialect) : 0;
  }

  bool is_behind_operator(const char* at) const {
    while (at != text_.data() && is_blank(at[-1])) --at;
    return at != text_.data() && at[-1] != '(' && at[-1] != ',';
  }

  bool take_power() {
    if (take("**")) return true;
    if (next() != '^') return false;
    if (has_single_signs()) throw ExpressionError("'^' is exclusive or in LTspice and PSpice; write ** for a power");
    ++at_;
    return true;
  }

  double atom() {
    const char c = next();
    if (c == '(') {
      ++at_;
      const double value = choice();
      if (!take(")")) fail("a ')'");
      return value;
    }
    if (begins_name(c)) return name();
    double digits = 0;
    const char* const letters = is_decimal(c) || c == '.' ? parse_decimal(at_, end_, digits) : nullptr;
    if (!letters) fail("a number, parameter or parenthesis");
    at_ = end_of_digits_behind(letters, end_of_letters(letters, end_), end_);
    return letters == at_ ? digits : number_(digits, {letters, at_});
  }

  double name() {
    const char* const begin = at_;
    while (at_ != end_ && is_name_char(*at_, has_choice_)) ++at_;
    const std::string_view name(begin, static_cast<size_t>(at_ - begin));
    if (take("(")) return called(name);
    if (!is_live_) return 0;
    if (frame_)
      for (size_t i = 0; i < frame_->function.arguments.size(); ++i)
        if (same_name(frame_->function.arguments[i], name)) return frame_->arguments[i];
    return parameter_(name);
  }

  double called(std::string_view name) {
    std::array<double, kMostArguments> arguments;
    size_t count = 0;
    if (next() != ')') do {
        if (count == kMostArguments) throw ExpressionError(fmt::format("more than {} arguments", kMostArguments));
        arguments[count++] = choice();
      } while (take(","));
    if (!take(")")) fail("a ')'");
    const UserFunction* const own = language_.function ? language_.function(name) : nullptr;
    const BuiltIn* const known = own ? nullptr : find_built_in(name);
    if (!own && !known) throw ExpressionError(fmt::format("unknown function '{}'", name));
    require_arguments(name, count, own ? own->arguments.size() : known->least,
                      own ? own->arguments.size() : known->most);
    if (!is_live_) return 0;
    return own ? call(*own, arguments.data()) : known->call(arguments.data(), count, language_.dialect);
  }

  static void require_arguments(std::string_view name, size_t count, size_t least, size_t most) {
    if (count >= least && count <= most) return;
    throw ExpressionError(fmt::format("{}() takes {}{} argument(s), got {}", name, least,
                                      least == most ? "" : fmt::format(" to {}", most), count));
  }

  double call(const UserFunction& function, const double* arguments) const {
    for (const Frame* f = frame_; f; f = f->caller)
      if (&f->function == &function) throw ExpressionError(fmt::format("function '{}' calls itself", function.name));
    if (!frame_) return called_body(function, arguments);
    std::optional<double>& known = calls_.value_of(function, arguments);
    if (!known) known = called_body(function, arguments);
    return *known;
  }

  double called_body(const UserFunction& function, const double* arguments) const {
    calls_.add_work(function, frame_ ? function.name : text_);
    const Frame frame{function, arguments, frame_, frame_ ? frame_->depth + 1 : 1};
    return Evaluator(function.body, parameter_, number_, language_, calls_, &frame).value();
  }

  bool is_true(double value) const {
    if (is_live_ && std::isnan(value))
      throw ExpressionError(fmt::format("a condition in '{}' is not a number", spelled()));
    return value != 0;
  }

  bool is_read_by_ngspice() const {
    return language_.dialect == Dialect::ngspice || language_.dialect == Dialect::automatic;
  }

  /// `&`, `|` and `~` alone are logical in LTspice and PSpice, and of numbers bit by bit elsewhere.
  bool has_single_signs() const {
    return language_.dialect == Dialect::ltspice || language_.dialect == Dialect::pspice;
  }

  void take_logical(char sign) {
    ++at_;
    if (at_ != end_ && *at_ == sign)
      ++at_;
    else if (!has_single_signs())
      fail(sign == '&' ? "'&&'" : "'||'");
  }

  /// The next character that is not blank; 0 at the end.
  char next() {
    for (const char* at = at_; at; at = behind_blank(at_, end_)) at_ = at;
    return *here();
  }
  const char* here() const { return at_ != end_ ? at_ : ""; }

  bool starts_with(std::string_view sign) const {
    return std::string_view(at_, static_cast<size_t>(end_ - at_)).starts_with(sign);
  }
  bool take(std::string_view sign) {
    next();
    if (!starts_with(sign)) return false;
    at_ += sign.size();
    return true;
  }

  std::string spelled() const { return in_one_line(text_); }

  [[noreturn]] void fail(std::string_view expected) const {
    throw ExpressionError(fmt::format("expected {} in '{}'", expected, spelled()));
  }
  [[noreturn]] void fail_here() const {
    throw ExpressionError(fmt::format("cannot understand '{}'",
                                      in_one_line({at_, static_cast<size_t>(std::min<ptrdiff_t>(20, end_ - at_))})));
  }

  std::string_view text_;
  const char* at_;
  const char* end_;
  bool has_choice_, is_live_ = true;
  const ParameterLookup& parameter_;
  const ScaledNumber& number_;
  const ExpressionLanguage& language_;
  Calls& calls_;
  const Frame* frame_;
};

}  // namespace

std::string expression_functions() {
  std::string names;
  for (const BuiltIn& f : built_in_functions()) {
    if (!names.empty()) names += ' ';
    names += f.name;
  }
  return names;
}

double with_any_unit(double digits, std::string_view letters) {
  return scaled(digits, letters, Quantity::anything).value;
}

double evaluate_expression(std::string_view text, const ParameterLookup& parameter, const ScaledNumber& number,
                           const ExpressionLanguage& language) {
  double value = 0;
  Calls calls;
  try {
    value = Evaluator(text, parameter, number, language, calls).value();
  } catch (const UnitError& e) {
    throw ExpressionError(fmt::format("{} in '{}'", e.what(), in_one_line(text)));
  }
  if (!std::isfinite(value)) throw ExpressionError(fmt::format("'{}' is not a finite number", in_one_line(text)));
  return value;
}

}  // namespace gridiron
