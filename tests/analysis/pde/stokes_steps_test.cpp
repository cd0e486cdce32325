// SPDX-License-Identifier: Apache-2.0
#include "analysis/pde/stokes/stokes_steps.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "analysis/pde/pde.hpp"
#include "analysis/pde/pde_system.hpp"
#include "support/error.hpp"

namespace gridiron {
namespace {

PdeResult run(const char* problem, int64_t size, int steps, double time_step, const char* engine = "stokes") {
  PdeOptions options;
  options.problem = problem;
  options.choices.size = size;
  options.choices.steps = steps;
  options.choices.time_step = time_step;
  options.engine = engine;
  return solve_pde(options);
}

/// Halving Δt halves the error at t = 1, to which elements of this size contribute little.
TEST(StokesSteps, ErrorIsOfFirstOrderInTheStep) {
  for (const char* problem : {"stokes2d", "stokes2d-sine"}) {
    SCOPED_TRACE(problem);
    std::vector<StokesError> errors;
    for (const int steps : {5, 10, 20}) {
      const PdeResult result = run(problem, 32, steps, 1. / steps);
      ASSERT_TRUE(result.flow && result.flow->error);
      ASSERT_TRUE(result.solve.converged);
      EXPECT_LE(result.flow->divergence_max, 1e-10);
      errors.push_back(*result.flow->error);
    }
    for (size_t k = 1; k < errors.size(); ++k) {
      EXPECT_NEAR(errors[k - 1].velocity_l2 / errors[k].velocity_l2, 2, 0.2);
      EXPECT_LT(errors[k].pressure_l2, errors[k - 1].pressure_l2);
    }
  }
}

/// From rest, a cavity flow comes to the one that does not depend on time.
TEST(StokesSteps, FlowFromRestBecomesSteady) {
  PdeOptions options;
  options.problem = "stokes2d-cavity";
  options.choices.size = 16;
  const PdeResult steady = solve_pde(options), first = run("stokes2d-cavity", 16, 1, 1e-3),
                  late = run("stokes2d-cavity", 16, 30, 0.1);
  ASSERT_TRUE(steady.flow->cavity && first.flow->cavity && late.flow->cavity);
  EXPECT_NEAR(late.flow->cavity->least_psi, steady.flow->cavity->least_psi, 1e-6);
  EXPECT_NEAR(late.flow->cavity->least_u, steady.flow->cavity->least_u, 1e-6);
  EXPECT_GT(first.flow->cavity->least_psi, 0.5 * steady.flow->cavity->least_psi) << "at first it moves near the lid";
}

TEST(StokesSteps, IterationsAreToldAndGuessesSaveSome) {
  const PdeResult result = run("stokes2d", 32, 10, 0.05);
  ASSERT_TRUE(result.steps.has_value());
  EXPECT_EQ(result.steps->iterations.size(), 10u);
  EXPECT_DOUBLE_EQ(result.steps->end_s, 0.5);
  EXPECT_EQ(result.solve.iterations, result.steps->iterations.back());
  EXPECT_LT(result.steps->iterations.back(), result.steps->iterations.front());
  EXPECT_LE(*std::ranges::max_element(result.steps->iterations), 10);
}

TEST(StokesSteps, EnginesAgree) {
  const PdeResult multigrid = run("stokes2d-sine", 8, 3, 0.1), direct = run("stokes2d-sine", 8, 3, 0.1, "superlu");
  ASSERT_EQ(multigrid.solution.size(), direct.solution.size());
  const int64_t velocities = 2 * 15 * 15;
  for (int64_t i = 0; i < velocities; ++i) ASSERT_NEAR(multigrid.solution[i], direct.solution[i], 1e-6);
}

TEST(StokesSteps, NeedBothOptionsInRange) {
  EXPECT_THROW(run("stokes2d", 8, 0, 0.1), InputError);
  EXPECT_THROW(run("stokes2d", 8, 1, 0), InputError);
  EXPECT_THROW(run("stokes2d", 8, 1, NAN), InputError);
  EXPECT_THROW(run("poisson2d", 9, 1, 0.1), InputError);
  PdeChoices choices{.size = 8};
  choices.steps = 3;
  EXPECT_THROW(pde_shape(find_pde_problem("stokes2d"), choices), InputError);
  choices.time_step = 0.1;
  EXPECT_THROW(make_system(find_pde_problem("stokes2d"), choices), InputError) << "a single system";
}

}  // namespace
}  // namespace gridiron
