// SPDX-License-Identifier: Apache-2.0
#include "reports/papers_report.hpp"

#include <gmock/gmock.h>

namespace gridiron {
namespace {

using testing::HasSubstr;
using testing::Not;

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
  EXPECT_THAT(text, HasSubstr("1 of 2 judged figures MISSED in 2 s"));
  EXPECT_THAT(text, HasSubstr("Judged: levels as printed."));
  EXPECT_THAT(text, HasSubstr("6 MISSED      5"));
  EXPECT_THAT(text, Not(HasSubstr("7 MISSED")));
}

TEST_F(PapersReport, TellsEachRule) {
  result_.tables[0].columns = {{"levels", Rule::at_least, 0.1}, {"seconds", Rule::at_most}};
  EXPECT_THAT(papers_text(result_),
              HasSubstr("Judged: levels at least the paper's less 10 %; seconds at most the paper's."));
}

TEST_F(PapersReport, MarkdownAndHtmlSayTheSame) {
  const std::string markdown = papers_markdown({&result_, 1}), html = papers_html({&result_, 1});
  EXPECT_THAT(markdown, HasSubstr("|  | levels | paper | seconds |\n|---|--:|--:|--:|\n| first | 7 | 7 | 0.5 |\n| "
                                  "second | 6 **missed** | 5 |  |\n"));
  EXPECT_THAT(html, HasSubstr("<td>second</td><td class=missed>6</td><td class=paper>5</td><td></td>"));
  EXPECT_THAT(html, HasSubstr("Table &lt;1&gt;"));
}

}  // namespace
}  // namespace gridiron
