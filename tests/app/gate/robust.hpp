// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/app/gate/situation.hpp"

namespace gridiron::test {

inline Section robust_situations() {
  const std::string rule = "DESIGN.md §6";
  return {"Limits of the machine and of numbers",
          {{"too little memory for the libraries",
            kGrid,
            "gridiron generate --nodes 10000 --seed 3 big.sp; (ulimit -v 160000; timeout -s KILL 30 gridiron ir big.sp "
            "--quiet --engine cholmod)",
            5,
            "gridiron: …memory…",
            {},
            rule},
           {"voltages beyond what a double holds",
            "* t\nv1 vdd 0 1\nr1 vdd a 1e200\ni1 a 0 1e200\n.end\n",
            "gridiron ir deck.sp --out r --quiet; code=$?; ! grep -riE '\\b(nan|inf)\\b' r && exit $code",
            4,
            "gridiron: …",
            {},
            rule},
           {"a resistance that is too small for a double's precision",
            grid_with("r2 a b 1e-310\n"),
            "gridiron ir deck.sp",
            2,
            "gridiron: deck.sp:5:1: … 1e-310 … [bad-value]",
            {},
            rule},
           {"a certified bound below the twelfth digit",
            "* t\nv1 vdd 0 1\nr1 vdd b 3\nr2 b 0 1.0911345\n.end\n",
            "gridiron ir deck.sp --out r --quiet; awk -F, '$1 == \"b\" {print length($6) > 15}' r/nodes.csv",
            0,
            "1",
            {},
            "what is printed is within the bound that is printed"}}};
}

}  // namespace gridiron::test
