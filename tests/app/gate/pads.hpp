// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/app/gate/situation.hpp"

namespace gridiron::test {

inline Section pads_situations() {
  const std::string rule = "docs/netlist.md, section Pads";
  const std::string ground = "* t\nr1 a 0 1\nr2 b a 2\ni1 0 b 1m\n.end\n", bare = "* t\nr1 a b 2\ni1 b 0 0.1\n.end\n",
                    placed = "* t\nr1 n1_0_0 n1_0_1000 1\nr2 n1_0_1000 n1_0_2000 1\ni1 n1_0_2000 0 0.1\n.end\n";
  const auto pads = [](const std::string& rows) {
    return std::map<std::string, std::string>{{"pads.csv", "name,ohm,volts\n" + rows}};
  };
  const auto places = [](const std::string& rows) {
    return std::map<std::string, std::string>{{"pads.csv", "x,y,layer,ohm,volts\n" + rows}};
  };
  return {
      "Pads that the deck does not have",
      {{"a ground net alone, whose pads are resistors to node 0",
        ground,
        "gridiron ir deck.sp",
        3,
        "gridiron: deck.sp: the netlist has no voltage source, so no node has a potential; add the pads as V cards, or "
        "by --pads; where the resistors to node 0 are the pads of a ground net, name it by --nominal NET=0 "
        "[no-source]",
        {},
        rule},
       {"the same, and the net is named",
        ground,
        "gridiron ir deck.sp --nominal VSS=0",
        0,
        "  VSS  bounce  3.000 mV        n/a  2.000 mV  3.000 mV      2     1      1.000 mA",
        {},
        "ngspice: v(a) = 1 mV, v(b) = 3 mV"},
       {"the same with a table of pads", ground, "gridiron ir deck.sp --pads pads.csv", 0, "  a    bounce …",
        pads("a,0,0\n"), rule},
       {"a deck without any V card, and a pad of 1 Ω", bare,
        "gridiron ir deck.sp --pads pads.csv --out r --quiet; grep ^b, r/nodes.csv", 0, "b,a,,,,0.7…", pads("a,1,1\n"),
        "1 V − 0.1 A · 3 Ω"},
       {"a pad at the nearest node of its layer", placed, "gridiron ir deck.sp --pads pads.csv", 0,
        "  pads.csv:2:1: info: 1 of 1 pads lie beside nodes and are taken to the nearest ones of their layers, this "
        "one "
        "to n1_0_1000, the farthest, 0.1 µm away [pads-beside-nodes]",
        places("0,1.1,n1,0,1\n"), rule},
       {"a pad at a node that the deck does not have", bare, "gridiron ir deck.sp --pads pads.csv", 2,
        "gridiron: pads.csv:2:1: the netlist has no node c", pads("c,1,1\n"), rule},
       {"a pad on a layer that the deck does not have", placed, "gridiron ir deck.sp --pads pads.csv", 2,
        "gridiron: pads.csv:2:1: the netlist has no layer M9; it has n1", places("0,0,M9,1,1\n"), rule},
       {"two pads at one node", bare, "gridiron ir deck.sp --pads pads.csv", 2,
        "gridiron: pads.csv:3:1: node a has a pad already, at pads.csv:2:1; keep one of them", pads("a,1,1\nA,2,1\n"),
        rule},
       {"pads of different volts that resistors join", bare, "gridiron ir deck.sp --pads pads.csv", 2,
        "gridiron: pads.csv:3:1: 0.9 V at b, but the pad at pads.csv:2:1 holds the same net, to which resistors lead, "
        "at 1 V; give both the same",
        pads("a,1,1\nb,1,0.9\n"), rule},
       {"pads without a header",
        bare,
        "gridiron ir deck.sp --pads pads.csv",
        2,
        "gridiron: pads.csv:1:1: no column of pads is called \"a\"; the first row tells the columns: name,ohm,volts or "
        "x,y,layer,ohm,volts",
        {{"pads.csv", "a,1,1\n"}},
        rule},
       {"a pad with a negative resistance", bare, "gridiron ir deck.sp --pads pads.csv", 2,
        "gridiron: pads.csv:2:3: expected a number of ohm, 0 or above, not \"-1\"", pads("a,-1,1\n"), rule},
       {"a pad that contradicts a source of the deck", kGrid, "gridiron ir deck.sp --pads pads.csv", 3,
        "gridiron: deck.sp:2:1: ideal sources contradict each other: around pad.vdd, v1 the voltages add up to 0.1 V "
        "instead of 0; remove one or put a resistor in series [source-loop]",
        pads("vdd,0,1.1\n"), rule}}};
}

inline Section island_situations() {
  const std::string rule = "docs/netlist.md, section Islands";
  const std::string
      island = "* t\nv1 VDD 0 1\nr1 VDD a 1\ni1 a 0 1m\nr2 x y 1\ni2 y 0 1m\n.end\n",
      named = "* t\nv1 VDD:1 0 1\nr1 VDD:1 VDD:2 1\ni1 VDD:2 0 1m\nr2 VDDX:1 VDDX:2 1\ni2 VDDX:2 0 2m\n.end\n",
      loaded = "  deck.sp:6:1: warning: 1 island of 2 nodes with 1 load of ";
  const std::string left_out = " A in all is left out, as no path leads from there to a voltage source: ";
  return {"Islands without a source",
          {{"an island with a load, which is to be left out",
            island,
            "gridiron ir deck.sp --ignore-opens",
            0,
            loaded + "0.001" + left_out + "x; neither voltages nor limits are known there [islands-left-out]",
            {},
            rule},
           {"the same with `--strict`",
            island,
            "gridiron ir deck.sp --ignore-opens --strict",
            3,
            "gridiron: --strict: deck.sp:6:1: 1 island of 2 nodes with 1 load of 0.001" + left_out +
                "x; neither voltages nor limits are known there [islands-left-out]",
            {},
            rule},
           {"the same with a limit, which the rest keeps",
            island,
            "gridiron ir deck.sp --ignore-opens --limit 5%",
            3,
            "gridiron: deck.sp: limits are not judged in 1 island, of no known net, that is left out; connect it, or "
            "limit other "
            "nets only [limit-left-out]",
            {},
            rule},
           {"the same with a limit, which the rest exceeds",
            island,
            "gridiron ir deck.sp --ignore-opens --limit 0.01%",
            1,
            "gridiron: limit exceeded: net VDD: worst drop of 1 mV exceeds 0.1 mV",
            {},
            rule},
           {"a limit on another net than that of the island",
            named,
            "gridiron ir deck.sp --ignore-opens --limit VDD:5%",
            0,
            loaded + "0.002" + left_out + "VDDX:1; neither voltages nor limits are known there [islands-left-out]",
            {},
            rule},
           {"a limit on all nets, one of which is an island",
            named,
            "gridiron ir deck.sp --ignore-opens --limit 5%",
            3,
            "gridiron: deck.sp: limits are not judged in 1 island, of net VDDX, that is left out; connect it, or limit "
            "other nets "
            "only [limit-left-out]",
            {},
            rule},
           {"one net is asked for, and the island is of another",
            named,
            "gridiron ir deck.sp --net VDD --limit VDD:5%",
            0,
            loaded + "0.002" + left_out + "VDDX:1; neither voltages nor limits are known there [islands-left-out]",
            {},
            rule},
           {"one net is asked for, and the island is of it",
            "* t\nv1 VDD:1 0 1\nr1 VDD:1 VDD:2 1\ni1 VDD:2 0 1m\nr2 VDD:7 VDD:8 1\ni2 VDD:8 0 2m\n.end\n",
            "gridiron ir deck.sp --net VDD",
            3,
            "gridiron: deck.sp:6:1: 2 nodes with a load of 0.002 A float, …",
            {},
            rule},
           {"`check` leaves it out, too",
            island,
            "gridiron check deck.sp --ignore-opens",
            0,
            loaded.substr(2) + "0.001" + left_out + "x; neither voltages nor limits are known there [islands-left-out]",
            {},
            rule},
           {"an island in a simulation, whose load starts at 0",
            "* t\nv1 VDD 0 1\nr1 VDD a 1\nc1 a 0 1p\ni1 a 0 PULSE(0 1m 1n 1n 1n 2n 10n)\nr2 x y 1\nc2 x a 1p\n"
            "i2 y 0 PULSE(0 1m 1n 1n 1n 2n 10n)\n.tran 1n 10n\n.end\n",
            "gridiron tran deck.sp --ignore-opens",
            0,
            "  deck.sp:8:1: warning: 1 island of 2 nodes with 1 load of 0" + left_out +
                "x; neither voltages nor limits are known there [islands-left-out]",
            {},
            rule},
           {"the only source is on a card that `--lenient` skips",
            "* t\nv1 a 0 1kk\nr1 a b 1\ni1 b 0 1m\n.end\n",
            "gridiron ir deck.sp --lenient",
            3,
            "gridiron: deck.sp: the netlist has no voltage source, …; it may stand on the card that was skipped "
            "(--lenient), deck.sp:2:9: … [no-source]",
            {},
            rule},
           {"`check` finds loads of the wrong sign",
            "* t\nv1 VDD 0 0.5\nv2 VSS 0 0\nr1 n1 VDD 1\nr3 g1 VSS 1\ni1 n1 0 1m\n"
            "i2 g1 0 1m\n.end\n",
            "gridiron check deck.sp --strict",
            3,
            "gridiron: --strict: deck.sp: loads drive 0.001 A out of net VSS instead of returning it, at 1 of 1 loaded "
            "node, most at g1; are the nodes of their cards exchanged? [reversed-load]",
            {},
            "the same as gridiron ir"},
           {"`check` of a simulation whose loads start at 0",
            "* t\nv1 a 0 1\nr1 a b 1\nc1 b 0 1p\ni1 b 0 PULSE(0 1m 0.1n 0.1n 0.1n 0.3n 1n)\n.tran 0.1n 2n\n.end\n",
            "gridiron check deck.sp --strict",
            0,
            "no findings",
            {},
            "the same as gridiron tran"}}};
}

}  // namespace gridiron::test
