// SPDX-License-Identifier: Apache-2.0
// Reports of a comparison, and the files of runs that it reads.
#include "reports/diff_report.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "reports/folder/run_files.hpp"
#include "reports/report.hpp"
#include "support/error.hpp"
#include "support/output_file.hpp"
#include "tests/analysis/analysed.hpp"
#include "tests/reports/json/schema_validator.hpp"
#include "tests/reports/pictures/decoded_png.hpp"
#include "tests/reports/sample.hpp"

namespace gridiron {
namespace {

using nlohmann::json;
using test::Analysed;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::string deck_with(const std::string& ohm) {
  return "* t\nv1 n1_m1_0_0 0 1\nr1 n1_m1_0_0 n1_m1_2000_0 " + ohm +
         "\nr2 n1_m1_2000_0 n1_m2_4000_2000 1\ni1 n1_m2_4000_2000 0 0.1\nvg g 0 0\nrg g h 1\nih 0 h 1m\n.end\n";
}

class DiffReport : public testing::Test {
 protected:
  /// Writes a run and gives its folder.
  std::filesystem::path run(const std::string& name, const std::string& deck,
                            const std::set<std::string, std::less<>>& formats = {"csv", "json"}) {
    const Analysed analysed(deck);
    write_reports(analysed.result, folder_.path() / name, formats);
    return folder_.path() / name;
  }
  std::string error_of(const std::filesystem::path& path) {
    try {
      read_run(path);
    } catch (const InputError& e) {
      return e.what();
    }
    return "no error";
  }
  void replace(const std::filesystem::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
  }
  test::TemporaryDirectory folder_;
};

TEST_F(DiffReport, ReadsWhatARunWrote) {
  const Analysed analysed(deck_with("2"));
  const RunData read = read_run(run("a", deck_with("2"))), own = run_of(analysed.result);
  ASSERT_EQ(read.nodes(), own.nodes());
  for (int32_t row = 0; row < own.nodes(); ++row) {
    const int32_t other = read.names.find(own.names[row]);
    ASSERT_GE(other, 0);
    EXPECT_NEAR(read.drop_v[other], own.drop_v[row], 1e-12);
    EXPECT_EQ(read.nets[read.net[other]].name, own.nets[own.net[row]].name);
    if (own.layer[row] >= 0) {
      EXPECT_EQ(read.layers[read.layer[other]], own.layers[own.layer[row]]);
      EXPECT_EQ(read.x_um[other], own.x_um[row]);
    }
  }
  EXPECT_EQ(read.hot_spots.size(), own.hot_spots.size());
  EXPECT_EQ(read.bound_v, own.bound_v);
  EXPECT_TRUE(diff_runs(read, own).is_empty());
  EXPECT_TRUE(diff_runs(own, read_run(folder_.path() / "a" / "report.json")).is_empty());
}

TEST_F(DiffReport, ReadsASolutionWhereThereIsNoTable) {
  const RunData table = read_run(run("a", deck_with("2")));
  const RunData solution = read_run(run("b", deck_with("2"), {"json", "solution"}));
  EXPECT_EQ(solution.nodes(), table.nodes());
  const RunDiff diff = diff_runs(table, solution);
  for (const NetChange& net : diff.nets) EXPECT_EQ(net.risen + net.fallen + net.only_before + net.only_after, 0);
  const int32_t node = solution.names.find("n1_m2_4000_2000");
  EXPECT_EQ(solution.x_um[node], 2);
}

TEST_F(DiffReport, TextJsonAndPage) {
  const RunData before = read_run(run("a", deck_with("2"))), after = read_run(run("b", deck_with("3")));
  const RunDiff diff =
      diff_runs(before, after, {parse_change_limit("worst=+50mV"), parse_change_limit("n1:m2:worst=+0.2V")});
  const std::string text = diff_text(before, after, diff);
  EXPECT_THAT(text, HasSubstr("+100.0 mV"));
  EXPECT_THAT(text, HasSubstr("EXCEEDED"));
  const std::string document = diff_json(before, after, diff);
  EXPECT_EQ(test::violations("gridiron.diff-1", document), "");
  const json report = json::parse(document);
  EXPECT_EQ(report["is_empty"], false);
  EXPECT_EQ(report["limit_exceeded"], true);
  EXPECT_NEAR(report["nets"][0]["worst"]["change_v"].get<double>(), 0.1, 1e-12);
  EXPECT_EQ(report["hot_spots"][0]["kind"], "changed");

  const auto out = folder_.path() / "out";
  EXPECT_THAT(write_diff_reports(before, after, diff, out, {"text", "json", "png", "html"}),
              ElementsAre(out / "diff.txt", out / "diff.json", out / "map_n1_change.png", out / "diff.html"));
  const std::string page = folder_.read("out/diff.html");
  EXPECT_THAT(page, HasSubstr("data:image/png;base64,"));
  EXPECT_THAT(page, Not(HasSubstr("<script")));
  EXPECT_THAT(page, Not(HasSubstr("http://")));
}

TEST_F(DiffReport, OfOneRunIsEmptyInEveryFormat) {
  const RunData run_data = read_run(run("a", deck_with("2")));
  const RunDiff diff = diff_runs(run_data, run_data);
  EXPECT_THAT(diff_text(run_data, run_data, diff), HasSubstr("Nothing has changed"));
  const json report = json::parse(diff_json(run_data, run_data, diff));
  EXPECT_EQ(report["is_empty"], true);
  EXPECT_EQ(report["hot_spots"].size(), 0u);
  EXPECT_TRUE(change_maps(run_data, diff).empty());
}

TEST_F(DiffReport, TellsTheDecksAndDatesOfBothRuns) {
  RunData before, after;
  before.title = "results/old", before.deck = "<chip>.sp", before.date = "2026-01-30T08:00:00Z";
  after.title = after.deck = "chip.sp";
  const RunDiff diff = diff_runs(before, after);
  EXPECT_THAT(diff_text(before, after, diff),
              HasSubstr("Before       results/old, of <chip>.sp, 2026-01-30T08:00:00Z\nAfter        chip.sp\n"));
  EXPECT_THAT(diff_html(before, after, diff, {}),
              HasSubstr("from results/old, of &lt;chip&gt;.sp, 2026-01-30T08:00:00Z<br>to chip.sp</p>"));
}

TEST_F(DiffReport, MapIsBlueWhereTheDropFellAndRedWhereItRose) {
  RunData before;
  before.nets = {{"VDD", false, 1}};
  for (int k = 0; k < 3; ++k) {
    before.names.intern(fmt::format("n{}", k));
    before.net.push_back(0);
    before.layer.push_back(-1);
    before.x_um.push_back(10.0 * k);
    before.y_um.push_back(0);
    before.drop_v.push_back(0.1);
  }
  RunData after = before;
  after.drop_v = {0.05, 0.1, 0.15};
  const std::vector<ChangeMap> maps = change_maps(after, diff_runs(before, after));
  ASSERT_EQ(maps.size(), 1u);
  const test::DecodedPng png(maps[0].png);
  int64_t blue = 0, red = 0;
  for (int y = 0; y < png.height; ++y)
    for (int x = 0; x < png.width; ++x) {
      const auto [r, g, b, opaque] = png.at(x, y);
      if (b > r + 60 && x < png.width / 2) ++blue;
      if (r > b + 60 && x > png.width / 2 && x < 0.85 * png.width) ++red;  // the colour bar is further right
    }
  EXPECT_GT(blue, 50);
  EXPECT_GT(red, 50);
}

TEST_F(DiffReport, HostileNamesStayText) {
  const std::string attack = "<img/src:x>&$`id`[exec_id]", formula = "@cmd!A1|x";
  const auto deck = [&](const std::string& ohm) {
    return "* t\nv1 " + attack + " 0 1\nr1 " + attack + " " + formula + " " + ohm + "\ni1 " + formula +
           " 0 0.1\n.end\n";
  };
  RunData before = read_run(run("a", deck("1"))), after = read_run(run("b", deck("2")));
  EXPECT_GE(after.names.find(formula), 0) << "as it was, without the apostrophe";
  EXPECT_GE(after.names.find(attack), 0);
  before.title = after.title = attack + "\n\x1b[2J";
  const RunDiff diff = diff_runs(before, after);
  EXPECT_FALSE(diff.is_empty());
  const std::string page = diff_html(before, after, diff, change_maps(after, diff));
  EXPECT_THAT(page, Not(HasSubstr("<img/src:x>")));
  EXPECT_THAT(page, HasSubstr("&lt;img/src:x&gt;&amp;"));
  EXPECT_THAT(page, Not(HasSubstr("\x1b")));
  EXPECT_THAT(diff_text(before, after, diff), Not(HasSubstr("\x1b")));
  const std::string document = diff_json(before, after, diff);
  EXPECT_EQ(test::violations("gridiron.diff-1", document), "");
  EXPECT_EQ(json::parse(document)["nets"][0]["worst_node_after"], formula);
}

/// Names that no deck can have, but a file can.
TEST_F(DiffReport, HostileNamesInFilesAreReadAsTheyWere) {
  const std::string names[] = {"=cmd()", "a,\"b\"", "line\nbreak", "'+x", "<script>alert(1)</script>", "\xff"};
  test::Sample sample;
  const int32_t net = sample.add_net("=net,\"1\"", 1, 1), layer = sample.add_layer("@m,1");
  for (const std::string& name : names) sample.add_node(name, net, layer, 1, 1, 0.9, 0.1);
  sample.summarise();
  sample.result.nets[0].percentiles_v = {0.1, 0.1, 0.1, 0.1};
  write_reports(sample.result, folder_.path() / "a", {"csv", "json"});
  const RunData run_data = read_run(folder_.path() / "a");
  ASSERT_EQ(run_data.nodes(), 6);
  EXPECT_EQ(run_data.nets[0].name, "=net,\"1\"");
  EXPECT_EQ(run_data.layers[0], "@m,1");
  for (const std::string& name : {names[0], names[1], names[2], names[4], names[5]})
    EXPECT_GE(run_data.names.find(name), 0) << name;
  RunData after = run_data;
  after.drop_v.assign(6, 0.2);
  const RunDiff diff = diff_runs(run_data, after);
  EXPECT_EQ(test::violations("gridiron.diff-1", diff_json(run_data, after, diff)), "");
  EXPECT_THAT(diff_html(run_data, after, diff, {}), Not(HasSubstr("<script")));
}

TEST_F(DiffReport, ReadsCompressedTables) {
  const auto a = run("a", deck_with("2")), b = run("b", deck_with("3"));
  const auto pack = [&](const char* name) {
    write_file(b / (std::string(name) + ".zst"), folder_.read(std::string("b/") + name));
    std::filesystem::remove(b / name);
  };
  const std::string plain = diff_text(read_run(a), read_run(b), diff_runs(read_run(a), read_run(b)));
  pack("nodes.csv");
  EXPECT_EQ(diff_text(read_run(a), read_run(b), diff_runs(read_run(a), read_run(b))), plain);
  replace(b / "nodes.csv.zst", "\x28\xb5\x2f\xfdno frame");
  EXPECT_THAT(error_of(b), HasSubstr("nodes.csv.zst: damaged or truncated zstd file"));

  std::filesystem::remove(b / "nodes.csv.zst");
  replace(b / "x.solution.zst", "0 0\na one\n");  // is told by its content
  EXPECT_THAT(error_of(b), HasSubstr("x.solution.zst: line 2: the voltage is no number"));
}

TEST_F(DiffReport, BrokenForeignAndMissingFiles) {
  EXPECT_THAT(error_of(folder_.path() / "none"), HasSubstr("none: does not exist; name a folder"));
  std::filesystem::create_directories(folder_.path() / "empty");
  EXPECT_THAT(error_of(folder_.path() / "empty"), HasSubstr("report.json: is missing"));
  const auto good = run("a", deck_with("2")),
             other = run("b", "* t\nv1 n1_m1_0_0 0 1\nr1 n1_m1_0_0 n1_m1_2_0 1\ni1 n1_m1_2_0 0 1m\n.end\n");
  const std::string report = folder_.read("a/report.json"), nodes = folder_.read("a/nodes.csv");
  const auto with_report = [&](const std::string& text) {
    replace(good / "report.json", text);
    return error_of(good);
  };
  EXPECT_THAT(with_report(report.substr(0, report.size() / 2)),
              HasSubstr("report.json: is no JSON, or only part of a file"));
  EXPECT_THAT(with_report(""), HasSubstr("is no JSON"));
  EXPECT_THAT(with_report("[1, 2]"), HasSubstr("is no report of an IR drop"));
  EXPECT_THAT(with_report("{\"schema\": \"gridiron.compare/1\"}"), HasSubstr("its schema is \"gridiron.compare/1\""));
  EXPECT_THAT(with_report("{\"schema\": \"gridiron.ir/1\"}"), HasSubstr("\"nets\" is missing"));
  EXPECT_THAT(with_report("{\"schema\": \"gridiron.ir/1\", \"nets\": 5}"), HasSubstr("\"name\" is missing"));
  EXPECT_THAT(with_report("{\"schema\": \"gridiron.ir/1\", \"nets\": [{\"name\": 7}]}"),
              HasSubstr("is no report of Gridiron, or was changed"));
  json changed = json::parse(report);
  changed["certificate"] = "yes";
  EXPECT_THAT(with_report(changed.dump()), HasSubstr("is no report of Gridiron, or was changed"));
  replace(good / "report.json", report);
  const auto with_nodes = [&](const std::string& text) {
    replace(good / "nodes.csv", text);
    return error_of(good);
  };
  EXPECT_THAT(with_nodes(folder_.read("b/nodes.csv")), HasSubstr("they are not of the same run"));
  EXPECT_THAT(with_nodes("x,y\n1,2\n"), HasSubstr("is no nodes.csv of Gridiron"));
  EXPECT_THAT(with_nodes(""), HasSubstr("is no nodes.csv of Gridiron"));
  EXPECT_THAT(with_nodes(nodes.substr(0, nodes.size() - 30)),
              testing::AnyOf(HasSubstr("cut off"), HasSubstr("not of the same run")));
  const std::string first = nodes.substr(0, nodes.find('\n') + 1),
                    row = nodes.substr(first.size(), nodes.find('\n', first.size()) + 1 - first.size());
  EXPECT_THAT(with_nodes(first + row + row), HasSubstr("line 3: node n1_m2_4000_2000 is listed twice"));
  EXPECT_THAT(with_nodes(first + "a,n1,,,,1,abc\n"), HasSubstr("line 2: the drop is no number"));
  EXPECT_THAT(with_nodes(first + "a,n1,,,,1,nan\n"), HasSubstr("line 2: the drop is no number"));
  EXPECT_THAT(with_nodes(first + "a,n9,,,,1,0\n"), HasSubstr("line 2: report.json has no net n9"));
  EXPECT_THAT(with_nodes(first + "\"a,n1\n"), HasSubstr("line 2: the row is cut off"));
  std::filesystem::remove(good / "nodes.csv");
  EXPECT_THAT(error_of(good), HasSubstr("nodes.csv: is missing, and there is no *.solution instead"));
  replace(good / "x.solution", "0 0\na one\n");
  EXPECT_THAT(error_of(good), HasSubstr("x.solution: line 2: the voltage is no number"));
}

}  // namespace
}  // namespace gridiron
