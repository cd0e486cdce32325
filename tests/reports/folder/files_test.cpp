// SPDX-License-Identifier: Apache-2.0
// The files of --out: solution and tables, written atomically.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <omp.h>

#include <clocale>
#include <locale>
#include <random>
#include <sstream>

#include "netlist/source_text.hpp"
#include "reports/report.hpp"
#include "reports/tables/csv.hpp"
#include "reports/tables/solution.hpp"
#include "reports/text/ranking.hpp"
#include "support/error.hpp"
#include "tests/reports/sample.hpp"

namespace gridiron {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST(Solution, HasEveryNodeInTheOrderOfTheNetlist) {
  const auto sample = test::small_sample();
  const test::TemporaryDirectory directory;
  write_solution(sample->result, directory.path() / "x.solution");
  EXPECT_THAT(lines_of(directory.read("x.solution")),
              ElementsAre("0 0", "n1_0_0 1.75678901235", "n1_10_0 1.76", "n1_0_10 1.77", "n1_10_10 1.78", "n2_5_5 1.8",
                          "n3_0_0 0.012", "n3_10_10 0.008", "plain 1.79", "lost floating"));
}

TEST(NodesCsv, IsWorstFirstAndLeavesOutWhatHasNoDrop) {
  const auto sample = test::small_sample();
  const test::TemporaryDirectory directory;
  write_nodes_csv(sample->result, directory.path() / "nodes.csv");
  EXPECT_THAT(
      lines_of(directory.read("nodes.csv")),
      ElementsAre("node,net,layer,x_um,y_um,voltage_v,drop_v", "n1_0_0,VDD,M1,0,0,1.75678901235,0.0432109876543",
                  "n1_10_0,VDD,M1,10,0,1.76,0.04", "n1_0_10,VDD,M1,0,10,1.77,0.03", "n1_10_10,VDD,M4,10,10,1.78,0.02",
                  "n3_0_0,GND,M1,0,0,0.012,0.012", "plain,VDD,,,,1.79,0.01", "n3_10_10,GND,M1,10,10,0.008,0.008",
                  "n2_5_5,VDD,M9,5,5,1.8,0"));
}

TEST(LayersCsv, HasOneLinePerNetAndLayer) {
  const auto sample = test::small_sample();
  const test::TemporaryDirectory directory;
  write_layers_csv(sample->result, directory.path() / "layers.csv");
  EXPECT_THAT(
      lines_of(directory.read("layers.csv")),
      ElementsAre("net,layer,nodes,worst_drop_v,average_drop_v,least_drop_v,worst_node,x_um,y_um",
                  "VDD,M1,3,0.0432109876543,0.0377369958848,0.03,n1_0_0,0,0", "VDD,M4,1,0.02,0.02,0.02,n1_10_10,10,10",
                  "VDD,M9,1,0,0,0,n2_5_5,5,5", "GND,M1,2,0.012,0.01,0.008,n3_0_0,0,0"));
}

TEST(SourcesAndInstancesCsv, NameEveryColumn) {
  const auto sample = test::small_sample();
  const test::TemporaryDirectory directory;
  write_sources_csv(sample->result, directory.path() / "sources.csv");
  write_instances_csv(sample->result, directory.path() / "instances.csv");
  EXPECT_THAT(lines_of(directory.read("sources.csv")),
              ElementsAre("name,node,net,layer,x_um,y_um,voltage_v,current_a,place,share",
                          "V1,n2_5_5,VDD,M9,5,5,1.8,0.01628,decks/sample.sp:3:1,0.75"));
  EXPECT_THAT(lines_of(directory.read("instances.csv")),
              ElementsAre("name,power_node,ground_node,x_um,y_um,vdd_drop_v,gnd_bounce_v,combined_v,current_a,terminal",
                          "iu1,n1_0_0,n3_0_0,0,0,0.0432109876543,0.012,0.0552109876543,0.001,",
                          "u2,n1_10_0,,10,0,0.04,0,0.04,0.002,VDD", "i3,,n3_10_10,10,10,0,0.008,0.008,0.003,"));
}

TEST(InstancesCsv, InTheFormOfOpenRoad) {
  const auto sample = test::small_sample();
  sample->result.instances.push_back({8, kGround, 0.01, 0, 0.01, 1e-3, 3});
  const test::TemporaryDirectory directory;
  write_openroad_instances_csv(sample->result, directory.path() / "instances.csv");
  EXPECT_THAT(lines_of(directory.read("instances.csv")),
              ElementsAre("Instance,Terminal,Layer,X location,Y location,Voltage", "i3,GND,M1,10.0000,10.0000,0.008000",
                          "u2,VDD,M1,10.0000,0.0000,1.760000", "iu1,VDD,M1,0.0000,0.0000,1.756789",
                          "iu1,GND,M1,0.0000,0.0000,0.012000", "'=u4,\"a,b\",,,,1.790000"));
}

TEST(NodesCsv, EscapesHostileNames) {
  test::Sample sample;
  const int32_t net = sample.add_net("a,b", 1, 1);
  sample.add_node("=cmd|'/c calc'!A1", net, -1, NAN, NAN, 0.5, 0.5);
  sample.add_node("\"quoted\"", net, -1, NAN, NAN, 0.6, 0.4);
  const test::TemporaryDirectory directory;
  write_nodes_csv(sample.result, directory.path() / "nodes.csv");
  EXPECT_THAT(lines_of(directory.read("nodes.csv")),
              ElementsAre("node,net,layer,x_um,y_um,voltage_v,drop_v", "'=cmd|'/c calc'!A1,\"a,b\",,,,0.5,0.5",
                          "\"\"\"quoted\"\"\",\"a,b\",,,,0.6,0.4"));
}

/// More rows than one block of the row writer, with many equal drops.
std::unique_ptr<test::Sample> many_nodes(int count) {
  auto sample = std::make_unique<test::Sample>();
  const int32_t net = sample->add_net("VDD", 1, 1);
  std::mt19937 random(7);
  for (int i = 0; i < count; ++i) {
    const double drop = static_cast<double>(random() % 1000) * 1e-5;
    sample->add_node(fmt::format("node{}", i), net, -1, NAN, NAN, 1 - drop, drop);
  }
  return sample;
}

TEST(Ranking, OrdersByDropThenByNetlist) {
  const auto sample = many_nodes(20000);
  const std::vector<NodeId> order = rank_nodes(sample->result);
  const std::vector<double>& drop = sample->result.nodes.drop_v;
  ASSERT_EQ(order.size(), 20000u);
  for (size_t i = 1; i < order.size(); ++i) {
    const auto a = static_cast<size_t>(order[i - 1]), b = static_cast<size_t>(order[i]);
    ASSERT_TRUE(drop[a] > drop[b] || (drop[a] == drop[b] && a < b)) << "at " << i;
  }
  const std::vector<NodeId> worst = worst_nodes(sample->result, 25).front();
  EXPECT_EQ(worst, std::vector<NodeId>(order.begin(), order.begin() + 25));
}

TEST(WriteReports, DoesNotDependOnTheNumberOfThreads) {
  const auto sample = many_nodes(30000);
  const int threads = omp_get_max_threads();
  std::string solution[2], nodes[2];
  for (const int run : {0, 1}) {
    omp_set_num_threads(run == 0 ? 1 : 3);
    const test::TemporaryDirectory directory;
    write_reports(sample->result, directory.path(), {"solution", "csv"});
    solution[run] = directory.read("sample.solution");
    nodes[run] = directory.read("nodes.csv");
  }
  omp_set_num_threads(threads);
  EXPECT_EQ(lines_of(solution[0]).size(), 30001u);
  EXPECT_EQ(solution[0], solution[1]);
  EXPECT_EQ(nodes[0], nodes[1]);
}

TEST(WriteReports, CompressedTablesHaveTheSameText) {
  const auto sample = many_nodes(30000);
  const test::TemporaryDirectory plain, packed;
  const std::set<std::string, std::less<>> formats = {"text", "solution", "csv"};
  write_reports(sample->result, plain.path(), formats);
  const auto written = write_reports(sample->result, packed.path(), formats, true);
  EXPECT_EQ(written.size(), 8u);
  for (const auto& path : written) {
    const bool is_table = path.filename() != "summary.txt";
    EXPECT_EQ(path.extension() == ".zst", is_table) << path;
    if (is_table) {
      EXPECT_EQ(SourceText::open(path)->text(), plain.read(path.stem().string())) << path;
    }
  }
  EXPECT_FALSE(std::filesystem::exists(packed.path() / "nodes.csv"));
}

/// A decimal comma and dots as thousands separators, as in much of Europe.
struct CommaPunctuation : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

TEST(WriteReports, DoesNotDependOnTheLocale) {
  const std::set<std::string, std::less<>> formats = {"text", "csv", "json", "solution"};
  const auto sample = test::small_sample();
  const test::TemporaryDirectory plain, comma;
  write_reports(sample->result, plain.path(), formats);

  const std::string c_locale = std::setlocale(LC_ALL, nullptr);
  const std::locale previous = std::locale::global(std::locale(std::locale::classic(), new CommaPunctuation));
  std::setlocale(LC_ALL, "de_DE.UTF-8");  // where it is installed
  write_reports(sample->result, comma.path(), formats);
  std::locale::global(previous);
  std::setlocale(LC_ALL, c_locale.c_str());

  for (const char* name : {"summary.txt", "nodes.csv", "layers.csv", "report.json", "sample.solution"})
    EXPECT_EQ(comma.read(name), plain.read(name)) << name;
}

TEST(WriteReports, WritesWhatWasAskedForAndSaysSo) {
  const auto sample = test::small_sample();
  const test::TemporaryDirectory directory;
  const auto out = directory.path() / "new" / "out";
  const auto written = write_reports(sample->result, out, {"text", "solution", "csv", "json"});
  EXPECT_THAT(written, UnorderedElementsAre(out / "summary.txt", out / "sample.solution", out / "nodes.csv",
                                            out / "layers.csv", out / "sources.csv", out / "hotspots.csv",
                                            out / "instances.csv", out / "segments.csv", out / "report.json"));
  for (const auto& path : written) EXPECT_GT(std::filesystem::file_size(path), 0u) << path;
  const ptrdiff_t files = std::distance(std::filesystem::directory_iterator(out), {});
  EXPECT_EQ(files, static_cast<ptrdiff_t>(written.size())) << "temporary files are left";
}

TEST(WriteReports, OpenRoadsFormReplacesTheTablesOfInstancesAndSegments) {
  const auto sample = test::small_sample();
  const test::TemporaryDirectory directory;
  const auto& out = directory.path();
  EXPECT_THAT(write_reports(sample->result, out, {"openroad"}),
              ElementsAre(out / "instances.csv", out / "segments.csv"));
  EXPECT_THAT(directory.read("segments.csv"), testing::StartsWith("Node0 Layer,"));
  EXPECT_THAT(directory.read("instances.csv"), testing::StartsWith("Instance,Terminal,"));
  EXPECT_EQ(write_reports(sample->result, out, {"csv", "openroad"}).size(), 6u);
  EXPECT_THAT(directory.read("segments.csv"), testing::StartsWith("Node0 Layer,"));
  EXPECT_THAT(directory.read("instances.csv"), testing::StartsWith("Instance,Terminal,"));
}

TEST(WriteReports, KeepsNamesInsideTheDirectory) {
  const auto sample = test::small_sample();
  sample->result.netlist_name = "../../evil";
  const test::TemporaryDirectory directory;
  const auto written = write_reports(sample->result, directory.path(), {"solution"});
  ASSERT_EQ(written.size(), 1u);
  EXPECT_EQ(written[0].parent_path(), directory.path());
}

TEST(WriteReports, LeavesNothingBehindWhenAFileCannotBeWritten) {
  const auto sample = test::small_sample();
  const test::TemporaryDirectory directory;
  std::filesystem::create_directories(directory.path() / "nodes.csv" / "in the way");
  EXPECT_THROW(write_reports(sample->result, directory.path(), {"csv"}), InputError);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(directory.path()), {}), 1);
}

TEST(WriteReports, SaysWhenTheDirectoryCannotBeMade) {
  const auto sample = test::small_sample();
  const test::TemporaryDirectory directory;
  std::ofstream(directory.path() / "file") << "x";
  EXPECT_THROW(write_reports(sample->result, directory.path() / "file" / "out", {"text"}), InputError);
}

}  // namespace
}  // namespace gridiron
