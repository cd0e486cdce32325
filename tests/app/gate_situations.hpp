// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tests/app/gate/files.hpp"
#include "tests/app/gate/judged.hpp"
#include "tests/app/gate/layouts.hpp"
#include "tests/app/gate/ledger.hpp"
#include "tests/app/gate/limits.hpp"
#include "tests/app/gate/numbers.hpp"
#include "tests/app/gate/pads.hpp"
#include "tests/app/gate/programs.hpp"
#include "tests/app/gate/robust.hpp"
#include "tests/app/gate/situation.hpp"
#include "tests/app/gate/times.hpp"

namespace gridiron::test {

inline std::vector<Section> gate_situations() {
  const std::string layers =
      "* t\nv1 n1_m1_0_0 0 1\nr1 n1_m1_0_0 n1_m1_2000_0 1\nr2 n1_m1_2000_0 n1_m2_2000_0 1\ni1 n1_m2_2000_0 0 "
      "20m\n.end\n";
  const std::string two_supplies =
      "* t\nv12 vdd12 0 1.2\nr12 vdd12 c 1\nv33 vdd33 0 3.3\nr33 vdd33 p 1\nvg vss 0 0\nrg vss g 8\ni1 c g 10m\ni2 p 0 "
      "1m\n.end\n";
  const std::string two_pads =
      "* t\nv1 n1_m1_0_0 0 1.8\nv2 n1_m1_8_0 0 1.75\nr1 n1_m1_0_0 n1_m1_4_0 1\nr2 n1_m1_4_0 n1_m1_8_0 1\ni1 n1_m1_4_0 "
      "0 "
      "10m\n.end\n";
  const std::string openroad_ground =
      "* Netlist for VSS on default\nr1 Node_m1_0_0 Node_m1_2000_0 R=2\n* Sink for u1/VSS\ni0 Node_m1_2000_0 0 DC "
      "1e-2\nv0 Node_m1_0_0 0 DC 0\n.end\n";
  const std::string worse = "* t\nv1 vdd 0 1\nr1 vdd a 2.1\ni1 a 0 0.1\n.end\n";
  const std::string two_runs = "gridiron ir deck.sp --quiet --out a; gridiron ir b.sp --quiet --out b; ";
  const std::string idle = "* t\nv1 vdd 0 1\nr1 vdd a 2\n.end\n";
  const std::string backwards = "* t\nv1 vdd 0 1\nr1 vdd a 2\ni1 0 a 0.1\n.end\n";
  const std::string unknown_card = grid_with("q1 a b c\n");
  const std::string no_coordinates = grid_with("r2 a b 1\nr3 a c 1\nr4 b c 1\nr5 b d 1\nr6 c d 1\nr7 a d 1\n");
  return {
      {"Limits",
       {{"a limit is kept", kGrid, "gridiron ir deck.sp --limit 25%", 0, "Limits: all kept"},
        {"a limit is exceeded, also with `--quiet`", kGrid, "gridiron ir deck.sp --quiet --limit 150mV", 1,
         "gridiron: limit exceeded: net vdd: worst drop of 200 mV exceeds 150 mV"},
        {"one of two limits is exceeded", kGrid, "gridiron ir deck.sp --limit 25% --limit average=50mV", 1,
         "gridiron: limit exceeded: net vdd: average drop of 100 mV exceeds 50 mV"},
        {"the limit of one net is exceeded", two_supplies, "gridiron ir deck.sp --limit vdd12:worst=0.5%", 1,
         "gridiron: limit exceeded: net vdd12: worst drop of 10 mV exceeds 6 mV"},
        {"the limit of one layer is exceeded", layers, "gridiron ir deck.sp --limit n1:m2:p99=3%", 1,
         "gridiron: limit exceeded: net n1 layer m2: p99 drop of 40 mV exceeds 30 mV"},
        {"ground bounce in % of the supply that its loads draw from: 1.2 V, beside one of 3.3 V", two_supplies,
         "gridiron ir deck.sp --limit vss:5%", 1,
         "gridiron: limit exceeded: net vss: worst drop of 80 mV exceeds 60 mV"},
        {"only the certified bound lies between drop and limit", kGrid, "gridiron ir deck.sp --limit 200mV", 4,
         "gridiron: limit undecided: net vdd: worst drop of 200 mV is within 200 mV, but certified only to … V; lower "
         "--tolerance"},
        {"a limit without unit", kGrid, "gridiron ir deck.sp --limit 5", 2,
         "gridiron: --limit 5: expected a percentage like 5% or a voltage like 50mV"},
        {"a limit in amperes", kGrid, "gridiron ir deck.sp --limit 50mA", 2,
         "gridiron: --limit 50mA: expected a percentage like 5% or a voltage like 50mV"},
        {"a limit of a quantity that does not exist", kGrid, "gridiron ir deck.sp --limit median=5%", 2,
         "gridiron: --limit median=5%: unknown quantity 'median'; known are worst, average, p50, p95, p99, p99.9, "
         "stress, lifetime, em"},
        {"a limit of a net that the deck does not have", kGrid, "gridiron ir deck.sp --limit VDDX:5%", 2,
         "gridiron: --limit VDDX: the netlist has no such net; it has vdd"},
        {"a limit in % on a ground net whose supply is not known", openroad_ground, "gridiron ir deck.sp --limit 5%", 2,
         "gridiron: net VSS has no supply voltage that a limit in % could refer to; give --nominal NET=VOLTS of its "
         "power net, or the limit in volts"},
        {"the same with the supply told", openroad_ground, "gridiron ir deck.sp --nominal VDD=1.1 --limit 1%", 1,
         "gridiron: limit exceeded: net VSS: worst drop of 20 mV exceeds 11 mV"},
        {"a limit is forgotten", kGrid, "gridiron ir --limit --quiet deck.sp", 2,
         "gridiron: --limit: a value is missing before --quiet; see 'gridiron ir --help'"}}},
      {"Currents and causes",
       {{"the current of a segment is above its limit", layers, "gridiron ir deck.sp --quiet --em-limit m1=15mA", 1,
         "gridiron: limit exceeded: net n1 layer m1: current of 20 mA in r1 exceeds 15 mA"},
        {"a limit per width, from a table",
         layers,
         "gridiron ir deck.sp --em-limit em.csv",
         1,
         "gridiron: limit exceeded: net n1 layer m1: current of 20 mA in r1 exceeds 10 mA",
         {{"em.csv", "layer,a_per_um,width_um\nm1,0.1,0.1\nm1-m2,0.5,0.1\n"}}},
        {"a limit on a layer that the deck does not have", layers, "gridiron ir deck.sp --em-limit m9=1mA", 2,
         "gridiron: --em-limit m9: no segment is on this layer; there are some on m1, m1-m2"},
        {"a current limit in volts", layers, "gridiron ir deck.sp --em-limit m1=1mV", 2,
         "gridiron: --em-limit m1=1mV: expected LAYER=CURRENT like M1=5mA"},
        {"why the worst node drops", layers, "gridiron ir deck.sp --why worst", 0,
         "Why n1_m2_2000_0 drops by 40.00 mV (2.000 Ohm between it and the sources)"},
        {"why a node drops that the deck does not have", layers, "gridiron ir deck.sp --why n1_m2_0_0", 2,
         "gridiron: --why n1_m2_0_0: the netlist has no node of that name; the nearest is n1_m1_0_0; 'worst' is the "
         "one "
         "with the largest drop"}}},
      {"Two runs",
       {{"a run is compared with itself", kGrid, "gridiron ir deck.sp --quiet --out a; gridiron diff a a", 0,
         "Nothing has changed: …"},
        {"a drop rose by more than allowed",
         kGrid,
         two_runs + "gridiron diff a b --quiet --limit worst=+5mV",
         1,
         "gridiron: limit exceeded: net vdd: worst drop rises by 10 mV, a rise of 5 mV was allowed",
         {{"b.sp", worse}}},
        {"the same without a limit",
         kGrid,
         two_runs + "gridiron diff a b",
         0,
         "  vdd  -      200.0 mV  210.0 mV  +10.00 mV        100.0 mV  105.0 mV  +5.000 mV            1       0",
         {{"b.sp", worse}}},
        {"only the bounds of the two runs lie between rise and limit",
         kGrid,
         two_runs + "gridiron diff a b --quiet --limit worst=+10mV",
         4,
         "gridiron: limit undecided: net vdd: worst drop rises by 10 mV, certified only to … V; a rise of 10 mV was "
         "allowed; lower --tolerance of the runs",
         {{"b.sp", worse}}},
        {"a limit on changes that is none",
         kGrid,
         two_runs + "gridiron diff a b --limit 5mV",
         2,
         "gridiron: --limit 5mV: expected QUANTITY and a change with its sign, like worst=+5mV or average=-1%",
         {{"b.sp", worse}}},
        {"a run that is not there", kGrid, "gridiron ir deck.sp --quiet --out a; gridiron diff a yesterday", 2,
         "gridiron: yesterday: does not exist; name a folder with the reports of a run, or its report.json"},
        {"a limit on a layer, and runs that do not tell layers", layers,
         "gridiron ir deck.sp --quiet --out a --formats json,solution; gridiron diff a a --limit n1:m2:worst=+1mV", 2,
         "gridiron: --limit n1:m2: both runs must tell the layers of their nodes, which *.solution does not; run again "
         "with csv among --formats"},
        {"a run without tables", kGrid, "gridiron ir deck.sp --quiet --out a --formats json; gridiron diff a a", 2,
         "gridiron: a/nodes.csv: is missing, and there is no *.solution instead; run again with csv among --formats"}}},
      {"Engines side by side",
       {{"one of two engines misses the tolerance", kGrid,
         "gridiron generate --nodes 5000 big.sp; gridiron compare big.sp --engine cholmod,aggamg --max-iterations 2 "
         "--repeat 1",
         4, "gridiron: 1 of 2 rows missed what was asked for: big.sp: aggamg on cpu not converged"},
        {"the rows of a sweep miss it", kGrid,
         "gridiron compare --pde poisson2d --size 9..33 --engine sgml --max-iterations 2 --repeat 1", 4,
         "gridiron: 3 of 3 rows missed what was asked for: poisson2d 9: sgml on cpu not converged; poisson2d 17: sgml "
         "on cpu not converged; poisson2d 33: sgml on cpu not converged"},
        {"a setting does not suit the problem", kGrid,
         "gridiron compare --pde poisson2d --size 20 --engine sgml:schedule=faithful,superlu --repeat 1", 4,
         "gridiron: 1 of 2 rows missed what was asked for: poisson2d 20: sgml:schedule=faithful on cpu invalid input"},
        {"an engine asked for by name declines the deck", no_coordinates,
         "gridiron compare deck.sp --engine superlu,gpuhmd --repeat 1", 4,
         "gridiron: 1 of 2 rows missed what was asked for: deck.sp: gpuhmd on cpu declined"},
        {"all engines are compared, and one declines the deck", no_coordinates, "gridiron compare deck.sp --repeat 1",
         0, "  gpuhmd   cpu     …declined: needs node coordinates: 4 of 4 nodes have none"}}},
      {"Accuracy",
       {{"the tolerance is out of reach", kGrid, "gridiron ir deck.sp --tolerance 1e-30", 4,
         "gridiron: deck.sp: the certified error bound is … V; rounding of the potentials alone is … V, above the "
         "tolerance of "
         "1.00e-30 V, which no engine can reach; raise --tolerance"},
        {"a tolerance in amperes", kGrid, "gridiron ir deck.sp --tolerance 10mA", 2,
         "gridiron: --tolerance: '10mA' is not a voltage; write e.g. 10uV or 0.05"},
        {"`--rtol` contradicts `--tolerance`", kGrid, "gridiron ir deck.sp --rtol 1e-6 --tolerance 1mV", 2,
         "gridiron: --tolerance excludes --rtol; see 'gridiron ir --help'"}}},
      {"Supplies and nets",
       {{"no voltage source", "* t\nr1 a 0 1\ni1 a 0 1\n.end\n", "gridiron ir deck.sp", 3,
         "gridiron: deck.sp: the netlist has no voltage source, so no node has a potential; add the pads as V cards, "
         "or by --pads; where the resistors to node 0 are the pads of a ground net, name it by --nominal NET=0 "
         "[no-source]"},
        {"no source leads to ground", "* t\nv1 a b 1\nr1 a c 1\n.end\n", "gridiron ir deck.sp", 3,
         "gridiron: deck.sp:2:1: no voltage source and no resistor leads to ground (node 0), so no node has a "
         "potential "
         "[no-ground]"},
        {"sources contradict each other", "* t\nv1 a 0 1\nv2 a 0 1.1\nr1 a b 1\n.end\n", "gridiron ir deck.sp", 3,
         "gridiron: deck.sp:2:1: ideal sources contradict each other: around v2, v1 the voltages add up to 0.1 V "
         "instead of 0; remove one or put a resistor in series [source-loop]"},
        {"an inductor shorts supply and ground", "* t\nv1 vdd 0 1\nv2 vss 0 0\nl1 vdd vss 1n\nr1 vdd a 1\n.end\n",
         "gridiron ir deck.sp", 3,
         "gridiron: deck.sp:3:1: ideal sources contradict each other: around l1, v1, v2 the voltages add up to -1 V "
         "instead of 0; remove one or put a resistor in series [source-loop]"},
        {"pads of 1.8 V and 1.75 V on one net", two_pads, "gridiron ir deck.sp", 0,
         "  deck.sp:3:1: warning: the sources of net n1 have different voltages, 1.75 V at n1_m1_8_0 and 1.8 V at "
         "n1_m1_0_0; drops are counted from 1.8 V; decide with --nominal NET=VOLTS [several-voltages]"},
        {"the same with `--strict`", two_pads, "gridiron ir deck.sp --strict", 3,
         "gridiron: --strict: deck.sp:3:1: the sources of net n1 have different voltages, 1.75 V at n1_m1_8_0 and 1.8 "
         "V "
         "at n1_m1_0_0; drops are counted from 1.8 V; decide with --nominal NET=VOLTS [several-voltages]"},
        {"the same with the nominal voltage decided", two_pads,
         "gridiron ir deck.sp --strict --nominal n1=1.8 --limit 5%", 0, "Limits: all kept"},
        {"resistors join two supplies", "* t\nv1 vdd 0 1\nr1 vdd a 1\nr2 a vss 1\nv2 vss 0 0\ni1 a 0 1m\n.end\n",
         "gridiron ir deck.sp", 0,
         "  deck.sp:2:1: warning: resistors join supplies of different voltage, 0 V at vss and 1 V at vdd; each node "
         "is "
         "of the one that its name tells, or else of the nearest one [supplies-joined]"},
        {"nodes named after two nets are connected",
         "* t\nv1 vdd_m1_0_0 0 1\nr1 vdd_m1_0_0 vcc_m1_2_0 1\ni1 vcc_m1_2_0 0 1m\n.end\n", "gridiron ir deck.sp", 0,
         "  deck.sp:3:1: warning: nodes named after different nets, vdd and vcc, are connected, e.g. by 'r1' from "
         "vdd_m1_0_0 to vcc_m1_2_0; they are treated as net vdd [nets-joined]"},
        {"a resistor ties a ground net to node 0: it is a pad",
         "* t\nv1 vdd 0 1\nr1 vdd a 1\ni1 a vss 10m\nr2 vss 0 1\n.end\n",
         "gridiron ir deck.sp --quiet --formats csv --out out; grep r2 out/sources.csv", 0,
         "r2,vss,vss,,,,0.01,-0.01,deck.sp:5:1,1"},
        {"`--nominal` names a net that the deck does not have", kGrid, "gridiron ir deck.sp --nominal VDDX=1", 2,
         "gridiron: --nominal VDDX=1: the netlist has no such net; it has vdd"}}},
      {"Loads",
       {{"no load at all", idle, "gridiron ir deck.sp --limit 5%", 0,
         "  deck.sp: warning: no current source draws anything; is the netlist complete? [no-load]"},
        {"the same with `--strict`", idle, "gridiron ir deck.sp --strict --limit 5%", 3,
         "gridiron: --strict: deck.sp: no current source draws anything; is the netlist complete? "
         "[no-load]"},
        {"the nodes of a load are exchanged", backwards, "gridiron ir deck.sp", 0,
         "  deck.sp: warning: loads drive 0.1 A into net vdd instead of drawing it, at 1 of 1 loaded node, most at a; "
         "are the nodes of their cards exchanged? [reversed-load]"},
        {"a node above its supply", backwards, "gridiron ir deck.sp", 0,
         "  deck.sp: warning: 1 of 2 nodes of net vdd is beyond its nominal voltage by more than the certified bound, "
         "most a by 0.2 V [overvoltage]"},
        {"a load floats", grid_with("i2 c 0 1m\n"), "gridiron ir deck.sp", 3,
         "gridiron: deck.sp:5:1: 1 node with a load of 0.001 A floats, e.g. c drawing 0.001 A: no path leads to a "
         "voltage source; connect them or remove the load, or leave them out by --ignore-opens [floating-load]"},
        {"an island of two nodes floats, with a load", grid_with("r2 p q 1\ni2 q 0 1m\n"), "gridiron ir deck.sp", 3,
         "gridiron: deck.sp:6:1: 2 nodes with a load of 0.001 A float, e.g. q drawing 0.001 A: no path leads to a "
         "voltage source; connect them or remove the load, or leave them out by --ignore-opens [floating-load]"},
        {"an island floats without load", grid_with("r2 p q 1\n"), "gridiron ir deck.sp", 0,
         "  deck.sp: warning: 2 nodes float without load, e.g. p; left out [floating-part]"},
        {"OpenROAD's deck of a ground net, whose sinks have the other sign", openroad_ground, "gridiron ir deck.sp", 0,
         "  deck.sp:1:1: info: the sinks of ground net VSS draw 0.01 A out of it, as OpenROAD writes them; they are "
         "taken as currents into it, so that it bounces up [sinks-inverted]"},
        {"a load file names a source that the deck does not have",
         kGrid,
         "gridiron ir deck.sp --loads loads.csv",
         2,
         "gridiron: loads.csv:1:1: load i9: the netlist has no current source of that name; the nearest is i1",
         {{"loads.csv", "i9,0.1\n"}}},
        {"a load file draws current from nodes that float",
         grid_with("r2 p q 1\ni2 q 0 0\n"),
         "gridiron ir deck.sp --loads loads.csv",
         3,
         "gridiron: deck.sp: load vector 0: 0.1 A at q, which floats (current source i2): no path leads to a voltage "
         "source; "
         "connect the node or set the source to 0, or leave it out by --ignore-opens",
         {{"loads.csv", "i2,0.1\n"}}},
        {"a load file with a value that is no number",
         kGrid,
         "gridiron ir deck.sp --loads loads.csv",
         2,
         "gridiron: loads.csv:1:8: expected a finite number of amperes, like 1.5m, not \"much\"",
         {{"loads.csv", "i1,0.1,much\n"}}}}},
      {"The deck",
       {{"the deck is not there", kGrid, "gridiron ir nowhere.sp", 2,
         "gridiron: nowhere.sp: cannot open: No such file or directory"},
        {"the deck is empty", "", "gridiron ir deck.sp", 2,
         "gridiron: deck.sp: no elements in this netlist; is it the right file?"},
        {"the deck has no `.end`", "* t\nv1 vdd 0 1\nr1 vdd a 2\ni1 a 0 0.1\n", "gridiron ir deck.sp", 0,
         "  deck.sp:4:1: warning: this file has no .end; is it complete? [no-end]"},
        {"the deck is cut in its last value, with `--strict`", "* t\nv1 vdd 0 1\nr1 vdd a 2\ni1 a 0 0.1",
         "gridiron ir deck.sp --strict", 3,
         "gridiron: --strict: deck.sp:4:1: the deck ends in the middle of a line and has no .end: it may be cut, and "
         "the last value with it [no-end]"},
        {"the deck is cut in its last card", "* t\nv1 vdd 0 1\nr1 vdd", "gridiron ir deck.sp", 2,
         "gridiron: deck.sp:3:7: expected a node name here; a card reads like 'r1 a b 1.5k'; the file ends here, it "
         "may "
         "be cut"},
        {"a negative resistance", "* t\nv1 vdd 0 1\nr1 vdd a -2\ni1 a 0 0.1\n.end\n", "gridiron ir deck.sp --limit 25%",
         4,
         "gridiron: limit undecided: net vdd: worst drop of 0 mV is within 250 mV, but its error of … V is an "
         "estimate; "
         "accept it by --accept-estimate"},
        {"a card that is not understood", unknown_card, "gridiron ir deck.sp", 2,
         "gridiron: deck.sp:5:1: unknown card 'q1'; a power grid has elements R, C, L, K, V, I, E, F, G, H and X "
         "(--lenient "
         "skips all others)"},
        {"the same with `--lenient`", unknown_card, "gridiron ir deck.sp --lenient", 0,
         "  deck.sp:5:1: warning: card skipped: unknown card 'q1'; a power grid has elements R, C, L, K, V, I, E, F, "
         "G, H "
         "and X (--lenient skips all others) [card-skipped]"},
        {"the same with `--lenient --strict`", unknown_card, "gridiron ir deck.sp --lenient --strict", 3,
         "gridiron: --strict: deck.sp:5:1: card skipped: unknown card 'q1'; a power grid has elements R, C, L, K, V, "
         "I, E, "
         "F, G, H and X (--lenient skips all others) [card-skipped] and 1 more warning"},
        {"a `.control` block", grid_with(".control\nalter r1 = 5\n.endc\n"), "gridiron ir deck.sp", 0,
         "  deck.sp:5:1: warning: .control is not carried out: its commands up to .endc are not carried out "
         "[not-carried-out]"},
        {"a condition that cannot be decided", grid_with(".if (fast)\nr2 a 0 1\n.endif\n"), "gridiron ir deck.sp", 2,
         "gridiron: deck.sp:5:5: unknown parameter 'fast'; define it with .param; a condition outside of subcircuits "
         "takes what is defined above it"},
        {"`.alter` asks for several runs", grid_with(".alter\nr1 vdd a 3\n"), "gridiron ir deck.sp", 2,
         "gridiron: deck.sp:5:1: .alter is not supported: it asks for several runs; write a deck for each"},
        {"a library that is missing", grid_with(".lib models.lib\n"), "gridiron ir deck.sp", 2,
         "gridiron: deck.sp:5:1: .lib models.lib begins a section that no .endl ends, and there is no file models.lib; "
         "add .endl, or correct the name"},
        {"several temperatures", grid_with(".temp 25 125\n"), "gridiron ir deck.sp", 2,
         "gridiron: deck.sp:5:1: .temp asks for runs at 2 temperatures; give one"},
        {"a drop that is within the limit at 27 °C and above it at 125 °C",
         "* t\nv1 vdd 0 1\nr1 vdd a 2 tc=0.004\ni1 a 0 0.1\n.temp 125\n.end\n", "gridiron ir deck.sp --limit 25%", 1,
         "gridiron: limit exceeded: net vdd: worst drop of 278.4 mV exceeds 250 mV"},
        {"a title that reads as a card", "IBM power grid 1\n" + kGrid, "gridiron ir deck.sp", 0,
         "  deck.sp:1:1: info: the first line is taken as the title: it reads as a card, but none of its nodes occurs "
         "again [first-line]"}}},
      {"Reports, engines and usage",
       {{"a run that fails leaves no report of an earlier one",
         kGrid,
         "gridiron ir deck.sp --quiet --out out && cp idle.sp deck.sp; gridiron ir deck.sp --strict --out out; "
         "code=$?; "
         "test -z \"$(ls out)\" && exit $code",
         3,
         "gridiron: --strict: deck.sp: no current source draws anything; is the netlist complete? "
         "[no-load]",
         {{"idle.sp", idle}}},
        {"standard output goes to a full disk", kGrid, "gridiron ir deck.sp >/dev/full", 5,
         "gridiron: cannot write to standard output; free some space or write elsewhere"},
        {"`--formats` without `--out`", kGrid, "gridiron ir deck.sp --formats json", 2,
         "gridiron: --formats json: there is no --out to write them into"},
        {"an engine that does not exist", kGrid, "gridiron ir deck.sp --engine fancy", 2,
         "gridiron: no engine is called \"fancy\"; this build has …"},
        {"an engine parameter that does not exist", kGrid, "gridiron ir deck.sp --engine cholmod --set colour=red", 2,
         "gridiron: cholmod has no parameter \"colour\"; it has: ordering, factorization"},
        {"an engine that needs coordinates, and nodes without", no_coordinates,
         "gridiron ir deck.sp --engine gpuhmd --device cpu", 2,
         "gridiron: engine gpuhmd: needs node coordinates: 4 of 4 nodes have none"},
        {"a command that does not exist", kGrid, "gridiron ri deck.sp", 2,
         "gridiron: no command is called 'ri'; did you mean 'ir'? See 'gridiron --help'"}}},
      programs_situations(),
      robust_situations(),
      limits_situations(),
      times_situations(),
      grid_node_situations(),
      files_situations(),
      numbers_situations(),
      ledger_situations(),
      judged_situations(),
      pads_situations(),
      island_situations(),
      layouts_situations(),
  };
}

}  // namespace gridiron::test
