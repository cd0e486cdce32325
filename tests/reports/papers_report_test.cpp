// SPDX-License-Identifier: Apache-2.0
#include "reports/papers_report.hpp"

#include <gmock/gmock.h>

#include "reports/text/escape.hpp"
#include "tests/reports/json/schema_validator.hpp"

namespace gridiron {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class PapersReport : public testing::Test {
 protected:
  PaperResult result_{&papers()[0],
                      {{"Table <1>",
                        "A note.",
                        {{"levels", Rule::as_printed}, {"seconds"}},
                        {{"first", {{"7", 7}, {"", 0.5}}}, {"second", {{"5", 6}, {}}}}}},
                      2};
};

TEST_F(PapersReport, TextMarksWhatMisses) {
  const std::string text = papers_text(result_);
  EXPECT_THAT(text,
              HasSubstr("2 figures are judged, all beside the paper's own: 1 agree, 1 MISSED. The run took 2 s."));
  EXPECT_THAT(text, HasSubstr("Judged: levels as printed."));
  EXPECT_THAT(text, HasSubstr("6 MISSED      5"));
  EXPECT_THAT(text, Not(HasSubstr("7 MISSED")));
}

TEST_F(PapersReport, TellsEachRule) {
  result_.tables[0].columns = {{"levels", Rule::at_least, 0.1}, {"seconds", Rule::at_most}};
  EXPECT_THAT(papers_text(result_),
              HasSubstr("Judged: levels at least the paper's less 10 %; seconds at most the paper's."));
}

TEST_F(PapersReport, TellsWhereFiguresComeFrom) {
  result_.tables[0].columns = {{"levels", Rule::at_least, 0, 4, "it is simple", "prototype"}, {"seconds"}};
  EXPECT_THAT(papers_text(result_), HasSubstr("Judged: levels at least the prototype's, it is simple."));
  EXPECT_THAT(papers_text(result_), HasSubstr("levels  prototype  seconds"));
  EXPECT_THAT(papers_text(result_), HasSubstr("judged, 0 beside the paper's own, 2 beside others (prototype 2): "));
  EXPECT_THAT(papers_markdown({&result_, 1}), HasSubstr("|  | levels | prototype | seconds |\n"));
  EXPECT_THAT(papers_html({&result_, 1}), HasSubstr("<th>levels</th><th class=paper>prototype</th>"));
  const nlohmann::json document = nlohmann::json::parse(papers_json({&result_, 1}));
  EXPECT_EQ(document["papers"][0]["tables"][0]["columns"][0]["source"], "prototype");
  EXPECT_EQ(document["papers"][0]["judged_by"]["prototype"], 2);
  EXPECT_EQ(document["papers"][0]["tables"][0]["columns"][1]["source"], "paper");
}

TEST_F(PapersReport, NamesItsDecks) {
  result_.tables[0].decks = {"gridiron generate --nodes 10 a.sp", "gridiron generate --nodes 20 b.sp"};
  EXPECT_THAT(papers_html({&result_, 1}), HasSubstr("A note. Decks: <code>gridiron generate --nodes 10 a.sp</code>, "
                                                    "<code>gridiron generate --nodes 20 b.sp</code>. Judged: "));
  EXPECT_THAT(papers_text(result_), HasSubstr("A note. Decks: `gridiron generate --nodes 10 a.sp`, `"));
  const std::string text = papers_json({&result_, 1});
  EXPECT_EQ(test::violations("gridiron.papers-1", text), "");
  EXPECT_EQ(nlohmann::json::parse(text)["papers"][0]["tables"][0]["decks"].size(), 2u);
}

TEST_F(PapersReport, MarkdownAndHtmlSayTheSame) {
  const std::string markdown = papers_markdown({&result_, 1}), html = papers_html({&result_, 1});
  EXPECT_THAT(markdown, HasSubstr("|  | levels | paper | seconds |\n|---|--:|--:|--:|\n| first | 7 | 7 | 0.5 |\n| "
                                  "second | 6 **missed** | 5 |  |\n"));
  EXPECT_THAT(html, HasSubstr("<td>second</td><td class=missed>6 MISSED</td><td class=paper>5</td><td></td>"));
  EXPECT_THAT(html, HasSubstr("Table &lt;1&gt;"));
}

TEST_F(PapersReport, WhatIsExplainedIsToldAndNoMiss) {
  result_.tables[0].rows[1].explanation = "the paper counts the first one twice";
  result_.tables[0].rows[1].cells[0].known = 6;
  const std::string text = papers_text(result_);
  EXPECT_THAT(
      text,
      HasSubstr(
          "2 figures are judged, all beside the paper's own: 1 agree, 1 misses and is explained. The run took 2 s."));
  EXPECT_THAT(text, HasSubstr("second: the paper counts the first one twice."));
  EXPECT_THAT(text, Not(HasSubstr("MISSED")));
  EXPECT_THAT(papers_html({&result_, 1}), HasSubstr("<td class=explained>6 misses</td>"));
  EXPECT_THAT(papers_csv({&result_, 1}), HasSubstr("Table <1>,second,levels,5,6,as_printed,0,explained,paper\n"));
}

/// A figure that is not what is known misses, whatever its row says, as does one of another column.
TEST_F(PapersReport, AnExplanationIsOfOneKnownValue) {
  PaperRow& row = result_.tables[0].rows[1];
  row.explanation = "an odd reason";
  row.cells[0].known = 6.5;
  EXPECT_EQ(verdict(result_.tables[0].columns[0], row, row.cells[0]), "explained");
  row.cells[0].known = 9;
  EXPECT_EQ(verdict(result_.tables[0].columns[0], row, row.cells[0]), "missed");
  row.cells[0].known = NAN;
  EXPECT_EQ(verdict(result_.tables[0].columns[0], row, row.cells[0]), "missed");
  EXPECT_THAT(papers_text(result_), Not(HasSubstr("an odd reason")));
  const nlohmann::json document = nlohmann::json::parse(papers_json({&result_, 1}));
  EXPECT_TRUE(document["papers"][0]["tables"][0]["rows"][1]["explanation"].is_null());
}

TEST_F(PapersReport, WhatTheProblemGivesIsNotJudged) {
  result_.tables[0].rows[1].cells[0].is_given = true;
  EXPECT_EQ(result_.tally().judged, 1);
  EXPECT_THAT(papers_text(result_), Not(HasSubstr("MISSED")));
}

TEST_F(PapersReport, EveryFormatHasTheSameTally) {
  result_.tables[0].columns[1] = {"seconds", Rule::at_most};
  result_.tables[0].rows = {
      {"first", {{"7", 7}, {"1", 0.5}}}, {"second", {{"5", 6}, {}}}, {"third", {{"5", 6, 6}, {}}, "why"}};
  const char* const tally =
      "4 figures are judged, all beside the paper's own: 2 agree, 1 MISSED, 1 misses and is explained. The run took 2 "
      "s.";
  EXPECT_THAT(papers_text(result_), HasSubstr(tally));
  EXPECT_THAT(papers_markdown({&result_, 1}), HasSubstr(tally));
  EXPECT_THAT(papers_html({&result_, 1}), HasSubstr(html_text(tally)));
  const nlohmann::json paper = nlohmann::json::parse(papers_json({&result_, 1}))["papers"][0];
  EXPECT_EQ(paper["judged"], 4);
  EXPECT_EQ(paper["missed"], 2);
  EXPECT_EQ(paper["explained"], 1);
  const std::string csv = papers_csv({&result_, 1});
  const auto lines_with = [&](const std::string& verdict) {
    int count = 0;
    for (size_t at = csv.find(verdict); at != csv.npos; at = csv.find(verdict, at + 1)) ++count;
    return count;
  };
  EXPECT_EQ(lines_with(",agrees,"), 2);
  EXPECT_EQ(lines_with(",missed,"), 1);
  EXPECT_EQ(lines_with(",explained,"), 1);
}

TEST_F(PapersReport, BackticksBecomeCodeOnThePage) {
  result_.tables[0].note = "`pde <x>` draws `it";
  EXPECT_THAT(papers_html({&result_, 1}), HasSubstr("<code>pde &lt;x&gt;</code> draws <code>it"));
  result_.tables[0].rows[0].name = "row of `pde`";
  EXPECT_THAT(papers_html({&result_, 1}), HasSubstr("<td>row of <code>pde</code></td>"));
}

TEST_F(PapersReport, ThePageTellsWhenAndHowItWasMade) {
  EXPECT_THAT(papers_html({&result_, 1}), testing::ContainsRegex("20[0-9-]+T[0-9:]+Z: <code>.*test_reports"));
}

TEST_F(PapersReport, ExplainsOnlyWhatMisses) {
  result_.tables[0].rows[0].explanation = "none is needed";
  EXPECT_THAT(papers_text(result_), Not(HasSubstr("none is needed")));
}

TEST_F(PapersReport, ReasonsStandOnceForColumnsOfOneRule) {
  const char* const reason = "as they are counted";
  result_.tables[0].columns = {{"levels", Rule::as_printed, 0, 4, reason}, {"rows", Rule::as_printed, 0, 4, reason}};
  EXPECT_THAT(papers_text(result_), HasSubstr("Judged: levels, rows as printed, as they are counted."));
}

TEST_F(PapersReport, EveryFormatListsTheExhibits) {
  const Exhibit& exhibit = papers()[0].exhibits[0];
  const std::string first(exhibit.name);
  EXPECT_EQ(exhibit.coverage, Coverage::none);
  EXPECT_THAT(papers_text(result_), HasSubstr("  " + first + "  none    " + std::string(exhibit.shows) + ": "));
  EXPECT_THAT(paper_exhibits_csv({&result_, 1}),
              AllOf(StartsWith("paper,exhibit,shows,coverage,note\nsgml,Fig. 1,"), HasSubstr(",none,")));
  EXPECT_THAT(papers_markdown({&result_, 1}), HasSubstr("| " + first + " | none | "));
  EXPECT_THAT(papers_html({&result_, 1}), HasSubstr("<tr><td>" + first + "</td><td>none</td>"));
  const nlohmann::json document = nlohmann::json::parse(papers_json({&result_, 1}));
  EXPECT_EQ(document["papers"][0]["exhibits"][0]["coverage"], "none");
  EXPECT_EQ(test::violations("gridiron.papers-1", papers_json({&result_, 1})), "");
  EXPECT_EQ(document["papers"][0]["exhibits"][0]["name"], first);
  EXPECT_EQ(document["papers"][0]["tables"][0]["rows"][1]["cells"][0]["verdict"], "missed");
}

}  // namespace
}  // namespace gridiron
