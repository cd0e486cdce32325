// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/app/gate/situation.hpp"

namespace gridiron::test {

inline Section judged_situations() {
  const std::string rule = "docs/exit_codes.md: what limits do not judge is told", kept = "docs/folders.md";
  const std::string comments = "docs/netlist.md: comments with a meaning", table = "docs/netlist.md: numbers of tables";
  const std::string layers =
      "* t\nv1 n1_m1_0_0 0 1\nr1 n1_m1_0_0 n1_m1_2000_0 1\nr2 n1_m1_2000_0 n1_m2_2000_0 1\nr3 n1_m2_2000_0 a 1\n"
      "r4 a b 1\ni1 b 0 20m\n.end\n";
  const std::string over_time = "gridiron tran deck.sp --step 1n --stop 2n ";
  const std::string runs = "gridiron ir deck.sp --quiet --out a; gridiron ir b.sp --quiet --out b; ";
  const std::string two_nets = "* t\nv1 vdd 0 1\nr1 vdd a 2\nv2 vcc 0 1\nr2 vcc b 5\ni1 a 0 0.1\ni2 b 0 0.1\n.end\n";
  const std::string nominal = "* t\n* nominal: vdd 1\nv1 vdd 0 1\nr1 vdd a 2\ni1 a 0 0.1\n.end\n";
  const std::string strict = "gridiron ir deck.sp --quiet --strict --limit 25%";
  const std::string killed =
      "{\"schema\": \"gridiron.manifest/1\", \"command\": \"ir\", \"complete\": false, "
      "\"files\": {}}";
  return {
      "All that is asked for is judged",
      {{"attoampere in load vectors",
        kGrid,
        "gridiron ir deck.sp --loads l.csv",
        0,
        "  l.csv:1:8: info: a before a unit is atto, 1e-18 (2 numbers); ngspice has no such suffix [atto]",
        {{"l.csv", "i1,0.1,5aA,6aA\n"}},
        table},
       {"attoampere in a budget",
        kGrid,
        "gridiron ir deck.sp --budget b.csv",
        0,
        "  b.csv:2:9: info: a before a unit is atto, 1e-18; ngspice has no such suffix [atto]",
        {{"b.csv", "sum,*,1A\neach,i1,100aA\n"}},
        table}}};
}

}  // namespace gridiron::test
