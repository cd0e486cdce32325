// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "netlist/values/quantity.hpp"

namespace gridiron {

/// A description of what is wrong with an expression, without its location.
struct ExpressionError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Value of a parameter by name; throws ExpressionError if there is none.
using ParameterLookup = std::function<double(std::string_view name)>;

/// A number of `digits` with the suffix and the unit in `letters`; throws UnitError.
using ScaledNumber = std::function<double(double digits, std::string_view letters)>;

/// With any unit of SPICE.
double with_any_unit(double digits, std::string_view letters);

/// `.func NAME(argument, …) {body}`; views of the text of the deck.
struct UserFunction {
  std::string_view name;
  std::vector<std::string_view> arguments;
  std::string_view body;
};

/// The function of the deck of that name, or null.
using FunctionLookup = std::function<const UserFunction*(std::string_view name)>;

/// What expressions of a deck may use besides parameters, and whose rules apply where programs differ.
struct ExpressionLanguage {
  Dialect dialect = Dialect::automatic;
  FunctionLookup function = {};
};

/// Evaluates `u > 0 ? 2*(w+1k)**2 : f(w)`: ?: || && ! == != < <= > >= + − * / % ** ^, parentheses, SPICE numbers,
/// parameters and functions, as docs/netlist.md lists them. The result is finite; otherwise ExpressionError says why
/// not.
double evaluate_expression(std::string_view text, const ParameterLookup& parameter,
                           const ScaledNumber& number = with_any_unit, const ExpressionLanguage& language = {});

/// The number that an expression consists of, and the letters behind its digits.
struct OnlyNumber {
  double digits;
  std::string_view letters;
};
std::optional<OnlyNumber> only_number(std::string_view expression);

/// The name that an expression consists of; empty for any other.
std::string_view only_name(std::string_view expression);

/// The functions available in expressions, separated by blanks.
std::string expression_functions();

/// Calls `f` for every word of an expression that may be the name of a parameter, including names of functions.
void for_each_name(std::string_view expression, const std::function<void(std::string_view)>& f);

}  // namespace gridiron
