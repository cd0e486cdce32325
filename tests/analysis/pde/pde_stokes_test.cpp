// SPDX-License-Identifier: Apache-2.0
// Stokes problems: errors against analysis, iterations against the tables of an independent prototype, cavities against
// its direct solutions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "analysis/pde/pde.hpp"
#include "analysis/pde/study.hpp"
#include "support/error.hpp"

namespace gridiron {
namespace {

using testing::HasSubstr;

PdeResult solve(const char* problem, const PdeChoices& choices, const Settings& settings = {}, double rtol = 1e-8,
                const char* engine = "stokes") {
  PdeOptions options;
  options.problem = problem;
  options.choices = choices;
  options.engine = engine;
  options.settings = settings;
  options.rtol = rtol;
  return solve_pde(options);
}

int iterations(int64_t n, Settings settings, bool v11 = true) {
  if (v11) settings["pre"] = settings["post"] = "1";
  const PdeResult result = solve("stokes2d", {.size = n}, settings);
  EXPECT_TRUE(result.solve.converged);
  return result.solve.iterations;
}

const Settings kVanka = {{"relaxation", "vanka"}};
const Settings kOneSweep = {
    {"schur_sweeps", "1"}, {"schur_scale", "0.92"}, {"schur_weight", "0.85"}, {"schur_jacobi", "0.82"}};

/// Velocity 0.043644 h³ and pressure √2/6 h² for the polynomial solution, whatever the viscosity.
TEST(StokesError, PolynomialSolutionConvergesAsAnalysisSays) {
  for (const int64_t n : {16, 32, 64, 128}) {
    const double h = 1 / static_cast<double>(n);
    const PdeResult result = solve("stokes2d", {.size = n});
    EXPECT_NEAR(result.flow->error->velocity_l2, 0.043644 * h * h * h, 0.005 * 0.043644 * h * h * h) << n;
    EXPECT_NEAR(result.flow->error->pressure_l2, std::sqrt(2.0) / 6 * h * h, 0.005 * std::sqrt(2.0) / 6 * h * h) << n;
  }
  for (const char* viscosity : {"1e-3", "50"}) {
    const StokesError error = *solve("stokes2d", {.size = 32, .viscosity = viscosity}, {}, 1e-10).flow->error;
    EXPECT_NEAR(error.velocity_l2, 0.043644 / 32768, 0.005 * 0.043644 / 32768) << viscosity;
  }
}

/// The sine solution at n = 64, from the prototype: 3.84704e-6 and 6.35342e-5.
TEST(StokesError, SineSolutionHasTheErrorsOfThePrototype) {
  const PdeResult result = solve("stokes2d-sine", {.size = 64});
  EXPECT_NEAR(result.flow->error->velocity_l2, 3.84704e-6, 0.005 * 3.84704e-6);
  EXPECT_NEAR(result.flow->error->pressure_l2, 6.35342e-5, 0.005 * 6.35342e-5);
}

TEST(StokesError, ReactionKeepsTheSolution) {
  const StokesError error = *solve("stokes2d-sine", {.size = 32, .reaction = 1e4}).flow->error;
  const StokesError without = *solve("stokes2d-sine", {.size = 32}).flow->error;
  EXPECT_LT(error.velocity_l2, 1.5 * without.velocity_l2);
}

TEST(StokesError, DivergenceIsThatOfRounding) {
  EXPECT_LE(solve("stokes2d", {.size = 32}, {}, 1e-15, "superlu").flow->divergence_max, 1e-15);
  EXPECT_LE(solve("stokes2d-sine", {.size = 32}, {}, 1e-14).flow->divergence_max, 1e-15);
}

TEST(StokesError, AgreesWithSuperlu) {
  const PdeResult exact = solve("stokes2d", {.size = 32}, {}, 1e-14, "superlu"),
                  got = solve("stokes2d", {.size = 32}, {}, 1e-13);
  double largest = 0;
  for (const double v : exact.solution) largest = std::max(largest, std::abs(v));
  for (size_t i = 0; i < exact.solution.size(); ++i) ASSERT_NEAR(got.solution[i], exact.solution[i], 1e-9 * largest);
}

TEST(StokesIterations, BraessSarazinTakesTheSameAtEverySize) {
  for (const int64_t n : {16, 32, 64, 128}) {
    EXPECT_NEAR(iterations(n, {}), 10, 1) << n;
    EXPECT_NEAR(iterations(n, {}, false), 7, 1) << n;
  }
}

TEST(StokesIterations, OneSweepTakesMore) {
  const std::pair<int64_t, int> expected[] = {{16, 14}, {32, 15}, {64, 16}, {128, 16}};
  for (const auto& [n, count] : expected) EXPECT_NEAR(iterations(n, kOneSweep), count, 1) << n;
}

TEST(StokesIterations, VankaTakesTheSameAtEverySize) {
  for (const int64_t n : {16, 32, 64}) EXPECT_NEAR(iterations(n, kVanka), 14, 1) << n;
  EXPECT_NEAR(iterations(64, kVanka, false), 10, 1);
}

TEST(StokesIterations, SchurUzawaTakesMoreWithSize) {
  const std::pair<int64_t, int> expected[] = {{16, 29}, {32, 36}, {64, 44}};
  for (const auto& [n, count] : expected)
    EXPECT_NEAR(iterations(n, {{"relaxation", "schur-uzawa"}, {"restart", "100"}}), count, 2) << n;
}

TEST(StokesIterations, BlockTriangular) {
  const std::pair<int64_t, int> expected[] = {{16, 14}, {32, 14}, {64, 13}};
  for (const auto& [n, count] : expected)
    EXPECT_NEAR(iterations(n, {{"preconditioner", "block-triangular"}}), count, 2) << n;
}

TEST(StokesIterations, CyclesInSingleAndDoubleTakeTheSame) {
  for (const char* relaxation : {"braess-sarazin", "vanka"})
    EXPECT_EQ(iterations(32, {{"relaxation", relaxation}}),
              iterations(32, {{"relaxation", relaxation}, {"precision", "double"}}));
}

TEST(StokesIterations, SmallViscosityTakesMore) {
  const auto at = [](const char* relaxation) {
    const PdeResult result =
        solve("stokes2d", {.size = 64, .viscosity = "1e-3"}, {{"relaxation", relaxation}, {"pre", "1"}, {"post", "1"}});
    EXPECT_TRUE(result.solve.converged);
    return result.solve.iterations;
  };
  EXPECT_LE(at("vanka"), 19 + 1);
  EXPECT_LE(at("braess-sarazin"), 11 + 1);
}

TEST(StokesIterations, LongElementsAndShortTimeStepsTakeFew) {
  for (const char* relaxation : {"braess-sarazin", "vanka"})
    for (const PdeChoices& choices : {PdeChoices{.cells = {{64, 32, 1}}}, PdeChoices{.cells = {{16, 64, 1}}}}) {
      const PdeResult result = solve("stokes2d", choices, {{"relaxation", relaxation}});
      EXPECT_LE(result.solve.iterations, 16) << relaxation << " " << result.shape[0];
      EXPECT_TRUE(result.solve.converged);
    }
  for (const char* relaxation : {"braess-sarazin", "vanka"})
    EXPECT_LE(solve("stokes2d", {.size = 64, .reaction = 1e4}, {{"relaxation", relaxation}}).solve.iterations, 10)
        << relaxation;
}

/// At n = 128, of direct solutions: u on x = ½, v on y = ½, ψ.
TEST(StokesCavity, HasTheExtremaOfDirectSolutions) {
  const auto expect = [](const char* lid, double u, double v, double psi) {
    const CavityExtrema found = *solve("stokes2d-cavity", {.size = 128, .lid = lid}).flow->cavity;
    EXPECT_NEAR(found.least_u, u, 1e-3 * std::abs(u)) << lid;
    EXPECT_NEAR(found.largest_v, v, 1e-3 * v) << lid;
    EXPECT_NEAR(found.least_psi, psi, 1e-3 * std::abs(psi)) << lid;
    return found;
  };
  const CavityExtrema flat = expect("flat", -0.207756, 0.184445, -0.100076);
  EXPECT_NEAR(flat.least_u_y, 0.5359, 1e-3);
  EXPECT_NEAR(flat.largest_v_x, 0.2095, 1e-3);
  EXPECT_NEAR(flat.least_psi_x, 0.5, 1e-3);
  EXPECT_NEAR(flat.least_psi_y, 0.7650, 2e-3);
  expect("smooth", -0.168902, 0.146735, -0.083666);
}

TEST(StokesStreamlines, AreThoseOfConvergedFlowsWhereAskedFor) {
  PdeOptions options;
  options.problem = "stokes2d";
  options.choices.size = 16;
  EXPECT_TRUE(solve_pde(options).lines_in_slice.empty());
  options.wants_streamlines = true;
  EXPECT_GT(solve_pde(options).lines_in_slice.size(), 10u);
  options.settings = {{"schur_weight", "3"}};
  options.max_iterations = 10;
  const PdeResult diverging = solve_pde(options);
  EXPECT_FALSE(diverging.solve.converged);
  EXPECT_TRUE(diverging.lines_in_slice.empty());
}

/// A constant added to the data of the pressure is removed with their mean.
TEST(StokesData, PressureHasNoMean) {
  const StokesModel model = make_stokes_model(find_pde_problem("stokes2d"), {.size = 8});
  const std::vector<double> b = right_hand_side(model);
  double sum = 0;
  for (int64_t i = 2 * model.grid.velocities(); i < model.grid.unknowns(); ++i) sum += b[i];
  EXPECT_NEAR(sum, 0, 1e-16);
  StokesModel shifted = model;
  shifted.pressure = [p = model.pressure](double x, double y) { return p(x, y) + 5; };
  EXPECT_EQ(right_hand_side(shifted), b);
  std::vector<double> solution = solve("stokes2d", {.size = 8}).solution;
  const StokesFields once = stokes_fields(model, solution);
  for (int64_t i = 2 * model.grid.velocities(); i < model.grid.unknowns(); ++i) solution[i] += 3;
  const StokesFields twice = stokes_fields(model, solution);
  for (size_t i = 0; i < once.pressure.size(); ++i) EXPECT_NEAR(once.pressure[i], twice.pressure[i], 1e-13);
}

TEST(StokesData, StudiesShowTheOrders) {
  PdeOptions options;
  options.problem = "stokes2d";
  const PdeStudy study = study_pde(options, {8, 16, 32});
  EXPECT_NEAR(study.stokes_orders->velocity_l2, 3, 0.02);
  EXPECT_NEAR(study.stokes_orders->pressure_l2, 2, 0.02);
}

std::string refusal(const PdeChoices& choices, const char* problem = "stokes2d", const char* engine = "stokes") {
  try {
    solve(problem, choices, {}, 1e-8, engine);
  } catch (const Error& error) {
    return spelled(error.message(), [](std::string_view name) { return "--" + std::string(name); });
  }
  return "taken";
}

TEST(StokesData, BadInputIsRefusedInOneLine) {
  EXPECT_THAT(refusal({.size = 1}), HasSubstr("--size 1: stokes2d needs at least 2 elements per side"));
  EXPECT_THAT(refusal({.size = 33}), HasSubstr("33 x 33 ends at 33 x 33; choose a size such as"));
  EXPECT_THAT(refusal({.cells = {{4, 0, 1}}}), HasSubstr("at least"));
  EXPECT_THAT(refusal({.cells = {{4, 4, 2}}}), HasSubstr("1 along z"));
  EXPECT_THAT(refusal({.size = 8, .viscosity = "0"}), HasSubstr("--viscosity 0: expected a positive number"));
  EXPECT_THAT(refusal({.size = 8, .viscosity = "nan"}), HasSubstr("--viscosity nan"));
  EXPECT_THAT(refusal({.size = 8, .viscosity = "thick"}), HasSubstr("--viscosity thick: expected a positive number"));
  EXPECT_THAT(refusal({.size = 8, .viscosity = "missing.npy"}), HasSubstr("missing.npy"));
  EXPECT_THAT(refusal({.size = 8, .reaction = -1}), HasSubstr("--reaction -1"));
  EXPECT_THAT(refusal({.size = 8, .lid = "wavy"}, "stokes2d-cavity"), HasSubstr("expected flat or smooth"));
  EXPECT_THAT(refusal({.size = 8, .lid = "flat"}), HasSubstr("stokes2d has no option --lid"));
  EXPECT_THAT(refusal({.size = 8, .sigma = "1"}), HasSubstr("no option --sigma"));
  EXPECT_THAT(refusal({.size = 100'000}), HasSubstr("choose a smaller size"));
  EXPECT_THAT(refusal({.size = 8}, "stokes2d", "gmd"), HasSubstr("regular 2-D grids only"));
  EXPECT_THAT(refusal({.size = 8}, "stokes2d", "cholmod"), HasSubstr("needs a symmetric positive definite matrix"));
  EXPECT_EQ(refusal({.size = 33}, "stokes2d", "auto"), "taken") << "by superlu";
}

}  // namespace
}  // namespace gridiron
