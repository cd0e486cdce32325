// SPDX-License-Identifier: Apache-2.0
#include "netlist/values/functions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "netlist/values/expression.hpp"
#include "support/error_text.hpp"

namespace gridiron {
namespace {

/// What programs do not agree on is an error unless the deck says whose it is.
[[noreturn]] void fail_disputed(std::string_view what, std::string_view instead) {
  throw ExpressionError(
      fmt::format("{} is not the same in all programs; {}, or say which with {}", what, instead, field("dialect")));
}

double sign_of(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

template <double (*F)(double)>
double one(const double* x, size_t, Dialect) {
  return F(x[0]);
}
template <double (*F)(double, double)>
double two(const double* x, size_t, Dialect) {
  return F(x[0], x[1]);
}

/// HSPICE extends these to negative numbers as odd functions; elsewhere they have no value there.
template <double (*F)(double)>
double odd(const double* x, size_t, Dialect dialect) {
  return dialect == Dialect::hspice && x[0] < 0 ? -F(-x[0]) : F(x[0]);
}

double power(const double* x, size_t, Dialect dialect) {
  return dialect == Dialect::hspice ? std::pow(x[0], std::trunc(x[1])) : std::pow(x[0], x[1]);
}

double power_of_magnitude(const double* x, size_t, Dialect dialect) {
  const double magnitude = std::pow(std::abs(x[0]), x[1]);
  if (x[0] >= 0) return magnitude;
  if (dialect == Dialect::automatic) fail_disputed("pwr() of a negative number", "write abs(x)**y or sgn(x)*abs(x)**y");
  return dialect == Dialect::hspice ? -magnitude : magnitude;
}

double nearest(const double* x, size_t, Dialect dialect) {
  const double even = std::nearbyint(x[0]), away = std::round(x[0]);
  if (even == away || dialect == Dialect::ngspice) return even;
  fail_disputed("nint() between two integers", "write floor() or ceil()");
}

double step(const double* x, size_t, Dialect) {
  if (x[0] == 0) throw ExpressionError("a step at 0 is not the same in all programs; write a condition");
  return x[0] > 0 ? 1 : 0;
}

double clamped(const double* x, size_t count, Dialect dialect) {
  if (count == 2)
    throw ExpressionError("limit() of two numbers is a random one, as in ngspice and HSPICE; write the nominal value");
  if (dialect != Dialect::ltspice && dialect != Dialect::pspice)
    fail_disputed("limit() of three numbers", "write min(max(x, low), high)");
  return std::min(std::max(x[0], std::min(x[1], x[2])), std::max(x[1], x[2]));
}

double random(const double* x, size_t, Dialect dialect) {
  if (dialect != Dialect::hspice) throw ExpressionError("this function is a random number; write the nominal value");
  return x[0];  // as HSPICE outside of a Monte Carlo analysis
}

double chosen(const double* x, size_t, Dialect) {
  if (x[0] > 0 && x[0] <= 0.5)
    throw ExpressionError("a condition between 0 and 0.5 is not the same in all programs; compare it with a number");
  return x[0] > 0.5 || x[0] < 0 ? x[1] : x[2];
}

/// Straight lines between points of ascending x, and constant beyond them.
double interpolated(const double* x, size_t count, Dialect) {
  if (count % 2 == 0) throw ExpressionError("table() takes a number and pairs of numbers");
  for (size_t i = 3; i < count; i += 2)
    if (!(x[i] > x[i - 2])) throw ExpressionError("the points of table() must ascend");
  if (x[0] <= x[1]) return x[2];
  for (size_t i = 3; i < count; i += 2)
    if (x[0] <= x[i]) return x[i - 1] + (x[i + 1] - x[i - 1]) * (x[0] - x[i - 2]) / (x[i] - x[i - 2]);
  return x[count - 1];
}

constexpr size_t kMany = 1000;

constexpr std::array kFunctions = {
    BuiltIn{"abs", 1, 1, one<std::abs>},
    BuiltIn{"acos", 1, 1, one<std::acos>},
    BuiltIn{"acosh", 1, 1, one<std::acosh>},
    BuiltIn{"agauss", 3, 4, random},
    BuiltIn{"arccos", 1, 1, one<std::acos>},
    BuiltIn{"arcsin", 1, 1, one<std::asin>},
    BuiltIn{"arctan", 1, 1, one<std::atan>},
    BuiltIn{"asin", 1, 1, one<std::asin>},
    BuiltIn{"asinh", 1, 1, one<std::asinh>},
    BuiltIn{"atan", 1, 1, one<std::atan>},
    BuiltIn{"atan2", 2, 2, two<std::atan2>},
    BuiltIn{"atanh", 1, 1, one<std::atanh>},
    BuiltIn{"aunif", 2, 3, random},
    BuiltIn{"ceil", 1, 1, one<std::ceil>},
    BuiltIn{"cos", 1, 1, one<std::cos>},
    BuiltIn{"cosh", 1, 1, one<std::cosh>},
    BuiltIn{"exp", 1, 1, one<std::exp>},
    BuiltIn{"floor", 1, 1, one<std::floor>},
    BuiltIn{"gauss", 3, 4, random},
    BuiltIn{"hypot", 2, 2, two<std::hypot>},
    BuiltIn{"if", 3, 3, chosen},
    BuiltIn{"int", 1, 1, one<std::trunc>},
    BuiltIn{"limit", 2, 3, clamped},
    BuiltIn{"ln", 1, 1, one<std::log>},
    BuiltIn{"log", 1, 1, odd<std::log>},
    BuiltIn{"log10", 1, 1, odd<std::log10>},
    BuiltIn{"max", 2, 2, [](const double* x, size_t, Dialect) { return std::max(x[0], x[1]); }},
    BuiltIn{"min", 2, 2, [](const double* x, size_t, Dialect) { return std::min(x[0], x[1]); }},
    BuiltIn{"nint", 1, 1, nearest},
    BuiltIn{"pow", 2, 2, power},
    BuiltIn{"pwr", 2, 2, power_of_magnitude},
    BuiltIn{"pwrs", 2, 2,
            [](const double* x, size_t, Dialect) { return sign_of(x[0]) * std::pow(std::abs(x[0]), x[1]); }},
    BuiltIn{"round", 1, 1, one<std::round>},
    BuiltIn{"sgn", 1, 1, one<sign_of>},
    BuiltIn{"sign", 2, 2, [](const double* x, size_t, Dialect) { return sign_of(x[1]) * std::abs(x[0]); }},
    BuiltIn{"sin", 1, 1, one<std::sin>},
    BuiltIn{"sinh", 1, 1, one<std::sinh>},
    BuiltIn{"sqr", 1, 1, [](const double* x, size_t, Dialect) { return x[0] * x[0]; }},
    BuiltIn{"sqrt", 1, 1, odd<std::sqrt>},
    BuiltIn{"stp", 1, 1, step},
    BuiltIn{"table", 3, kMany, interpolated},
    BuiltIn{"tan", 1, 1, one<std::tan>},
    BuiltIn{"tanh", 1, 1, one<std::tanh>},
    BuiltIn{"u", 1, 1, step},
    BuiltIn{"unif", 2, 3, random},
    BuiltIn{"uramp", 1, 1, [](const double* x, size_t, Dialect) { return std::max(x[0], 0.0); }},
};
static_assert(std::ranges::is_sorted(kFunctions, {}, &BuiltIn::name));

}  // namespace

std::span<const BuiltIn> built_in_functions() { return kFunctions; }

const BuiltIn* find_built_in(std::string_view name) {
  std::array<char, 8> key{};
  if (name.size() > key.size()) return nullptr;
  std::ranges::transform(name, key.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; });
  const std::string_view wanted(key.data(), name.size());
  const auto found = std::ranges::lower_bound(kFunctions, wanted, {}, &BuiltIn::name);
  return found != kFunctions.end() && found->name == wanted ? &*found : nullptr;
}

double raised(double base, double exponent, Dialect dialect) {
  if (base >= 0 || std::fmod(exponent, 2) == 0) return std::pow(base, exponent);
  const bool is_integer = std::trunc(exponent) == exponent;
  if (dialect == Dialect::ngspice) return std::pow(-base, exponent);
  if (dialect == Dialect::hspice) return std::pow(base, std::trunc(exponent));
  if (dialect == Dialect::ltspice && is_integer) return std::pow(base, exponent);
  throw ExpressionError(fmt::format(
      "the power {:g} of {:g}, a negative number, is not the same in all programs; write pow()", exponent, base));
}

}  // namespace gridiron
