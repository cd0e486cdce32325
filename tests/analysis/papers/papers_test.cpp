// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "analysis/papers/paper.hpp"
#include "support/error.hpp"

namespace gridiron {
namespace {

TEST(Papers, AsPrintedMeansTheLastDigit) {
  const PaperColumn column{"x", Rule::as_printed};
  EXPECT_TRUE(agrees(column, {"23.9", 23.949}));
  EXPECT_FALSE(agrees(column, {"23.9", 23.951}));
  EXPECT_TRUE(agrees(column, {"23.9", 23.85}));
  EXPECT_TRUE(agrees(column, {"0.004", 0.00449}));
  EXPECT_FALSE(agrees(column, {"0.004", 0.0046}));
  EXPECT_TRUE(agrees(column, {"13'888", 13888}));
  EXPECT_FALSE(agrees(column, {"13'888", 13889}));
  EXPECT_FALSE(agrees(column, {"13'888"})) << "a figure that is missing is a miss";
  EXPECT_TRUE(agrees(column, {"", 1})) << "the paper has none";
  EXPECT_TRUE(agrees({"x", Rule::as_printed, 0.01}, {"100", 101.4}));
  EXPECT_FALSE(agrees({"x", Rule::as_printed, 0.01}, {"100", 101.6}));
}

TEST(Papers, OtherRules) {
  EXPECT_TRUE(agrees({"x", Rule::at_most}, {"1e-14", 9e-15}));
  EXPECT_FALSE(agrees({"x", Rule::at_most}, {"1e-14", 1.1e-14}));
  EXPECT_TRUE(agrees({"x", Rule::at_most, 0.2}, {"50", 59}));
  EXPECT_TRUE(agrees({"x", Rule::at_least}, {"0.125", 0.13}));
  EXPECT_FALSE(agrees({"x", Rule::at_least}, {"0.125", 0.12}));
  EXPECT_FALSE(agrees({"x", Rule::at_most}, {"50"})) << "a figure that is missing is a miss";
  EXPECT_TRUE(agrees({"x", Rule::within, 1}, {"0", -1}));
  EXPECT_FALSE(agrees({"x", Rule::within, 1}, {"0", 1.5}));
  EXPECT_TRUE(agrees({"x", Rule::shown}, {"3", 100}));
}

TEST(Papers, TallyCountsWhatIsJudged) {
  PaperResult result;
  result.tables = {{"t",
                    "",
                    {{"a", Rule::as_printed}, {"b"}},
                    {{"r", {{"1", 1}, {"2", 3}}}, {"s", {{"1", 2}, {}}}, {"u", {{}, {}}}}}};
  EXPECT_EQ(result.tally().judged, 2);
  EXPECT_EQ(result.tally().missed, 1);
}

TEST(Papers, EveryPaperHasANameAndUnknownOnesAreRefused) {
  for (const Paper& paper : papers()) EXPECT_EQ(&find_paper(paper.name), &paper);
  EXPECT_THROW(find_paper("amg"), InputError);
}

}  // namespace
}  // namespace gridiron
