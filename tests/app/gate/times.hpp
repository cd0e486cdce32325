// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/app/gate/situation.hpp"

namespace gridiron::test {

inline Section times_situations() {
  const std::string rule = "issue 44: tran samples every source", ngspice = "ngspice 39";
  const auto with = [](const std::string& load, const std::string& tran) {
    return "* t\nv1 vdd 0 1\nr1 vdd a 2\ni1 a 0 " + load + "\n" + tran + "\n.end\n";
  };
  const std::string exceeded = "gridiron: limit exceeded: net vdd: worst drop of 200 mV exceeds 150 mV";
  const std::string gate = "gridiron tran deck.sp --quiet --limit 15%";
  return {"Simulations in time",
          {{"a sine at half the rate of steps", with("SIN(50m 50m 0.5g)", ".tran 1n 20n"), gate, 1, exceeded, {}, rule},
           {"a sine at the rate of steps", with("SIN(50m 50m 1g)", ".tran 1n 20n"), gate, 1, exceeded, {}, rule},
           {"a sine that begins between two steps",
            with("SIN(50m 50m 1g 0.3n)", ".tran 1n 20n"),
            gate,
            1,
            exceeded,
            {},
            rule},
           {"a damped sine: its first crest counts",
            with("SIN(0 110m 1g 0 1e7)", ".tran 1n 20n"),
            gate,
            1,
            "gridiron: limit exceeded: net vdd: worst drop of 219… mV exceeds 150 mV",
            {},
            rule},
           {"a pulse shorter than a sixteenth of a step",
            with("PULSE(0 100m 2.53n 1p 1p 20p 100n)", ".tran 1n 20n"),
            gate,
            1,
            exceeded,
            {},
            rule},
           {"pulses whose period beats with the step",
            with("PULSE(0 100m 0.25n 1p 1p 50p 1.001n)", ".tran 1n 40n"),
            gate,
            1,
            exceeded,
            {},
            rule},
           {"a load in which nothing varies",
            with("0.05", ".tran 1n 20n"),
            gate + " --strict",
            3,
            "gridiron: --strict: deck.sp… [nothing-varies]…",
            {},
            rule},
           {"a second `.tran`",
            with("PULSE(0 50m 1n 1n 1n 1n 9n)", ".tran 1n 20n\n.tran 2n 40n"),
            gate + " --strict",
            3,
            "gridiron: --strict: deck.sp:6:1: … [tran-replaced]…",
            {},
            ngspice},
           {"`.print` of a node that does not exist",
            with("PULSE(0 50m 1n 1n 1n 1n 9n)", ".tran 1n 20n\n.print tran v(b)"),
            gate + " --strict",
            3,
            "gridiron: --strict: deck.sp:… [unknown-probe]…",
            {},
            rule},
           {"a limit that the estimated error in time could break",
            "* t\nv1 vdd 0 1\nr1 vdd a 2\nc1 a 0 1n\ni1 a 0 PULSE(0 100m 1n 1n 1n 3n 100n)\n.tran 1n 20n\n.end\n",
            "gridiron tran deck.sp --quiet --limit 158.8mV",
            4,
            "gridiron: limit undecided: …",
            {},
            rule}}};
}

}  // namespace gridiron::test
