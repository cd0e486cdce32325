// SPDX-License-Identifier: Apache-2.0
// The steady-state stress of metal trees, against exact arithmetic and a line whose stresses are known.
#include "analysis/results/stress/stress.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <utility>

#include "analysis/run/ir_drop.hpp"
#include "netlist/reader.hpp"
#include "tests/analysis/exact/rational.hpp"

namespace gridiron {
namespace {

using test::Rational;

/// A run and the circuit it refers to, with what a layout tells of it.
struct Analysed {
  Circuit circuit;
  IrReport result;
  explicit Analysed(const std::string& deck, const IrOptions& options,
                    std::shared_ptr<const Placement> placement = nullptr)
      : circuit(with(read_netlist_text(deck), std::move(placement))), result(analyse_ir_drop(circuit, options)) {}

 private:
  static Circuit with(Circuit circuit, std::shared_ptr<const Placement> placement) {
    circuit.placement = std::move(placement);
    return circuit;
  }
};

IrOptions with_stress(std::vector<MetalLayer> layers = {{"m1", 1, 0.5, ""}}) {
  IrOptions options;
  options.stress = StressOptions{usual_metal(), std::move(layers), std::nullopt};
  options.tolerance_v = 1e-9;
  return options;
}

double stress_of(const Analysed& run, const std::string& node) {
  const NodeId n = run.circuit.nodes.find(node);
  const StressReport& stress = *run.result.stress;
  return stress.stress_at(stress.trees.at(stress.tree.at(n)), run.result.nodes.voltage_v[n]);
}

/// A line of five wires of 1 µm × 0.5 µm: what each carries follows from its density, and goes out at the next node.
TEST(Stress, OfALineThatIsKnown) {
  const double length_um[] = {20, 25, 15, 10, 30}, density[] = {-2e10, 1e10, 1.5e10, -1e10, 0.5e10};
  constexpr double kArea = 0.5e-12, kResistivity = 2.25e-8;
  std::string deck = "* dbu: 1000\nV1 n1_m1_0_0 0 1\n";
  double x = 0, before = 0;
  std::vector<std::string> nodes = {"n1_m1_0_0"};
  for (int k = 0; k < 5; ++k) {
    x += length_um[k];
    nodes.push_back(fmt::format("n1_m1_{}_0", std::lround(1000 * x)));
    deck += fmt::format("R{} {} {} {:.17g}\n", k, nodes[k], nodes[k + 1], kResistivity * length_um[k] * 1e-6 / kArea);
    const double current = kArea * density[k];
    if (k > 0) deck += fmt::format("I{} {} 0 {:.17g}\n", k, nodes[k], before - current);
    before = current;
  }
  deck += fmt::format("I5 {} 0 {:.17g}\n.end\n", nodes[5], before);
  const Analysed run(deck, with_stress());
  const double known_mpa[] = {29.545, -92.448, -16.202, 52.419, 21.921, 67.668};
  for (int k = 0; k < 6; ++k) EXPECT_NEAR(1e-6 * stress_of(run, nodes[k]), known_mpa[k], 1e-3) << nodes[k];
  ASSERT_EQ(run.result.stress->trees.size(), 1u);
  EXPECT_EQ(run.result.stress->trees[0].verdict, StressVerdict::mortal) << "above 41 MPa";
}

/// A random tree of metal with loops and stubs, in wires of several widths, and its exact stresses.
class RandomMetal {
 public:
  explicit RandomMetal(uint64_t seed) : random_(seed) {
    deck_ = "* dbu: 1000\nV1 n1_m1_0_0 0 1.8\n";
    places_ = {{0, 0}};
    const size_t count = 2 + random_() % 9;
    while (places_.size() < count) add_node();
    for (uint64_t tries = random_() % 9; tries > 0; --tries) {
      const int a = any(nodes()), b = any(nodes());
      if (a != b && (places_[a].first == places_[b].first || places_[a].second == places_[b].second)) add_wire(a, b);
    }
    for (int k = 1; k < nodes(); ++k)
      if (any(2) == 1) add_load(k);
    deck_ += ".end\n";
  }

  const std::string& deck() const { return deck_; }
  int nodes() const { return static_cast<int>(places_.size()); }
  std::string node(int k) const { return fmt::format("n1_m1_{}_{}", places_[k].first, places_[k].second); }

  /// As a layout tells it.
  std::shared_ptr<const Placement> placement() const {
    auto placement = std::make_shared<Placement>();
    placement->layers = {{"m1", 0.5}};
    for (const Wire& wire : wires_) placement->width.push_back(wire.width);
    placement->cuts.assign(wires_.size(), 0);
    placement->dbu_per_um = 1000;
    return placement;
  }

  /// Pa.
  std::vector<Rational> stresses(const MetalParameters& metal) const {
    const std::vector<Rational> volts = solve();
    Rational sum = 0, volume = 0;
    for (const Wire& wire : wires_) {
      const auto& [ax, ay] = places_[wire.a];
      const auto& [bx, by] = places_[wire.b];
      const Rational of_wire = Rational(std::abs(ax - bx) + std::abs(ay - by)) * wire.width;
      sum += of_wire * (volts[wire.a] + volts[wire.b]) / 2;
      volume += of_wire;
    }
    const Rational pa_per_volt =
        Rational(kElementaryCharge) * Rational(metal.effective_charge) / Rational(metal.atomic_volume_m3);
    std::vector<Rational> stresses;
    for (const Rational& v : volts) stresses.push_back(pa_per_volt * (sum / volume - v));
    return stresses;
  }

 private:
  struct Wire {
    int a, b, milliohm, width;
  };

  int any(int n) { return static_cast<int>(random_() % static_cast<uint64_t>(n)); }

  /// At the end of a wire along an axis.
  void add_node() {
    const int from = any(nodes());
    std::pair<int, int> place = places_[from];
    (any(2) == 1 ? place.first : place.second) = 700 * any(200);
    if (std::ranges::find(places_, place) != places_.end()) return;
    places_.push_back(place);
    add_wire(from, nodes() - 1);
  }

  void add_wire(int a, int b) {
    const Wire wire{a, b, 1 + any(5000), 100 + any(3000)};
    deck_ += fmt::format("R{} {} {} {}m\n", wires_.size(), node(a), node(b), wire.milliohm);
    wires_.push_back(wire);
  }
  void add_load(int k) {
    const int microampere = any(20000);
    deck_ += fmt::format("I{} {} 0 {}u\n", k, node(k), microampere);
    loads_.emplace_back(k, microampere);
  }

  /// Gauss's elimination of Kirchhoff's laws.
  std::vector<Rational> solve() const {
    const int n = nodes();
    std::vector<std::vector<Rational>> row(n, std::vector<Rational>(n + 1));
    for (const Wire& wire : wires_) {
      const Rational siemens = Rational(1000) / wire.milliohm;
      row[wire.a][wire.a] += siemens;
      row[wire.b][wire.b] += siemens;
      row[wire.a][wire.b] -= siemens;
      row[wire.b][wire.a] -= siemens;
    }
    for (const auto& [k, microampere] : loads_) row[k][n] -= Rational(microampere) / 1000000;
    row[0].assign(n + 1, Rational(0));
    row[0][0] = 1;
    row[0][n] = Rational(9) / 5;
    for (int p = 0; p < n; ++p)
      for (int i = 0; i < n; ++i) {
        if (i == p || row[i][p] == 0) continue;
        const Rational factor = row[i][p] / row[p][p];
        for (int j = p; j <= n; ++j) row[i][j] -= factor * row[p][j];
      }
    std::vector<Rational> volts;
    for (int k = 0; k < n; ++k) volts.push_back(row[k][n] / row[k][k]);
    return volts;
  }

  std::mt19937_64 random_;
  std::string deck_;
  std::vector<std::pair<int, int>> places_;
  std::vector<Wire> wires_;
  std::vector<std::pair<int, int>> loads_;
};

TEST(Stress, ErrorsAreWithinTheBound) {
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    const RandomMetal metal(seed);
    const Analysed run(metal.deck(), with_stress({}), metal.placement());
    const StressReport& stress = *run.result.stress;
    const std::vector<Rational> exact = metal.stresses(stress.metal);
    ASSERT_EQ(stress.trees.size(), 1u) << metal.deck();
    ASSERT_TRUE(stress.trees[0].is_known);
    ASSERT_TRUE(std::isfinite(stress.trees[0].bound_pa));
    double largest = -HUGE_VAL;
    for (int k = 0; k < metal.nodes(); ++k) {
      const Rational error = abs(Rational(stress_of(run, metal.node(k))) - exact[k]);
      ASSERT_LE(error, Rational(stress.trees[0].bound_pa)) << seed << " " << metal.node(k) << "\n" << metal.deck();
      largest = std::max(largest, exact[k].convert_to<double>());
    }
    const double critical = stress.metal.critical_stress_pa;
    ASSERT_TRUE(stress.trees[0].verdict != StressVerdict::immortal || largest < critical) << seed;
    ASSERT_TRUE(stress.trees[0].verdict != StressVerdict::mortal || largest >= critical) << seed;
  }
}

TEST(Stress, WidthsWeighTheMean) {
  const std::string deck =
      "* dbu: 1000\nV1 n1_m1_0_0 0 1\nR1 n1_m1_0_0 n1_m1_10000_0 1\nR2 n1_m1_10000_0 n1_m2_10000_0 1\n"
      "R3 n1_m2_10000_0 n1_m2_10000_40000 1\nR4 n1_m1_10000_0 n1_m1_10000_30000 1\n"
      "I1 n1_m2_10000_40000 0 1m\n.end\n";
  const Analysed run(deck, with_stress({{"M1", 2, 0.5, ""}, {"m2", 1, 1, ""}}));
  const StressReport& stress = *run.result.stress;
  ASSERT_EQ(stress.trees.size(), 2u) << "vias part layers";
  const double k = stress.pa_per_volt();
  // Of the first layer 10 µm have a mean of 0.9995 V, and a stub of 30 µm without current 0.999 V.
  EXPECT_NEAR(stress_of(run, "n1_m1_0_0"), k * (0.25 * 0.9995 + 0.75 * 0.999 - 1), 20);
  EXPECT_NEAR(stress_of(run, "n1_m1_10000_30000"), k * (0.25 * 0.0005), 20);
  EXPECT_NEAR(stress_of(run, "n1_m2_10000_40000"), k * 0.0005, 20);
  EXPECT_NEAR(stress.trees[0].volume_um3, 40, 1e-9);
  EXPECT_NEAR(stress.trees[1].volume_um3, 40, 1e-9);
}

/// A resistor with `m=`, also of its instance, against as many written one by one: one copy has the same drive, and all
/// of them are metal.
TEST(Stress, OfCopiesIsThatOfAllWiresInParallel) {
  const auto deck = [](const std::string& copies) {
    return "* dbu: 1000\n.subckt wires a b\nR1 a b 12\n.ends\nV1 n1_m1_0_0 0 1\n" + copies +
           "R3 n1_m1_10000_0 n1_m1_50000_0 1\nI1 n1_m1_50000_0 0 9m\n.end\n";
  };
  const std::string ends = " n1_m1_0_0 n1_m1_10000_0 ";
  std::string one_by_one;
  for (int k = 0; k < 6; ++k) one_by_one += fmt::format("R1{}{}12\n", k, ends);
  IrOptions options = with_stress();
  options.stress->lifetime = LifetimeOptions{1e12};
  const Analysed wires(deck(one_by_one), options);
  const double microseconds = 1e-6 * wires.result.stress->lifetime->trees.at(0).time_s;
  for (const std::string& copies : {"R1" + ends + "12 m=6\n", "R1" + ends + "12 m=2\nR2" + ends + "12 m=4\n",
                                    "X1" + ends + "wires m=6\n", "X1" + ends + "wires m=5\nR1" + ends + "12\n"}) {
    const Analysed run(deck(copies), options);
    EXPECT_NEAR(run.result.stress->trees.at(0).volume_um3, 6 * 5 + 20, 1e-9) << copies;
    for (const char* node : {"n1_m1_0_0", "n1_m1_10000_0", "n1_m1_50000_0"})
      EXPECT_NEAR(stress_of(run, node), stress_of(wires, node), 1) << copies;
    EXPECT_NEAR(1e-6 * run.result.stress->lifetime->trees.at(0).time_s, microseconds, 1e-6 * microseconds) << copies;
  }
}

/// Three wires of 10 µm, drawn 0.5 µm wide but for two slivers of 10 nm: of one 0.2 µm are metal, of the other nothing
/// more is known.
TEST(Stress, WeighsSliversByTheMetalBesideThem) {
  auto placement = std::make_shared<Placement>();
  placement->layers = {{"m1", 0.5}};
  placement->width = {500, 10, 10};
  placement->slivers = {{1, 200}, {2, 0}};
  placement->cuts.assign(3, 0);
  placement->dbu_per_um = 1000;
  const Analysed run(
      "* dbu: 1000\nV1 n1_m1_0_0 0 1\nR1 n1_m1_0_0 n1_m1_10000_0 1\nR2 n1_m1_10000_0 n1_m1_20000_0 1\n"
      "R3 n1_m1_20000_0 n1_m1_30000_0 1\nI1 n1_m1_30000_0 0 1m\n.end\n",
      with_stress({}), placement);
  ASSERT_TRUE(run.result.stress->trees.at(0).is_known);
  EXPECT_NEAR(run.result.stress->trees[0].volume_um3, 10 * (0.5 + 0.2 + 0.01) * 0.5, 1e-9);
}

/// A ground net: its potential rises from the pads, so that metal is thinnest there.
TEST(Stress, OfAGroundNetIsLargestAtItsPads) {
  const Analysed run("* dbu: 1000\nV1 n1_m1_0_0 0 0\nR1 n1_m1_0_0 n1_m1_10000_0 1\nI1 0 n1_m1_10000_0 1m\n.end\n",
                     with_stress());
  EXPECT_NEAR(stress_of(run, "n1_m1_0_0"), run.result.stress->pa_per_volt() * 0.0005, 20);
}

StressTree only_tree(const std::string& deck, const IrOptions& options = with_stress()) {
  const Analysed run("* dbu: 1000\nV1 n1_m1_0_0 0 1\n" + deck + ".end\n", options);
  const auto& trees = run.result.stress->trees;
  EXPECT_EQ(trees.size(), 1u) << deck;
  return trees.empty() ? StressTree{} : trees[0];
}

TEST(Stress, IsUnknownWhereGeometryIs) {
  const std::string wire = "R1 n1_m1_0_0 n1_m1_10000_0 1m\nI1 n1_m1_10000_0 0 1m\n";
  EXPECT_EQ(only_tree(wire).verdict, StressVerdict::immortal);
  EXPECT_FALSE(only_tree(wire, with_stress({})).is_known) << "no cross-section";
  EXPECT_FALSE(only_tree(wire, with_stress({{"m1", 1, 0, ""}})).is_known) << "no thickness";
  EXPECT_FALSE(only_tree(wire, with_stress({{"m1", 0, 1, ""}})).is_known) << "no width";
  EXPECT_FALSE(only_tree(wire + "R2 n1_m1_10000_0 stub 1\n").is_known) << "a stub on no layer";
  EXPECT_FALSE(only_tree(wire + "V2 n1_m1_10000_0 n1_m1_20000_0 0\nR2 n1_m1_20000_0 n1_m1_30000_0 1\n"
                                "R3 n1_m1_30000_0 n1_m1_0_0 1\n")
                   .is_known)
      << "a source of 0 V in a wire";
  EXPECT_EQ(only_tree(wire + "V2 pad 0 1\nR2 pad n1_m1_10000_0 1\n").verdict, StressVerdict::immortal) << "a pad";
  EXPECT_EQ(only_tree(wire + "V2 pad 0 1\nR2 pad mid 1\nL2 mid n1_m1_10000_0 1n\n").verdict, StressVerdict::immortal)
      << "a package";
}

/// Whatever number of elements lies between two pieces of metal.
TEST(Stress, IsUnknownWhereAnythingElseJoinsMetal) {
  const auto expect_unknown = [](const std::string& deck) {
    const Analysed run("* dbu: 1000\nV1 n1_m1_0_0 0 1\n" + deck + "I1 n1_m1_20000_0 0 4m\n.end\n", with_stress());
    const StressReport& stress = *run.result.stress;
    EXPECT_FALSE(stress.trees.empty()) << deck;
    EXPECT_EQ(stress.unknown, std::ssize(stress.trees)) << deck;
  };
  const std::string wire = "R1 n1_m1_0_0 n1_m1_10000_0 1\n", other = "R3 n1_m1_10000_000 n1_m1_20000_0 1\n";
  for (const char* kind : {"R", "V", "L"}) {
    const char* value = *kind == 'R' ? "1m" : *kind == 'V' ? "0" : "1p";
    expect_unknown(wire + other + fmt::format("{0}a n1_m1_10000_0 n1_m1_10000_00 {1}\n", kind, value) +
                   fmt::format("{0}b n1_m1_10000_00 n1_m1_10000_000 {1}\n", kind, value));
    expect_unknown(wire + other + fmt::format("{0}a n1_m1_10000_0 x 1m\nRb x n1_m1_10000_00 1m\n", "R") +
                   fmt::format("{0}c n1_m1_10000_00 n1_m1_10000_000 {1}\n", kind, value));
  }
  expect_unknown(wire + "Ra n1_m1_10000_0 x 1\nLa x n1_m1_20000_0 1p\n");
  expect_unknown("Ra n1_m1_0_0 x 1\nLa x n1_m1_10000_0 1p\nRb n1_m1_10000_0 y 1\nLb y n1_m1_20000_0 1p\n");
  expect_unknown("La n1_m1_0_0 x 1p\nRa x n1_m1_10000_0 1\nRb n1_m1_10000_0 n1_m1_20000_0 1\n");
}

/// Nodes 5 µm, 1 µm and 54 µm apart, at 1 V and 0.99 V by turns: the stress of the third falls from 126 MPa.
TEST(Stress, IsImmortalOnlyBelowItsCeiling) {
  const std::string line =
      "V2 n1_m1_5000_0 0 {0}\nV3 n1_m1_6000_0 0 1\nV4 n1_m1_60000_0 0 {0}\nR1 n1_m1_0_0 n1_m1_5000_0 1\n"
      "R2 n1_m1_5000_0 n1_m1_6000_0 1\nR3 n1_m1_6000_0 n1_m1_60000_0 1\n";
  IrOptions options = with_stress();
  options.stress->metal.critical_stress_pa = 80e6;
  const StressTree above = only_tree(fmt::format(fmt::runtime(line), 0.99), options);
  EXPECT_LT(above.stress_pa + above.bound_pa, 80e6);
  EXPECT_EQ(above.verdict, StressVerdict::undecided);
  const StressTree below = only_tree(fmt::format(fmt::runtime(line), 0.995), options);
  EXPECT_LT(below.ceiling_pa, 80e6);
  EXPECT_EQ(below.verdict, StressVerdict::immortal);
}

struct NoNames : MadeNames {
  Sink sink(int64_t) const override { return {}; }
};

/// Of a layout, straps may go on beyond their last nodes.
TEST(Stress, BoundsAllowForEndsOfStraps) {
  Circuit circuit =
      read_netlist_text("* dbu: 1000\nV1 n1_m1_0_0 0 1\nR1 n1_m1_0_0 n1_m1_10000_0 1\nI1 n1_m1_10000_0 0 4m\n.end\n");
  IrOptions options = with_stress();
  const IrReport deck = analyse_ir_drop(circuit, options);
  EXPECT_EQ(deck.stress->trees.at(0).verdict, StressVerdict::immortal) << "a wire of 27 MPa";
  auto placement = std::make_shared<Placement>();
  placement->layers = {{"m1", 0.5}};
  placement->width = {1000};
  placement->cuts = {0};
  placement->dbu_per_um = 1000;
  circuit.placement = placement;
  circuit.made_names = std::make_shared<NoNames>();
  const IrReport layout = analyse_ir_drop(circuit, options);
  const StressTree& tree = layout.stress->trees.at(0);
  EXPECT_EQ(tree.verdict, StressVerdict::undecided);
  EXPECT_GE(tree.stress_pa + tree.bound_pa, layout.stress->pa_per_volt() * 0.004) << "ends at the high side";
  EXPECT_TRUE(std::ranges::any_of(layout.findings,
                                  [](const Finding& f) { return std::string_view(f.code) == "stress-strap-ends"; }));
}

TEST(Stress, BranchesWithoutCurrentAreNoMetal) {
  const std::string wire = "R1 n1_m1_0_0 n1_m1_10000_0 1m\nI1 n1_m1_10000_0 0 1m\n";
  EXPECT_EQ(only_tree(wire + "R2 n1_m1_10000_0 c 1\nC2 c 0 1p\n").verdict, StressVerdict::immortal);
  EXPECT_EQ(only_tree(wire + "R2 n1_m1_10000_0 c 1\nL2 c d 1p\nC2 d 0 1p\n").verdict, StressVerdict::immortal);
}

TEST(Stress, WiresBetweenSuppliesAreMetal) {
  const StressTree tree = only_tree("V2 n1_m1_10000_0 0 0\nR1 n1_m1_0_0 n1_m1_10000_0 1\n");
  EXPECT_TRUE(tree.is_known);
  EXPECT_EQ(tree.verdict, StressVerdict::mortal);
}

TEST(Stress, ShortsAreMetal) {
  const StressTree ring = only_tree(
      "R1 n1_m1_0_0 n1_m1_10000_0 0\nR2 n1_m1_10000_0 n1_m1_10000_10000 0\nR3 n1_m1_10000_10000 n1_m1_0_0 0\n"
      "R4 n1_m1_0_0 n1_m1_0_10000 1\nI1 n1_m1_0_10000 0 1m\n");
  EXPECT_TRUE(ring.is_known);
  EXPECT_EQ(ring.segments, 4);
  EXPECT_NEAR(ring.volume_um3, 0.5 * (30 + std::sqrt(200.0)), 1e-9);
}

TEST(Stress, OfOneNodeIsNone) {
  const Analysed run("* dbu: 1000\nV1 n1_m2_0_0 0 1\nR1 n1_m2_0_0 n1_m1_0_0 1\nI1 n1_m1_0_0 0 1m\n.end\n",
                     with_stress());
  EXPECT_TRUE(run.result.stress->trees.empty());
}

TEST(Stress, IsCertifiedOnlyWhereVoltagesAre) {
  const StressTree tree = only_tree(
      "R1 n1_m1_0_0 n1_m1_10000_0 1m\nR2 n1_m1_10000_0 n1_m1_20000_0 1m\nG1 n1_m1_20000_0 0 n1_m1_10000_0 0 1u\n");
  EXPECT_TRUE(tree.is_known);
  EXPECT_EQ(tree.verdict, StressVerdict::undecided);
  EXPECT_FALSE(std::isfinite(tree.bound_pa));
}

TEST(Stress, UsualValuesHaveSources) {
  for (const MetalParameter& parameter : metal_parameters()) EXPECT_FALSE(parameter.source.empty()) << parameter.name;
}

}  // namespace
}  // namespace gridiron
