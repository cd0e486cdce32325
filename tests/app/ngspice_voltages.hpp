// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cctype>
#include <map>
#include <sstream>
#include <string>

namespace gridiron::test {

/// Voltages by node, names in lower case, as ngspice spells them.
using Voltages = std::map<std::string, double>;

/// Of lines `name voltage`, or `name = voltage`; others are passed over.
inline Voltages voltages(const std::string& text, bool with_equals) {
  Voltages found;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string name, equals;
    double volts = 0;
    if (words >> name && (!with_equals || (words >> equals && equals == "=")) && words >> volts) {
      std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
      found[name] = volts;
    }
  }
  return found;
}

}  // namespace gridiron::test
