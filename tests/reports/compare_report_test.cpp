// SPDX-License-Identifier: Apache-2.0
// The engine comparison as text, CSV and JSON: untrusted names, failed rows, no rows at all.
#include "reports/compare_report.hpp"
#include "reports/pictures/compare_picture.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <sstream>

#include "reports/text/numbers.hpp"
#include "tests/reports/json/schema_validator.hpp"

namespace gridiron {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kSchema = "gridiron.compare-2";

CompareRun solved(const std::string& engine, double setup_s, double solve_s) {
  CompareRun run;
  run.engine = engine;
  run.device = "cpu";
  run.unknowns = 12345;
  run.nonzeros = 67890;
  run.solved = true;
  run.setup_s = setup_s;
  run.solve_s = solve_s;
  run.total_s = setup_s + solve_s;
  run.relative_residual = 1.5e-9;
  run.bytes = 4'000'000;
  run.certified_bound_v = 2e-9;
  run.parameters = {{"ordering", "amd", "", "how"}};
  return run;
}

CompareRun reference() {
  CompareRun run = solved("cholmod", 0.5, 0.25);
  run.is_reference = true;
  return run;
}

CompareRun failed(const std::string& engine, RunStatus status, const std::string& detail) {
  CompareRun run;
  run.engine = engine;
  run.device = "cuda";
  run.status = status;
  run.detail = detail;
  return run;
}

Comparison comparison_of(std::vector<CompareRun> runs, const std::string& netlist = "deck.sp") {
  Comparison comparison;
  comparison.cases.push_back({{netlist, {}, "", 0}, std::move(runs)});
  return comparison;
}

Comparison ordinary() {
  CompareRun faster = solved("swift", 0.125, 0.0625);
  faster.iterations = 17;
  faster.max_error = 3e-9;
  faster.mean_error = 1e-9;
  faster.bytes = 8'000'000;
  return comparison_of({reference(), faster});
}

/// Every way to fail, in a case whose name attempts injection.
Comparison hostile() {
  CompareRun unfinished = solved("slow", 1, 2);
  unfinished.status = RunStatus::not_converged;
  unfinished.relative_residual = INFINITY;
  std::vector<CompareRun> runs = {failed("cholmod", RunStatus::crashed, "signal 11"), unfinished};
  runs.front().is_reference = true;
  runs.front().requested = false;
  for (const RunStatus status : {RunStatus::declined, RunStatus::invalid_input, RunStatus::unanalysable,
                                 RunStatus::out_of_memory, RunStatus::timed_out})
    runs.push_back(failed("e,\"1\"", status, "line one\nline \x1b[31mtwo\xff"));
  return comparison_of(std::move(runs), "=cmd(),\"\x1b[2J\n\xff\xe2\x80\xae.sp");
}

Comparison model_problem() {
  Comparison comparison = ordinary();
  comparison.cases[0].what = {"", {}, "poisson2d", 300};
  return comparison;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string line_with(const std::string& text, const std::string& word) {
  for (const std::string& line : lines_of(text))
    if (line.find(word) != std::string::npos) return line;
  return "";
}

TEST(CompareReport, EveryRowAskedForWithoutAnAnswerIsAMissUnlessDeclined) {
  Comparison comparison = hostile();
  for (const CompareRun& run : comparison.cases[0].runs)
    EXPECT_EQ(comparison.missed(run), run.requested && run.status != RunStatus::declined) << name_of(run.status);
  CompareRun& declining = comparison.cases[0].runs[2];
  ASSERT_EQ(declining.status, RunStatus::declined);
  declining.engine = "picky";
  declining.named = true;
  EXPECT_TRUE(comparison.missed(declining)) << "it declines every case";
  comparison.cases.push_back({{"other.sp", {}, "", 0}, {reference(), solved("picky", 1, 1)}});
  EXPECT_FALSE(comparison.missed(comparison.cases[0].runs[2])) << "it solves one of two";
  EXPECT_FALSE(comparison.missed(comparison.cases[1].runs[1]));
}

TEST(CompareReport, RatioIsTotalOverTheReferences) {
  const Comparison comparison = ordinary();
  const CaseRuns& runs = comparison.cases[0];
  EXPECT_EQ(runs.ratio_to_reference(runs.runs[0]), 1.0);
  EXPECT_EQ(runs.ratio_to_reference(runs.runs[1]), 0.25);
}

TEST(CompareReport, FailuresHaveNoRatio) {
  const Comparison comparison = hostile();
  for (const CompareRun& run : comparison.cases[0].runs)
    EXPECT_TRUE(std::isnan(comparison.cases[0].ratio_to_reference(run))) << name_of(run.status);
}

TEST(CompareReport, TextMarksTheBestOfAColumn) {
  const std::string text = compare_text(ordinary());
  EXPECT_THAT(text, HasSubstr("deck.sp: 12 345 unknowns, 67 890 nonzeros\n"));
  const std::string swift = line_with(text, "swift"), cholmod = line_with(text, "ok, the reference");
  EXPECT_THAT(swift, testing::ContainsRegex("swift +cpu +125\\.0 ms\\* +62\\.50 ms\\* +187\\.5 ms\\* +0\\.250 +17 "));
  EXPECT_THAT(swift, HasSubstr("8 MB "));
  EXPECT_THAT(cholmod, HasSubstr("4 MB* "));
  EXPECT_THAT(cholmod, HasSubstr(" 500.0 ms "));
  EXPECT_THAT(swift, HasSubstr("3.000 nV  ")) << "one value is no competition";
}

TEST(CompareReport, ColumnsStandUnderTheirHeaders) {
  for (const Comparison& comparison : {ordinary(), hostile(), model_problem()}) {
    const std::vector<std::string> lines = lines_of(compare_table(comparison.cases[0]));
    const size_t status = lines[2].find("status");
    ASSERT_NE(status, std::string::npos);
    for (size_t i = 3; i < lines.size(); ++i) {
      // Control characters and bytes that are not UTF-8 are shown as ASCII, so bytes are columns here.
      EXPECT_EQ(lines[i][status - 1], ' ') << lines[i];
      EXPECT_NE(lines[i][status], ' ') << lines[i];
    }
  }
}

TEST(CompareReport, TextSaysWhoRanUnasked) {
  EXPECT_THAT(compare_text(hostile()), HasSubstr("crashed, the reference (always run): signal 11\n"));
  EXPECT_THAT(compare_text(ordinary()), Not(HasSubstr("always run")));
}

TEST(CompareReport, AFailedRunIsNeverTheBest) {
  Comparison comparison = ordinary();
  CompareRun quick = solved("quitter", 1e-6, 1e-6);
  quick.status = RunStatus::not_converged;
  quick.detail = "stopped";
  comparison.cases[0].runs.push_back(quick);
  const std::string text = compare_text(comparison);
  EXPECT_THAT(line_with(text, "quitter"), Not(HasSubstr("*")));
  EXPECT_THAT(line_with(text, "quitter"), HasSubstr("not converged: stopped"));
  EXPECT_THAT(line_with(text, "swift"), HasSubstr("125.0 ms*"));
}

TEST(CompareReport, TextShowsHostileNamesHarmlessly) {
  const std::string text = compare_text(hostile());
  for (const char c : text)
    EXPECT_TRUE(c == '\n' || (c >= 0x20 && c < 0x7f)) << "byte " << static_cast<int>(static_cast<unsigned char>(c));
  EXPECT_THAT(text, HasSubstr("=cmd(),\"\\x1b[2J\\x0a\\xff\\u202e.sp: 12 345 unknowns, "));
}

TEST(CompareReport, CsvHasOneLinePerRun) {
  const std::vector<std::string> lines = lines_of(compare_csv(ordinary()));
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[1],
            "deck.sp,cholmod,cpu,yes,ok,,12345,67890,0.5,0.25,0.75,1,0,1.5e-09,,,V,2e-09,4000000,cholmod,2e-09");
  EXPECT_EQ(lines[2],
            "deck.sp,swift,cpu,no,ok,,12345,67890,0.125,0.0625,0.1875,0.25,17,1.5e-09,3e-09,1e-09,V,2e-09,8000000,"
            "swift,2e-09");
  for (const std::string& line : lines) EXPECT_EQ(std::count(line.begin(), line.end(), ','), 20) << line;
}

TEST(CompareReport, CsvQuotesHostileNames) {
  const std::string csv = compare_csv(hostile());
  EXPECT_THAT(csv, HasSubstr("\n\"'=cmd(),\"\"\x1b[2J\n"));
  EXPECT_THAT(csv, HasSubstr(",\"e,\"\"1\"\"\",cuda,no,out of memory,\"line one\n"));
}

TEST(CompareReport, VariantsAreNamedAsAskedFor) {
  Comparison comparison = ordinary();
  comparison.cases[0].runs[1].variant = "swift:steps=3";
  EXPECT_THAT(compare_text(comparison), HasSubstr("swift:steps=3"));
  const json run = json::parse(compare_json(comparison))["cases"][0]["runs"][1];
  EXPECT_EQ(run["variant"], "swift:steps=3");
  EXPECT_EQ(run["engine"], "swift");
}

TEST(CompareReport, PicturesOfAnything) {
  for (const Comparison& comparison : {ordinary(), hostile(), model_problem(), Comparison()})
    EXPECT_EQ(compare_picture(comparison).substr(1, 3), "PNG");
}

TEST(CompareReport, JsonFollowsItsSchema) {
  EXPECT_EQ(test::violations(kSchema, compare_json(ordinary())), "");
  EXPECT_EQ(test::violations(kSchema, compare_json(hostile())), "");
  EXPECT_EQ(test::violations(kSchema, compare_json(model_problem())), "");
  EXPECT_EQ(test::violations(kSchema, compare_json(Comparison())), "");
}

TEST(CompareReport, SchemaFindsWhatIsWrong) {
  json report = json::parse(compare_json(ordinary()));
  report["cases"][0]["runs"][0]["status"] = "fine";
  report["cases"][0]["runs"][1].erase("setup_s");
  const std::string found = test::violations(kSchema, report.dump());
  EXPECT_THAT(found, HasSubstr("/cases/0/runs/0/status is none of the allowed values"));
  EXPECT_THAT(found, HasSubstr("/cases/0/runs/1 lacks \"setup_s\""));
}

TEST(CompareReport, JsonHasNullForWhatIsUnknown) {
  const json runs = json::parse(compare_json(hostile()))["cases"][0]["runs"];
  EXPECT_TRUE(runs[0]["total_s"].is_null());
  EXPECT_TRUE(runs[0]["iterations"].is_null());
  EXPECT_TRUE(runs[0]["bytes"].is_null());
  EXPECT_FALSE(runs[0]["requested"].get<bool>());
  EXPECT_TRUE(runs[1]["relative_residual"].is_null());
  EXPECT_EQ(runs[1]["total_s"].get<double>(), 3.0);
  EXPECT_TRUE(runs[1]["total_ratio"].is_null());
}

TEST(CompareReport, ModelProblemsHaveNoUnit) {
  const json one = json::parse(compare_json(model_problem()))["cases"][0];
  EXPECT_EQ(one["name"], "poisson2d 300");
  EXPECT_EQ(one["error_unit"], "");
  EXPECT_TRUE(one["netlist"].is_null());
  EXPECT_THAT(compare_text(model_problem()), HasSubstr("3.00e-09"));
}

TEST(CompareReport, NothingComparedIsAHeading) {
  EXPECT_EQ(compare_text(Comparison()), compare_heading(Comparison()));
  EXPECT_EQ(lines_of(compare_csv(Comparison())).size(), 1u);
}

}  // namespace
}  // namespace gridiron
