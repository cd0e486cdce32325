// SPDX-License-Identifier: Apache-2.0
// A solver that engines, loads and callbacks do not treat well.
#include "analysis/solve/solver.hpp"
#include "analysis/model/double_range.hpp"
#include "tests/analysis/sessions.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <omp.h>

#include <stdexcept>

namespace gridiron {
namespace {

using test::design_of;
using test::error_of;
using test::on_cpu;
using test::volts;
using testing::ElementsAre;
using testing::HasSubstr;

/// A ring, which is not eliminated away: unknowns a, b, c.
std::shared_ptr<const Design> ring() {
  return design_of("* t\nv1 vdd 0 1\nr1 vdd a 1\nr2 a b 1\nr3 b c 1\nr4 c a 1\ni1 c 0 1m\ni2 b 0 1m\n");
}

/// More unknowns than `auto` gives to a factorization at first.
std::shared_ptr<const Design> large_grid() {
  static const std::shared_ptr<const Design> design = [] {
    constexpr int kSide = 460;
    const auto node = [](int x, int y) { return "n" + std::to_string(x) + "_" + std::to_string(y); };
    std::string deck = "* t\nv1 n0_0 0 1\ni1 n459_459 0 1m\ni2 n0_459 0 1m\n";
    for (int y = 0; y < kSide; ++y)
      for (int x = 0; x < kSide; ++x) {
        if (x > 0) deck += "r " + node(x - 1, y) + " " + node(x, y) + " 1\n";
        if (y > 0) deck += "r " + node(x, y - 1) + " " + node(x, y) + " 1\n";
      }
    return design_of(deck);
  }();
  return design;
}

std::vector<std::string> codes_of(const Solver& solver) {
  std::vector<std::string> codes;
  for (const Finding& finding : solver.findings()) codes.push_back(finding.code);
  return codes;
}

TEST(Solver, AVectorThatBreaksDownLeavesTheOthersAsTheyAre) {
  const auto design = ring();
  const System system(design, false);
  Loads loads(design, 3);
  for (const char* source : {"i1", "i2"}) loads.set(source, 1.7e308, 1);
  Solver solver(system, {.engine = "cholmod"}, on_cpu());
  const std::vector<Answer> answers = solver.solve(loads);
  ASSERT_EQ(answers.size(), 3u);
  for (const int v : {0, 2}) {
    EXPECT_TRUE(answers[v].certificate.valid);
    EXPECT_EQ(answers[v].voltage_v, solver.solve().voltage_v);
  }
  const Answer& bad = answers[1];
  EXPECT_FALSE(bad.is_finite());
  EXPECT_FALSE(bad.certificate.valid);
  EXPECT_FALSE(bad.stats.converged);
  EXPECT_EQ(tolerance_miss(bad.stats, bad.certificate, "cholmod", solver.options()), kNotFinite);
  EXPECT_THAT(error_of<SolverError>([&] { summarise(system, bad); }), testing::StartsWith(kNotFinite));
}

TEST(Solver, ThatIsSetUpOnceFreesWhatSetUpsTake) {
  const auto has_structure = [](const System& system) {
    return !std::holds_alternative<std::monostate>(system.problem()->structure);
  };
  for (const char* engine : {"aggamg", "auto"}) {
    const System whole(large_grid()), system(large_grid());
    Solver solver(system, {.engine = engine, .sets_up_once = true}, on_cpu());
    EXPECT_EQ(has_structure(system), std::string_view(engine) == "auto");  // another engine might take over
    EXPECT_TRUE(has_structure(whole));
    const Answer answer = solver.solve();
    EXPECT_EQ(answer.voltage_v, Solver(whole, {.engine = engine}, on_cpu()).solve().voltage_v);
    solver.release();
    EXPECT_THAT(system.problem()->matrix.value, testing::IsEmpty());
    EXPECT_EQ(summarise(system, answer).reduced.nonzeros, whole.problem()->matrix.nonzeros());
  }
}

TEST(Solver, DoesNotSendUsersToOtherEnginesForRounding) {
  Solver solver(System(ring()), {.engine = "cholmod", .tolerance_v = 1e-16}, on_cpu());
  const Answer answer = solver.solve();
  const std::string miss = spelled(tolerance_miss(answer.stats, answer.certificate, "cholmod", solver.options()));
  EXPECT_THAT(miss, testing::AllOf(HasSubstr("rounding"), HasSubstr("raise tolerance"),
                                   testing::Not(HasSubstr("another engine"))));
}

TEST(Solver, TellsWhatRanAndNotWhatWouldRun) {
  const ThreadCount many(3);
  Solver solver(System(ring()), {}, on_cpu(1));
  solver.solve();
  EXPECT_EQ(solver.engine_run().threads, 1);
  solver.set_threads(2);
  EXPECT_EQ(solver.engine_run().threads, 1);
  solver.solve();
  EXPECT_EQ(solver.engine_run().threads, 2);
  EXPECT_EQ(solver.engine_run().device, "cpu");
}

TEST(Solver, RefusesDevicesThatItDoesNotKnow) {
  for (const char* device : {"gpu", "CPU", ""}) {
    Context context;
    context.device = device;
    const std::string refusal = error_of<InputError>([&] { Solver(System(ring()), {}, context); });
    EXPECT_EQ(spelled(refusal), fmt::format("device {}: expected auto, cpu or cuda", device));
  }
}

TEST(Solver, CountsAChangeOfPatternAsSetUp) {
  Solver solver(System(ring(), false));
  System system = solver.system();
  system.apply(ScaleResistor{"r2", 2});
  solver.update(system);
  EXPECT_EQ(solver.work().setups, 1);
  EXPECT_EQ(solver.work().updates, 1);
  const std::vector<Edit> edits{AddPad{"a", 1, 1}, DropPad{"v1"}};
  system.apply(edits);
  solver.update(system);
  EXPECT_EQ(solver.work().setups, 2);
  EXPECT_EQ(solver.work().updates, 1);
}

TEST(Solver, StaysWithItsSystemWhenAnUpdateFails) {
  Solver solver(System(ring(), false), {.engine = "cholmod"}, on_cpu());
  const Answer before = solver.solve();
  System cut = solver.system();
  cut.apply(SetResistor{"r1", 1e300});
  EXPECT_THROW(solver.update(cut), SolverError);
  EXPECT_EQ(solver.work().setups, 1);
  const Answer again = solver.solve();
  EXPECT_EQ(again.voltage_v, before.voltage_v);
  EXPECT_TRUE(again.certificate.valid);
  EXPECT_EQ(solver.work().setups, 2);
}

TEST(Solver, AnUpdateAfterOneThatFailedSetsUp) {
  Solver solver(System(ring(), false), {.engine = "cholmod"}, on_cpu());
  System cut = solver.system(), good = solver.system();
  cut.apply(SetResistor{"r1", 1e300});
  good.apply(SetResistor{"r1", 3});
  EXPECT_THROW(solver.update(cut), SolverError);
  solver.update(good);
  EXPECT_NEAR(volts(good, solver.solve(), "a"), 1 - 3 * 2e-3, 1e-12);
}

TEST(Solver, UpdatesStayWithTheDesign) {
  Solver solver{System(ring())};
  EXPECT_THAT(error_of<InputError>([&] { solver.update(System(ring())); }), HasSubstr("design"));
  EXPECT_NEAR(volts(solver.system(), solver.solve(), "a"), 1 - 2e-3, 1e-12);
}

TEST(Solver, CallbacksCannotSolveOrUpdate) {
  const auto design = ring();
  Solver solver{System(design)};
  const Loads loads(design, 3);
  std::vector<std::string> refusals;
  solver.solve(loads, [&](int64_t, const Answer&) {
    refusals.push_back(error_of<InputError>([&] { solver.solve(); }));
    refusals.push_back(error_of<InputError>([&] { solver.update(solver.system()); }));
  });
  EXPECT_THAT(refusals, testing::AllOf(testing::SizeIs(6), testing::Each(HasSubstr("neither solve nor update"))));
  EXPECT_THROW(solver.solve(loads, [](int64_t, const Answer&) { throw std::runtime_error("enough"); }),
               std::runtime_error);
  EXPECT_EQ(solver.solve(loads).size(), 3u);
}

TEST(Solver, AnswersComeOnTheThreadsOfTheCaller) {
  const ThreadCount many(3);
  const auto design = ring();
  Solver solver(System(design), {}, on_cpu(1));
  int threads = 0;
  solver.solve(Loads(design), [&](int64_t, const Answer&) { threads = omp_get_max_threads(); });
  EXPECT_EQ(threads, 3);
}

TEST(Solver, CountsTheMemoryOfItsBlocks) {
  const auto design = ring();
  Solver solver(System(design, false), {.engine = "cholmod"}, on_cpu());
  const int64_t before = solver.bytes();
  EXPECT_GE(before, solver.engine_run().bytes);
  solver.solve(Loads(design, 20));
  EXPECT_GE(solver.bytes() - before, 4 * 20 * 3 * 8);  // injections, voltages, and both sides of the system
}

TEST(Auto, FallsOverWhenTheEngineBreaksDown) {
  const auto design = large_grid();
  Solver solver(System(design), {}, on_cpu());
  ASSERT_EQ(solver.engine_run().name, "aggamg");
  Loads loads(design, 2);
  loads.set("i1", 1e200, 1);  // its square overflows
  const std::vector<Answer> answers = solver.solve(loads);
  EXPECT_EQ(solver.engine_run().name, "cholmod");
  EXPECT_THAT(codes_of(solver), ElementsAre("engine-changed"));
  EXPECT_TRUE(answers[0].certificate.valid);
  EXPECT_TRUE(answers[1].is_finite());
}

TEST(Auto, KeepsItsAnswersWhenNoOtherEngineCanBeSetUp) {
  const auto design = large_grid();
  SolverOptions options;
  options.max_iterations = 2;
  options.settings = {{"degree", "3"}};  // cholmod has no such parameter
  Solver solver(System(design), options, on_cpu());
  const Answer answer = solver.solve();
  EXPECT_EQ(solver.engine_run().name, "aggamg");
  EXPECT_TRUE(answer.is_finite());
  EXPECT_NE(tolerance_miss(answer.stats, answer.certificate, "aggamg", options), "");
  EXPECT_THAT(codes_of(solver), ElementsAre("engine-kept"));
  solver.solve();
  EXPECT_THAT(codes_of(solver), ElementsAre("engine-kept")) << "told once, tried once";
}

}  // namespace
}  // namespace gridiron
