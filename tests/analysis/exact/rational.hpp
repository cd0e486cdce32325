// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <cctype>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>

namespace gridiron::test {

// Without expression templates, so that `auto` and std::max work as on other numbers.
using Integer = boost::multiprecision::number<boost::multiprecision::cpp_int_backend<>, boost::multiprecision::et_off>;
using Rational =
    boost::multiprecision::number<boost::multiprecision::cpp_rational_backend, boost::multiprecision::et_off>;

inline Rational power_of_ten(int exponent) {
  const Integer power = boost::multiprecision::pow(Integer(10), static_cast<unsigned>(std::abs(exponent)));
  return exponent < 0 ? Rational(Integer(1), power) : Rational(power);
}

/// A SPICE number, exactly: "-1.80", "4.7k", "3e-12".
inline Rational rational(const std::string& text) {
  const std::map<char, int> scales = {{'k', 3}, {'m', -3}, {'u', -6}, {'n', -9}};
  Integer digits = 0;
  int exponent = 0;
  size_t at = text.front() == '-' ? 1 : 0;
  bool is_fraction = false;
  for (; at < text.size() && (std::isdigit(text[at]) || text[at] == '.'); ++at) {
    if (text[at] == '.') {
      is_fraction = true;
      continue;
    }
    digits = 10 * digits + (text[at] - '0');
    exponent -= is_fraction;
  }
  if (at < text.size()) exponent += text[at] == 'e' ? std::stoi(text.substr(at + 1)) : scales.at(text[at]);
  return (text.front() == '-' ? -1 : 1) * Rational(digits) * power_of_ten(exponent);
}

}  // namespace gridiron::test
