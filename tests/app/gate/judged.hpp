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
        table},
       {"a current limit on one layer of several",
        layers,
        "gridiron ir deck.sp --em-limit m1=25mA",
        0,
        "Limits: all kept (not judged: segments on m1-m2, m2-?, no known layer without a limit of the current)",
        {},
        rule},
       {"a table that lacks a layer of the deck",
        layers,
        "gridiron ir deck.sp --em-limit em.csv",
        0,
        "Limits: all kept (not judged: segments on m2-?, no known layer without a limit of the current)",
        {{"em.csv", "layer,a_per_um,width_um\nm1,0.1,1\nm1-m2,0.1,1\n"}},
        rule},
       {"a table with layers that the deck lacks",
        layers,
        "gridiron ir deck.sp --em-limit em.csv --strict",
        0,
        "  em.csv:3: info: no segment is on m7, m8 of this table, whose limits are of no use [em-layer-absent]",
        {{"em.csv", "layer,a_per_um,width_um\nm1,0.1,1\nm7,0.1,1\nm8,0.1,1\n"}},
        rule},
       {"over time a layer has a limit on the average, and another one on the peak",
        layers,
        over_time + "--em-limit m1=25mA --em-peak-limit m1-m2=25mA",
        0,
        "Limits: all kept (not judged: segments on m1-m2, m2-?, no known layer without a limit of the average current; "
        "segments on m1, m2-?, no known layer without a limit of the peak current)",
        {},
        rule},
       {"a limit of a layer that `--net` leaves out",
        "* t\nv1 n1_m1_0_0 0 1\nr1 n1_m1_0_0 n1_m1_2_0 1\ni1 n1_m1_2_0 0 1m\nv2 n2_m2_0_0 0 1\nr2 n2_m2_0_0 n2_m2_2_0 "
        "1\ni2 n2_m2_2_0 0 1m\n.end\n",
        "gridiron ir deck.sp --net n1 --em-limit m1=25mA --em-limit m2=25mA",
        2,
        "gridiron: --em-limit m2: no segment is on this layer; there are some on m1",
        {},
        rule},
       {"attoampere in a table of current limits",
        layers,
        "gridiron ir deck.sp --em-limit em.csv",
        1,
        "  em.csv:2: info: a before a unit is atto, 1e-18; ngspice has no such suffix [atto]",
        {{"em.csv", "layer,a_per_um,width_um\nm1,5aA,1\n"}},
        table},
       {"attoampere in a current limit",
        layers,
        "gridiron ir deck.sp --em-limit m1=5aA",
        1,
        "  m1=5aA: info: a before a unit is atto, 1e-18; ngspice has no such suffix [atto]",
        {},
        table},
       {"a nominal voltage of a net that the deck does not have",
        grid_with("* nominal: vddd 1.1\n"),
        strict,
        3,
        "gridiron: --strict: deck.sp:5:1: the deck has no net vddd for this nominal voltage; it has vdd "
        "[nominal-comment]",
        {},
        comments},
       {"a nominal voltage that its sources contradict",
        grid_with("* nominal: vdd 1.1\n"),
        strict,
        3,
        "gridiron: --strict: deck.sp:5:1: the sources of net vdd give 1 V, from which drops are counted, and not 1.1 "
        "V; decide with --nominal NET=VOLTS [nominal-comment]",
        {},
        comments},
       {"the same where `--nominal` decides",
        grid_with("* nominal: vdd 1.1\n"),
        strict + " --nominal vdd=1",
        0,
        "",
        {},
        comments},
       {"two nominal voltages of one net",
        nominal,
        strict + " b.sp",
        3,
        "gridiron: --strict: b.sp:1:1: net VDD has the nominal voltage 1.1 V here, and 1 V at deck.sp:2:1; remove one "
        "of them [comments-contradict]",
        {{"b.sp", "* nominal: VDD 1.1\nr2 a b 1\n.end\n"}},
        comments},
       {"the same nominal voltage twice",
        nominal,
        strict + " b.sp",
        0,
        "",
        {{"b.sp", "* nominal: VDD 1.0\nr2 a b 1\n.end\n"}},
        comments},
       {"two layers of one net number",
        "* t\n* layer: M1,VDD net: 1\n* layer: M2,VDD net: 1\nv1 n1_0_0 0 1\nr1 n1_0_0 n1_1_0 1\ni1 n1_1_0 0 "
        "0.1\n.end\n",
        strict,
        3,
        "gridiron: --strict: deck.sp:3:1: net: 1 is layer M2 of VDD here, and layer M1 of VDD at deck.sp:2:1, which "
        "counts; remove one of them [comments-contradict]",
        {},
        comments},
       {"two values of the database units",
        grid_with("* dbu: 1000\n"),
        strict + " b.sp",
        3,
        "gridiron: deck.sp: --strict: b.sp:1:1: this comment says 2000 database units per um, one before it 1000; "
        "remove one of "
        "them [comments-contradict]",
        {{"b.sp", "* dbu: 2000\nr2 a b 1\n.end\n"}},
        comments},
       {"a parameter that nothing uses, of one that does not exist",
        grid_with(".param p={foo}\n"),
        strict,
        3,
        "gridiron: --strict: deck.sp:5:1: nothing uses parameter 'p', and it has no value: deck.sp:5:…: unknown "
        "parameter 'foo'; define it with .param [parameter-unused]",
        {},
        "docs/netlist.md: nothing is lost without a line"},
       {"the same in the ledger",
        grid_with(".param p={foo}\n.param q=1\n"),
        "gridiron check deck.sp",
        0,
        "…skipped…1 .param…",
        {},
        "docs/netlist.md: nothing is lost without a line"},
       {"the same in a subcircuit",
        "* t\nv1 vdd 0 1\n.subckt s a b\n.param p={1/0} q={p}\nr1 a b 2\n.ends\nx1 vdd a s\nx2 vdd a s\ni1 a 0 "
        "0.1\n.end\n",
        strict,
        3,
        "gridiron: --strict: deck.sp:4:1: nothing uses parameter 'p', and it has no value, like 1 more parameter: "
        "deck.sp:4:…: … [parameter-unused]",
        {},
        "docs/netlist.md: nothing is lost without a line"},
       {"a parameter that nothing uses",
        grid_with(".param p=1 q={2*p}\n"),
        strict,
        0,
        "",
        {},
        "docs/netlist.md: nothing is lost without a line"}}};
}

}  // namespace gridiron::test
