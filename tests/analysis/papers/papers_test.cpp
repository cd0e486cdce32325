// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>

#include "analysis/papers/paper.hpp"
#include "support/error.hpp"
#include "tests/paths.hpp"

namespace gridiron {
namespace {

TEST(Papers, AsPrintedMeansTheLastDigit) {
  const PaperColumn column{"x", Rule::as_printed};
  EXPECT_TRUE(agrees(column, {"23.9", 23.949}));
  EXPECT_FALSE(agrees(column, {"23.9", 23.951}));
  EXPECT_TRUE(agrees(column, {"23.9", 23.85}));
  EXPECT_TRUE(agrees(column, {"0.004", 0.00449}));
  EXPECT_FALSE(agrees(column, {"0.004", 0.0046}));
  EXPECT_TRUE(agrees(column, {"1.590e-6", 1.5904e-6}));
  EXPECT_FALSE(agrees(column, {"1.590e-6", 1.5906e-6}));
  EXPECT_TRUE(agrees(column, {"2e+3", 2400}));
  EXPECT_FALSE(agrees(column, {"2e+3", 2600}));
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
  EXPECT_EQ(result.tally().unexplained(), 1);
  result.tables[0].rows[1].explanation = "why";
  EXPECT_EQ(result.tally().unexplained(), 1);
  result.tables[0].rows[1].cells[0].known = 2;
  EXPECT_EQ(result.tally().missed, 1);
  EXPECT_EQ(result.tally().unexplained(), 0);
}

TEST(Papers, EveryPaperHasANameAndUnknownOnesAreRefused) {
  for (const Paper& paper : papers()) EXPECT_EQ(&find_paper(paper.name), &paper);
  EXPECT_THROW(find_paper("amg"), InputError);
}

/// Tables and figures of each paper, counted by hand; of gpuhmd those of the copy at hand, which ends before its
/// results.
struct Count {
  const char* paper;
  int figures, tables;
};
constexpr Count kCounts[] = {{"sgml", 7, 0}, {"gpuhmd", 7, 0}, {"aggamg", 6, 2}, {"psc", 18, 4}, {"stokes", 14, 3}};

TEST(Papers, EveryTableAndFigureIsListedOnce) {
  for (const Count& count : kCounts) {
    std::multiset<std::string> listed, expected;
    for (const Exhibit& exhibit : find_paper(count.paper).exhibits) {
      EXPECT_FALSE(exhibit.shows.empty() || exhibit.note.empty()) << count.paper << ", " << exhibit.name;
      listed.emplace(exhibit.name);
    }
    for (int k = 1; k <= count.figures; ++k) expected.insert("Fig. " + std::to_string(k));
    for (int k = 1; k <= count.tables; ++k) expected.insert("Table " + std::to_string(k));
    if (std::string(count.paper) == "gpuhmd") expected.insert("Tables");
    EXPECT_EQ(listed, expected) << count.paper;
  }
}

TEST(Papers, CaptionsOfTheirTextsAreListed) {
  const std::regex caption("(?:^|\n)(Fig(?:ure|\\.)?|Table) ?([0-9]+)[.:]");
  for (const Paper& paper : papers()) {
    const std::filesystem::path path = test::data_dir().parent_path() / "papers" / (std::string(paper.name) + ".txt");
    if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not there";
    std::ifstream file(path);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    std::set<std::string> listed;
    for (const Exhibit& exhibit : paper.exhibits) listed.emplace(exhibit.name);
    int found = 0;
    for (std::sregex_iterator match(text.begin(), text.end(), caption), end; match != end; ++match, ++found) {
      const std::string name = ((*match)[1] == "Table" ? "Table " : "Fig. ") + (*match)[2].str();
      EXPECT_TRUE(listed.contains(name)) << paper.name << ": " << name;
    }
    EXPECT_GT(found, 0) << paper.name;
  }
}

}  // namespace
}  // namespace gridiron
