// SPDX-License-Identifier: Apache-2.0
// Times to the nucleation of voids, and their random samples.
#include "analysis/results/stress/lifetime.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "analysis/results/stress/lifetime_samples.hpp"
#include "analysis/run/ir_drop.hpp"
#include "netlist/reader.hpp"

namespace gridiron {
namespace {

/// Copper at a temperature at which something happens.
MetalParameters hot_metal() {
  MetalParameters metal = usual_metal();
  metal.temperature_c = 300;
  return metal;
}

StressReport stress_of(const std::string& deck, const LifetimeOptions& lifetime,
                       const MetalParameters& metal = hot_metal()) {
  const Circuit circuit = read_netlist_text("* dbu: 1000\nV1 n1_m1_0_0 0 1\n" + deck + ".end\n");
  IrOptions options;
  options.stress = StressOptions{metal, {{"m1", 1, 0.5, ""}}, std::nullopt, lifetime};
  options.tolerance_v = 1e-9;
  return *analyse_ir_drop(circuit, options).stress;
}

LifetimeReport lifetime_of(const std::string& deck, const LifetimeOptions& lifetime,
                           const MetalParameters& metal = hot_metal()) {
  return *stress_of(deck, lifetime, metal).lifetime;
}

/// A wire of 100 µm with a drop of 10 mV, and so ±68 MPa in the end.
const std::string kWire = "R1 n1_m1_0_0 n1_m1_100000_0 1\nI1 n1_m1_100000_0 0 10m\n";

/// What the end of a blocked line has reached of its end value after a time, in L²/κ.
double share_at(double time) {
  double sum = 0;
  for (int n = 1; n < 4000; n += 2) sum += std::exp(-n * n * std::numbers::pi * std::numbers::pi * time) / (n * n);
  return 1 - 8 / (std::numbers::pi * std::numbers::pi) * sum;
}

/// When it reaches a share.
double time_of_share(double share) {
  double low = 0, high = 10;
  for (int k = 0; k < 60; ++k) (share_at((low + high) / 2) < share ? low : high) = (low + high) / 2;
  return low;
}

TEST(Lifetime, IsWithinItsErrorEstimate) {
  MetalParameters metal = hot_metal();
  for (const double critical : {5e6, 20e6, 41e6, 60e6, 67.7e6}) {
    metal.critical_stress_pa = critical;
    const StressReport stress = stress_of(kWire, {1e12}, metal);
    const LifetimeReport& lifetime = *stress.lifetime;
    ASSERT_EQ(lifetime.nucleating, 1);
    const TreeLifetime& tree = lifetime.trees[0];
    const double end = stress.pa_per_volt() * 0.005;
    const double exact = time_of_share(critical / end) * 1e-8 / stress_diffusivity(metal);
    EXPECT_LE(std::abs(tree.time_s - exact), tree.error_s) << critical;
    EXPECT_LT(tree.error_s, 0.05 * exact) << critical;
    EXPECT_EQ(tree.node, 2) << "the low end";
  }
}

/// Where stress hardly rises any more, what is left of it decides.
TEST(Lifetime, IsWithinItsErrorEstimateCloseToSaturation) {
  MetalParameters metal = hot_metal();
  const double end = stress_of(kWire, {1}, metal).pa_per_volt() * 0.005;
  for (const double margin : {1e-3, 1e-4, 1e-5, 3e-6, 1e-6, 3e-7, 1e-7}) {
    metal.critical_stress_pa = end / (1 + margin);
    const LifetimeReport lifetime = lifetime_of(kWire, {1e12}, metal);
    const double exact = time_of_share(1 / (1 + margin)) * 1e-8 / stress_diffusivity(metal);
    for (const TreeLifetime& tree : lifetime.trees) EXPECT_LE(std::abs(tree.time_s - exact), tree.error_s) << margin;
  }
}

TEST(Lifetime, OfMetalThatIsCriticalFromTheStartEndsWhereStressIsLargest) {
  MetalParameters metal = hot_metal();
  for (const double residual : {41e6, 42e6}) {
    metal.residual_stress_pa = residual;
    const LifetimeReport lifetime = lifetime_of(kWire, {1e12}, metal);
    ASSERT_EQ(lifetime.nucleating, 1);
    EXPECT_EQ(lifetime.trees[0].time_s, 0);
    EXPECT_EQ(lifetime.trees[0].node, 2) << "the low end";
  }
}

TEST(Lifetime, IsUndecidedOnlyWithinItsError) {
  const std::string loop =
      "R1 n1_m1_0_0 n1_m1_10000_0 1\nR2 n1_m1_10000_0 n1_m1_20000_0 1\nR3 n1_m1_0_0 n1_m1_0_5000 1\n"
      "R4 n1_m1_0_5000 n1_m1_20000_5000 2\nR5 n1_m1_20000_5000 n1_m1_20000_0 1\nI1 n1_m1_20000_0 0 30m\n"
      "I2 n1_m1_10000_0 0 12m\n";
  const LifetimeReport whole = lifetime_of(loop, {1e12});
  ASSERT_EQ(whole.nucleating, 1);
  const TreeLifetime& tree = whole.trees[0];
  ASSERT_LT(tree.error_s, 0.05 * tree.time_s);
  for (const double share : {0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 1.05}) {
    const LifetimeReport lifetime = lifetime_of(loop, {share * tree.time_s});
    EXPECT_EQ(lifetime.undecided, 0) << share;
    EXPECT_EQ(lifetime.nucleating, share > 1) << share;
  }
}

/// A tree whose nodes sources hold.
struct HeldTree {
  std::vector<std::pair<double, double>> places_um;
  std::vector<double> volts;
  std::vector<std::pair<int, int>> wires;

  LifetimeReport lifetime(double critical_pa, double horizon_s = 1e300) const {
    MetalParameters metal = usual_metal();
    metal.critical_stress_pa = critical_pa;
    const auto node = [&](int k) {
      return fmt::format("n1_m1_{}_{}", std::lround(1000 * places_um[k].first),
                         std::lround(1000 * places_um[k].second));
    };
    std::string deck = "* dbu: 1000\n";
    for (int k = 0; k < std::ssize(volts); ++k) deck += fmt::format("V{} {} 0 {:.17g}\n", k, node(k), volts[k]);
    int count = 0;
    for (const auto& [a, b] : wires) deck += fmt::format("R{} {} {} 1\n", count++, node(a), node(b));
    const Circuit circuit = read_netlist_text(deck + ".end\n");
    IrOptions options;
    options.stress = StressOptions{metal, {{"m1", 1, 0.5, ""}}, std::nullopt, LifetimeOptions{horizon_s}};
    return *analyse_ir_drop(circuit, options).stress->lifetime;
  }
};
const HeldTree kTurningLine{{{0, 0}, {5, 0}, {6, 0}, {60, 0}}, {1, .985, 1, .99}, {{0, 1}, {1, 2}, {2, 3}}};

/// Times by numerical inversion of the Laplace transform, to ten digits.
TEST(Lifetime, IsWithinItsErrorEstimateInTrees) {
  const HeldTree star{{{0, 0}, {0, -21.505}, {0.003, 0}, {0, -66.271}},
                      {.9989278777581895, .995358163300761, 1, 1},
                      {{0, 1}, {0, 2}, {0, 3}, {0, 3}}};
  const std::pair<LifetimeReport, double> cases[] = {{kTurningLine.lifetime(139209522.1), 2.245403e9},
                                                     {star.lifetime(41e6), 1.176106e11}};
  for (const auto& [lifetime, exact] : cases) {
    ASSERT_EQ(lifetime.nucleating, 1);
    EXPECT_LE(std::abs(lifetime.trees[0].time_s - exact), lifetime.trees[0].error_s) << exact;
    EXPECT_LT(lifetime.trees[0].error_s, 0.02 * exact) << exact;
  }
}

/// Its stress rises to 154.677 MPa, and ends at 132.16 MPa.
TEST(Lifetime, IsUndecidedWhereAPeakIsCloseToCritical) {
  EXPECT_EQ(kTurningLine.lifetime(154.0e6).nucleating, 1);
  for (const double critical : {154.6618e6, 154.69e6}) {
    const LifetimeReport close = kTurningLine.lifetime(critical);
    EXPECT_EQ(close.nucleating + close.undecided, 1) << critical;
  }
  const LifetimeReport clear = kTurningLine.lifetime(160e6);
  EXPECT_EQ(clear.nucleating + clear.undecided, 0);
  ASSERT_EQ(clear.trees.size(), 1u);
  EXPECT_EQ(clear.trees[0].node, kGround);
}

TEST(Lifetime, IsUndecidedWhereTheHorizonIsWithinTheError) {
  const TreeLifetime tree = kTurningLine.lifetime(139209522.1).trees[0];
  const LifetimeReport close = kTurningLine.lifetime(139209522.1, tree.time_s - 0.5 * tree.error_s);
  EXPECT_EQ(close.nucleating, 0);
  EXPECT_EQ(close.undecided, 1);
  EXPECT_NE(close.trees[0].node, kGround);
  const LifetimeReport before = kTurningLine.lifetime(139209522.1, tree.time_s - 1.5 * tree.error_s);
  EXPECT_EQ(before.nucleating + before.undecided, 0);
}

TEST(Lifetime, ScalesWithDiffusivity) {
  MetalParameters metal = hot_metal();
  const double once = lifetime_of(kWire, {1e12}, metal).trees[0].time_s;
  metal.diffusivity_m2_s *= 2;
  EXPECT_NEAR(lifetime_of(kWire, {1e12}, metal).trees[0].time_s / once, 0.5, 1e-9);
  EXPECT_NEAR(stress_diffusivity(usual_metal()), 3.877e-21, 0.001e-21) << "by hand";
}

TEST(Lifetime, HasTheCourseWhereVoidsNucleateFirst) {
  const StressReport stress = stress_of(kWire, {1e12});
  const LifetimeReport& lifetime = *stress.lifetime;
  ASSERT_EQ(lifetime.curves.size(), 1u);
  const auto& [time_s, stress_pa] = lifetime.curves[0];
  ASSERT_EQ(time_s.size(), stress_pa.size());
  EXPECT_EQ(time_s.front(), 0);
  EXPECT_NEAR(time_s.back() / (20 * lifetime.trees[0].time_s), 1, 0.01);
  const double end = stress.pa_per_volt() * 0.005;
  for (size_t k = 1; k < time_s.size(); ++k) {
    const double share = stress_pa[k] / end;
    if (share < 0.05 || share > 0.95) continue;
    EXPECT_NEAR(time_s[k] * stress_diffusivity(hot_metal()) / 1e-8 / time_of_share(share), 1, 0.05) << share;
  }
  EXPECT_TRUE(lifetime_of(kWire, {1e-6}).curves.empty());
}

/// At its points, and on the straight lines between them, as they are drawn.
TEST(Lifetime, CoursesAreThoseOfTheCosineSeries) {
  constexpr double kEarliest = 0.01, kClose = 1e-3;
  const double unit_s = 1e-8 / stress_diffusivity(hot_metal());  // L²/κ
  for (const int milliamperes : {7, 10, 20, 40, 80}) {
    const StressReport stress =
        stress_of(fmt::format("R1 n1_m1_0_0 n1_m1_100000_0 1\nI1 n1_m1_100000_0 0 {}m\n", milliamperes), {1e12});
    ASSERT_EQ(stress.lifetime->curves.size(), 1u);
    const auto& [time_s, stress_pa] = stress.lifetime->curves[0];
    const double end = stress.pa_per_volt() * 0.5e-3 * milliamperes;
    for (size_t k = 1; k < time_s.size(); ++k) {
      const double time = time_s[k] / unit_s, middle = 0.5 * (time_s[k - 1] + time_s[k]) / unit_s;
      if (time >= kEarliest) {
        EXPECT_NEAR(stress_pa[k] / end, share_at(time), kClose) << milliamperes << " mA at " << time;
      }
      if (time_s[k - 1] / unit_s >= kEarliest) {
        EXPECT_NEAR(0.5 * (stress_pa[k - 1] + stress_pa[k]) / end, share_at(middle), kClose)
            << milliamperes << " mA, between, at " << middle;
      }
    }
  }
}

TEST(Lifetime, EndsAtTheHorizon) {
  const double time = lifetime_of(kWire, {1e12}).trees[0].time_s;
  const LifetimeReport before = lifetime_of(kWire, {0.9 * time});
  EXPECT_EQ(before.nucleating, 0);
  EXPECT_FALSE(before.trees[0].nucleates());
  EXPECT_EQ(lifetime_of(kWire, {1.1 * time}).nucleating, 1);
  EXPECT_TRUE(lifetime_of("R1 n1_m1_0_0 n1_m1_100000_0 1\nI1 n1_m1_100000_0 0 1m\n", {1e12}).trees.empty());
}

TEST(Lifetime, TiesOfNoLengthAreOnePoint) {
  const std::string tied = "R0 n1_m1_0_0 x_m1_0_0 0\nR1 x_m1_0_0 n1_m1_100000_0 1\nI1 n1_m1_100000_0 0 10m\n";
  const LifetimeReport lifetime = lifetime_of(tied, {1e12});
  ASSERT_EQ(lifetime.trees.size(), 1u);
  EXPECT_NEAR(lifetime.trees[0].time_s / lifetime_of(kWire, {1e12}).trees[0].time_s, 1, 1e-9);
}

/// Thirty wires of several currents beside each other.
std::string many_wires() {
  std::string deck;
  for (int k = 1; k <= 30; ++k)
    deck += fmt::format(
        "V{0} n1_m1_0_{0}000 0 1\nR{0} n1_m1_0_{0}000 n1_m1_100000_{0}000 1\n"
        "I{0} n1_m1_100000_{0}000 0 {1}m\n",
        k + 1, 7 + 0.1 * k);
  return deck;
}

TEST(Lifetime, SamplesAreTheLeastOfAllTrees) {
  const double horizon = 3 * lifetime_of(many_wires(), {1e12}).trees.back().time_s;
  const LifetimeOptions options{horizon, 500, 0.5, 7};
  const LifetimeReport lifetime = lifetime_of(many_wires(), options);
  ASSERT_TRUE(lifetime.samples);
  const LifetimeSamples& samples = *lifetime.samples;
  ASSERT_EQ(samples.percentiles.size(), 4u);
  const double first = lifetime.first_trees()[0].time_s;
  for (const LifetimePercentile& row : samples.percentiles) {
    EXPECT_LE(row.low_s, row.time_s);
    EXPECT_LE(row.time_s, row.high_s);
    EXPECT_LT(row.time_s, first) << "of thirty trees one is fast";
  }
  EXPECT_EQ(samples.censored, 0);
}

TEST(Lifetime, SamplesOfOneTreeAreLognormal) {
  const double time = lifetime_of(kWire, {1e12}).trees[0].time_s;
  const LifetimeReport lifetime = lifetime_of(kWire, {time, 4000, 0.3, 1});
  const LifetimeSamples& samples = *lifetime.samples;
  EXPECT_NEAR(static_cast<double>(samples.censored) / 4000, 0.5, 0.03) << "half of them are slower";
  EXPECT_NEAR(std::log(samples.percentiles[2].time_s / time) / 0.3, -1.2816, 0.1) << "10 %";
  EXPECT_EQ(lifetime.nucleating, 1);
}

TEST(Lifetime, HasTheSameBitsOnAnyThreads) {
  const LifetimeOptions options{1e12, 100, 0.5, 3};
  const int threads = omp_get_max_threads();
  omp_set_num_threads(1);
  const LifetimeReport one = lifetime_of(many_wires(), options);
  omp_set_num_threads(5);
  const LifetimeReport five = lifetime_of(many_wires(), options);
  omp_set_num_threads(threads);
  ASSERT_EQ(one.trees.size(), five.trees.size());
  for (size_t k = 0; k < one.trees.size(); ++k) {
    EXPECT_EQ(one.trees[k].time_s, five.trees[k].time_s);
    EXPECT_EQ(one.trees[k].error_s, five.trees[k].error_s);
  }
  for (size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(one.samples->percentiles[k].time_s, five.samples->percentiles[k].time_s);
    EXPECT_EQ(one.samples->percentiles[k].high_s, five.samples->percentiles[k].high_s);
  }
}

TEST(Lifetime, RanksOfQuantiles) {
  // Of 100 values, the median lies between the 40th and the 61st with 96.5 % (H. A. David, Order Statistics).
  EXPECT_EQ(quantile_ranks(100, 0.5).low, 40);
  EXPECT_EQ(quantile_ranks(100, 0.5).high, 61);
  EXPECT_EQ(quantile_ranks(5, 0.5).low, 0) << "too few";
  EXPECT_EQ(quantile_ranks(5, 0.5).high, 6);
  EXPECT_EQ(quantile_ranks(1000, 0.001).low, 0);
}

}  // namespace
}  // namespace gridiron
