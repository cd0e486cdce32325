// SPDX-License-Identifier: Apache-2.0
#include "netlist/values/arithmetic_program.hpp"

#include <array>
#include <cmath>
#include <cstring>
#include <span>

#include "netlist/names/name_table.hpp"
#include "netlist/values/quantity.hpp"
#include "netlist/values/spice_number.hpp"

namespace gridiron {
namespace {

// Less than evaluate_expression() allows.
constexpr size_t kLongestProgram = 1000, kMostOfBodies = 2000;  // characters
constexpr int kDeepestBracket = 20, kDeepestCall = 8;
constexpr size_t kMostOperands = 8;  // of a function

/// What characters of names and numbers are, a point among the digits, and what is between them.
enum class Part : uint8_t { letter, digit, sign, blank, other };
constexpr std::array<Part, 256> kParts = [] {
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
Part part_at(const char* p) { return kParts[static_cast<unsigned char>(*p)]; }

/// The end of the digits at `p`; null if they are no number.
const char* read_digits(const char* p, const char* end, double& value) {
  const char* const behind = parse_fixed_decimal(p, end, value);
  return behind ? behind : parse_decimal(p, end, value);
}

}  // namespace

/// Reads an expression, or the body of a function that it calls, from left to right.
class ArithmeticReader {
 public:
  /// Index of a value: numbers of the expression first, then constants, then results, each counted from 0.
  struct Operand {
    enum Of : uint8_t { nothing, number, constant, result } of;
    uint16_t index;
  };
  /// A step whose operands are not numbered among all values yet.
  struct Step {
    ArithmeticProgram::Step::Kind kind;
    Operand a, b;
  };
  /// What the expression and the bodies that it calls have in common.
  struct Shared {
    ArithmeticMeaning& meaning;
    std::vector<std::string_view> between = {}, letters = {};
    std::vector<double> numbers = {}, constants = {};
    std::vector<Step> steps = {};
    size_t room = kMostOfBodies;
    bool has_operator = false;

    Operand emit(ArithmeticProgram::Step::Kind kind, Operand a, Operand b = {}) {
      steps.push_back({kind, a, b});
      return {Operand::result, static_cast<uint16_t>(steps.size() - 1)};
    }
    Operand keep(double value) {
      constants.push_back(value);
      return {Operand::constant, static_cast<uint16_t>(constants.size() - 1)};
    }
  };
  /// A function of the deck with its arguments.
  struct Call {
    const UserFunction& function;
    std::span<const Operand> arguments;
    int depth;  ///< 1: the expression itself calls it
  };

  ArithmeticReader(std::string_view text, Shared& shared, const Call* call)
      : begin_(text.data()), at_(begin_), end_(begin_ + text.size()), shared_(shared), call_(call) {}

  bool read(Operand& value) {
    if (static_cast<size_t>(end_ - at_) > kLongestProgram || !sum(value, 0) || at_ != end_) return false;
    if (!call_) shared_.between.emplace_back(behind_number(), end_);
    return true;
  }

 private:
  using Kind = ArithmeticProgram::Step;

  bool sum(Operand& value, int depth) {
    Operand sum{}, product{};
    for (char sign = '+';; sign = *at_++, shared_.has_operator = true) {
      Operand right{};
      if (!factor(right, depth)) return false;  // also the second star of a power
      if (sign == '*') {
        product = shared_.emit(Kind::multiply, product, right);
      } else if (sign == '/') {
        product = shared_.emit(Kind::divide, product, right);
      } else {
        sum = joined(sum, product);
        product = sign == '+' ? right : shared_.emit(Kind::negate, right);
      }
      if (at_ == end_ || part_at(at_) != Part::sign) break;
    }
    value = joined(sum, product);
    return true;
  }
  Operand joined(Operand sum, Operand product) {
    return sum.of == Operand::nothing ? product : shared_.emit(Kind::add, sum, product);
  }

  /// With its signs before it and the blanks around.
  bool factor(Operand& value, int depth) {
    bool is_negative = false;
    for (; at_ != end_ && (part_at(at_) == Part::blank || *at_ == '-' || *at_ == '+'); ++at_)
      is_negative ^= *at_ == '-';
    if (at_ == end_) return false;
    const Part part = part_at(at_);
    const bool is_read = part == Part::letter  ? name(value, depth)
                         : part == Part::digit ? number(value)
                                               : bracket(value, depth);
    if (!is_read) return false;
    skip_blanks();
    if (is_negative) value = shared_.emit(Kind::negate, value);
    return true;
  }
  void skip_blanks() {
    while (at_ != end_ && part_at(at_) == Part::blank) ++at_;
  }

  bool bracket(Operand& value, int depth) {
    if (*at_ != '(' || depth == kDeepestBracket) return false;
    ++at_;
    return sum(value, depth + 1) && at_ != end_ && *at_++ == ')';
  }

  bool name(Operand& value, int depth) {
    const char* const begin = at_;
    while (at_ != end_ && part_at(at_) <= Part::digit) ++at_;
    const std::string_view name(begin, static_cast<size_t>(at_ - begin));
    skip_blanks();
    if (at_ != end_ && *at_ == '(') return ++at_, called(name, value, depth);
    for (size_t i = 0; call_ && i < call_->arguments.size(); ++i)
      if (same_name(call_->function.arguments[i], name)) return value = call_->arguments[i], true;
    const std::optional<double> known = shared_.meaning.parameter(name);
    if (known) value = shared_.keep(*known);
    return known.has_value();
  }

  /// Behind the opening parenthesis.
  bool called(std::string_view name, Operand& value, int depth) {
    shared_.has_operator = true;
    std::array<Operand, kMostOperands> arguments{};
    size_t count = 0;
    do {
      if (count == arguments.size() || depth == kDeepestBracket || !sum(arguments[count], depth + 1) || at_ == end_)
        return false;
      ++count;
    } while (*at_++ == ',');
    if (at_[-1] != ')') return false;
    const UserFunction* const f = shared_.meaning.function(name);
    const int deep = call_ ? call_->depth + 1 : 1;
    if (!f || f->arguments.size() != count || f->body.size() > shared_.room || deep > kDeepestCall) return false;
    shared_.room -= f->body.size();
    const Call inner{*f, std::span(arguments.data(), count), deep};
    return ArithmeticReader(f->body, shared_, &inner).read(value);
  }

  bool number(Operand& value) {
    const char* const digits = at_;
    double number = 0;
    const char* const letters = read_digits(at_, end_, number);
    if (!letters) return false;
    at_ = end_of_letters(letters, end_);
    const std::string_view suffix(letters, static_cast<size_t>(at_ - letters));
    const std::optional<double> scaled = suffix.empty() ? number : shared_.meaning.number(number, suffix);
    if (!scaled) return false;
    if (call_) return value = shared_.keep(*scaled), true;
    shared_.between.emplace_back(behind_number(), digits);
    behind_number_ = letters;
    value = {Operand::number, static_cast<uint16_t>(shared_.numbers.size())};
    shared_.numbers.push_back(number);
    if (suffix.empty()) return true;
    shared_.letters.push_back(suffix);
    const auto of_letters = static_cast<uint16_t>(shared_.letters.size() - 1);
    value = shared_.emit(Kind::scale, value, {Operand::nothing, of_letters});
    return true;
  }
  /// Of the last number, or the begin.
  const char* behind_number() const { return behind_number_ ? behind_number_ : begin_; }

  const char* const begin_;
  const char* at_;
  const char* const end_;
  const char* behind_number_ = nullptr;
  Shared& shared_;
  const Call* const call_;
};

bool ArithmeticProgram::read(std::string_view text, ArithmeticMeaning& meaning) {
  between_.clear();  // in case that it is not read
  ArithmeticReader::Shared shared{meaning};
  ArithmeticReader::Operand all{};
  if (!ArithmeticReader(text, shared, nullptr).read(all) || !shared.has_operator) return false;
  using Operand = ArithmeticReader::Operand;
  const size_t numbers = shared.numbers.size();
  first_result_ = numbers + shared.constants.size();
  const auto index = [&](Operand operand) {
    const size_t before = operand.of == Operand::result ? first_result_ : operand.of == Operand::constant ? numbers : 0;
    return static_cast<uint16_t>(before + operand.index);
  };
  steps_.clear();
  for (const ArithmeticReader::Step& step : shared.steps) steps_.push_back({step.kind, index(step.a), index(step.b)});
  between_ = std::move(shared.between);
  letters_ = std::move(shared.letters);
  values_ = std::move(shared.numbers);
  values_.insert(values_.end(), shared.constants.begin(), shared.constants.end());
  values_.resize(first_result_ + steps_.size());
  all_ = index(all);
  return true;
}

bool ArithmeticProgram::takes_numbers(std::string_view text) {
  if (between_.empty() || text.size() > kLongestProgram) return false;
  const char* p = text.data();
  const char* const end = p + text.size();
  const auto takes = [&p, end](std::string_view words) {
    if (static_cast<size_t>(end - p) < words.size() || !is_spelled({p, words.size()}, words)) return false;
    p += words.size();
    return true;
  };
  for (size_t i = 0; i + 1 < between_.size(); ++i) {
    if (!takes(between_[i]) || p == end || part_at(p) != Part::digit) return false;
    if (!(p = read_digits(p, end, values_[i]))) return false;
  }
  return takes(between_.back()) && p == end;
}

std::optional<double> ArithmeticProgram::value(std::string_view text, ArithmeticMeaning& meaning) {
  if (!takes_numbers(text)) return std::nullopt;
  double* result = values_.data() + first_result_;
  for (const Step& step : steps_) {
    const double a = values_[step.a];
    switch (step.kind) {
      case Step::add:
        *result = a + values_[step.b];
        break;
      case Step::multiply:
        *result = a * values_[step.b];
        break;
      case Step::divide:
        *result = a / values_[step.b];
        break;
      case Step::negate:
        *result = -a;
        break;
      case Step::scale: {
        const std::optional<double> scaled = meaning.number(a, letters_[step.b]);
        if (!scaled) return std::nullopt;
        *result = *scaled;
        break;
      }
    }
    ++result;
  }
  return std::isfinite(values_[all_]) ? std::optional(values_[all_]) : std::nullopt;
}

std::optional<double> ArithmeticPrograms::value(std::string_view text, ArithmeticMeaning& meaning) {
  for (size_t tried = 0; tried < programs_.size(); ++tried) {
    if (const std::optional<double> value = programs_[last_].value(text, meaning)) return value;
    last_ = (last_ + 1) % programs_.size();
  }
  if (programs_.size() < kMost) programs_.emplace_back();
  last_ = next_++ % kMost;
  ArithmeticProgram& program = programs_[last_];
  return program.read(text, meaning) ? program.value(text, meaning) : std::nullopt;
}

}  // namespace gridiron
