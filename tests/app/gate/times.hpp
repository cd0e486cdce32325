// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/app/gate/situation.hpp"

namespace gridiron::test {

inline Section times_situations() {
  const std::string rule = "docs/dynamic.md", ngspice = "ngspice 39";
  const auto with = [](const std::string& load, const std::string& tran) {
    return "* t\nv1 vdd 0 1\nr1 vdd a 2\ni1 a 0 " + load + "\n" + tran + "\n.end\n";
  };
  const std::string exceeded = "gridiron: limit exceeded: net vdd: worst drop of 200 mV exceeds 150 mV";
  const std::string gate = "gridiron tran deck.sp --quiet --limit 15%";
  const std::string lagging =
      "* t\nv1 vdd 0 1\nr1 vdd a 2\ni0 a 0 sin(0.02 0.02 1e9)\nc1 a 0 400p\n.tran 2n 20n\n.end\n";
  const std::string lagging_current =
      "* t\n* layer: M1,VDD net: 1\nv1 n1_0_0 0 1\nr1 n1_0_0 n1_1000_0 2\ni0 n1_1000_0 0 sin(0.02 0.02 1e9)\n"
      "c1 n1_1000_0 0 100p\n.tran 2n 20n\n.end\n";
  std::string many_pulses = "* t\nv1 vdd 0 1\nr1 vdd a 2\nc1 a 0 1f\nix a 0 pulse(0 0.1 5.5321n 1p 1p 5p 100n)\n";
  for (const char* at : {"1.371", "2.741", "3.111", "4.481", "5.851", "6.221", "7.591", "8.961", "9.331", "1.603"})
    many_pulses += std::string("i") + at + " a 0 pulse(0 0.1m " + at + "n 1p 1p 3p 100n)\n";
  many_pulses += ".tran 1n 10n\n.end\n";
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
           {"a PWL that jumps at its first time",
            with("PWL(2n 0 2n 100m)", ".tran 1n 20n"),
            gate,
            1,
            exceeded,
            {},
            rule},
           {"a PWL with two values at time 0",
            with("PWL(0 0 0 100m 5n 0)", ".tran 1n 20n"),
            gate,
            2,
            "gridiron: deck.sp:4:1: PWL has two values at time 0; keep the one that applies",
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
            "gridiron tran deck.sp --quiet --limit 165.8mV",
            4,
            "gridiron: limit undecided: net vdd: worst drop of 165… mV is within 165.8 mV, but the error in time is "
            "estimated at … V; give a shorter --step, or --time-tolerance",
            {},
            rule},
           {"a capacitor makes the voltage lag behind a sine at twice the rate of steps",
            lagging,
            "gridiron tran deck.sp --quiet --strict --limit 48mV",
            1,
            "gridiron: limit exceeded: net vdd: worst drop of 52… mV exceeds 48 mV",
            {},
            rule},
           {"a limit that the estimate of what lies between steps could break",
            lagging,
            "gridiron tran deck.sp --quiet --strict --limit 52.1mV",
            4,
            "gridiron: limit undecided: net vdd: worst drop of 52… mV is within 52.1 mV, but the error in time is "
            "estimated at … V; give a shorter --step, or --time-tolerance",
            {},
            rule},
           {"a sine that steps cannot resolve, beside a capacitor",
            "* t\nv1 vdd 0 1\nr1 vdd a 2\ni0 a 0 sin(0.02 0.02 2e11)\nc1 a 0 400p\n.tran 2n 20n\n.end\n",
            "gridiron tran deck.sp --quiet --limit 100mV",
            4,
            "gridiron: limit undecided: net vdd: worst drop of … mV is within 100 mV, but steps pass by some of what "
            "sources do; give a shorter --step, or --time-tolerance",
            {},
            rule},
           {"a limit on the peak of a current that lags likewise",
            lagging_current,
            "gridiron tran deck.sp --quiet --strict --em-peak-limit M1=28mA",
            1,
            "gridiron: limit exceeded: net VDD layer M1: peak current of 33.8… mA in r1 exceeds 28 mA",
            {},
            rule},
           {"the same with a margin below the estimated error in time",
            lagging_current,
            "gridiron tran deck.sp --quiet --strict --em-peak-limit M1=33.85mA",
            4,
            "gridiron: limit undecided: net VDD layer M1: peak current of 33.8… mA in r1 is within 33.85 mA, but by "
            "less than what steps in time may miss; give a shorter --step, or --time-tolerance",
            {},
            rule},
           {"two sines whose sum turns where neither does",
            "* t\nv1 vdd 0 1\nr1 vdd a 2\ni1 a 0 sin(0.02 0.02 500meg)\ni2 a 0 sin(0.02 0.02 1g)\n.tran 1n "
            "20n\n.end\n",
            "gridiron tran deck.sp --quiet --strict --limit 150mV",
            1,
            "gridiron: limit exceeded: net vdd: worst drop of 150… mV exceeds 150 mV",
            {},
            rule},
           {"edges far below the step that steps end at, with nothing stored",
            with("PULSE(0 0.1 0.3n 0.05n 0.05n 0.1n 2n)", ".tran 1n 20n"),
            "gridiron tran deck.sp --quiet --strict --limit 25%",
            0,
            "",
            {},
            rule},
           {"the same beside a capacitor with `--time-tolerance`",
            with("PULSE(0 0.1 0.3n 0.05n 0.05n 0.1n 2n)", "c1 a 0 10p\n.tran 1n 20n"),
            "gridiron tran deck.sp --quiet --strict --limit 25% --time-tolerance 1uV",
            0,
            "",
            {},
            rule},
           {"pulses at more times than sizes of steps are kept for",
            many_pulses,
            "gridiron tran deck.sp --quiet --limit 10%",
            1,
            "gridiron: limit exceeded: net vdd: worst drop of 200… mV exceeds 100 mV",
            {},
            rule},
           {"a sine that swings a million times in a step",
            with("SIN(50m 50m 1e15)", ".tran 1n 2u"),
            "gridiron tran deck.sp --quiet --limit 30%",
            4,
            "gridiron: limit undecided: net vdd: worst drop of … mV is within 300 mV, but steps pass by some of what "
            "sources do; give a shorter --step, or --time-tolerance",
            {},
            rule},
           {"a pulse shorter than a millionth of a step",
            with("PULSE(0 100m 2.5u 1e-17 1e-17 1e-13 100)", ".tran 1u 10u"),
            "gridiron tran deck.sp --strict --quiet",
            3,
            "gridiron: deck.sp: --strict: sources bend faster than steps follow; these pass by and miss up to 100 % of "
            "what i1 "
            "swings by, from 2.5e-06 s on, … [corners-missed]…",
            {},
            rule},
           {"`.print` of a difference",
            with("PULSE(0 50m 1n 1n 1n 1n 9n)", ".tran 1n 20n\n.print tran v(a) v(vdd,a)"),
            "gridiron tran deck.sp --quiet --strict",
            3,
            "gridiron: --strict: deck.sp:6:18: .print of v(vdd,a): only V(node) of one node is recorded [not-printed]",
            {},
            rule}}};
}

inline Section grid_node_situations() {
  const std::string rule = "docs/netlist.md: nodes of the grid";
  const std::string decaps =
      "* t\nv1 vdd 0 1\nr1 vdd a 2\nr2 a b 2\ni1 b g 10m\nvg g0 0 0\nr3 g0 g 1\nrd a z 5\ncd z 0 1p\nre 0 y 5\nce y "
      "g 1p\n";
  const std::string summary = "gridiron ir deck.sp --no-progress";
  return {
      "Nodes of the grid",
      {{"decoupling capacitors with a resistance: neither pads nor members of a net",
        decaps + ".end\n",
        "gridiron ir deck.sp --quiet --formats csv --out out; cut -d, -f1-2 out/sources.csv out/nodes.csv | tr '\\n' "
        "' '",
        0,
        "name,node v1,vdd vg,g0 node,net b,vdd a,vdd g,g0 vdd,vdd g0,g0 ",
        {},
        rule},
       {"a ground net leaks to node 0 through a large resistor: no pad",
        decaps + "rl g 0 1meg\n.end\n",
        "gridiron ir deck.sp --quiet --formats csv --out out; wc -l < out/sources.csv",
        0,
        "3",
        {},
        rule},
       {"two pads of a ground net are resistors to node 0",
        "* t\nv1 vdd 0 1\nr1 vdd a 1\ni1 a vss 10m\nr2 vss 0 1\nr3 vss b 1\nr4 b 0 20\n.end\n",
        "gridiron ir deck.sp --quiet --formats csv --out out; wc -l < out/sources.csv",
        0,
        "4",
        {},
        rule},
       {"nodes inside of branches are told",
        decaps + ".end\n",
        summary,
        0,
        "…2 nodes inside of branches of capacitors and inductors are of no net: …",
        {},
        rule}}};
}

}  // namespace gridiron::test
