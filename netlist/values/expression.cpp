// SPDX-License-Identifier: Apache-2.0
#include "netlist/values/expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/spirit/home/x3.hpp>
#include <cmath>
#include <vector>

#include "netlist/names/lower_case.hpp"
#include "netlist/values/quantity.hpp"
#include "netlist/values/spice_number.hpp"

namespace gridiron {
namespace {

namespace x3 = boost::spirit::x3;
using Iterator = const char*;

constexpr size_t kLongest = 10'000;
constexpr int kDeepest = 200;  // nesting of parentheses, the only recursion of the grammar

struct Function {
  std::string_view name;
  size_t arity;
  double (*call)(double, double);
};
constexpr Function kFunctions[] = {
    {"abs", 1, [](double a, double) { return std::abs(a); }},
    {"sqrt", 1, [](double a, double) { return std::sqrt(a); }},
    {"exp", 1, [](double a, double) { return std::exp(a); }},
    {"log", 1, [](double a, double) { return std::log(a); }},
    {"ln", 1, [](double a, double) { return std::log(a); }},
    {"log10", 1, [](double a, double) { return std::log10(a); }},
    {"sin", 1, [](double a, double) { return std::sin(a); }},
    {"cos", 1, [](double a, double) { return std::cos(a); }},
    {"tan", 1, [](double a, double) { return std::tan(a); }},
    {"int", 1, [](double a, double) { return std::trunc(a); }},
    {"floor", 1, [](double a, double) { return std::floor(a); }},
    {"ceil", 1, [](double a, double) { return std::ceil(a); }},
    {"min", 2, [](double a, double b) { return std::min(a, b); }},
    {"max", 2, [](double a, double b) { return std::max(a, b); }},
    {"pow", 2, [](double a, double b) { return std::pow(a, b); }},
};

double call_function(const std::string& name, const std::vector<double>& arguments) {
  for (const Function& f : kFunctions) {
    if (f.name != name) continue;
    if (arguments.size() != f.arity) throw ExpressionError(fmt::format("{}() takes {} argument(s)", name, f.arity));
    return f.call(arguments[0], f.arity == 2 ? arguments[1] : 0.0);
  }
  throw ExpressionError(fmt::format("unknown function '{}'", name));
}

struct Lookup;  // tags under which parameters and units are passed through the grammar
struct Units;

struct spice_number_parser : x3::parser<spice_number_parser> {
  using attribute_type = double;
  static constexpr bool has_attribute = true;
  template <class Context, class Attribute>
  bool parse(Iterator& first, const Iterator& last, const Context& context, x3::unused_type,
             Attribute& attribute) const {
    x3::skip_over(first, last, context);
    if (first != last && (*first == '+' || *first == '-')) return false;  // signs are handled by the grammar
    double digits = 0;
    const Iterator letters = parse_decimal(first, last, digits);
    if (!letters) return false;
    const Iterator end = end_of_letters(letters, last);
    x3::traits::move_to(x3::get<Units>(context).get()(digits, {letters, end}), attribute);
    first = end;
    return true;
  }
};

// Semantic actions: _val is the value so far, _attr the part just parsed.
const auto set = [](auto& c) { x3::_val(c) = x3::_attr(c); };
const auto add = [](auto& c) { x3::_val(c) += x3::_attr(c); };
const auto subtract = [](auto& c) { x3::_val(c) -= x3::_attr(c); };
const auto multiply_by = [](auto& c) { x3::_val(c) *= x3::_attr(c); };
const auto divide_by = [](auto& c) { x3::_val(c) /= x3::_attr(c); };
const auto modulo = [](auto& c) { x3::_val(c) = std::fmod(x3::_val(c), x3::_attr(c)); };
const auto apply_signs = [](auto& c) {
  const auto& signs = boost::fusion::at_c<0>(x3::_attr(c));
  const double v = boost::fusion::at_c<1>(x3::_attr(c));
  x3::_val(c) = std::ranges::count(signs, '-') % 2 ? -v : v;
};
/// Of a negative number ngspice takes the power of its magnitude.
double checked_power(double base, double exponent) {
  if (base < 0 && std::fmod(exponent, 2) != 0)
    throw ExpressionError(fmt::format(
        "the power {:g} of {:g}, a negative number, is not the same in all programs; write pow()", exponent, base));
  return std::pow(base, exponent);
}
const auto raise = [](auto& c) { x3::_val(c) = checked_power(x3::_val(c), x3::_attr(c)); };
const auto refuse_chain = [](auto&) {
  throw ExpressionError(
      "a power of a power is read from the left by some programs and from the right by others; put one "
      "of them into parentheses");
};
const auto look_up = [](auto& c) {
  const std::string& name = x3::_attr(c);
  x3::_val(c) = x3::get<Lookup>(c).get()(name);
};
const auto call = [](auto& c) {
  x3::_val(c) = call_function(lower(boost::fusion::at_c<0>(x3::_attr(c))), boost::fusion::at_c<1>(x3::_attr(c)));
};

const x3::rule<struct sum_tag, double> sum = "an expression";
const x3::rule<struct product_tag, double> product = "a term";
const x3::rule<struct signed_tag, double> signed_power = "a factor";
const x3::rule<struct power_tag, double> power = "a power";
const x3::rule<struct exponent_tag, double> exponent = "an exponent";
const x3::rule<struct atom_tag, double> atom = "a number, parameter or parenthesis";
const x3::rule<struct identifier_tag, std::string> identifier = "a name";

// Character sets are spelled out: x3::alpha and x3::space assert on bytes beyond ASCII.
const auto identifier_def = x3::lexeme[x3::char_("a-zA-Z_") >> *x3::char_("a-zA-Z0-9_.:")];
const auto atom_def = spice_number_parser()[set] | ('(' > sum > ')')[set] |
                      (identifier >> '(' >> (sum % ',') >> ')')[call] | identifier[look_up];
const auto raised = x3::lit("**") | '^';
const auto exponent_def = (*x3::char_("+-") >> atom)[apply_signs];
const auto power_def = atom[set] >> -(raised > exponent[raise] >> -raised[refuse_chain]);
const auto signed_power_def = (*x3::char_("+-") >> power)[apply_signs];
const auto product_def = signed_power[set] >> *(('*' > signed_power)[multiply_by] | ('/' > signed_power)[divide_by] |
                                                ('%' > signed_power)[modulo]);
const auto sum_def = product[set] >> *(('+' > product)[add] | ('-' > product)[subtract]);

BOOST_SPIRIT_DEFINE(sum, product, signed_power, power, exponent, atom, identifier)

bool is_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == ':';
}

std::string_view without_blanks(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const size_t first = text.find_first_not_of(kBlanks);
  return first == text.npos ? std::string_view() : text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}

}  // namespace

std::string expression_functions() {
  std::string names;
  for (const Function& f : kFunctions) {
    if (!names.empty()) names += ' ';
    names += f.name;
  }
  return names;
}

void for_each_name(std::string_view expression, const std::function<void(std::string_view)>& f) {
  for (auto at = expression.begin(); at != expression.end();) {
    const auto end = std::find_if_not(at, expression.end(), is_name_char);
    if (end == at) {
      ++at;
      continue;
    }
    const bool is_number = (*at >= '0' && *at <= '9') || *at == '.';
    if (!is_number) f({at, end});
    at = end;
  }
}

double with_any_unit(double digits, std::string_view letters) {
  return scaled(digits, letters, Quantity::anything).value;
}

std::optional<OnlyNumber> only_number(std::string_view expression) {
  expression = without_blanks(expression);
  const char* const last = expression.data() + expression.size();
  double digits = 0;
  const char* const letters = parse_decimal(expression.data(), last, digits);
  if (!letters || end_of_letters(letters, last) != last) return std::nullopt;
  return OnlyNumber{digits, {letters, last}};
}

std::string_view only_name(std::string_view expression) {
  expression = without_blanks(expression);
  if (expression.empty()) return {};
  const bool is_name = std::ranges::all_of(expression, is_name_char) &&
                       !(expression.front() >= '0' && expression.front() <= '9') && expression.front() != '.';
  return is_name ? expression : std::string_view();
}

double evaluate_expression(std::string_view text, const ParameterLookup& parameter, const ScaledNumber& number) {
  if (text.size() > kLongest) throw ExpressionError(fmt::format("expression longer than {} characters", kLongest));
  int depth = 0;
  for (const char c : text) {
    depth += (c == '(') - (c == ')');
    if (depth > kDeepest) throw ExpressionError(fmt::format("more than {} nested parentheses", kDeepest));
  }
  double value = 0;
  Iterator at = text.data();
  const Iterator end = at + text.size();
  const auto grammar = x3::with<Units>(std::cref(number))[x3::with<Lookup>(std::cref(parameter))[sum]];
  try {
    if (!x3::phrase_parse(at, end, grammar, x3::char_(" \t\r"), value) || at != end)
      throw ExpressionError(fmt::format("cannot understand '{}'", std::string(at, std::min(end, at + 20))));
  } catch (const x3::expectation_failure<Iterator>& e) {
    throw ExpressionError(fmt::format("expected {} in '{}'", e.which(), text));
  } catch (const UnitError& e) {
    throw ExpressionError(fmt::format("{} in '{}'", e.what(), text));
  }
  if (!std::isfinite(value)) throw ExpressionError(fmt::format("'{}' is not a finite number", text));
  return value;
}

}  // namespace gridiron
