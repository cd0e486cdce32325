// SPDX-License-Identifier: Apache-2.0
// The share of a solve that is done, as it is told meanwhile.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "analysis/pde/pde.hpp"
#include "analysis/solve/solver.hpp"
#include "tests/analysis/sessions.hpp"
#include "tests/engines/systems.hpp"

namespace gridiron {
namespace {

void expect_rising_to_one(const std::vector<double>& shares, const std::string& what) {
  ASSERT_GE(shares.size(), 3u) << what;
  EXPECT_GT(shares.front(), 0) << what;
  EXPECT_LT(shares.front(), 0.9) << what;
  EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end())) << what;
  EXPECT_NEAR(shares.back(), 1, 1e-12) << what;
}

struct Told {
  std::vector<double> shares;
  SolveStats stats;
};
Told solved(const Settings& settings, int64_t columns, const StopRule& stop) {
  const auto problem = std::make_shared<const Problem>(test::poisson(60));
  Told told;
  const auto engine = find_engine("aggamg").make(settings);
  engine->set_context({.share_done = [&](double share) { told.shares.push_back(share); }});
  engine->setup(problem);
  told.stats = test::solve(*engine, *problem, test::random_block(problem->matrix.rows * columns, 7), stop).stats;
  return told;
}

TEST(ShareDone, RisesToOneForAnyMethodColumnsAndStopRule) {
  for (const char* krylov : {"cg", "gmres"})
    for (const int64_t columns : {1, 3, 21})
      for (const StopRule& stop : {StopRule{.relative_residual = 1e-10}, StopRule{1e-14, 1e-7}})
        expect_rising_to_one(solved({{"krylov", krylov}}, columns, stop).shares,
                             std::string(krylov) + ", " + std::to_string(columns));
}

TEST(ShareDone, OfASolveThatGivesUpStaysBelowOne) {
  const Told told = solved({}, 5, {.relative_residual = 1e-10, .max_iterations = 3});
  EXPECT_FALSE(told.stats.converged);
  ASSERT_FALSE(told.shares.empty());
  EXPECT_LT(told.shares.back(), 0.9);
}

TEST(ShareDone, OfModelProblems) {
  for (const auto& [problem, engine] :
       {std::pair("poisson2d", "sgml"), {"poisson3d", "aggamg"}, {"stokes2d-cavity", "stokes"}}) {
    std::vector<double> shares;
    PdeOptions options;
    options.problem = problem;
    options.engine = engine;
    options.choices.size = 48;
    options.share_done = [&](double share) { shares.push_back(share); };
    solve_pde(options);
    expect_rising_to_one(shares, problem);
  }
}

TEST(ShareDone, OfASolverIsThatOfAllVectors) {
  std::string deck = "* t\nv1 n0_0 0 1\n";
  const auto node = [](int x, int y) { return "n" + std::to_string(x) + "_" + std::to_string(y); };
  for (int x = 0; x < 40; ++x)
    for (int y = 0; y < 40; ++y) {
      const std::string at = node(x, y);
      if (x > 0) deck += "rx" + at + " " + node(x - 1, y) + " " + at + " 1\n";
      if (y > 0) deck += "ry" + at + " " + node(x, y - 1) + " " + at + " 1\n";
      if (x == y) deck += "i" + at + " " + at + " 0 1m\n";
    }
  for (const char* engine : {"aggamg", "cholmod"}) {
    std::string stage;
    std::vector<double> while_solving, after;
    Context context = test::on_cpu();
    context.progress = [&](std::string_view name) { stage = name; };
    context.share_done = [&](double share) {
      EXPECT_LE(share, 1);
      (stage == "solve" ? while_solving : after).push_back(share);
    };
    SolverOptions options;
    options.engine = engine;
    Solver solver(System(test::design_of(deck + ".end\n")), options, context);
    Loads loads(solver.system().design(), 70);
    for (int64_t v = 0; v < 70; ++v)
      for (double& ampere : loads.vector(v)) ampere *= 1 + 0.01 * static_cast<double>(v);
    solver.solve(loads, [](int64_t, const Answer&) {});
    EXPECT_EQ(after.back(), 1) << engine;
    if (std::string_view(engine) == "cholmod") continue;
    expect_rising_to_one(while_solving, engine);
    EXPECT_GT(std::ranges::count_if(while_solving, [](double s) { return s > 0.3 && s < 0.8; }), 3);
  }
}

}  // namespace
}  // namespace gridiron
