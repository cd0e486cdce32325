// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/app/gate/situation.hpp"

namespace gridiron::test {

/// A cell between rails of VDD and VSS on m1, 10 µm long, of 0.5 Ω per square.
inline Section layouts_situations() {
  const std::string rule = "docs/layout.md";
  const std::string lef =
      "VERSION 5.8 ;\nUNITS\n  DATABASE MICRONS 1000 ;\nEND UNITS\nLAYER m1\n  TYPE ROUTING ;\n  DIRECTION HORIZONTAL "
      ";\n"
      "  PITCH 0.2 ;\n  WIDTH 0.1 ;\n  RESISTANCE RPERSQ 0.5 ;\nEND m1\nMACRO INV\n  CLASS CORE ;\n  SIZE 2 BY 3 ;\n"
      "  PIN VDD\n    USE POWER ;\n    PORT\n      LAYER m1 ;\n      RECT 0 2.9 2 3.1 ;\n    END\n  END VDD\n"
      "  PIN VSS\n    USE GROUND ;\n    PORT\n      LAYER m1 ;\n      RECT 0 -0.1 2 0.1 ;\n    END\n  END VSS\nEND "
      "INV\n"
      "END LIBRARY\n";
  const auto files = [&](const std::string& more_of_ground = "", const std::string& more_of_power = "") {
    return std::map<std::string, std::string>{
        {"chip.lef", lef},
        {"power.csv", "instance,power_w\nu1,1e-3\n"},
        {"chip.def",
         "VERSION 5.8 ;\nDESIGN chip ;\nUNITS DISTANCE MICRONS 1000 ;\nDIEAREA ( 0 0 ) ( 10000 5000 ) ;\n"
         "COMPONENTS 1 ;\n- u1 INV + PLACED ( 8000 1000 ) N ;\nEND COMPONENTS\nPINS 2 ;\n"
         "- VDD + NET VDD + SPECIAL + USE POWER + LAYER m1 ( -100 -100 ) ( 100 100 ) + PLACED ( 100 4000 ) N ;\n"
         "- VSS + NET VSS + SPECIAL + USE GROUND + LAYER m1 ( -100 -100 ) ( 100 100 ) + PLACED ( 100 1000 ) N ;\n"
         "END PINS\nSPECIALNETS 2 ;\n- VDD ( * VDD ) + USE POWER\n+ ROUTED m1 200 + SHAPE FOLLOWPIN ( 0 4000 ) ( 10000 "
         "4000 )" +
             more_of_power +
             " ;\n- VSS ( * VSS ) + USE GROUND\n+ ROUTED m1 200 + SHAPE FOLLOWPIN ( 0 1000 ) ( 10000 1000 )" +
             more_of_ground + " ;\nEND SPECIALNETS\nEND DESIGN\n"}};
  };
  const std::string on_vdd = "\nNEW m1 200 + SHAPE STRIPE ( 4000 1000 ) ( 4000 4000 )",
                    between = "\nNEW m1 200 + SHAPE STRIPE ( 2000 2500 ) ( 3000 2500 )";
  const std::string chip = "chip.def --lef chip.lef --nominal VDD=1 --power power.csv";
  const std::string is_short =
      "gridiron: chip.def:13:3: 1 short between nets VDD and VSS; the first is on m1 at (3.900, 3.900) to (4.100, "
      "4.000) um [short]; move them apart, or accept them by --ignore-shorts";
  return {
      "Layouts",
      {{"limits of both nets are kept", "", "gridiron ir " + chip + " --limit 5%", 0, "Limits: all kept", files(),
        "1 mA through 44.5 squares of 0.5 Ω: 22.25 mV of 1 V"},
       {"the drop of one is above its limit", "", "gridiron ir " + chip + " --quiet --limit VSS:1%", 1,
        "gridiron: limit exceeded: net VSS: worst drop of 22.25 mV exceeds 10 mV, one of 4 nodes that do", files(),
        rule},
       {"a DEF file without LEF", "", "gridiron ir chip.def", 2,
        "gridiron: chip.def: a DEF file is read with its LEF files, the technology's first; give --lef", files(), rule},
       {"metal of two nets touches", "", "gridiron ir " + chip, 3, is_short, files(on_vdd), rule},
       {"the same is checked", "", "gridiron check " + chip, 3, is_short, files(on_vdd), rule},
       {"the same where only one of the nets is checked", "", "gridiron check " + chip + " --net VDD", 3, is_short,
        files(on_vdd), rule},
       {"the same becomes a deck", "", "gridiron extract " + chip + " chip.sp", 3, is_short, files(on_vdd), rule},
       {"the same becomes tables", "", "gridiron regularize " + chip, 3, is_short, files(on_vdd), rule},
       {"the same is accepted", "", "gridiron ir " + chip + " --ignore-shorts --limit 5%", 0, "Limits: all kept",
        files(on_vdd), rule},
       {"markers of it", "", "gridiron check " + chip + " --out m --ignore-shorts; grep -A1 type m/markers.drc", 0,
        "  srcs: net:VDD net:VSS", files(on_vdd), rule},
       {"metal that nothing joins to its net", "", "gridiron ir " + chip, 3,
        "gridiron: chip.def:13:3: 1 shape of net VDD not connected to its highest layer; the first is on m1 at (2.000, "
        "2.400) to (3.000, 2.600) um [open-shape]; connect them, or accept them by --ignore-opens",
        files("", between), rule},
       {"the same is accepted", "", "gridiron ir " + chip + " --ignore-opens --limit 5%", 0, "Limits: all kept",
        files("", between), rule},
       {"a net that the layout does not have", "", "gridiron ir " + chip + " --net VDE", 2,
        "gridiron: --net VDE: the layout has no such net; it has VDD, VSS; did you mean 'VDD'?", files(), rule},
       {"a deck of it in a folder that does not exist", "", "gridiron extract " + chip + " none/chip.sp", 2,
        "gridiron: none/chip.sp: none does not exist; name a file in a folder that exists", files(), rule}}};
}

}  // namespace gridiron::test
