// SPDX-License-Identifier: Apache-2.0
// After an error a Tcl session on a layout is as before.
#include <gmock/gmock.h>

#include <string>

#include "tests/app/tool.hpp"

namespace gridiron {
namespace {

class TclLayoutErrors : public test::Tool {
 protected:
  void SetUp() override {
    if (!GRIDIRON_HAS_TCL) GTEST_SKIP() << "this build has no Tcl";
    write("t.lef", R"(VERSION 5.8 ;
UNITS DATABASE MICRONS 1000 ; END UNITS
LAYER m1 TYPE ROUTING ; DIRECTION HORIZONTAL ; PITCH 0.2 ; WIDTH 0.1 ; RESISTANCE RPERSQ 0.5 ; END m1
MACRO INV CLASS CORE ; SIZE 2 BY 3 ;
  PIN VDD USE POWER ; PORT LAYER m1 ; RECT 0 2.9 2 3.1 ; END END VDD
  PIN VSS USE GROUND ; PORT LAYER m1 ; RECT 0 -0.1 2 0.1 ; END END VSS
END INV
END LIBRARY
)");
    // Of VSS the rail ends before u2.
    write("chip.def", R"(VERSION 5.8 ;
DESIGN chip ;
UNITS DISTANCE MICRONS 1000 ;
DIEAREA ( 0 0 ) ( 20000 20000 ) ;
COMPONENTS 2 ; - u1 INV + PLACED ( 0 0 ) N ; - u2 INV + PLACED ( 8000 0 ) N ; END COMPONENTS
PINS 2 ;
- VDD + NET VDD + USE POWER + LAYER m1 ( -100 -100 ) ( 100 100 ) + FIXED ( 4000 3000 ) N ;
- VSS + NET VSS + USE GROUND + LAYER m1 ( -100 -100 ) ( 100 100 ) + FIXED ( 2500 0 ) N ;
END PINS
SPECIALNETS 2 ;
- VDD ( * VDD ) + USE POWER + ROUTED m1 200 + SHAPE FOLLOWPIN ( 0 3000 ) ( 10000 3000 ) ;
- VSS ( * VSS ) + USE GROUND + ROUTED m1 200 + SHAPE FOLLOWPIN ( 0 0 ) ( 3000 0 ) ;
END SPECIALNETS
END DESIGN
)");
    write("power.csv", "instance,power_w\nu1,1e-3\nu2,2e-3\n");
  }
  Outcome run(const std::string& script) const {
    write("script.tcl",
          "read_lef t.lef\nread_def chip.def\nread_power power.csv\nset_pdnsim_net_voltage -net VDD "
          "-voltage 1\n" +
              script);
    return gridiron("tcl script.tcl");
  }
};

/// The grid that was analysed last stays with its edits where another one cannot be analysed, for whatever reason.
TEST_F(TclLayoutErrors, LeaveTheGridBeforeWithItsEdits) {
  const Outcome outcome = run(R"(
set_pdnsim_inst_power -inst u1 -power 1e-3 -corner slow
analyze_power_grid -quiet -net VDD
set_load I0 10m
set_resistor R1 100
set before [dict get [lindex [dict get [analyze_power_grid -quiet -net VDD] nets] 0] worst_drop_v]
foreach request {
  {-net VSS -ignore_opens}
  {-net VDD -source_type FULL -engine nothing}
  {-net VDD -source_type FULL -limit NOTHING:worst=5%}
  {-net VDD -corner slow -engine nothing}
} {
  set code [catch {analyze_power_grid -quiet {*}$request} message]
  puts "$code $::errorCode [set_load I0] [set_resistor R1]"
  puts [expr {[dict get [lindex [dict get [analyze_power_grid -quiet -net VDD] nets] 0] worst_drop_v] == $before}]
}
)");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out,
            "1 GRIDIRON grid {} 0.01 100.0\n1\n1 GRIDIRON input {} 0.01 100.0\n1\n"
            "1 GRIDIRON input limit 0.01 100.0\n1\n1 GRIDIRON input {} 0.01 100.0\n1\n");
}

}  // namespace
}  // namespace gridiron
