// SPDX-License-Identifier: Apache-2.0
// Currents of segments, pads and their power; electromigration limits.
#include "analysis/results/segments.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <random>
#include <tuple>

#include "analysis/results/em_limits.hpp"
#include "support/plural.hpp"
#include "tests/analysis/analysed.hpp"
#include "tests/analysis/sessions.hpp"
#include "tests/data.hpp"

namespace gridiron {
namespace {

using test::Analysed;
using test::design_of;
using test::error_of;
using test::failure;
using testing::ElementsAre;
using testing::HasSubstr;

/// 0.1 A through 2 Ω on m1 and 1 Ω up to m2, 0.04 A of it on along m2.
const std::string kTwoLayers =
    "* t\nv1 n1_m1_0_0 0 1\nr1 n1_m1_0_0 n1_m1_2000_0 2\nr2 n1_m2_2000_0 n1_m1_2000_0 1\nr3 n1_m2_2000_0 n1_m2_4000_0 "
    "3\ni1 n1_m2_2000_0 0 60m\ni2 n1_m2_4000_0 0 40m\nrleak n1_m1_0_0 0 100\nrshort n1_m2_4000_0 x 0\n.end\n";

TEST(Segments, CurrentsPowersAndLayersByHand) {
  const Analysed run(kTwoLayers);
  const SegmentTable& segments = run.result.segments;
  ASSERT_EQ(segments.current_a.size(), 5u);
  EXPECT_NEAR(segments.current_a[0], 0.1, 1e-14);
  EXPECT_NEAR(segments.current_a[1], -0.1, 1e-14) << "its first node is the far one";
  EXPECT_NEAR(segments.current_a[2], 0.04, 1e-14);
  EXPECT_FALSE(segments.has(3)) << "a resistor to ground is a load";
  EXPECT_FALSE(segments.has(4)) << "a short is no segment";
  EXPECT_NEAR(segments.power_w[0], 0.02, 1e-14);
  EXPECT_NEAR(segments.power_w[1], 0.01, 1e-14);

  std::vector<std::string> layers;
  for (const SegmentLayerResult& layer : run.result.segment_layers)
    layers.push_back(layer_text(run.result.layer_names, layer.layers));
  EXPECT_THAT(layers, ElementsAre("m1", "m1-m2", "m2"));
  EXPECT_EQ(run.result.segment_layers[1].worst, 1);
  EXPECT_NEAR(run.result.segment_layers[2].largest_current_a, 0.04, 1e-14);

  const PowerBalance& power = run.result.power;
  EXPECT_NEAR(power.sources_w, 0.11, 1e-14);
  EXPECT_NEAR(power.loads_w, 0.06 * 0.7 + 0.04 * 0.58, 1e-14);
  EXPECT_NEAR(power.dissipated_w, 0.02 + 0.01 + 0.0048 + 0.01, 1e-14);
  ASSERT_EQ(run.result.pads.size(), 1u);
  EXPECT_EQ(run.result.pads[0].share, 1);
}

/// Two branches of 6 mA join and return 12 mA to node 0.
TEST(Segments, ReturnsToNodeZeroAreOnTheLayerThatTheyLeave) {
  for (const std::string end : {"R6 n2_m1_3000_0 0 0.1\n", "R6 0 n2_m1_3000_0 0.1\n"}) {
    const std::string deck =
        "* t\nv1 n1_m1_0_0 0 1\nr1 n1_m1_0_0 n1_m1_1000_0 1\nr2 n1_m1_0_0 n1_m1_5000_0 1\ni1 n1_m1_1000_0 n2_m1_1000_0 "
        "6m\ni2 n1_m1_5000_0 n2_m1_5000_0 6m\nr3 n2_m1_1000_0 n2_m1_3000_0 1\nr4 n2_m1_5000_0 n2_m1_3000_0 1\nr7 "
        "n2_m1_5000_0 n2_m1_7000_0 0\n" +
        end;
    IrOptions options;
    options.em_limits = {parse_em_limit("m1=10mA")};
    const Analysed run(deck, options);
    const auto& limits = run.result.em_limits;
    const auto limit = std::find_if(limits.begin(), limits.end(), [](const EmLimitResult& l) { return l.exceeded; });
    ASSERT_NE(limit, limits.end()) << end;
    EXPECT_NEAR(limit->value_a, 12e-3, 1e-12) << end;
    EXPECT_EQ(run.circuit.element_name(kResistor, limit->worst), "R6") << end;
    EXPECT_THAT(run.finding("segments-without-current"), HasSubstr("1 resistor on layers")) << "r7 is a short";
  }
}

TEST(Segments, ResistorsOfPadsAreOnNoLayer) {
  const std::string deck =
      "* t\nv1 _X_ 0 1\nrp _X_ n1_m1_0_0 0.25\nr1 n1_m1_0_0 n1_m1_1000_0 1\ni1 n1_m1_1000_0 0 12m\n";
  IrOptions options;
  options.em_limits = {parse_em_limit("m1=20mA")};
  const Analysed run(deck + "i2 n1_m1_0_0 0 30m\n", options);
  ASSERT_EQ(run.result.em_limits.size(), 1u);
  EXPECT_FALSE(run.result.em_limits[0].exceeded);
  EXPECT_NEAR(run.result.em_limits[0].value_a, 12e-3, 1e-12);
}

TEST(Segments, SharesOfPads) {
  const Analysed run("* t\nv1 a 0 1\nv2 b 0 1\nr1 a c 1\nr2 b c 3\ni1 c 0 0.4\n.end\n");
  ASSERT_EQ(run.result.pads.size(), 2u);
  EXPECT_NEAR(run.result.pads[0].share, 0.75, 1e-12);
  EXPECT_NEAR(run.result.pads[1].share, 0.25, 1e-12);
}

TEST(Segments, OnlyOfTheNetAskedFor) {
  IrOptions options;
  options.net = "vss";
  const Analysed run("* t\nv1 vdd 0 1\nr1 vdd a 2\ni1 a b 0.1\nr2 b vss 2\nv2 vss 0 0\n.end\n", options);
  EXPECT_FALSE(run.result.segments.has(0));
  EXPECT_NEAR(run.result.segments.current_a[1], 0.1, 1e-14);
  ASSERT_EQ(run.result.segment_layers.size(), 1u);
  EXPECT_EQ(run.result.segment_layers[0].net, 0);
}

TEST(Segments, OfManyVectorsTheLargestCurrent) {
  const System system(design_of("* t\nv1 vdd 0 1\nr1 vdd a 2\ni1 a 0 0.1\nr2 vdd b 1\ni2 b 0 0.3\n.end\n"));
  Loads loads(system.design(), 2);
  loads.set("i1", 0.2, 1);
  loads.set("i2", 0.1, 1);
  Solver solver(system);
  WorstCase worst(system);
  for (const Answer& answer : solver.solve(loads)) worst.add(answer);
  const IrReport report = std::move(worst).report({});
  EXPECT_NEAR(report.segments.current_a[0], 0.2, 1e-14);
  EXPECT_NEAR(report.segments.current_a[1], 0.3, 1e-14);
  EXPECT_NEAR(report.segments.power_w[1], 0.09, 1e-14);
  EXPECT_NEAR(report.power.sources_w, 0.4, 1e-14) << "under the first vector";
}

TEST(Segments, AnEditedResistorHasItsNewCurrent) {
  System system(design_of("* t\nv1 vdd 0 1\nr1 vdd a 2\nr2 vdd a 2\ni1 a 0 0.3\n.end\n"));
  system.apply(ScaleResistor{"r1", 0.5});
  const IrReport report = summarise(system, Solver(system).solve());
  EXPECT_NEAR(report.segments.current_a[0], 0.2, 1e-14);
  EXPECT_NEAR(report.segments.power_w[0], 0.04, 1e-14);
  EXPECT_NEAR(report.power.dissipated_w, 0.06, 1e-14);
}

/// Random grids with sources between nodes, several supplies, loads to ground and added pads.
TEST(Segments, PowerIsConserved) {
  std::mt19937 random(5);
  const auto number = [&](double low, double high) { return std::uniform_real_distribution<>(low, high)(random); };
  for (int trial = 0; trial < 20; ++trial) {
    std::string deck = "* t\nv1 n0 0 1.2\nv2 n9 0 1.1\nv3 n4 k 0.2\nrk k n0 2\n";
    for (int r = 0; r < 40; ++r)
      deck += fmt::format("r{} n{} n{} {}\n", r, r % 20, random() % 20 + 20 * (r >= 20), number(0.1, 5));
    for (int n = 0; n < 39; ++n) deck += fmt::format("rc{} n{} n{} 1\n", n, n, n + 1);
    for (int i = 0; i < 10; ++i)
      deck += fmt::format("i{} n{} {} {}\n", i, random() % 20, i % 3 ? "0" : "n30", number(0, 0.05));
    System system(design_of(deck + "rg n12 0 50\n.end\n"));
    if (trial % 2) system.apply(AddPad{"n25", 1.15, 0.3});
    const PowerBalance power = summarise(system, Solver(system).solve()).power;
    EXPECT_NEAR(power.sources_w, power.loads_w + power.dissipated_w, 1e-12);
    EXPECT_GT(power.dissipated_w, 1e-4);
  }
}

/// OpenROAD's own currents: layers, µm and amperes of every segment but the links to pins.
TEST(Segments, AgreeWithOpenRoad) {
  GRIDIRON_DATA_OR_SKIP(deck, "openroad/gcd_vss.sp");
  GRIDIRON_DATA_OR_SKIP(theirs, "openroad/gcd_vss.em.csv");
  const Circuit circuit = read_netlist(deck);
  IrOptions options;
  options.dbu_per_um = 2000;
  const IrReport report = analyse_ir_drop(circuit, options);
  using Key = std::tuple<std::string, double, double, std::string, double, double>;
  std::multimap<Key, double> ours;
  const TerminalNodes terminals(circuit);
  for (int64_t i = 0; i < circuit.resistors.size(); ++i) {
    if (!report.segments.has(i) || terminals.has_link(i)) continue;
    const NodeId a = circuit.resistors.a[i], b = circuit.resistors.b[i];
    const auto layer = [&](NodeId n) { return report.layer_names[report.nodes.layer[n]]; };
    ours.emplace(
        Key{layer(a), report.nodes.x_um[a], report.nodes.y_um[a], layer(b), report.nodes.x_um[b], report.nodes.y_um[b]},
        std::abs(report.segments.current_a[i]));
  }
  std::ifstream file(theirs);
  std::string line;
  std::getline(file, line);
  int rows = 0, compared = 0;
  double worst = 0;
  while (std::getline(file, line)) {
    ++rows;
    std::vector<std::string> fields(1);
    for (const char c : line) c == ',' ? fields.emplace_back() : fields.back() += c;
    const auto at = [&](int k) { return std::strtod(fields[k].c_str(), nullptr); };
    const double current = at(6);
    auto [found, end] = ours.equal_range({fields[0], at(1), at(2), fields[3], at(4), at(5)});
    ASSERT_NE(found, end) << line;
    for (auto it = found; it != end; ++it)
      if (std::abs(it->second - current) < std::abs(found->second - current)) found = it;
    if (current > 1e-9) {
      ++compared;
      worst = std::max(worst, std::abs(found->second / current - 1));
    }
    ours.erase(found);
  }
  EXPECT_EQ(rows, 2139);
  EXPECT_TRUE(ours.empty()) << ours.size() << " rows that OpenROAD does not have";
  EXPECT_EQ(compared, 1693);
  EXPECT_LT(worst, 1e-3) << "of a current above 1 nA";
  RecordProperty("worst", std::to_string(worst));
}

TEST(EmLimits, LayerAndCurrentAsTyped) {
  const EmLimit limit = parse_em_limit("M1-M2=300uA");
  EXPECT_EQ(limit.layer, "M1-M2");
  EXPECT_DOUBLE_EQ(limit.limit_a, 300e-6);
  EXPECT_DOUBLE_EQ(parse_em_limit("m1=2A").limit_a, 2) << "the letter is no 1e-18";
  EXPECT_DOUBLE_EQ(parse_em_limit("=m=1a").limit_a, 1) << "layers may have any name";
  for (const char* text : {"M1=5", "M1=5mV", "=5mA", "M1=-5mA", "M1=0A", "M1=A", "M1=nanA"})
    EXPECT_THAT(error_of<InputError>([&] { parse_em_limit(text); }), HasSubstr("expected LAYER=CURRENT")) << text;
}

IrOptions with_em(std::vector<EmLimit> limits) {
  IrOptions options;
  options.em_limits = std::move(limits);
  return options;
}

TEST(EmLimits, ExceededKeptAndUndecided) {
  const Analysed run(kTwoLayers, with_em({{"m1", 0.09}, {"m2", 0.05}, {"M2-M1", 0.1}}));
  ASSERT_EQ(run.result.em_limits.size(), 3u);
  EXPECT_TRUE(run.result.em_limits[0].exceeded);
  EXPECT_TRUE(run.result.limit_exceeded());
  EXPECT_EQ(describe(run.result.em_limits[0]), "net n1 layer m1: current of 100 mA in r1 exceeds 90 mA");
  EXPECT_FALSE(run.result.em_limits[1].exceeded || run.result.em_limits[1].undecided);
  EXPECT_NEAR(run.result.em_limits[1].ratio(), 0.8, 1e-12);
  const EmLimitResult& via = run.result.em_limits[2];
  EXPECT_TRUE(via.undecided || via.exceeded) << "rounding decides to which side 0.1 A falls";
  EXPECT_GT(via.bound_a, 0);
  EXPECT_LT(via.bound_a, 1e-9);
}

TEST(EmLimits, TheBoundIsThatOfTheSegmentItMattersFor) {
  // The wire of 1 mΩ carries less, but 1 µV across it is 1 mA.
  const std::string deck =
      "* t\nv1 n1_m1_0_0 0 1\nr1 n1_m1_0_0 n1_m1_2_0 1\ni1 n1_m1_2_0 0 10m\nr2 n1_m1_0_0 n1_m1_4_0 1m\ni2 n1_m1_4_0 0 "
      "9m\n.end\n";
  Analysed run(deck);
  run.result.certificate.max_error_v = 1e-6;
  const Topology& topology = *run.result.design->topology;
  const EmLimitResult at_11_mA = check_em_limits(run.result, topology, {{"m1", 11.01e-3}})[0];
  EXPECT_FALSE(at_11_mA.undecided);
  EXPECT_NEAR(at_11_mA.value_a, 10e-3, 1e-12);
  EXPECT_NEAR(at_11_mA.bound_a, 1e-3, 1e-9) << "9 mA could be 11 mA";
  EXPECT_TRUE(check_em_limits(run.result, topology, {{"m1", 10.9e-3}})[0].undecided);
  run.result.certificate.valid = false;
  EXPECT_TRUE(check_em_limits(run.result, topology, {{"m1", 1}})[0].undecided) << "nothing is certified";
}

TEST(EmLimits, MistakesAreTold) {
  EXPECT_THAT(failure<InputError>(kTwoLayers, with_em({{"m7", 1}})),
              HasSubstr("no segment is on this layer; there are some on m1, m1-m2, m2"));
  EXPECT_THAT(failure<InputError>(kTwoLayers, with_em({{"m1", 1}, {"M1", 2}})), HasSubstr("two limits"));
  EXPECT_THAT(failure<InputError>("* t\nv1 vdd 0 1\nr1 vdd a 2\ni1 a 0 0.1\n.end\n", with_em({{"m1", 1}})),
              HasSubstr("node names do not tell layers"));
}

TEST(EmLimits, TableOfDensities) {
  const std::filesystem::path path = test::temporary("em.csv");
  const auto read = [&](const std::string& text) {
    std::ofstream(path) << text;
    return read_em_limits(path);
  };
  const std::vector<EmLimit> limits = read("# of the technology\nlayer,a_per_um,width_um\nm1, 2m ,0.5\r\n\nm9,1,1\n");
  ASSERT_EQ(limits.size(), 2u);
  EXPECT_DOUBLE_EQ(limits[0].limit_a, 1e-3);
  EXPECT_DOUBLE_EQ(limits[0].a_per_um, 2e-3);
  EXPECT_DOUBLE_EQ(limits[0].width_um, 0.5);
  const Analysed run(kTwoLayers, with_em(limits));
  ASSERT_EQ(run.result.em_limits.size(), 1u) << "the deck has no m9";
  EXPECT_TRUE(run.result.em_limits[0].exceeded);

  const auto error = [&](const std::string& text) { return error_of<InputError>([&] { read(text); }); };
  EXPECT_THAT(error("m1,1,1\n"), HasSubstr("em.csv:1: expected the header"));
  EXPECT_THAT(error("layer,a_per_um,width_um\nm1,1\n"), HasSubstr("em.csv:2: expected three fields"));
  EXPECT_THAT(error("layer,a_per_um,width_um\nm1,1,0\n"), HasSubstr("em.csv:2: expected numbers above 0"));
  EXPECT_THAT(error("layer,a_per_um,width_um\nm1,nan,1\n"), HasSubstr("em.csv:2: expected numbers above 0"));
  EXPECT_THAT(error("layer,a_per_um,width_um\n"), HasSubstr("no rows"));
  EXPECT_THAT(error(""), HasSubstr("no rows"));
  EXPECT_THAT(failure<InputError>(kTwoLayers, with_em(read("layer,a_per_um,width_um\nm8,1,1\n"))),
              HasSubstr("names none of the layers"));
  std::filesystem::remove(path);
  EXPECT_THAT(error_of<InputError>([&] { read_em_limits(path); }), HasSubstr("neither LAYER=CURRENT"));
  EXPECT_THAT(error_of<InputError>([&] { read_em_limits("/"); }), HasSubstr("neither LAYER=CURRENT"));
}

}  // namespace
}  // namespace gridiron
