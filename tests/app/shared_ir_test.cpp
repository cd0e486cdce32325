// SPDX-License-Identifier: Apache-2.0
// `mpirun -n P gridiron ir NETLIST --engine hypre` against a run of one process with another engine.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engines/engine.hpp"
#include "tests/app/tool.hpp"
#include "tests/data.hpp"
#include "tests/engines/systems.hpp"

namespace gridiron {
namespace {

using testing::HasSubstr;
using Json = nlohmann::json;

struct Voltage {
  std::string node, text;
  double volts() const { return text == "floating" ? 0.0 : std::stod(text); }
};

class SharedIr : public test::Tool {
 protected:
  void SetUp() override {
    if (const auto reason = find_engine("hypre").declines(test::poisson(2))) GTEST_SKIP() << *reason;
    if (shell("command -v mpirun").code != 0) GTEST_SKIP() << "needs mpirun";
  }

  /// On one machine, whatever its cores, as root too and without ssh (CI).
  Outcome together(int processes, const std::string& arguments, const std::string& wrapper = "") const {
    return shell(
        "OMPI_MCA_plm=isolated OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMP_NUM_THREADS=1 "
        "mpirun --quiet --oversubscribe -n " +
        std::to_string(processes) + " " + wrapper + " \"$G\" " + arguments);
  }

  std::vector<Voltage> solution(const std::string& path) const {
    std::istringstream text(slurp(folder_ / path));
    std::vector<Voltage> rows;
    for (Voltage row; text >> row.node >> row.text;) rows.push_back(row);
    return rows;
  }

  /// Of a CSV file the first five fields of each row, as one text, and a number.
  std::vector<std::pair<std::string, double>> rows_of(const std::string& path, size_t number) const {
    std::istringstream text(slurp(folder_ / path));
    std::vector<std::pair<std::string, double>> rows;
    std::string line;
    std::getline(text, line);
    while (std::getline(text, line)) {
      std::vector<std::string> fields;
      std::istringstream split(line);
      for (std::string field; std::getline(split, field, ',');) fields.push_back(field);
      std::string key;
      for (size_t k = 0; k < 5 && k < fields.size(); ++k) key += fields[k] + ",";
      rows.emplace_back(key, std::stod(fields.at(number)));
    }
    return rows;
  }

  Json report(const std::string& path) const { return Json::parse(slurp(folder_ / path)); }

  static double near(const Json& a, const Json& b) { return std::abs(a.get<double>() - b.get<double>()); }

  /// Every node in the same order and within both certified bounds; and the statistics. `deck`: one file or several.
  void expect_same_answer(const std::string& deck, const std::string& options, std::initializer_list<int> processes) {
    const std::string common = "ir " + deck + " --no-progress --quiet " + options;
    const Outcome one = gridiron(common + " --engine cholmod --out one --formats solution,json");
    ASSERT_EQ(one.code, 0) << one.err;
    const Json expected = report("one/report.json");
    const std::string name = std::filesystem::path(deck.substr(0, deck.find(' '))).stem().string() + ".solution";
    const std::vector<Voltage> reference = solution("one/" + name);
    for (const int p : processes) {
      SCOPED_TRACE(deck + " on " + std::to_string(p));
      const Outcome shared = together(p, common + " --engine hypre --out shared");
      ASSERT_EQ(shared.code, 0) << shared.err;
      EXPECT_TRUE(shared.out.empty()) << shared.out;
      const Json found = report("shared/report.json");
      ASSERT_TRUE(found["certificate"]["valid"].get<bool>());
      const double bound = expected["certificate"]["max_error_v"].get<double>() +
                           found["certificate"]["max_error_v"].get<double>() + 1e-11;
      const std::vector<Voltage> rows = solution("shared/" + name);
      ASSERT_EQ(rows.size(), reference.size());
      double worst = 0;
      for (size_t k = 0; k < rows.size(); ++k) {
        ASSERT_EQ(rows[k].node, reference[k].node);
        ASSERT_EQ(rows[k].text == "floating", reference[k].text == "floating") << rows[k].node;
        worst = std::max(worst, std::abs(rows[k].volts() - reference[k].volts()));
      }
      EXPECT_LE(worst, bound);
      expect_same_report(found, expected, bound);
    }
  }

  void expect_same_report(const Json& found, const Json& expected, double bound) {
    for (const char* count : {"nodes", "resistors", "current_sources", "voltage_sources", "dbu_per_um", "dbu_is_guess"})
      EXPECT_EQ(found["input"][count], expected["input"][count]) << count;
    for (const char* count : {"merged_shorts", "floating_nodes"})
      EXPECT_EQ(found["reduced"][count], expected["reduced"][count]) << count;
    EXPECT_EQ(found["pads"]["count"], expected["pads"]["count"]);
    for (const char* power : {"sources_w", "loads_w", "dissipated_w"})
      EXPECT_NEAR(found["power"][power].get<double>(), expected["power"][power].get<double>(),
                  1e-4 * std::abs(expected["power"]["sources_w"].get<double>()) + 1e-12)
          << power;
    ASSERT_EQ(found["nets"].size(), expected["nets"].size());
    for (size_t k = 0; k < expected["nets"].size(); ++k) {
      const Json &a = found["nets"][k], &b = expected["nets"][k];
      for (const char* same : {"name", "is_ground", "nominal_v", "supply_v", "nodes", "loads", "pads"})
        EXPECT_EQ(a[same], b[same]) << same;
      for (const char* volts : {"worst_drop_v", "average_drop_v", "worst_voltage_v", "average_voltage_v"})
        EXPECT_LE(near(a[volts], b[volts]), bound) << volts;
      for (const char* p : {"p50", "p95", "p99", "p99.9"})
        EXPECT_LE(near(a["percentiles_v"][p], b["percentiles_v"][p]), bound) << p;
      EXPECT_NEAR(a["load_current_a"].get<double>(), b["load_current_a"].get<double>(),
                  1e-9 * std::abs(b["load_current_a"].get<double>()));
      ASSERT_EQ(a["layers"].size(), b["layers"].size());
      for (size_t l = 0; l < b["layers"].size(); ++l) {
        EXPECT_EQ(a["layers"][l]["name"], b["layers"][l]["name"]);
        EXPECT_EQ(a["layers"][l]["nodes"], b["layers"][l]["nodes"]);
        for (const char* volts : {"worst_drop_v", "average_drop_v", "least_drop_v"})
          EXPECT_LE(near(a["layers"][l][volts], b["layers"][l][volts]), bound) << volts;
      }
      EXPECT_EQ(a["worst_nodes"].size(), b["worst_nodes"].size());
    }
    std::map<std::string, int> codes, expected_codes;
    for (const Json& f : found["findings"])
      if (f["code"] != "several-processes") ++codes[f["code"].get<std::string>()];
    for (const Json& f : expected["findings"])  // no process has all spellings of a name
      if (f["code"] != "case-of-names") ++expected_codes[f["code"].get<std::string>()];
    EXPECT_EQ(codes, expected_codes);
  }
};

TEST_F(SharedIr, AgreesOnAGeneratedGridOfTheIbmKind) {
  ASSERT_EQ(gridiron("generate deck.sp --style ibm --nodes 20000 --seed 3").code, 0);
  expect_same_answer("deck.sp", "--tolerance 1nV", {2, 3, 4});
}

TEST_F(SharedIr, AgreesOnAGeneratedGridOfOpenRoad) {
  ASSERT_EQ(gridiron("generate deck.sp --style openroad --nodes 5000").code, 0);
  expect_same_answer("deck.sp", "", {2, 3});
}

TEST_F(SharedIr, AgreesOnIbmpg1) {
  GRIDIRON_DATA_OR_SKIP(deck, "ibm/ibmpg1.spice.bz2");
  ASSERT_EQ(shell("bzcat '" + deck + "' > ibmpg1.sp").code, 0);
  expect_same_answer("ibmpg1.sp", "", {2, 3});
}

TEST_F(SharedIr, AgreesOnIbmpg2) {
  GRIDIRON_DATA_OR_SKIP(deck, "ibm/ibmpg2.spice.bz2");
  ASSERT_EQ(shell("bzcat '" + deck + "' > ibmpg2.sp").code, 0);
  expect_same_answer("ibmpg2.sp", "", {2, 3});
}

TEST_F(SharedIr, AgreesOnTestcase1) {
  GRIDIRON_DATA_OR_SKIP(deck, "iccad23/testcase1/netlist.sp.gz");
  ASSERT_EQ(shell("zcat '" + deck + "' > testcase1.sp").code, 0);
  expect_same_answer("testcase1.sp", "", {2, 3});
}

TEST_F(SharedIr, AgreesOnOpenRoadsGround) {
  GRIDIRON_DATA_OR_SKIP(deck, "openroad/gcd_vss.sp");
  ASSERT_EQ(shell("cp '" + deck + "' gcd_vss.sp").code, 0);
  expect_same_answer("gcd_vss.sp", "", {2, 3});
}

/// Names without places go by their hash, so that neighbours, ties and the ends of sources lie on different processes.
TEST_F(SharedIr, AgreesWhereNamesTellNoPlace) {
  std::string text = "names without places\nV1 top 0 1.8\nVmid mid top 0.1\n";
  for (int i = 0; i < 60; ++i) {
    const std::string a = "n" + std::to_string(i), b = "n" + std::to_string(i + 1);
    text += "R" + std::to_string(i) + " " + a + " " + b + (i % 5 == 2 ? " 0\n" : " 1.5\n");
    text += "Rz" + std::to_string(i) + " " + a + " k" + std::to_string(i % 7) + " 2\n";
    if (i % 3 == 0) text += "I" + std::to_string(i) + " " + a + " 0 1m\n";
  }
  text += "Ibetween n7 n40 2m\nLtie n9 z9 1n\nRa top n0 0.1\nRb mid n30 0.2\nRc n60 z9 3\n";
  text += "Rfloat f1 f2 1\nRfloat2 f2 f3 1\n.op\n.end\nR9 this is not read\n";
  write("plain.sp", text);
  expect_same_answer("plain.sp", "--tolerance 1nV", {2, 3, 4});
}

/// Processes that own more and fewer unknowns, of which few or none have a place.
TEST_F(SharedIr, AgreesOnAChainWhoseFirstNodeAloneHasAPlace) {
  for (const std::string supply : {"n1_5_5", "top"}) {
    std::string text = "a chain\nv1 " + supply + " 0 1.8\nrp " + supply + " a0 1\n";
    for (int i = 0; i < 200; ++i) {
      const std::string a = "a" + std::to_string(i);
      text += "r" + std::to_string(i) + " " + a + " a" + std::to_string(i + 1) + " 1\n";
      text += "i" + std::to_string(i) + " " + a + " 0 1u\n";
    }
    write(supply + ".sp", text + ".end\n");
    expect_same_answer(supply + ".sp", "", {2, 3, 4});
  }
}

/// More cards than processes deal out in one round: what comes first in the text tells a name's spelling all the same.
TEST_F(SharedIr, NamesAreSpelledAsTheFirstProcessDoes) {
  constexpr int kNodes = 80'000;
  for (const std::string stem : {"n1_", "node"}) {
    const bool is_placed = stem == "n1_";
    const auto name = [&](const std::string& spelled, int i) {
      return spelled + std::to_string(i) + (is_placed ? "_0" : "");
    };
    const std::string upper = is_placed ? "N1_" : "NODE";
    std::string text = "* a chain, twice\nv1 " + name(stem, 0) + " 0 1\n";
    for (int i = 0; i < kNodes; ++i)
      text += "r" + std::to_string(i) + " " + name(stem, i) + " " + name(stem, i + 1) + " 1m\n";
    for (int i = kNodes; i-- > 0;)
      text += "Rx" + std::to_string(i) + " " + name(upper, i) + " " + name(upper, i + 1) + " 1m\n";
    for (int i = 1000; i < kNodes; i += 1000) text += "i" + std::to_string(i) + " " + name(stem, i) + " 0 1u\n";
    write("twice.sp", text);
    expect_same_answer("twice.sp", "", {2});
  }
}

TEST_F(SharedIr, ALongCardIsNotCutAndTheTitleStays) {
  std::string text = "V1 is the title\n";
  for (int i = 0; i < 40; ++i)
    text += "R" + std::to_string(i) + " n1_" + std::to_string(i) + "_0\n+ n1_" + std::to_string(i + 1) +
            "_0\n* between\n+ 1\nI" + std::to_string(i) + " n1_" + std::to_string(i) + "_0 0 1m\n";
  write("long.sp", text + "Vdd n1_0_0 0 1\n.tran 1n 10n\n.end\n");
  expect_same_answer("long.sp", "", {2, 3, 4});
}

/// Shares of nodes and of memory within 1.5 of each other, whatever lies where.
TEST_F(SharedIr, UnevenDecksAreDealtOutEvenly) {
  // Nine tenths of the nodes are in a corner of a thousandth of the area.
  std::string text = "* uneven\nV1 n1_0_0 0 1\n";
  const auto mesh = [&text](const std::string& name, int rows, int start, int pitch) {
    const auto node = [&](int i, int j) {
      return " n1_" + std::to_string(i * pitch) + "_" + std::to_string(start + j * pitch);
    };
    for (int j = 0; j < rows; ++j)
      for (int i = 0; i < 300; ++i) {
        const std::string here = name + std::to_string(i) + "_" + std::to_string(j);
        text += "I" + here + node(i, j) + " 0 1n\n";
        if (i > 0) text += "Rx" + here + node(i - 1, j) + node(i, j) + " 1\n";
        if (j > 0) text += "Ry" + here + node(i, j - 1) + node(i, j) + " 1\n";
      }
    text += "R" + name + " n1_0_0" + node(1, 0) + " 1\n";
  };
  mesh("corner", 270, 0, 1);
  mesh("rest", 30, 1000, 100);
  write("corner.sp", text + ".op\n.end\n");
  write("title.sp", "* all text is in the second file\n");
  for (const std::string deck : {"corner.sp", "title.sp corner.sp"})
    for (const int p : {2, 3}) {
      const Outcome outcome = together(p, "ir " + deck + " --engine hypre --no-progress --out out --formats json");
      ASSERT_EQ(outcome.code, 0) << outcome.err;
      const size_t at = outcome.out.find("the largest owns ");
      ASSERT_NE(at, std::string::npos) << outcome.out;
      double nodes = 0, megabytes = 0;
      ASSERT_EQ(
          std::sscanf(outcome.out.c_str() + at, "the largest owns %lf nodes and takes %lf MB", &nodes, &megabytes), 2);
      EXPECT_LE(nodes * p / 90000, 1.5);
      EXPECT_LE(1e6 * megabytes * p / report("out/report.json")["peak_memory_bytes"].get<double>(), 1.5);
    }
}

/// nodes.csv, layers.csv and sources.csv; of one net, too.
TEST_F(SharedIr, TablesAndASingleNet) {
  ASSERT_EQ(gridiron("generate deck.sp --style ibm --nodes 2000").code, 0);
  const std::string common = "ir deck.sp --quiet --no-progress --tolerance 1nV --formats csv,json";
  for (const std::string net : {"", "VDD"}) {
    const std::string options = common + (net.empty() ? "" : " --net " + net);
    ASSERT_EQ(gridiron(options + " --engine cholmod --out one").code, 0);
    const Outcome shared = together(3, options + " --engine hypre --out shared");
    ASSERT_EQ(shared.code, 0) << shared.err;
    const Json found = report("shared/report.json"), expected = report("one/report.json");
    expect_same_report(found, expected, 2e-9);
    std::map<std::string, double> drops;
    for (const auto& [line, drop] : rows_of("one/nodes.csv", 6)) drops[line] = drop;
    double above = std::numeric_limits<double>::infinity();
    const auto rows = rows_of("shared/nodes.csv", 6);
    ASSERT_EQ(rows.size(), drops.size());
    for (const auto& [line, drop] : rows) {
      ASSERT_TRUE(drops.contains(line)) << line;
      EXPECT_NEAR(drop, drops.at(line), 2e-9);
      EXPECT_LE(drop, above) << line << ": the worst come first";
      above = drop;
    }
    EXPECT_EQ(rows_of("shared/layers.csv", 3).size(), rows_of("one/layers.csv", 3).size());
    EXPECT_EQ(rows_of("shared/sources.csv", 7).size(), rows_of("one/sources.csv", 7).size());
  }
  const std::string both = "ir deck.sp --quiet --no-progress --engine hypre --formats solution,csv --out ";
  ASSERT_EQ(together(3, both + "plain").code, 0);
  ASSERT_EQ(together(3, both + "packed --compress").code, 0);
  EXPECT_EQ(shell("zstd -dq --rm packed/*.zst && diff -r -x manifest.json plain packed").code, 0);
  const Outcome unknown = together(2, "ir deck.sp --engine hypre --no-progress --net VCC");
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("--net VCC: the netlist has no such net"));
}

/// Whether files are fewer or more than processes.
TEST_F(SharedIr, SeveralFilesAreOneDeck) {
  std::string files;
  for (const char* part : {"1", "2", "3"}) {
    files += std::string(files.empty() ? "" : " ") + "part" + part + ".sp";
    ASSERT_EQ(gridiron(std::string("generate part") + part + ".sp --nodes 2000 --part " + part + "/3").code, 0);
  }
  expect_same_answer(files, "", {2, 4});
  ASSERT_EQ(gridiron("generate whole.sp --nodes 2000").code, 0);
  ASSERT_EQ(gridiron("ir whole.sp --quiet --no-progress --engine cholmod --out whole --formats solution").code, 0);
  EXPECT_EQ(slurp(folder_ / "one/part1.solution"), slurp(folder_ / "whole/whole.solution"));

  std::string bad = slurp(folder_ / "part2.sp");
  bad.insert(bad.find('\n') + 1, "Rbad n1_0_0\n");
  write("part2.sp", bad);
  const Outcome outcome = together(3, "ir " + files + " --engine hypre --no-progress");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("part2.sp:2:12: expected"));
}

/// Cards name the nets of their own file, wherever they are in it.
TEST_F(SharedIr, EveryFileHasItsNetCard) {
  write("vdd.sp", "* a\n* Netlist for VDD on default\nR1 b1 b2 1\nI1 b2 0 1m\nV1 b1 0 1.1\n.end\n");
  write("vss.sp", "* b\n" + std::string(500, '*') + "\n* Netlist for VSS on default\n" +
                      "R9 q1 q2 1\nI9 0 q2 1m\nV9 q1 0 0\n.end\n");
  expect_same_answer("vdd.sp vss.sp", "", {2});
}

/// Frames and files are unpacked by one process each, and leave nothing behind.
TEST_F(SharedIr, CompressedDecks) {
  for (const char* part : {"1", "2", "3", "4", "5"})
    ASSERT_EQ(gridiron(std::string("generate part") + part + ".sp.zst --nodes 3000 --part " + part + "/5").code, 0);
  ASSERT_EQ(gridiron("generate whole.sp.bz2 --nodes 20000").code, 0);
  ASSERT_EQ(gridiron("generate first.sp.gz --nodes 3000 --part 1/2").code, 0);
  ASSERT_EQ(gridiron("generate second.sp --nodes 3000 --part 2/2").code, 0);
  ASSERT_EQ(shell("cat part?.sp.zst > frames.sp.zst && mkdir tmp").code, 0);
  for (const std::string deck : {"frames.sp.zst", "part1.sp.zst part2.sp.zst part3.sp.zst part4.sp.zst part5.sp.zst",
                                 "whole.sp.bz2", "first.sp.gz second.sp"})
    expect_same_answer(deck, "", {2, 3});

  const auto in_folder = [&](const std::string& folder, const std::string& deck) {
    return together(3, "ir " + deck + " --engine hypre --quiet --no-progress", "env TMPDIR=" + folder);
  };
  EXPECT_EQ(in_folder("tmp", "frames.sp.zst").code, 0);
  EXPECT_TRUE(std::filesystem::is_empty(folder_ / "tmp"));
  const Outcome none = in_folder("nowhere", "frames.sp.zst");
  EXPECT_EQ(none.code, 5);
  EXPECT_THAT(none.err, HasSubstr("TMPDIR"));
  const Outcome some = together(3, "ir frames.sp.zst --engine hypre --quiet --no-progress",
                                "sh -c 'TMPDIR=tmp; [ $OMPI_COMM_WORLD_RANK != 1 ] || TMPDIR=nowhere; export TMPDIR; "
                                "exec \"$0\" \"$@\"'");
  EXPECT_EQ(some.code, 5);
  EXPECT_TRUE(std::filesystem::is_empty(folder_ / "tmp"));
  ASSERT_EQ(shell("head -c -100 frames.sp.zst > cut.sp.zst").code, 0);
  const Outcome cut = in_folder("tmp", "cut.sp.zst");
  EXPECT_EQ(cut.code, 2);
  EXPECT_THAT(cut.err, HasSubstr("cut.sp.zst: damaged or truncated zstd file"));
  EXPECT_EQ(std::count(cut.err.begin(), cut.err.end(), '\n'), 1) << cut.err;
}

TEST_F(SharedIr, LoadsOfATable) {
  ASSERT_EQ(gridiron("generate deck.sp --nodes 3000").code, 0);
  ASSERT_EQ(shell("grep '^i' deck.sp | awk 'NR % 7 == 0 {print $1 \",\" NR \"e-6\"}' > loads.csv").code, 0);
  expect_same_answer("deck.sp", "--loads loads.csv --tolerance 1nV", {2, 3});
  const auto refused = [&](const std::string& table) {
    write("bad.csv", table);
    const Outcome outcome = together(2, "ir deck.sp --engine hypre --no-progress --loads bad.csv");
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    return outcome.err;
  };
  const std::string all = slurp(folder_ / "loads.csv");
  EXPECT_THAT(refused(all + "nosuch,1m\n"), HasSubstr("load nosuch: the netlist has no current source of that name"));
  EXPECT_THAT(refused("a,1m,2m\n"), HasSubstr("several processes take one load vector"));
}

/// Of each layer as in one process: worst, count, verdict, and what no current is known of.
TEST_F(SharedIr, LimitsOnCurrentsOfSegments) {
  ASSERT_EQ(gridiron("generate deck.sp --style ibm --nodes 3000").code, 0);
  ASSERT_EQ(shell("awk '/^R7 /{print \"Rs\", $2, $3, 0} {print} /^R7 /{print \"Rf n0_9_9000000 n0_57_9000000 1\"}' "
                  "deck.sp > more.sp")
                .code,
            0);
  for (const std::string options : {"", " --net VDD"}) {
    const std::string common =
        "ir more.sp --quiet --no-progress --tolerance 1nV --em-limit M2=1mA --em-limit M3=1A --em-limit M2-M3=100uA" +
        options;
    const Outcome one = gridiron(common + " --engine cholmod --out one --formats csv,json");
    ASSERT_EQ(one.code, 1) << one.err;
    const Json expected = report("one/report.json");
    std::map<std::string, double> current;
    for (const auto& [segment, amperes] : rows_of("one/segments.csv", 5))
      current[segment.substr(0, segment.find(','))] = std::abs(amperes);
    for (const int p : {2, 3}) {
      SCOPED_TRACE(options + " on " + std::to_string(p));
      const Outcome shared = together(p, common + " --engine hypre --out shared --formats json");
      EXPECT_EQ(shared.code, 1) << shared.err;
      EXPECT_THAT(shared.err, HasSubstr("limit exceeded: net "));
      const Json found = report("shared/report.json");
      expect_same_report(found, expected, 2e-9);
      ASSERT_EQ(found["limits"].size(), options.empty() ? 6U : 3U);
      ASSERT_EQ(found["limits"].size(), expected["limits"].size());
      for (size_t k = 0; k < expected["limits"].size(); ++k) {
        const Json &a = found["limits"][k], &b = expected["limits"][k];
        for (const char* same : {"net", "layer", "limit_a", "exceeded", "undecided", "failed"})
          EXPECT_EQ(a[same], b[same]) << same;
        const double bound = a["bound_a"].get<double>() + b["bound_a"].get<double>();
        EXPECT_LE(near(a["value_a"], b["value_a"]), bound);
        EXPECT_NEAR(current.at(a["resistor"].get<std::string>()), b["value_a"].get<double>(), bound);
      }
      const auto unjudged = [](const Json& of) {
        for (const Json& f : of["findings"])
          if (f["code"] == "segments-without-current") return f["message"].get<std::string>();
        return std::string("none");
      };
      EXPECT_EQ(unjudged(found), unjudged(expected));
    }
  }
  const Outcome unknown = together(2, "ir deck.sp --engine hypre --no-progress --em-limit M9=1mA");
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("--em-limit M9: no segment is on this layer; there are some on M2, "));
}

TEST_F(SharedIr, ExitsAndSpeaksLikeOneProcess) {
  ASSERT_EQ(gridiron("generate deck.sp --style ibm --nodes 2000").code, 0);
  const Outcome exceeded = together(2, "ir deck.sp --engine hypre --quiet --limit 1uV");
  EXPECT_EQ(exceeded.code, 1);
  EXPECT_THAT(exceeded.err, HasSubstr("exceeds"));
  const Outcome spoken = together(3, "ir deck.sp --engine hypre --no-progress");
  EXPECT_EQ(spoken.code, 0) << spoken.err;
  EXPECT_THAT(spoken.out, HasSubstr("Certificate  every voltage is within"));
  EXPECT_THAT(spoken.out, HasSubstr("Processes    3"));
  EXPECT_EQ(spoken.out.find("Certificate"), spoken.out.rfind("Certificate"));
}

/// One line, the same exit code as of one process, and nothing written.
TEST_F(SharedIr, OneLineTellsWhatIsWrongOnAnyProcess) {
  std::string text = "title\nVdd n1_0_0 0 1\n";
  for (int i = 0; i < 200; ++i)
    text += "R" + std::to_string(i) + " n1_" + std::to_string(i) + "_0 n1_" + std::to_string(i + 1) + "_0 1\n";
  struct Case {
    std::string deck, options, message;
    int code;
  };
  for (const Case& c : std::vector<Case>{
           {text + "Rbad n1_1_0\n.end\n", "", "deck.sp:203:12: expected", 2},
           {text + "Ifloat far 0 1\n.end\n", "", "floating-load", 3},
           {text + "V2 n1_0_0 0 2\n.end\n", "", "source-loop", 3},
           {text + "Rneg n1_0_0 n1_5_0 -1\n.end\n", "", "bad-value", 2},
           {text + ".include other.sp\n.end\n", "", "flat decks only", 2},
           {text + ".end\n", "--why worst", "--why: not available to several processes", 2},
           {text + ".end\n", "--formats png", "--formats png: several processes write", 2},
       }) {
    write("deck.sp", c.deck);
    const Outcome outcome = together(3, "ir deck.sp --engine hypre --no-progress --out out " + c.options);
    EXPECT_EQ(outcome.code, c.code) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(c.message));
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(folder_ / "out"));
  }
  for (const char* options : {"", " --engine hypre", " --lef none.lef"}) {
    const Outcome layout = together(2, std::string("ir chip.def.gz --quiet") + options);
    EXPECT_EQ(layout.code, 2);
    EXPECT_EQ(layout.err,
              "gridiron: chip.def.gz: several processes read decks, not layouts; write one with 'gridiron extract', or "
              "start one process without mpirun\n");
  }
  const Outcome other = together(2, "ir deck.sp --engine cholmod");
  EXPECT_EQ(other.code, 2);
  EXPECT_THAT(other.err, HasSubstr("only engine hypre"));
}

/// In our own code or within hypre, which ends a process by itself; here on the second process.
TEST_F(SharedIr, OneLineTellsThatMemoryIsExhausted) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "ulimit -v leaves no room for the sanitizer";
#endif
  ASSERT_EQ(gridiron("generate deck.sp --style ibm --nodes 200000").code, 0);
  write("process.sh", "if [ \"${OMPI_COMM_WORLD_RANK:-1}\" = 1 ]; then ulimit -v $KB; fi\nexec \"$@\"\n");
  const std::string run =
      " ir deck.sp --engine hypre --quiet --no-progress --out out --set coarsening=cljp --set interpolation=extended "
      "--set strength=0 --set max_elements=0";
  int within_hypre = 0;
  const auto expect_one_line = [&](const Outcome& outcome) {
    EXPECT_EQ(outcome.code, 5);
    EXPECT_THAT(outcome.err, HasSubstr("memory"));
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_TRUE(!std::filesystem::exists(folder_ / "out") || std::filesystem::is_empty(folder_ / "out"));
    within_hypre += outcome.err.find("hypre: the hierarchy") != std::string::npos;
  };
  // More and more memory, until a run ends well. With less than these MPI itself does not start, or hangs.
  const auto expect_lines_below_what_it_takes = [&](int least, const auto& run_within) {
    for (int kilobytes = least; kilobytes < 2'000'000; kilobytes += kilobytes / 7) {
      SCOPED_TRACE(kilobytes);
      const Outcome outcome = run_within("KB=" + std::to_string(kilobytes));
      if (outcome.code == 0) return static_cast<void>(std::filesystem::remove_all(folder_ / "out"));
      expect_one_line(outcome);
    }
    ADD_FAILURE() << "takes more than 2 GB";
  };
  expect_lines_below_what_it_takes(220'000, [&](const std::string& kilobytes) {
    return shell(kilobytes + " OMP_NUM_THREADS=1 sh process.sh \"$G\"" + run);
  });
  expect_lines_below_what_it_takes(
      260'000, [&](const std::string& kilobytes) { return together(2, run, "env " + kilobytes + " sh process.sh"); });
  EXPECT_GT(within_hypre, 2);
}

TEST_F(SharedIr, AKilledProcessEndsTheRun) {
  ASSERT_EQ(gridiron("generate deck.sp --style ibm --nodes 200000").code, 0);
  // The second process is killed while it reads.
  write("process.sh",
        R"(reads() { while read -r line; do case $line in *deck.sp) return 0;; esac; done < /proc/$$/maps; return 1; }
if [ "$OMPI_COMM_WORLD_RANK" = 1 ]; then (until reads; do :; done; kill -KILL $$) & fi
exec "$@"
)");
  const Outcome killed = together(2, "ir deck.sp --engine hypre --no-progress --out out", "sh process.sh");
  EXPECT_NE(killed.code, 0);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out" / "report.json"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out" / "deck.solution"));
}

}  // namespace
}  // namespace gridiron
