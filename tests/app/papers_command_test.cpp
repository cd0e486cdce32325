// SPDX-License-Identifier: Apache-2.0
// `gridiron papers`: a run of one paper, its files, and what is refused.
#include <gmock/gmock.h>

#include "tests/app/tool.hpp"

namespace gridiron {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class PapersCommand : public test::Tool {};

TEST_F(PapersCommand, RunsAPaperAndWritesItsPages) {
  const Outcome run = gridiron("papers stokes stokes --out out");
  EXPECT_EQ(run.code, 0) << run.err << run.out;
  EXPECT_THAT(run.out, AllOf(HasSubstr(" figures are judged, "), Not(HasSubstr("MISSED"))));
  EXPECT_THAT(run.out, HasSubstr("Table 2: operations per byte"));
  EXPECT_THAT(slurp(folder_ / "out" / "papers.txt"), HasSubstr("array times scalar"));
  EXPECT_THAT(slurp(folder_ / "out" / "papers.md"), HasSubstr("## stokes"));
  EXPECT_THAT(slurp(folder_ / "out" / "papers.html"), HasSubstr("<h2>stokes</h2>"));
  EXPECT_THAT(slurp(folder_ / "out" / "papers.json"), HasSubstr("gridiron.papers/1"));
  EXPECT_THAT(slurp(folder_ / "out" / "papers.csv"), HasSubstr("\nstokes,"));
  EXPECT_THAT(slurp(folder_ / "out" / "papers_exhibits.csv"), HasSubstr("\nstokes,Table 3,"));
}

TEST_F(PapersCommand, RefusesOtherNames) { EXPECT_EQ(gridiron("papers amg").code, 2); }

TEST_F(PapersCommand, NothingCanBeWrittenBelowAFile) {
  write("f.txt", "a file");
  const Outcome run = gridiron("papers gpuhmd --out f.txt/x/y");
  EXPECT_EQ(run.code, 2);
  EXPECT_THAT(run.err, HasSubstr("f.txt/x/y: f.txt: is no folder; choose another --out\n"));
  EXPECT_EQ(run.out, "") << "it is told before anything is run";
}

}  // namespace
}  // namespace gridiron
