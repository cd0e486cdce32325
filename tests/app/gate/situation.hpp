// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

namespace gridiron::test {

/// What a sign-off gate meets: tested by gate_test.cpp, which also writes docs/gate.md from it.
struct Situation {
  std::string what;
  std::string deck;  ///< of deck.sp
  std::string run;   ///< shell; `gridiron` is the tool
  int code;
  std::string line;  ///< one of the lines printed; … stands for anything; empty: nothing is printed
  std::map<std::string, std::string> files = {};  ///< others than deck.sp
  std::string source = {};                        ///< why this is right: the program, manual or page that says so
};

struct Section {
  std::string heading;
  std::vector<Situation> situations;
};

/// 0.1 A through 2 Ω: a drop of 200 mV of 1 V.
inline const std::string kGrid = "* t\nv1 vdd 0 1\nr1 vdd a 2\ni1 a 0 0.1\n.end\n";

/// kGrid with other cards before its .end.
inline std::string grid_with(const std::string& cards) { return kGrid.substr(0, kGrid.size() - 5) + cards + ".end\n"; }

/// kGrid with another load.
inline std::string grid_drawing(const std::string& load) {
  return "* t\nv1 vdd 0 1\nr1 vdd a 2\ni1 a 0 " + load + "\n.end\n";
}

}  // namespace gridiron::test
