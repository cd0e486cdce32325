// SPDX-License-Identifier: Apache-2.0
// A small residual alone proves nothing, and a run that stops by one says so.
#include "analysis/results/loose_bound.hpp"

#include <fmt/format.h>
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
  std::string deck = "t\nv1 s 0 1\nr0 s q0_0 1\ni1 q11_11 0 1m\n";  // a mesh: trees need no iteration
  for (int y = 0; y < 12; ++y)
    for (int x = 0; x < 12; ++x) {
      if (x > 0) deck += fmt::format("rx{0}_{1} q{2}_{1} q{0}_{1} 1\n", x, y, x - 1);
      if (y > 0) deck += fmt::format("ry{0}_{1} q{0}_{2} q{0}_{1} 1\n", x, y, y - 1);
    }
  const Circuit circuit = read_netlist_text(deck + ".end\n");
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
