// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "netlist/values/expression.hpp"

namespace gridiron {

/// What names and numbers in expressions mean.
class ArithmeticMeaning {
 public:
  virtual ~ArithmeticMeaning() = default;
  /// Of a parameter; none if it is not known yet.
  virtual std::optional<double> parameter(std::string_view name) = 0;
  /// A number with letters; none if it is not to be read without a note. Errors: UnitError.
  virtual std::optional<double> number(double digits, std::string_view letters) = 0;
  /// A function of the deck; null for others.
  virtual const UserFunction* function(std::string_view name) = 0;
};

/// An expression of numbers, names, signs, + − * /, parentheses and functions of the deck, as nearly all of decks are,
/// read once for all that differ from it in their numbers alone, as cards do that a program wrote. It computes in the
/// same steps as evaluate_expression(), to which everything else is left: powers, comparisons, built-in functions, and
/// all mistakes. Internal to netlist/.
class ArithmeticProgram {
 public:
  /// False for another expression, and for a number or a name alone. Refers to `text`. Errors: UnitError.
  bool read(std::string_view text, ArithmeticMeaning& meaning);

  /// Of an expression that differs from the one that was read in its numbers at most; none for all others, and of what
  /// is not finite. Errors: UnitError.
  std::optional<double> value(std::string_view text, ArithmeticMeaning& meaning);

 private:
  friend class ArithmeticReader;

  /// A step makes the next value of two others, or of one.
  struct Step {
    enum Kind : uint8_t { add, multiply, divide, negate, scale } kind;
    uint16_t a, b;  ///< indices of values; of scale the second is one of letters_
  };

  bool takes_numbers(std::string_view text);

  /// Numbers of the expression, in its order, constants, and then the results of steps.
  std::vector<double> values_;
  std::vector<std::string_view> between_;  ///< before each number, and behind the last one
  std::vector<std::string_view> letters_;  ///< of suffixes and units
  std::vector<Step> steps_;
  size_t first_result_ = 0, all_ = 0;  ///< the value of the whole may be that of any step, as of f(a, b) {a}
};

/// The last of them that were read: of cards that a program wrote there are few. Internal to netlist/.
class ArithmeticPrograms {
 public:
  /// Of an expression that one of them computes, or else is read for; none of others, and of what is not finite. Refers
  /// to `text`. Errors: UnitError.
  std::optional<double> value(std::string_view text, ArithmeticMeaning& meaning);

 private:
  static constexpr size_t kMost = 4;
  std::vector<ArithmeticProgram> programs_;
  size_t last_ = 0, next_ = 0;
};

}  // namespace gridiron
