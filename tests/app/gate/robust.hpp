// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/app/gate/situation.hpp"

namespace gridiron::test {

inline Section robust_situations() {
  const std::string rule = "docs/exit_codes.md";
  return {
      "Limits of the machine and of numbers",
      {{"too little memory for the libraries",
        kGrid,
        "gridiron generate --nodes 10000 --seed 3 big.sp; (ulimit -v 160000; gridiron ir big.sp "
        "--quiet --engine cholmod)",
        5,
        "gridiron: big.sp: out of memory: no … MB of address space are left for the linear algebra of 1 thread; raise "
        "the "
        "limit "
        "(ulimit -v), or lower --threads",
        {},
        rule},
       {"voltages beyond what a double holds",
        "* t\nv1 vdd 0 1\nr1 vdd a 1e200\ni1 a 0 1e200\n.end\n",
        "gridiron ir deck.sp --out r --quiet; code=$?; ! grep -riE '\\b(nan|inf)\\b' r 2>/dev/null && exit $code",
        4,
        "gridiron: the results exceed double precision: values of the deck, or sums of them, lie too many orders "
        "apart; the most extreme one is 1e+200 Ω of 'r1' (deck.sp:3:1)",
        {},
        rule},
       {"a resistance that is too small for a double's precision",
        grid_with("r2 a b 1e-310\n"),
        "gridiron ir deck.sp",
        2,
        "gridiron: deck.sp:5:1: 'r2' has the value 1e-310 Ω; double precision does not hold the inverse; write 0 for a "
        "short [bad-value]",
        {},
        rule},
       {"a certified bound below the twelfth digit",
        "* t\nv1 vdd 0 1\nr1 vdd b 3\nr2 b 0 1.0911345\n.end\n",
        "gridiron ir deck.sp --out r --quiet; awk -F, '$1 == \"b\" {print (length($6) > 15)}' r/nodes.csv",
        0,
        "1",
        {},
        "what is printed is within the bound that is printed"},
       {"the load over time is beyond what a double holds",
        "* t\nv1 vdd 0 1\nr1 vdd a 1k\nc1 a 0 1p\ni1 a 0 PULSE(0 1e308 1n 1n 1n 2n 10n)\n.tran 1n 20n\n.end\n",
        "gridiron tran deck.sp --out r --quiet",
        4,
        "gridiron: the results exceed double precision: values of the deck, or sums of them, lie too many orders "
        "apart; the most extreme one is 1e+308 A of 'i1' (deck.sp:5:1)",
        {},
        rule},
       {"a supply so low that the drop is no number of percents",
        "* t\nv1 vdd 0 1e-310\nr1 vdd a 2\ni1 a 0 0.1\n.end\n",
        "gridiron ir deck.sp --full",
        0,
        "Percentage drop  : n/a",
        {},
        rule},
       {"no room for the factors of an engine that would end the program",
        kGrid,
        "gridiron generate --nodes 60000 --seed 3 big.sp; (ulimit -v 260000; gridiron ir big.sp "
        "--quiet --engine superlu --threads 1)",
        5,
        "gridiron: …memory…",
        {},
        rule}}};
}

}  // namespace gridiron::test
