// SPDX-License-Identifier: Apache-2.0
// Model problems: the discrete system against hand calculation, the solution against analysis.
#include "analysis/pde/pde.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <omp.h>

#include <cmath>
#include <numbers>

#include "analysis/pde/applications/porous.hpp"
#include "analysis/pde/discretise.hpp"
#include "analysis/pde/fields/noise.hpp"
#include "grid/finite_volumes.hpp"
#include "support/error.hpp"
#include "support/memory.hpp"

namespace gridiron {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;
using testing::HasSubstr;
using Boundary = RegularGrid::Boundary;

PdeModel model_of(const char* name, const PdeChoices& choices) {
  const PdeProblem& problem = find_pde_problem(name);
  return make_model(problem, choices);
}

PdeModel model_of(const char* name, int64_t size) { return model_of(name, PdeChoices{.size = size}); }

PdeResult solve(const char* name, const PdeChoices& choices, const char* engine = "cholmod") {
  PdeOptions options;
  options.problem = name;
  options.choices = choices;
  options.engine = engine;
  return solve_pde(options);
}

std::vector<double> row_values(const CsrMatrix& a, int64_t row) {
  return {a.value.begin() + a.row_ptr[row], a.value.begin() + a.row_ptr[row + 1]};
}

std::vector<int32_t> row_columns(const CsrMatrix& a, int64_t row) {
  return {a.col.begin() + a.row_ptr[row], a.col.begin() + a.row_ptr[row + 1]};
}

double entry(const CsrMatrix& a, int64_t row, int64_t column) {
  for (int64_t k = a.row_ptr[row]; k < a.row_ptr[row + 1]; ++k)
    if (a.col[k] == column) return a.value[k];
  return 0;
}

TEST(PdeStencil, Poisson2dIsTheFivePointStencil) {
  const CsrMatrix a = assemble(model_of("poisson2d", 65).grid);
  constexpr int64_t n = 63;
  ASSERT_EQ(a.rows, n * n);
  EXPECT_EQ(a.nonzeros(), 5 * n * n - 4 * n);
  EXPECT_THAT(row_columns(a, 0), ElementsAre(0, 1, n));
  EXPECT_THAT(row_values(a, 0), ElementsAre(4, -1, -1));
  const int64_t middle = 31 * n + 31;
  EXPECT_THAT(row_columns(a, middle), ElementsAre(middle - n, middle - 1, middle, middle + 1, middle + n));
  EXPECT_THAT(row_values(a, middle), ElementsAre(-1, -1, 4, -1, -1));
  EXPECT_THAT(row_columns(a, n - 1), ElementsAre(n - 2, n - 1, 2 * n - 1)) << "no wrap-around at the end of a line";
}

TEST(PdeStencil, Poisson2dRightHandSideByHand) {
  // At (½, ½): t² − t⁴ is 3/16 with curvature 2 − 12/4 = −1, so Δu = −2 · (−1) · 3/16 = 3/8.
  const std::vector<double> b = right_hand_side(model_of("poisson2d", 65));
  EXPECT_THAT(b[31 * 63 + 31], DoubleEq(-0.375 / 4096));
}

TEST(PdeStencil, Poisson3dIsTheSevenPointStencil) {
  const CsrMatrix a = assemble(model_of("poisson3d", 5).grid);
  ASSERT_EQ(a.rows, 27);
  EXPECT_THAT(row_columns(a, 13), ElementsAre(4, 10, 12, 13, 14, 16, 22));
  EXPECT_THAT(row_values(a, 13), ElementsAre(-0.25, -0.25, -0.25, 1.5, -0.25, -0.25, -0.25));
  EXPECT_THAT(row_columns(a, 0), ElementsAre(0, 1, 3, 9));
}

TEST(PdeStencil, AnisotropyWeakensTheCouplingAlongY) {
  const CsrMatrix a = assemble(model_of("anisotropic2d", PdeChoices{.size = 5, .epsilon = 0.125}).grid);
  EXPECT_THAT(row_values(a, 4), ElementsAre(-0.125, -1, 2.25, -1, -0.125));
  const CsrMatrix usual = assemble(model_of("anisotropic2d", 5).grid);
  EXPECT_EQ(entry(usual, 4, 1), -0.01);
}

TEST(PdeStencil, ShiftEntersTheDiagonal) {
  RegularGrid grid = model_of("poisson2d", 5).grid;
  grid.shift = -32;
  EXPECT_THAT(row_values(assemble(grid), 4), ElementsAre(-1, -1, 4 + 32.0 / 16, -1, -1));
}

class EveryProblem : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Pde, EveryProblem,
                         testing::Values("poisson2d", "poisson3d", "helmholtz2d", "helmholtz3d", "anisotropic2d",
                                         "porous3d", "capacitor3d", "griddeform2d", "trefoil3d"),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(EveryProblem, IsInTheTable) { EXPECT_EQ(find_pde_problem(GetParam()).name, GetParam()); }

TEST_P(EveryProblem, HasASymmetricMatrixWithFlowsThatBalance) {
  const PdeModel model = model_of(GetParam(), 20);
  const FiniteVolumes volumes(model.grid);
  const CsrMatrix a = assemble(model.grid);
  int64_t inside = 0;
  for (int64_t row = 0; row < a.rows; ++row) {
    double sum = 0, known = -model.grid.shift * volumes.volume_of(volumes.index_of(row));
    volumes.for_each_face(volumes.index_of(row),
                          [&](const FiniteVolumes::Face& face) { known += face.neighbour < 0 ? face.conductance : 0; });
    for (int64_t k = a.row_ptr[row]; k < a.row_ptr[row + 1]; ++k) {
      ASSERT_TRUE(k == a.row_ptr[row] || a.col[k - 1] < a.col[k]);
      ASSERT_EQ(a.value[k], entry(a, a.col[k], row)) << "symmetric to the last bit";
      ASSERT_TRUE(a.col[k] == row || a.value[k] < 0);
      sum += a.value[k];
    }
    const double diagonal = entry(a, row, row);
    ASSERT_GT(diagonal, 0);
    ASSERT_NEAR(sum, known, 1e-14 * diagonal) << "row " << row;
    inside += known == -model.grid.shift * volumes.volume_of(volumes.index_of(row));
  }
  EXPECT_GT(inside, a.rows / 3) << "rows that must sum to 0";
}

TEST_P(EveryProblem, DoesNotDependOnThreads) {
  const int threads = omp_get_max_threads();
  const auto system = [&](int count) {
    omp_set_num_threads(count);
    const PdeModel model = model_of(GetParam(), std::string_view(GetParam()).ends_with("2d") ? 200 : 64);
    return std::pair(assemble(model.grid), right_hand_side(model));
  };
  const auto [a1, b1] = system(1);
  const auto [a3, b3] = system(3);
  omp_set_num_threads(threads);
  EXPECT_GT(a1.rows, 1 << 14) << "large enough for several ranges";
  EXPECT_EQ(a1.row_ptr, a3.row_ptr);
  EXPECT_EQ(a1.col, a3.col);
  EXPECT_EQ(a1.value, a3.value);
  EXPECT_EQ(b1, b3);
}

TEST_P(EveryProblem, ComesInTheSmallestSizes) {
  for (const int64_t size : {3, 4, 5})
    for (const char* engine : {"cholmod", "superlu"}) {
      const PdeResult result = solve(GetParam(), {.size = size}, engine);
      EXPECT_TRUE(result.solve.converged);
      EXPECT_EQ(result.size, size);
      EXPECT_EQ(
          result.error.has_value() + result.balance.has_value() + result.mesh.has_value() + result.vortex.has_value(),
          1)
          << "one check";
      EXPECT_EQ(static_cast<int64_t>(result.solution.size()), result.unknowns * result.components);
    }
}

TEST(PdeSolution, OneUnknownByHand) {
  // 4 u = −3/8 · ¼, and the exact solution at the middle is −(3/16)².
  const PdeResult result = solve("poisson2d", {.size = 3});
  ASSERT_EQ(result.unknowns, 1);
  EXPECT_THAT(result.solution, ElementsAre(DoubleEq(-0.0234375)));
  EXPECT_THAT(result.error->linf, DoubleEq(0.03515625 - 0.0234375));
  EXPECT_THAT(result.error->l1_relative, DoubleEq(1.0 / 3));
  EXPECT_THAT(result.error->l2, DoubleEq(0.01171875 / 2));
}

/// To leading order the error e of the five-point stencil satisfies Δe = h²/12 (∂⁴u/∂x⁴ + ∂⁴u/∂y⁴) = 2h² (g(x) + g(y))
/// with g(t) = t² − t⁴ and e = 0 on the boundary: solved here with a double sine series, of which only odd terms have a
/// mean.
TEST(PdeSolution, HasTheDiscretisationErrorOfTheory) {
  const auto sine_integral = [](int m) {  // ∫ g(t) sin(mπt) dt for odd m, by parts
    const double k = m * std::numbers::pi;
    return 8 / std::pow(k, 3) - 48 / std::pow(k, 5);
  };
  const auto mean_of_sine = [](int m) { return 2 / (m * std::numbers::pi); };
  double sum = 0;
  for (int m = 1; m < 400; m += 2)
    for (int n = 1; n < 400; n += 2)
      sum += 4 * (sine_integral(m) * mean_of_sine(n) + mean_of_sine(m) * sine_integral(n)) * mean_of_sine(m) *
             mean_of_sine(n) / (std::numbers::pi * std::numbers::pi * (m * m + n * n));
  const double h = 1.0 / 256, mean_of_u = std::pow(1.0 / 3 - 1.0 / 5, 2);
  const double expected = 2 * h * h * sum / mean_of_u;
  EXPECT_NEAR(solve("poisson2d", {.size = 257}).error->l1_relative, expected, 1e-3 * expected);
}

struct Smooth {
  const char* problem;
  const char* engine;
  std::array<int64_t, 3> sizes;
};
constexpr std::array<int64_t, 3> kFlatSizes{17, 33, 65}, kDeepSizes{9, 17, 33};
class SmoothProblem : public testing::TestWithParam<Smooth> {};
INSTANTIATE_TEST_SUITE_P(
    Pde, SmoothProblem,
    testing::Values(Smooth{"poisson2d", "cholmod", kFlatSizes}, Smooth{"poisson2d", "superlu", kFlatSizes},
                    Smooth{"anisotropic2d", "cholmod", kFlatSizes}, Smooth{"anisotropic2d", "superlu", kFlatSizes},
                    Smooth{"helmholtz2d", "cholmod", kFlatSizes}, Smooth{"helmholtz3d", "cholmod", kDeepSizes},
                    Smooth{"poisson3d", "cholmod", kDeepSizes}, Smooth{"poisson3d", "superlu", kDeepSizes}),
    [](const auto& info) { return std::string(info.param.problem) + "_" + info.param.engine; });

TEST_P(SmoothProblem, ConvergesWithSecondOrder) {
  std::vector<PdeError> errors;
  for (const int64_t size : GetParam().sizes)
    errors.push_back(*solve(GetParam().problem, {.size = size}, GetParam().engine).error);
  for (size_t i = 1; i < errors.size(); ++i)
    for (double PdeError::*norm : {&PdeError::l1_relative, &PdeError::l2, &PdeError::linf})
      EXPECT_GE(std::log2(errors[i - 1].*norm / errors[i].*norm), 1.9);
}

TEST(PdeSolution, NeumannAndDirichletFacesTogether) {
  // u = cos(πx) cosh(y): no flow at x = 0, 1; Δu = (1 − π²) u, here with a = −1: Δu − u = −π² u.
  const auto largest_error = [](int64_t size) {
    PdeModel model;
    model.grid.size = {size, size, 1};
    model.grid.spacing = {1.0 / (size - 1), 1.0 / (size - 1), 1};
    model.grid.shift = -1;
    for (auto& sigma : model.grid.sigma) sigma = {1.0};
    model.grid.boundary[0] = {Boundary::neumann, Boundary::neumann};
    model.exact = [](const Point& p) { return std::cos(std::numbers::pi * p[0]) * std::cosh(p[1]); };
    model.boundary = model.exact;
    model.source = [](const Point& p) {
      return -std::numbers::pi * std::numbers::pi * std::cos(std::numbers::pi * p[0]) * std::cosh(p[1]);
    };
    Problem problem;
    problem.matrix = assemble(model.grid);
    const std::vector<double> b = right_hand_side(model);
    std::vector<double> x(b.size(), 0.0);
    const auto n = static_cast<int64_t>(b.size());
    EXPECT_EQ(n, size * (size - 2));
    const auto engine = find_engine("cholmod").make({});
    engine->setup(problem);
    engine->solve({b.data(), n}, {x.data(), n}, {});
    return error_against_exact(model, x).linf;
  };
  EXPECT_GE(std::log2(largest_error(17) / largest_error(33)), 1.9);
  EXPECT_GE(std::log2(largest_error(33) / largest_error(65)), 1.9);
}

TEST(PdeSolution, LayersAreResistorsInSeries) {
  // Flow along y through cells of σ 1, 10⁻⁴ and 2, each 0.5 long with a cross-section of 2 × 3.
  PdeModel model;
  RegularGrid& grid = model.grid;
  grid.dimensions = 3;
  grid.places = RegularGrid::Places::cells;
  grid.size = {1, 3, 1};
  grid.spacing = {2, 0.5, 3};
  for (auto& sigma : grid.sigma) sigma = {1, 1e-4, 2};
  grid.boundary[0] = grid.boundary[2] = {Boundary::neumann, Boundary::neumann};
  model.boundary = [](const Point& p) { return p[1] == 0 ? 1.0 : 0.0; };
  Problem problem;
  problem.matrix = assemble(grid);
  const std::vector<double> b = right_hand_side(model);
  std::vector<double> x(3, 0.0);
  const auto engine = find_engine("superlu").make({});
  engine->setup(problem);
  engine->solve({b.data(), 3}, {x.data(), 3}, {1e-14, 0, 10});
  const FlowBalance flow = flow_balance(model, x);
  const double resistance = 0.5 / 6 * (1 + 1e4 + 0.5);
  EXPECT_NEAR(flow.inflow, 1 / resistance, 1e-8 / resistance);
  EXPECT_NEAR(flow.outflow, 1 / resistance, 1e-8 / resistance);
  EXPECT_NEAR(x[0], 1 - 0.25 / 6 / resistance, 1e-12);
}

TEST(PdeSlice, HoldsTheBoundaryToo) {
  const PdeResult flat = solve("poisson2d", {.size = 5});
  EXPECT_EQ(flat.slice.columns, 5);
  EXPECT_EQ(flat.slice.rows, 5);
  EXPECT_EQ(flat.slice.at(0, 2), 0.0);
  EXPECT_EQ(flat.slice.at(1, 2), flat.solution[3]);
  EXPECT_EQ(flat.slice.at(3, 1), flat.solution[2]);
  const PdeResult deep = solve("poisson3d", {.size = 5});
  EXPECT_EQ(deep.slice.depth, 0.5);
  EXPECT_EQ(deep.slice.at(2, 2), deep.solution[13]);
}

TEST(Porous, ConservesMass) {
  for (const uint64_t seed : {1, 2, 3}) {
    const PdeResult result = solve("porous3d", {.size = 44, .seed = seed});
    EXPECT_TRUE(result.solve.converged);
    EXPECT_GT(result.balance->inflow, 0);
    EXPECT_LE(result.balance->imbalance, 1e-8) << "seed " << seed;
    for (const double pressure : result.solution) {
      ASSERT_GE(pressure, -1e-6) << "a pressure is never below that of both faces";
      ASSERT_LE(pressure, 1 + 1e-6);
    }
  }
}

TEST(Porous, IsAFunctionOfSeedAndPlace) {
  const auto sigma = [](const PdeChoices& choices) { return model_of("porous3d", choices).grid.sigma; };
  EXPECT_EQ(sigma({.size = 22, .seed = 7}), sigma({.size = 22, .seed = 7}));
  EXPECT_NE(sigma({.size = 22, .seed = 7}), sigma({.size = 22, .seed = 8}));
  EXPECT_EQ(sigma({.size = 22}), sigma({.size = 22, .seed = 1}));
  // The middle one of 3 × 3 × 3 finer cells is at the centre of the coarse cell.
  const auto coarse = sigma({.cells = {{6, 22, 8}}}), fine = sigma({.cells = {{18, 66, 24}}});
  for (int axis = 0; axis < 3; ++axis)
    EXPECT_THAT(fine[axis][(13 * 66 + 31) * 18 + 7], DoubleEq(coarse[axis][(4 * 22 + 10) * 6 + 2]));
}

TEST(Porous, RockIsSandAboveChannelsInTightRock) {
  const PorousRock rock(1);
  double least = INFINITY, most = 0, least_ratio = INFINITY, most_ratio = 0;
  int64_t in_channel = 0, deep = 0;
  double sand_sum = 0, sand_squares = 0;
  int64_t sand = 0;
  for (int z = 0; z < 85; ++z)
    for (int y = 0; y < 220; y += 2)
      for (int x = 0; x < 60; x += 2) {
        const Permeability k = rock.at(x + 0.5, y + 0.5, z + 0.5);
        least = std::min(least, k.horizontal);
        most = std::max(most, k.horizontal);
        least_ratio = std::min(least_ratio, k.vertical / k.horizontal);
        most_ratio = std::max(most_ratio, k.vertical / k.horizontal);
        if (z < 35) {
          ++sand;
          sand_sum += std::log10(k.horizontal);
          sand_squares += std::log10(k.horizontal) * std::log10(k.horizontal);
        } else {
          ++deep;
          in_channel += k.vertical > 0.05 * k.horizontal;
        }
      }
  EXPECT_GE(std::log10(most / least), 6) << "decades of permeability";
  EXPECT_GE(most_ratio, 0.09);
  EXPECT_LE(least_ratio, 1.1e-4);
  const double share = static_cast<double>(in_channel) / static_cast<double>(deep);
  EXPECT_GT(share, 0.1);
  EXPECT_LT(share, 0.6);
  const double mean = sand_sum / sand, deviation = std::sqrt(sand_squares / sand - mean * mean);
  EXPECT_NEAR(mean, 1.5, 0.4) << "log10 of millidarcy";
  EXPECT_NEAR(deviation, std::sqrt(0.5 * 0.5 + 0.9 * 0.9 + 0.4 * 0.4), 0.3);
}

TEST(Porous, NoiseIsStandardNormalAndSmooth) {
  double sum = 0, squares = 0, steps = 0;
  constexpr int n = 40000;
  for (int i = 0; i < n; ++i) {
    const std::array<double, 3> place{0.37 * i, 1.7 * (i % 100), 0.9 * (i % 7)};
    std::array<double, 3> near = place;
    near[0] += 1e-3;
    const double value = smooth_noise(5, 0, place, {1, 2, 3});
    sum += value;
    squares += value * value;
    steps = std::max(steps, std::abs(smooth_noise(5, 0, near, {1, 2, 3}) - value));
  }
  EXPECT_NEAR(sum / n, 0, 0.05);
  EXPECT_NEAR(squares / n, 1, 0.05);
  EXPECT_LT(steps, 0.05) << "no jumps between lattice cells";
}

TEST(Porous, ShapeKeepsItsProportions) {
  EXPECT_THAT(porous_shape(220), ElementsAre(60, 220, 85));
  EXPECT_THAT(porous_shape(440), ElementsAre(120, 440, 170));
  EXPECT_THAT(porous_shape(3), ElementsAre(1, 3, 1));
}

template <class E>
std::string message(const char* problem, const PdeChoices& choices, const char* engine = "auto") {
  try {
    solve(problem, choices, engine);
  } catch (const E& error) {
    return error.what();
  }
  return "";
}

TEST(PdeInput, SaysWhatIsWrong) {
  EXPECT_THAT(message<InputError>("poisson9d", {}), HasSubstr("there are poisson2d, poisson3d, helmholtz2d"));
  EXPECT_THAT(message<InputError>("poisson2d", {.size = 2}), HasSubstr("size 2"));
  EXPECT_THAT(message<InputError>("poisson2d", {.size = -7}), HasSubstr("size -7"));
  EXPECT_THAT(message<InputError>("porous3d", {.size = 2}), HasSubstr("size 2"));
  EXPECT_THAT(message<InputError>("porous3d", {.cells = {{4, 0, 4}}}), HasSubstr("cells 4,0,4"));
  EXPECT_THAT(message<InputError>("porous3d", {.size = 5, .cells = {{4, 4, 4}}}), HasSubstr("contradict"));
  EXPECT_THAT(message<InputError>("poisson2d", {.cells = {{4, 4, 4}}}), HasSubstr("no option cells"));
  EXPECT_THAT(message<InputError>("poisson2d", {.epsilon = 0.5}), HasSubstr("no option epsilon"));
  EXPECT_THAT(message<InputError>("anisotropic2d", {.seed = 5}), HasSubstr("no option seed"));
  for (const double epsilon : {0.0, -1.0, double{NAN}, double{INFINITY}})
    EXPECT_THAT(message<InputError>("anisotropic2d", {.size = 5, .epsilon = epsilon}), HasSubstr("epsilon"));
  EXPECT_THAT(message<InputError>("poisson2d", {.size = 5}, "magic"), HasSubstr("no engine is called"));
}

TEST(PdeInput, RefusesWhatCannotBeNumbered) {
  constexpr auto kHuge = std::numeric_limits<int64_t>::max();
  EXPECT_THAT(message<InputError>("poisson2d", {.size = 46342}), HasSubstr("more points than"));
  EXPECT_THAT(message<InputError>("poisson3d", {.size = 1291}), HasSubstr("more points than"));
  for (const char* problem : {"poisson2d", "poisson3d", "porous3d"})
    EXPECT_THAT(message<InputError>(problem, {.size = kHuge}), HasSubstr("more points than"));
  EXPECT_THAT(message<InputError>("porous3d", {.cells = {{kHuge, kHuge, kHuge}}}), HasSubstr("more points than"));
}

TEST(PdeInput, MemoryCountsFieldsAndComponents) {
  const auto bytes = [](int components, int values) {
    return system_bytes({10, 10, 10}, 3, RegularGrid::Stencil::axes, components, values);
  };
  EXPECT_EQ(bytes(1, 0), 1000 * (7 * 12 + 8 + 16));
  EXPECT_EQ(bytes(3, 3), bytes(1, 0) + 1000 * (4 + 3) * 8);
  for (const PdeProblem& problem : pde_problems()) {
    if (problem.make_stokes || problem.make_fem) continue;
    const PdeModel model = model_of(std::string(problem.name).c_str(), 9);
    size_t values = 0;
    for (const auto& sigma : model.grid.sigma) values += sigma.size() > 1 ? sigma.size() : 0;
    for (const auto& spread : model.spread) values += spread.size();
    EXPECT_EQ(values, problem.values_per_point * model.grid.points()) << problem.name;
    EXPECT_EQ(model.components(), problem.components) << problem.name;
  }
}

TEST(PdeInput, ConductivitiesFarApartAreAveraged) {
  RegularGrid grid = model_of("poisson2d", 4).grid;
  for (const double sigma : {1e-160, 1.0, 1e160}) {
    for (auto& field : grid.sigma) field.assign(grid.points(), sigma);
    EXPECT_DOUBLE_EQ(assemble(grid).value[1], -sigma);
  }
}

TEST(PdeInput, RefusesWhatDoesNotFitIntoMemory) {
  if (system_bytes({46000, 46000, 1}, 2, RegularGrid::Stencil::axes) < static_cast<double>(usable_memory_bytes()))
    GTEST_SKIP() << "this machine has room for everything";
  EXPECT_THAT(message<ResourceError>("poisson2d", {.size = 46000}), HasSubstr("GB"));
}

TEST(PdeResidual, MissIsTold) {
  PdeOptions options;
  options.problem = "poisson2d";
  PdeResult result = solve("poisson2d", {.size = 9});
  EXPECT_EQ(residual_miss(result, options), "");
  result.solve.converged = false;
  EXPECT_THAT(residual_miss(result, options), HasSubstr("raise " + field("rtol"))) << "more iterations would not help";
  result.solve.iterations = options.max_iterations;
  EXPECT_THAT(residual_miss(result, options), HasSubstr("raise " + field("max_iterations")));
}

}  // namespace
}  // namespace gridiron
