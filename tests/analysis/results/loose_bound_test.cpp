// SPDX-License-Identifier: Apache-2.0
// A small residual alone proves nothing, and a run that stops by one says so.
#include "analysis/results/loose_bound.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "analysis/run/ir_drop.hpp"
#include "netlist/reader.hpp"

namespace gridiron {
namespace {

using testing::HasSubstr;

TEST(LooseBound, ComparesTheBoundWithWhatTheResidualSuggests) {
  EXPECT_EQ(loose_bound(5e-7, 1e-8, 1e-6), "") << "negligible whatever the drops";
  EXPECT_EQ(loose_bound(5e-6, 1e-8, 0.6), "") << "what a grid amplifies a residual by";
  EXPECT_THAT(loose_bound(4.8, 1e-2, 0.12), HasSubstr("certifies voltages to 4.80e+00 V only"));
  EXPECT_THAT(loose_bound(std::nan(""), 1e-8, 0.6), HasSubstr("certifies nothing"));
  EXPECT_THAT(loose_bound(1e-3, 1e-8, 0.6), HasSubstr("a relative residual of 1e-08"));
}

TEST(LooseBound, IsAWarningOfARunByResidual) {
  const Circuit circuit =
      read_netlist_text("t\nv1 s 0 1\nr1 s a 1\nr2 a b 1\nr3 a c 1\nr4 b c 1\nr5 s c 1\nr6 s b 1\ni1 c 0 1m\n.end\n");
  IrOptions options;
  options.engine = "aggamg";
  options.reduce = false;
  const auto is_told = [&] {
    const IrReport report = analyse_ir_drop(circuit, options);
    return std::any_of(report.findings.begin(), report.findings.end(),
                       [](const Finding& f) { return f.code == "loose-bound"; });
  };
  EXPECT_FALSE(is_told());
  options.rtol = 1e-8;
  EXPECT_FALSE(is_told());
  options.rtol = 1;
  EXPECT_TRUE(is_told()) << "no iteration at all";
}

}  // namespace
}  // namespace gridiron
