// SPDX-License-Identifier: Apache-2.0
// Shorts of a layout in a Tcl session.
#include <gmock/gmock.h>

#include "tests/app/tool.hpp"
#include "tests/data.hpp"

namespace gridiron {
namespace {

using TclShorts = test::Tool;

/// A strap of VSS on one of VDD, on metal4.
TEST_F(TclShorts, AreErrorsUnlessTheyAreIgnored) {
  if (!GRIDIRON_HAS_TCL) GTEST_SKIP() << "this build has no Tcl";
  GRIDIRON_DATA_OR_SKIP(def, "layout/nangate45/gcd.def.gz");
  GRIDIRON_DATA_OR_SKIP(lef, "layout/nangate45/Nangate45.lef.gz");
  shell("zcat " + def +
        " | sed 's/^ *- VSS .*/&\\n+ ROUTED metal4 960 + SHAPE STRIPE ( 136140 24000 ) ( 136140 30000 )/' "
        ">$T/short.def");
  write("script.tcl", "read_lef " + lef +
                          "\nread_def short.def\nset_pdnsim_net_voltage -net VDD -voltage 1.1\n"
                          "foreach c {{check_power_grid -net VDD -dont_require_terminals -error_file check.drc} "
                          "{analyze_power_grid -quiet -error_file analyse.drc} "
                          "{write_pg_spice x.sp}} { puts [catch $c m]:$m }\n"
                          "check_power_grid -net VDD -dont_require_terminals -ignore_shorts\n"
                          "analyze_power_grid -quiet -ignore_opens -ignore_shorts\n");
  const Outcome outcome = gridiron("tcl script.tcl");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, testing::HasSubstr("1:short.def: 1 short, the first between nets VDD and VSS on metal4 at "
                                              "(67.830, 12.000) to (68.310, 15.000) um\n1:short.def:"));
  for (const char* markers : {"check.drc", "analyse.drc"})
    EXPECT_THAT(slurp(folder_ / markers), testing::HasSubstr("violation type: Short\n  srcs: net:VDD net:VSS\n"));
  EXPECT_THAT(outcome.out, testing::HasSubstr("or accept them by -ignore_shorts\n1:short.def:"));
}

}  // namespace
}  // namespace gridiron
