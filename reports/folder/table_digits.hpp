// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <string_view>

#include "reports/text/numbers.hpp"

namespace gridiron {

/// The most digits that a number of a table has, in the form that reports are written in. All numbers are rounded to as
/// many, or to 12 at least (reports/text/voltage_digits.hpp): those that have fewer end in zeros.
class DigitsOfTable {
 public:
  void see(std::string_view number) {
    int digits = 0;
    for (const char c : number.substr(0, number.find('e')))
      if (c >= '0' && c <= '9' && (digits > 0 || c != '0')) ++digits;
    most_ = std::max(most_, digits);
  }
  /// Share of a number that rounding may have changed.
  double rounding() const { return most_ < kMostDigits ? 5 * std::pow(10.0, -most_) : 0; }

 private:
  int most_ = kUsualDigits;
};

}  // namespace gridiron
