// SPDX-License-Identifier: Apache-2.0
// Real decks against their published solutions.
#include <gtest/gtest.h>
#include <omp.h>

#include <charconv>
#include <cmath>
#include <map>
#include <sstream>
#include <tuple>

#include "analysis/results/instances.hpp"
#include "analysis/run/ir_drop.hpp"
#include "netlist/names/node_place.hpp"
#include "netlist/reader.hpp"
#include "tests/data.hpp"

namespace gridiron {
namespace {

IrReport run(const Circuit& circuit, IrOptions options = {}) {
  options.dbu_per_um = 2000;
  return analyse_ir_drop(circuit, options);
}

std::vector<std::string> split(const std::string& line, char separator) {
  std::vector<std::string> fields;
  std::istringstream in(line);
  for (std::string field; std::getline(in, field, separator);) fields.push_back(field);
  return fields;
}

class IbmPowerGrid : public testing::TestWithParam<const char*> {};

/// Every node of the published solution, to its 6 printed digits.
TEST_P(IbmPowerGrid, MatchesThePublishedSolution) {
  GRIDIRON_DATA_OR_SKIP(deck, std::string("ibm/") + GetParam() + ".spice.bz2");
  GRIDIRON_DATA_OR_SKIP(solution, std::string("ibm/") + GetParam() + ".solution.bz2");
  const Circuit circuit = read_netlist(deck);
  const IrReport result = run(circuit);
  std::istringstream lines{std::string(SourceText::open(solution)->text())};
  int64_t compared = 0;
  double worst = 0, value = 0;
  for (std::string name; lines >> name >> value;) {
    if (name == "G" || name == "0") continue;
    const NodeId node = circuit.nodes.find(name);
    ASSERT_GE(node, 0) << name << " is missing";
    worst = std::max(worst, std::abs(result.nodes.voltage_v[node] - value));
    ++compared;
  }
  EXPECT_EQ(compared, circuit.node_count() - 1);
  EXPECT_LE(worst, 1e-5);
  EXPECT_TRUE(result.certificate.valid);
  EXPECT_LE(result.certificate.max_error_v, 1e-6);
  EXPECT_LE(std::abs(result.certificate.current_imbalance_a), 1e-6);
}
INSTANTIATE_TEST_SUITE_P(Decks, IbmPowerGrid, testing::Values("ibmpg1", "ibmpg2"));

class IccadContest : public testing::TestWithParam<const char*> {};

/// The contest's map interpolates between nodes: worst drop within 1 %, correlation ≥ 0.99 at pixels that contain a
/// node.
TEST_P(IccadContest, MatchesTheGoldenMap) {
  const std::string folder = std::string("iccad23/") + GetParam();
  GRIDIRON_DATA_OR_SKIP(deck, folder + "/netlist.sp.gz");
  GRIDIRON_DATA_OR_SKIP(map, folder + "/ir_drop_map.csv.gz");
  std::vector<std::vector<double>> golden;
  double golden_worst = 0;
  std::istringstream lines{std::string(SourceText::open(map)->text())};
  for (std::string line; std::getline(lines, line);) {
    golden.emplace_back();
    for (const std::string& field : split(line, ',')) golden.back().push_back(std::stod(field));
    for (const double v : golden.back()) golden_worst = std::max(golden_worst, v);
  }
  const Circuit circuit = read_netlist(deck);
  const IrReport result = run(circuit);
  std::map<std::pair<size_t, size_t>, double> pixels;
  double worst = 0;
  for (NodeId n = 1; n < circuit.node_count(); ++n) {
    if (result.nodes.layer[n] < 0 || result.layer_names[result.nodes.layer[n]] != "m1") continue;
    double& pixel = pixels[{static_cast<size_t>(result.nodes.x_um[n]), static_cast<size_t>(result.nodes.y_um[n])}];
    pixel = std::max(pixel, result.nodes.drop_v[n]);
    worst = std::max(worst, result.nodes.drop_v[n]);
  }
  double n = 0, sx = 0, sy = 0, sxx = 0, syy = 0, sxy = 0;
  for (const auto& [at, x] : pixels) {
    if (at.first >= golden.size() || at.second >= golden[0].size()) continue;
    const double y = golden[at.first][at.second];
    n += 1, sx += x, sy += y, sxx += x * x, syy += y * y, sxy += x * y;
  }
  ASSERT_GT(n, 1000);
  EXPECT_NEAR(worst / golden_worst, 1.0, 0.01);
  EXPECT_GE((n * sxy - sx * sy) / std::sqrt((n * sxx - sx * sx) * (n * syy - sy * sy)), 0.99);
}
INSTANTIATE_TEST_SUITE_P(Decks, IccadContest, testing::Values("testcase1", "testcase11", "map27"));

/// OpenROAD's own voltage report of the deck it wrote, all 624 instance terminals.
TEST(OpenRoadDeck, MatchesItsVoltageReport) {
  GRIDIRON_DATA_OR_SKIP(deck, "openroad/gcd_vss.sp");
  GRIDIRON_DATA_OR_SKIP(report, "openroad/gcd_vss.voltage.csv");
  const Circuit circuit = read_netlist(deck);
  const IrReport result = run(circuit);
  ASSERT_EQ(result.nets.size(), 1u);
  EXPECT_EQ(result.nets[0].name, "VSS");
  std::istringstream lines{std::string(SourceText::open(report)->text())};
  std::string line;
  std::getline(lines, line);
  int compared = 0;
  while (std::getline(lines, line)) {
    const auto f = split(line, ',');
    const NodeId node =
        circuit.nodes.find("ITermNode_" + f[2] + "_" + std::to_string(std::lround(std::stod(f[3]) * 2000)) + "_" +
                           std::to_string(std::lround(std::stod(f[4]) * 2000)));
    ASSERT_GE(node, 0) << line;
    ASSERT_NEAR(result.nodes.drop_v[node], std::abs(std::stod(f[5])), 1e-6) << line;
    ++compared;
  }
  EXPECT_EQ(compared, 624);
}

/// The same report by way of instances: every sink of the deck by its instance and terminal, with OpenROAD's signs.
TEST(OpenRoadDeck, InstancesAreThoseOfItsVoltageReport) {
  GRIDIRON_DATA_OR_SKIP(deck, "openroad/gcd_vss.sp");
  GRIDIRON_DATA_OR_SKIP(report, "openroad/gcd_vss.voltage.csv");
  std::istringstream lines{std::string(SourceText::open(report)->text())};
  std::map<std::string, std::vector<std::string>> published;
  for (std::string line; std::getline(lines, line);) {
    const auto f = split(line, ',');
    published[f[0] + "/" + f[1]] = f;
  }
  const Circuit circuit = read_netlist(deck);
  IrOptions options;
  options.nominal_v["VDD"] = 1.1;
  const IrReport result = run(circuit, options);
  ASSERT_EQ(result.instances.size(), 510u) << "those with a sink";
  for (const InstanceResult& i : result.instances) {
    const std::string name = instance_name(circuit, i).text();
    const auto found = published.find(name);
    ASSERT_NE(found, published.end()) << name;
    const NodeId n = i.node();
    EXPECT_NEAR(result.nodes.x_um[n], std::stod(found->second[3]), 1e-4) << name;
    EXPECT_NEAR(result.nodes.y_um[n], std::stod(found->second[4]), 1e-4) << name;
    EXPECT_NEAR(result.nodes.voltage_v[n], std::stod(found->second[5]), 1e-6) << name;
  }
  EXPECT_GT(result.nets[0].load_current_a, 1e-4);
  EXPECT_NEAR(result.nets[0].total_power_w, 1.1 * result.nets[0].load_current_a, 1e-12);
}

class EveryDeck : public testing::TestWithParam<const char*> {};

/// Elimination is exact, the engine does not matter, and neither does the number of threads.
TEST_P(EveryDeck, SameVoltagesByEveryRoute) {
  GRIDIRON_DATA_OR_SKIP(deck, GetParam());
  const Circuit circuit = read_netlist(deck);
  const IrReport reduced = run(circuit);
  IrOptions whole, superlu;
  whole.reduce = false;
  superlu.engine = "superlu";
  const IrReport unreduced = run(circuit, whole), by_lu = run(circuit, superlu);
  EXPECT_EQ(unreduced.reduced.eliminated, 0);
  EXPECT_GT(reduced.reduced.eliminated, 0);
  EXPECT_EQ(by_lu.engine.name, "superlu");
  for (NodeId n = 0; n < circuit.node_count(); ++n) {
    ASSERT_NEAR(reduced.nodes.voltage_v[n], unreduced.nodes.voltage_v[n], 1e-9) << circuit.node_name(n);
    ASSERT_NEAR(reduced.nodes.voltage_v[n], by_lu.nodes.voltage_v[n], 1e-9) << circuit.node_name(n);
  }
  IrOptions multigrid;
  multigrid.engine = "aggamg";
  multigrid.tolerance_v = 1e-6;
  const IrReport by_multigrid = run(circuit, multigrid);
  EXPECT_EQ(tolerance_miss(by_multigrid, multigrid), "");
  for (NodeId n = 0; n < circuit.node_count(); ++n)
    ASSERT_NEAR(reduced.nodes.voltage_v[n], by_multigrid.nodes.voltage_v[n], 1e-6) << circuit.node_name(n);

  const int threads = omp_get_max_threads();
  for (const int k : {1, 2, 3}) {
    omp_set_num_threads(k);
    EXPECT_EQ(run(read_netlist(deck)).nodes.voltage_v, reduced.nodes.voltage_v) << k << " threads";
  }
  omp_set_num_threads(threads);
}
INSTANTIATE_TEST_SUITE_P(Decks, EveryDeck,
                         testing::Values("ibm/ibmpg1.spice.bz2", "iccad23/testcase11/netlist.sp.gz",
                                         "openroad/gcd_vss.sp"));

class HybridEngine : public testing::TestWithParam<std::tuple<const char*, const char*>> {};

/// Three regular-grid solvers in the same hybrid iteration: certified, and correct.
TEST_P(HybridEngine, MeetsTheToleranceInFewIterations) {
  const auto& [engine, name] = GetParam();
  GRIDIRON_DATA_OR_SKIP(deck, name);
  const Circuit circuit = read_netlist(deck);
  IrOptions options;
  options.engine = engine;
  options.tolerance_v = 1e-6;
  const IrReport result = run(circuit, options), reference = run(circuit);
  EXPECT_EQ(result.engine.name, engine);
  EXPECT_EQ(tolerance_miss(result, options), "");
  EXPECT_LE(result.solve.iterations, 20);
  for (NodeId n = 0; n < circuit.node_count(); ++n)
    ASSERT_NEAR(result.nodes.voltage_v[n], reference.nodes.voltage_v[n], 1e-6) << circuit.node_name(n);
}
INSTANTIATE_TEST_SUITE_P(Decks, HybridEngine,
                         testing::Combine(testing::Values("gpuhmd", "sgml", "psc"),
                                          testing::Values("ibm/ibmpg1.spice.bz2", "ibm/ibmpg2.spice.bz2",
                                                          "iccad23/testcase1/netlist.sp.gz", "openroad/gcd_vss.sp")));

/// Numbers obtained with an independent prototype.
TEST(Reduction, KeepsWhatThePrototypeKept) {
  GRIDIRON_DATA_OR_SKIP(deck, "iccad23/testcase1/netlist.sp.gz");
  IrOptions whole;
  whole.reduce = false;
  const Circuit circuit = read_netlist(deck);
  EXPECT_EQ(run(circuit, whole).reduced.unknowns, 21667);
  EXPECT_EQ(run(circuit, whole).reduced.nonzeros, 69819);
  EXPECT_NEAR(static_cast<double>(run(circuit).reduced.unknowns) / 21667, 0.22, 0.005);
}

}  // namespace
}  // namespace gridiron
