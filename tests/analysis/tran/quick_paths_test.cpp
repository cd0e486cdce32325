// SPDX-License-Identifier: Apache-2.0
// What makes many steps fast, against what it stands for.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <tuple>

#include "analysis/results/summarise.hpp"
#include "analysis/tran/error_growth.hpp"
#include "analysis/tran/over_time.hpp"
#include "analysis/tran/sources_over_time.hpp"
#include "analysis/tran/steps/integrator.hpp"
#include "analysis/tran/transient.hpp"
#include "netlist/reader.hpp"
#include "netlist/waves/linear_piece.hpp"

namespace gridiron {
namespace {

/// A ring with random chords and pads, and conductances over six decades.
MergedNetwork random_network(std::mt19937& random, int32_t nodes) {
  MergedNetwork network;
  network.nodes = nodes;
  network.pad.assign(nodes, 0.0);
  network.injection.assign(nodes, 0.0);
  const auto uniform = [&](double low, double high) { return std::uniform_real_distribution(low, high)(random); };
  for (int32_t k = 0; k < 2 * nodes; ++k) {
    const int32_t a = k < nodes ? k : static_cast<int32_t>(random() % nodes),
                  b = k < nodes ? (k + 1) % nodes : static_cast<int32_t>(random() % nodes);
    if (a == b) continue;
    network.a.push_back(a);
    network.b.push_back(b);
    network.conductance.push_back(std::pow(10, uniform(-3, 3)));
  }
  for (int32_t i = 0; i < nodes; i += 7) network.pad[i] = uniform(0.1, 10);
  for (double& amperes : network.injection) amperes = uniform(-1, 1);
  return network;
}

/// Solves G x = b by elimination in long double.
std::vector<double> solve(const MergedNetwork& network, const std::vector<double>& b) {
  const auto n = static_cast<size_t>(network.nodes);
  std::vector<std::vector<long double>> g(n, std::vector<long double>(n + 1, 0.0L));
  for (size_t i = 0; i < n; ++i) g[i][i] = network.pad[i], g[i][n] = b[i];
  for (int64_t e = 0; e < network.edges(); ++e) {
    const int32_t i = network.a[e], j = network.b[e];
    g[i][i] += network.conductance[e], g[j][j] += network.conductance[e];
    g[i][j] -= network.conductance[e], g[j][i] -= network.conductance[e];
  }
  for (size_t p = 0; p < n; ++p)
    for (size_t i = p + 1; i < n; ++i) {
      const long double factor = g[i][p] / g[p][p];
      for (size_t j = p; j <= n; ++j) g[i][j] -= factor * g[p][j];
    }
  std::vector<double> x(n);
  for (size_t i = n; i-- > 0;) {
    long double sum = g[i][n];
    for (size_t j = i + 1; j < n; ++j) sum -= g[i][j] * x[j];
    x[i] = static_cast<double>(sum / g[i][i]);
  }
  return x;
}

double largest(const std::vector<double>& values) {
  double most = 0;
  for (const double value : values) most = std::max(most, std::abs(value));
  return most;
}

TEST(QuickBound, CoversTheErrorAndIsCloseToTheFineOne) {
  std::mt19937 random(16);
  for (int round = 0; round < 30; ++round) {
    const MergedNetwork network = random_network(random, 60);
    const std::vector<int32_t> system(60, 0);
    ErrorBound bound(network, system, 1);
    ASSERT_TRUE(bound.set_barrier(solve(network, std::vector<double>(60, 1.0))));
    bound.prepare_quick_bounds();
    const std::vector<double> exact = solve(network, network.injection);
    std::vector<double> row = network.pad;
    for (int64_t e = 0; e < network.edges(); ++e)
      row[network.a[e]] += network.conductance[e], row[network.b[e]] += network.conductance[e];
    const double largest_row = largest(row);
    for (const double size : {1e-3, 1e-6, 1e-9, 0.0}) {
      std::vector<double> volts = exact;
      double error = 0, squares = 0;
      for (size_t i = 0; i < volts.size(); ++i) {
        volts[i] += size * std::uniform_real_distribution(-1.0, 1.0)(random);
        error = std::max(error, std::abs(volts[i] - exact[i]));
      }
      for (const double r : bound.residual(volts, network.injection)) squares += r * r;
      const ErrorBound::Result fine = bound.bound(volts, network.injection);
      const ErrorBound::QuickResult quick = bound.quick_bound(volts, network.injection);
      EXPECT_GE(quick.max_error_v, error);
      EXPECT_GE(quick.residual_norm_a, std::sqrt(squares));
      EXPECT_GE(quick.max_residual_a, 0.999 * fine.max_residual_a);
      if (size >= 1e-6) {
        EXPECT_NEAR(quick.max_error_v, fine.max_error_v, 1e-3 * fine.max_error_v);
        EXPECT_NEAR(quick.residual_norm_a, std::sqrt(squares), 1e-3 * std::sqrt(squares));
      }
      // What forty roundings of the largest current in a row amount to.
      const double rounding = 40 * std::numeric_limits<double>::epsilon() * largest_row * largest(volts);
      EXPECT_LE(quick.max_error_v, 1.001 * fine.max_error_v + bound.max_w() / (1 - bound.delta()) * rounding);
    }
  }
}

TEST(QuickBound, NothingIsCertifiedThatIsNotFinite) {
  std::mt19937 random(1);
  const MergedNetwork network = random_network(random, 60);
  const std::vector<int32_t> system(60, 0);
  ErrorBound bound(network, system, 1);
  ASSERT_TRUE(bound.set_barrier(solve(network, std::vector<double>(60, 1.0))));
  bound.prepare_quick_bounds();
  for (const double bad : {std::nan(""), HUGE_VAL})
    for (const size_t at : {0, 31, 59}) {
      std::vector<double> volts(60, 0.0);
      volts[at] = bad;
      EXPECT_EQ(bound.quick_bound(volts, network.injection).max_error_v, HUGE_VAL);
    }
}

TEST(LinearPiece, AgreesWithTheWaveform) {
  std::mt19937 random(7);
  const auto uniform = [&](double low, double high) { return std::uniform_real_distribution(low, high)(random); };
  const TimeFrame frame{0.1, 20};
  for (int round = 0; round < 200; ++round) {
    Waveform waveform = Pulse{uniform(-1, 1), uniform(-1, 1), uniform(-1, 5),  uniform(0, 2),
                              uniform(0, 2),  uniform(0, 2),  uniform(0.5, 9), round % 3 == 0 ? 2.0 : kUnset};
    if (round % 2 == 1) {
      Pwl pwl;
      double t = uniform(0, 1);
      for (int k = 0; k < 12; ++k, t += k % 4 == 0 ? 0.0 : uniform(0, 3)) pwl.points.push_back({t, uniform(-1, 1)});
      waveform = pwl;
    }
    int covered = 0;
    for (int k = 0; k < 100; ++k) {
      const double t = uniform(0, 25);
      const std::optional<LinearPiece> piece = linear_piece(waveform, t, frame);
      if (!piece) continue;
      ++covered;
      for (const double inside : {t, 0.5 * (t + piece->begin), t + 0.9 * (std::min(piece->end, 30.0) - t)})
        EXPECT_NEAR(piece->at(inside), value_at(waveform, inside, frame), 1e-9) << round << ' ' << inside;
    }
    EXPECT_GT(covered, 90);
  }
  EXPECT_FALSE(linear_piece(Sin{}, 1, frame));
}

/// Two nets with ties inside them, a divider, instances, and pads.
constexpr const char* kDeck =
    "* t\nvp p 0 1.8\nrp p a 0.1\nvt a a2 0\nr1 a2 b 0.5\nvu b b2 0.01\nrb b2 c 1\nc1 b 0 1n\nc2 c 0 2n\n"
    "rg g 0 0.2\nvg z 0 0\nrz z g 0.3\nvh g g2 0\nrh g2 h 0.4\nc3 h b 1n\nrs g k 1\nvk k k2 0\n"
    "iu_v c 0 pulse(1m 30m 1n 1n 1n 3n 8n)\niu_g 0 h pulse(1m 30m 1n 1n 1n 3n 8n)\ni2 b h pwl(0 0 5n 20m 9n 0)\n"
    ".tran 0.25n 20n\n";

class Statistics : public testing::TestWithParam<bool> {};

TEST_P(Statistics, ClassesOfNodesAreTheNodesOneByOne) {
  std::string deck = kDeck;
  if (GetParam()) deck.replace(deck.find("vp p 0 1.8"), 10, "vp p 0 pwl(0 1.8 9n 1.7 20n 1.9)");
  Circuit circuit = read_netlist_text(deck + ".end\n");
  start_at_time_zero(circuit);
  TranOptions options;
  options.engine = "cholmod";
  const TranReport report = analyse_transient(circuit, options);

  const auto design = make_design(circuit);
  const System system(design);
  Solver solver(system, options);
  const IrReport dc = summarise(system, solver.solve());
  Integrator integrator(design, Method::trapezoidal, options, {});
  SourcesOverTime sources(circuit, {0.25e-9, 20e-9});
  std::vector<double> load(circuit.current_sources.value.size()), volts(circuit.voltage_sources.value.size());
  const size_t nodes = dc.nodes.drop_v.size();
  std::vector<double> worst(nodes, -HUGE_VAL), sum(nodes, 0.0);
  const auto take = [&](double weight) {
    for (size_t n = 1; n < nodes; ++n) {
      if (dc.nodes.net[n] < 0) continue;
      const NetResult& net = dc.nets[dc.nodes.net[n]];
      const bool inverted = design->topology->nets.inverted[design->topology->parts.part[n]] != 0;
      const double deviation = integrator.voltage(0)[n];
      const double drop = net.is_ground ? std::abs(dc.nodes.voltage_v[n] + (inverted ? -deviation : deviation))
                                        : dc.nodes.drop_v[n] - deviation;
      worst[n] = std::max(worst[n], drop);
      sum[n] += weight * drop;
    }
  };
  double now = 0;
  for (const double end : report.row_time_s) {
    if (end == 0) continue;
    const double h = end - now;
    take(h / 2);
    sources.loads_at(end, load);
    const bool varies = sources.volts_at(end, volts);
    integrator.accept(integrator.step(
        {h}, {{load.data(), std::ssize(load), 1}, varies ? std::span<const double>(volts) : std::span<double>()}));
    take(h / 2);
    now = end;
  }
  int counted = 0;
  for (size_t n = 1; n < nodes; ++n) {
    if (dc.nodes.net[n] < 0) continue;
    ++counted;
    EXPECT_NEAR(report.worst.nodes.drop_v[n], worst[n], 1e-10) << circuit.node_name(static_cast<NodeId>(n));
    EXPECT_NEAR(report.average_drop_v[n], sum[n] / 20e-9, 1e-10) << circuit.node_name(static_cast<NodeId>(n));
  }
  EXPECT_GE(counted, 10);
}

INSTANTIATE_TEST_SUITE_P(SourcesMove, Statistics, testing::Bool());

TEST(Integrator, ARejectedStepLeavesNoTrace) {
  Circuit circuit = read_netlist_text(std::string(kDeck) + ".end\n");
  start_at_time_zero(circuit);
  const auto design = make_design(circuit);
  SolverOptions options;
  options.engine = "cholmod";
  Integrator plain(design, Method::trapezoidal, options, {}), tried(design, Method::trapezoidal, options, {});
  SourcesOverTime sources(circuit, {0.25e-9, 20e-9});
  std::vector<double> load(circuit.current_sources.value.size());
  const double h = 0.25e-9;
  for (int k = 1; k <= 30; ++k) {
    sources.loads_at(k * h, load);
    const Block<const double> block{load.data(), std::ssize(load), 1};
    if (k % 3 == 0) std::ignore = tried.step({2 * h}, {block});
    for (Integrator* integrator : {&plain, &tried}) integrator->accept(integrator->step({h}, {block}));
  }
  for (size_t n = 0; n < plain.voltage(0).size(); ++n) EXPECT_NEAR(plain.voltage(0)[n], tried.voltage(0)[n], 1e-13);
  EXPECT_LT(plain.voltage(0)[design->find_node("c")], -1e-3);
}

/// Steps of a loosely solved run against the same steps solved exactly.
class Growth : public testing::TestWithParam<Method> {};

TEST_P(Growth, IsNeverBelowTheErrorOfLooseSolutions) {
  constexpr int kSide = 14;
  std::string deck = "* mesh\nvp q 0 1.8\nlp q p 1n\nrp p n0_0 0.1\n";
  for (int x = 0; x < kSide; ++x)
    for (int y = 0; y < kSide; ++y) {
      deck += fmt::format("ra{0}_{1} n{0}_{1} n{2}_{1} 0.3\nrb{0}_{1} n{0}_{1} n{0}_{3} 0.7\n", x, y, (x + 1) % kSide,
                          (y + 1) % kSide);
      if ((x + y) % 2 == 0) deck += fmt::format("c{0}_{1} n{0}_{1} 0 {2}p\n", x, y, 1 + x * y);
      if ((x * y) % 5 == 4) deck += fmt::format("i{0}_{1} n{0}_{1} 0 pulse(0 10m {2}n 1n 1n 3n 8n)\n", x, y, 0.3 * x);
    }
  Circuit circuit = read_netlist_text(deck + ".end\n");
  start_at_time_zero(circuit);
  const auto design = make_design(circuit);
  SolverOptions exact, loose;
  exact.engine = "cholmod";
  loose.engine = "aggamg";
  loose.settings["coarse_size"] = "8";
  loose.tolerance_v = 1e-3;
  Integrator reference(design, GetParam(), exact, {}), tested(design, GetParam(), loose, {});
  ErrorGrowth growth(GetParam());
  SourcesOverTime sources(circuit, {0.25e-9, 20e-9});
  std::vector<double> load(circuit.current_sources.value.size());
  double now = 0, error = 0, sum = 0;
  for (int k = 1; k <= 120; ++k) {
    const double h = k < 60 ? 0.25e-9 : 0.1e-9;
    now += h;
    sources.loads_at(now, load);
    const Block<const double> block{load.data(), std::ssize(load), 1};
    reference.accept(reference.step({h}, {block}));
    tested.accept(tested.step({h}, {block}));
    const Accuracy& accuracy = tested.present().accuracy[0];
    growth.add(h, accuracy);
    sum += accuracy.certificate.max_error_v;
    for (size_t n = 0; n < reference.voltage(0).size(); ++n)
      error = std::max(error, std::abs(reference.voltage(0)[n] - tested.voltage(0)[n]));
    EXPECT_LE(error, growth.bound_v()) << k;
  }
  EXPECT_GT(error, 1e-9);
  EXPECT_LE(growth.bound_v(), 100 * sum);
}

INSTANTIATE_TEST_SUITE_P(Methods, Growth, testing::Values(Method::trapezoidal, Method::backward_euler));

/// The first solution of a factorization, which only the certificate judges, against one that it refined itself.
TEST(Solver, SolutionsThatOnlyTheCertificateJudgesAreThoseOfTheLoads) {
  Circuit circuit = read_netlist_text(std::string(kDeck) + ".end\n");
  for (const char* engine : {"cholmod", "superlu"}) {
    SolverOptions options;
    options.engine = engine;
    const System system(make_design(circuit));
    Solver solver(system, options);
    EXPECT_TRUE(solver.is_direct());
    const Answer answer = solver.solve();
    std::vector<double> volts(static_cast<size_t>(system.network().nodes), 0.0);
    const std::vector<double> injection = system.injection(Loads(system.design()), 0);
    const std::vector<Accuracy> accuracy =
        solver.solve({injection.data(), std::ssize(injection), 1}, {volts.data(), std::ssize(volts), 1});
    EXPECT_TRUE(accuracy[0].stats.converged);
    EXPECT_TRUE(accuracy[0].certificate.valid);
    EXPECT_LE(accuracy[0].certificate.max_error_v, 1e-9);
    EXPECT_GT(accuracy[0].residual_norm_a, 0);
    const std::vector<double> nodes = system.node_voltages(volts);
    for (size_t n = 0; n < nodes.size(); ++n)
      EXPECT_NEAR(nodes[n], answer.voltage_v[n], answer.certificate.max_error_v + accuracy[0].certificate.max_error_v);
  }
}

}  // namespace
}  // namespace gridiron
