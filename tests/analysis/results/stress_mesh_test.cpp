// SPDX-License-Identifier: Apache-2.0
// The course of stress in time, against the series of a blocked line, its steady state and plain elimination.
#include "analysis/results/stress/stress_mesh.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>
#include <random>

#include "analysis/results/stress/nucleation.hpp"
#include "analysis/results/stress/stress_modes.hpp"
#include "tests/analysis/results/stress_course.hpp"

namespace gridiron {
namespace {

using test::StressCourse;

constexpr double kPi = std::numbers::pi;

/// Of a blocked line at its low end, as a share of the end value: 1 − 8/π² Σ exp(−n² π² κt/L²) / n² over odd n.
double blocked_line(double share_of_time) {
  double sum = 0;
  for (int n = 1; n < 4000; n += 2) sum += std::exp(-n * n * kPi * kPi * share_of_time) / (n * n);
  return 1 - 8 / (kPi * kPi) * sum;
}

constexpr double kLength = 80, kEnd = 50e6;

/// Its stress ends at ±kEnd.
StressGraph line() { return {{2 * kEnd, 0}, {{0, 1, kLength, 0.5}}}; }

/// In equal steps up to κt = `share` L².
double end_stress(const StressMesh& mesh, double share, int steps) {
  StressCourse course(mesh, 0);
  for (int k = 0; k < steps; ++k) course.step(share * kLength * kLength / steps);
  return course.stress_pa(1);
}

TEST(StressCourse, FollowsTheSeriesOfABlockedLine) {
  const StressMesh mesh(line(), 0.005 * kLength, false);
  StressCourse course(mesh, 0);
  for (const double share : {0.01, 0.03, 0.1, 0.3, 1.0}) {
    const double until = share * kLength * kLength;
    while (course.time() < until * (1 - 1e-12))
      course.step(std::min(std::max(1e-4 * kLength * kLength, 0.1 * course.time()), until - course.time()));
    EXPECT_NEAR(course.stress_pa(1) / kEnd, blocked_line(share), 1e-3) << share;
    EXPECT_NEAR(course.stress_pa(0) / kEnd, -blocked_line(share), 1e-3) << share;
  }
}

TEST(StressCourse, StepsAreOfSecondOrder) {
  const StressMesh mesh(line(), 0.01 * kLength, false);
  const double exact = end_stress(mesh, 0.2, 1024);
  for (const int steps : {16, 32, 64}) {
    const double error = end_stress(mesh, 0.2, steps) - exact, of_half = end_stress(mesh, 0.2, 2 * steps) - exact;
    EXPECT_NEAR(std::abs(error / of_half), 4, 1) << steps;
  }
}

TEST(StressCourse, CellsAreOfSecondOrder) {
  const double coarse = end_stress(StressMesh(line(), 0.02 * kLength, true), 0.1, 256) / kEnd - blocked_line(0.1);
  const double fine = end_stress(StressMesh(line(), 0.02 * kLength, false), 0.1, 256) / kEnd - blocked_line(0.1);
  EXPECT_NEAR(coarse / fine, 4, 1);
}

TEST(StressCourse, EndsInTheSteadyStateOfAKnownLine) {
  const double length_um[] = {20, 25, 15, 10, 30}, density[] = {-2e10, 1e10, 1.5e10, -1e10, 0.5e10};
  constexpr double kPaPerVolt = 1.602176634e-19 / 1.182e-29, kResistivity = 2.25e-8;
  StressGraph graph;
  graph.drive_pa = {0};
  for (int k = 0; k < 5; ++k) {
    graph.drive_pa.push_back(graph.drive_pa.back() - kPaPerVolt * kResistivity * density[k] * length_um[k] * 1e-6);
    graph.segments.push_back({k, k + 1, length_um[k], 0.5});
  }
  const StressMesh mesh(graph, 1, false);
  StressCourse course(mesh, 0);
  for (int k = 0; k < 40; ++k) course.step(1e4);
  const double known_mpa[] = {29.545, -92.448, -16.202, 52.419, 21.921, 67.668};
  for (int k = 0; k < 6; ++k) EXPECT_NEAR(1e-6 * course.stress_pa(k), known_mpa[k], 1e-3) << k;
  EXPECT_EQ(course.worst_node(), 5);
}

/// Wires of all widths with T junctions and loops.
StressGraph random_metal(uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto any = [&](double low, double high) { return low + (high - low) * (random() >> 11) * 0x1p-53; };
  StressGraph graph;
  const int nodes = 3 + static_cast<int>(random() % 12);
  for (int n = 0; n < nodes; ++n) graph.drive_pa.push_back(any(-50e6, 50e6));
  for (int n = 1; n < nodes; ++n)
    graph.segments.push_back({static_cast<int>(random() % n), n, any(1, 200), any(0.1, 3)});
  for (uint64_t loops = random() % 6; loops > 0; --loops) {
    const int a = static_cast<int>(random() % nodes), b = static_cast<int>(random() % nodes);
    if (a != b) graph.segments.push_back({a, b, any(1, 200), any(0.1, 3)});
  }
  return graph;
}

TEST(StressCourse, KeepsAtomsAndEndsInTheSteadyState) {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    const StressGraph graph = random_metal(seed);
    double volume = 0, sum = 0;
    for (const StressGraph::Segment& s : graph.segments) {
      volume += s.length_um * s.area_um2;
      sum += 0.5 * s.length_um * s.area_um2 * (graph.drive_pa[s.a] + graph.drive_pa[s.b]);
    }
    const StressMesh mesh(graph, 5, seed % 2 == 1);
    StressCourse course(mesh, 3e6);
    for (double step = 1; step < 1e9; step *= 3) course.step(step);
    for (int n = 0; n < std::ssize(graph.drive_pa); ++n)
      EXPECT_NEAR(course.stress_pa(n), 3e6 + sum / volume - graph.drive_pa[n], 1) << seed;
  }
}

TEST(StressModes, FollowTheSeriesOfABlockedLine) {
  const StressMesh mesh(line(), 0.005 * kLength, false);
  for (const double scale : {0.01, 0.1, 1.0}) {
    StressModes modes(mesh, 0, scale * kLength * kLength);
    for (const double times : {0.25, 0.5, 1.0, 2.0, 4.0}) {
      const double share = times * scale;
      const StressModes::Worst worst = modes.worst(share * kLength * kLength);
      EXPECT_EQ(worst.node, 1);
      EXPECT_NEAR(worst.stress_pa / kEnd, blocked_line(share), 1e-3) << share;
    }
  }
}

/// Against many steps in time, by the same cells, from a quarter to four times of a time.
TEST(StressModes, AgreeWithStepsWithinTheirError) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const StressGraph graph = random_metal(seed);
    const StressMesh mesh(graph, 2, seed % 2 == 1);
    const double scale = std::pow(10.0, 1.0 + seed % 5);
    StressModes modes(mesh, 3e6, scale);
    StressCourse course(mesh, 3e6);
    for (const double until : {0.25 * scale, scale, 4 * scale}) {
      const double length = until < scale ? until / 1000 : scale / 1000;
      while (course.time() < until * (1 - 1e-9)) course.step(std::min(length, until - course.time()));
      for (int n = 0; n < mesh.nodes(); ++n)
        EXPECT_NEAR(modes.stress_pa(n, until), course.stress_pa(n), modes.error_pa(n, until) + 2e3) << seed;
      EXPECT_LT(modes.error_pa(course.worst_node(), until), 1e6) << seed;
      const double step = 1e-4 * until, slope = modes.slope(0, until);
      const double rise = modes.stress_pa(0, until + step) - modes.stress_pa(0, until - step);
      EXPECT_NEAR(slope * until, rise / (2 * step) * until, 1e-4 * std::abs(slope * until) + 1) << seed;
    }
  }
}

TEST(StressCourse, FindsWhenAStressIsReached) {
  for (const double share : {0.002, 0.01, 0.1, 0.3}) {
    const double critical = kEnd * blocked_line(share), time = share * kLength * kLength;
    const Nucleation found = find_nucleation(line(), {0, critical, 1e9});
    EXPECT_EQ(found.node, 1);
    EXPECT_NEAR(found.time / time, 1, 0.02) << share;
    const Nucleation beyond = find_nucleation(line(), {0, critical, 0.9 * time});
    EXPECT_GT(beyond.time - beyond.error, 0.9 * time) << "not until the horizon";
    EXPECT_EQ(find_nucleation(line(), {0, critical, 0.5 * time}).node, -1) << "long after the horizon";
    EXPECT_NEAR(find_nucleation(line(), {1e6, critical + 1e6, 1e9}).time / found.time, 1, 1e-5) << "residual stress";
  }
  EXPECT_EQ(find_nucleation(line(), {0, 1.01 * kEnd, 1e12}).node, -1) << "never";
  EXPECT_EQ(find_nucleation(line(), {2e6, 1e6, 1e12}).time, 0) << "from the start";
}

/// What trees that cannot nucleate a void until the horizon are left out by.
TEST(StressCourse, RisesNoFasterThanAtABlockedEndButAtJunctions) {
  constexpr double kRise = 20e6;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    const StressGraph graph = random_metal(seed);
    const double time = 0.25 * graph.least_time(kRise);
    const StressMesh mesh(graph, 0.05 * std::sqrt(time), false);
    StressCourse course(mesh, 0);
    for (int k = 0; k < 100; ++k) course.step(time / 100);
    EXPECT_LT(course.stress_pa(course.worst_node()), 0.6 * kRise) << seed;
  }
}

/// On the way to 20 MPa the low end of a short steep wire is drawn up beyond, as its high end has no outlet yet.
TEST(StressCourse, MayPassAboveTheSteadyState) {
  const StressGraph graph{{0, 100e6, 10e6}, {{0, 1, 10, 1}, {1, 2, 1000, 0.05}, {2, 3, 1000, 1}}};
  StressGraph whole = graph;
  whole.drive_pa.push_back(10e6);
  double volume = 0, sum = 0;
  for (const StressGraph::Segment& s : whole.segments) {
    volume += s.length_um * s.area_um2;
    sum += 0.5 * s.length_um * s.area_um2 * (whole.drive_pa[s.a] + whole.drive_pa[s.b]);
  }
  EXPECT_LT(sum / volume, 20e6);
  EXPECT_EQ(find_nucleation(whole, {0, 25e6, 1e9}).node, 0);
}

TEST(GraphElimination, SolvesGraphsWithLoops) {
  std::mt19937_64 random(7);
  for (int nodes = 1; nodes < 40; ++nodes) {
    std::vector<GraphElimination::Edge> edges;
    for (int k = 0; k < 2 * nodes && nodes > 1; ++k) {
      const auto a = static_cast<int32_t>(random() % nodes), b = static_cast<int32_t>(random() % nodes);
      if (a != b) edges.push_back({a, b});
    }
    std::vector<double> weight, surplus, x, b;
    for (size_t k = 0; k < edges.size(); ++k) weight.push_back(1 + random() % 1000);
    for (int n = 0; n < nodes; ++n) {
      surplus.push_back(std::pow(10.0, -static_cast<double>(random() % 12)));
      x.push_back(static_cast<double>(random() % 2000));
      b.push_back(surplus[n] * x[n]);
    }
    for (size_t k = 0; k < edges.size(); ++k) {
      b[edges[k].a] += weight[k] * (x[edges[k].a] - x[edges[k].b]);
      b[edges[k].b] += weight[k] * (x[edges[k].b] - x[edges[k].a]);
    }
    std::vector<double> solution = b;
    const GraphElimination elimination(nodes, edges);
    GraphFactor factor(elimination);
    factor.factor(surplus, weight);
    factor.solve(solution);
    for (int n = 0; n < nodes; ++n) {  // of surpluses down to 1e-12 the right-hand side tells less
      double left = b[n] - surplus[n] * solution[n];
      for (size_t k = 0; k < edges.size(); ++k)
        if (edges[k].a == n || edges[k].b == n)
          left -= weight[k] * (solution[n] - solution[edges[k].a == n ? edges[k].b : edges[k].a]);
      EXPECT_NEAR(left, 0, 1e-5) << nodes;
    }
  }
}

}  // namespace
}  // namespace gridiron
