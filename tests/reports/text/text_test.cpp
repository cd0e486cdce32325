// SPDX-License-Identifier: Apache-2.0
// summary.txt: OpenROAD's block verbatim, then ours.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/report.hpp"
#include "tests/reports/sample.hpp"

namespace gridiron {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

TEST(TextSummary, StartsWithOpenRoadsBlock) {
  const auto sample = test::small_sample();
  NetResult& net = sample->result.nets[0];
  net.nominal_v = net.supply_v = 1.35;
  net.worst_voltage_v = 1.3308;
  net.average_voltage_v = 1.34984;
  net.average_drop_v = 1.61e-4;
  net.worst_drop_v = 1.92e-2;
  EXPECT_THAT(text_summary(sample->result), StartsWith("########## IR report #################\n"
                                                       "Net              : VDD\n"
                                                       "Corner           : default\n"
                                                       "Total power      : 2.93e-02 W\n"
                                                       "Supply voltage   : 1.35e+00 V\n"
                                                       "Worstcase voltage: 1.33e+00 V\n"
                                                       "Average voltage  : 1.35e+00 V\n"
                                                       "Average IR drop  : 1.61e-04 V\n"
                                                       "Worstcase IR drop: 1.92e-02 V\n"
                                                       "Percentage drop  : 1.42 %\n"
                                                       "######################################\n"
                                                       "########## IR report #################\n"
                                                       "Net              : GND\n"));
}

TEST(TextSummary, UnknownSupplyHasNoPercentage) {
  const auto sample = test::small_sample();
  for (NetResult& net : sample->result.nets) net.supply_v = 0;
  const std::string text = text_summary(sample->result);
  EXPECT_THAT(text, HasSubstr("Percentage drop  : n/a\n"));
  EXPECT_THAT(text, Not(HasSubstr("nan")));
  EXPECT_THAT(text, Not(HasSubstr("inf")));
}

TEST(TextSummary, TellsTheWholeRun) {
  const std::string text = text_summary(test::small_sample()->result);
  EXPECT_THAT(text, HasSubstr("decks/sample.sp: 1.23 kB, 10 nodes"));
  EXPECT_THAT(text, HasSubstr("5 unknowns, 17 nonzeros (merged 1 short, eliminated 2 nodes, left out 1 floating)"));
  EXPECT_THAT(text, HasSubstr("cholmod on cpu, 1 thread, 4.1 kB; ordering=amd"));
  EXPECT_THAT(text, HasSubstr("within 3.250 nV of the exact solution (asked for: 10.00 uV)"));
  EXPECT_THAT(text, HasSubstr("pad currents minus loads: -1.000 fA"));
  EXPECT_THAT(text, HasSubstr("Worst nodes of VDD (drop)"));
  EXPECT_THAT(text, HasSubstr("Worst nodes of GND (bounce)"));
  EXPECT_THAT(text, HasSubstr("43.21 mV"));
  EXPECT_THAT(text, HasSubstr("Limits: all kept"));
  EXPECT_THAT(text, HasSubstr("decks/sample.sp:9:1: warning: 1 node has no source. [floating-island]"));
  EXPECT_THAT(text, HasSubstr("Peak memory  1 MB\n"));
}

TEST(TextSummary, TellsThePartsOfAHybridSolve) {
  const auto sample = test::small_sample();
  EXPECT_THAT(text_summary(sample->result), Not(HasSubstr("Parts")));
  sample->result.engine.levels = {{.unknowns = 5}, {.unknowns = 4}};
  sample->result.solve.hybrid = {
      .original_grid_s = 0.25, .regular_grid_s = 0.125, .transfers_s = 5e-5, .regular_grid_bytes = 1096};
  EXPECT_THAT(
      text_summary(sample->result),
      HasSubstr("Parts        original grid 250.0 ms, 3 kB; regular grids 125.0 ms, 1.1 kB; transfers 50.00 us; "
                "819 bytes per unknown\n"));
}

TEST(TextSummary, LeavesOutWhatSaysNothing) {
  const auto sample = test::small_sample();
  IrReport& result = sample->result;
  EXPECT_THAT(text_summary(result), HasSubstr("Solve        1 iteration, ")) << "of refinement";
  EXPECT_THAT(text_summary(result), HasSubstr("bounce  combined"));
  result.solve = summed_up({{0, 1.5e-16, 2e-17, true, {}}});
  EXPECT_THAT(text_summary(result), HasSubstr("Solve        direct, "));
  result.engine.name = "aggamg";
  EXPECT_THAT(text_summary(result), HasSubstr("Solve        0 iterations, ")) << "the guess was exact";
  for (NetResult& net : result.nets) net.is_ground = false;
  EXPECT_THAT(text_summary(result), Not(HasSubstr("combined")));
  result.input.nodes = 10'000;
  EXPECT_THAT(text_summary(result), HasSubstr("Peak memory  1 MB, 100 bytes per node\n"));
}

TEST(TextSummary, SaysWhenThereIsNoCertificate) {
  const auto sample = test::small_sample();
  sample->result.certificate.valid = false;
  sample->result.certificate.max_error_v = 12345;
  const std::string text = text_summary(sample->result);
  EXPECT_THAT(text, HasSubstr("Certificate  NONE"));
  EXPECT_THAT(text, Not(HasSubstr("12.35 kV")));
}

TEST(TextSummary, SaysWhenALimitIsExceeded) {
  const auto sample = test::small_sample();
  sample->result.limits[0].exceeded = true;
  EXPECT_THAT(text_summary(sample->result), HasSubstr("Limits: EXCEEDED"));
}

TEST(TextSummary, HasAnAnswerForAnEmptyGrid) {
  const test::Sample empty;
  EXPECT_THAT(text_summary(empty.result), HasSubstr("nothing to report"));
}

TEST(TextSummary, CannotDriveTheTerminal) {
  test::Sample sample;
  const int32_t net = sample.add_net("\x1b]0;owned\x07", 1, 1);
  sample.add_node("\x1b[2Jn", net, sample.add_layer("\x1b[5m"), 1, 1, 0.9, 0.1);
  sample.summarise();
  EXPECT_THAT(text_summary(sample.result), Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace gridiron
