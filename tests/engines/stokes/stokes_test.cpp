// SPDX-License-Identifier: Apache-2.0
// The Stokes engine: its parts against the assembled matrix, iterations against an independent prototype, solutions
// against SuperLU.
#include "engines/stokes/stokes_engine.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <limits>

#include "device/checking_device.hpp"
#include "device/cpu_device.hpp"
#include "engines/stokes/stokes_on.hpp"
#include "support/error.hpp"
#include "tests/engines/stokes/stokes_checks.hpp"

namespace gridiron {
namespace {

using testing::HasSubstr;

template <class D>
class StokesParts : public testing::Test {};
using Devices = testing::Types<CpuDevice, CheckingDevice>;
TYPED_TEST_SUITE(StokesParts, Devices);

TYPED_TEST(StokesParts, OperatorIsTheMatrix) { test::stokes_operator_is_the_matrix<TypeParam>(); }
TYPED_TEST(StokesParts, SchurComplementIsThatOfTheMatrix) {
  test::stokes_schur_complement_is_that_of_the_matrix<TypeParam>();
}
TYPED_TEST(StokesParts, VankaSolvesPatchesOfTheMatrix) { test::stokes_vanka_solves_patches_of_the_matrix<TypeParam>(); }
TYPED_TEST(StokesParts, TransfersAreThoseOfElements) { test::stokes_transfers_are_those_of_elements<TypeParam>(); }
TYPED_TEST(StokesParts, CoarsestLevelIsSolved) { test::stokes_coarsest_level_is_solved<TypeParam>(); }

/// n × n elements of the unit square.
std::shared_ptr<const StokesGrid> unit_square(int64_t nx, int64_t ny, double viscosity = 1, double reaction = 0) {
  auto grid = std::make_shared<StokesGrid>();
  grid->elements = {nx, ny};
  grid->spacing = {1 / static_cast<double>(nx), 1 / static_cast<double>(ny)};
  grid->viscosity = {viscosity};
  grid->reaction = reaction;
  return grid;
}

/// A smooth force: ∫ f ψ by Simpson's rule on every element, f = (sin πx cos 2πy, x y).
std::vector<double> smooth_force(const StokesGrid& grid) {
  std::vector<double> b(grid.unknowns(), 0.0);
  for (int64_t j = 0; j < grid.elements[1]; ++j)
    for (int64_t i = 0; i < grid.elements[0]; ++i)
      for (int a = 0; a < 9; ++a) {
        constexpr double kSimpson[3] = {1. / 6, 4. / 6, 1. / 6};
        const StokesGrid::Index at{2 * i + a % 3, 2 * j + a / 3};
        const double x = static_cast<double>(at[0]) * grid.spacing[0] / 2,
                     y = static_cast<double>(at[1]) * grid.spacing[1] / 2;
        const double weight = kSimpson[a % 3] * kSimpson[a / 3] * grid.spacing[0] * grid.spacing[1];
        const double f[2] = {std::sin(M_PI * x) * std::cos(2 * M_PI * y), x * y};
        for (int c = 0; c < 2; ++c)
          if (const int64_t k = grid.velocity(c, at); k >= 0) b[k] += weight * f[c];
      }
  return b;
}

test::Solution solve(const std::shared_ptr<const StokesGrid>& grid, const Settings& settings,
                     const std::vector<double>& b, const StopRule& stop = {}, const char* engine = "stokes") {
  const auto made = find_engine(engine).make(settings);
  const Problem problem =
      std::string_view(engine) == "stokes" ? stokes_problem_without_matrix(grid) : stokes_problem(grid);
  made->setup(problem);
  return test::solve(*made, problem, b, stop);
}

int iterations(int64_t nx, int64_t ny, const Settings& settings, double viscosity = 1, double reaction = 0) {
  const auto grid = unit_square(nx, ny, viscosity, reaction);
  const SolveStats stats = solve(grid, settings, smooth_force(*grid)).stats;
  EXPECT_TRUE(stats.converged);
  return stats.iterations;
}

TEST(Stokes, BeginsAtZeroIfToldTo) {
  const auto grid = unit_square(12, 10);
  const std::vector<double> b = smooth_force(*grid);
  const Problem problem = stokes_problem_without_matrix(grid);
  const auto engine = find_engine("stokes").make({});
  engine->setup(problem);
  const auto n = static_cast<int64_t>(b.size());
  std::vector<double> x(b.size(), std::numeric_limits<double>::quiet_NaN());
  EXPECT_TRUE(engine->solve({b.data(), n, 1}, {x.data(), n, 1}, {.from_zero = true}).converged);
  EXPECT_EQ(x, solve(grid, {}, b).x);
}

TEST(Stokes, PrecisionOfTheCycleDoesNotMatter) {
  for (const char* relaxation : {"braess-sarazin", "vanka"}) {
    const auto grid = unit_square(32, 32);
    const std::vector<double> b = smooth_force(*grid);
    const StopRule tight{.relative_residual = 1e-12};
    const auto single = solve(grid, {{"relaxation", relaxation}}, b, tight),
               twofold = solve(grid, {{"relaxation", relaxation}, {"precision", "double"}}, b, tight);
    EXPECT_TRUE(single.stats.converged);
    EXPECT_EQ(single.stats.iterations, twofold.stats.iterations) << relaxation;
  }
}

/// Numbers of eight bits in Vanka relaxation cost at most one iteration.
TEST(Stokes, TensorCoresKeepTheIterations) {
  for (const auto& [nx, ny, reaction] : {std::tuple{48, 48, 0.0}, {48, 24, 0.0}, {32, 32, 1e4}}) {
    const Settings as_stencil{{"relaxation", "vanka"}, {"vanka", "stencil"}},
        on_tensors{{"relaxation", "vanka"}, {"vanka", "tensor"}};
    EXPECT_LE(iterations(nx, ny, on_tensors, 1, reaction), iterations(nx, ny, as_stencil, 1, reaction) + 1)
        << nx << " x " << ny;
  }
}

TEST(Stokes, ElementsMayBeLongAndStepsInTimeShort) {
  for (const char* relaxation : {"braess-sarazin", "vanka"}) {
    const Settings settings{{"relaxation", relaxation}};
    EXPECT_LE(iterations(64, 32, settings), 16) << relaxation;
    EXPECT_LE(iterations(16, 64, settings), 16) << relaxation;
    EXPECT_LE(iterations(64, 64, settings, 1, 1e4), 10) << relaxation;
  }
}

/// Viscosities of contrast 100: smooth, an inclusion, a checkerboard of 8 × 8.
std::shared_ptr<const StokesGrid> of_contrast_100(int64_t nx, int64_t ny, char kind) {
  auto grid = std::make_shared<StokesGrid>(*unit_square(nx, ny));
  grid->viscosity.clear();
  for (int64_t j = 0; j < ny; ++j)
    for (int64_t i = 0; i < nx; ++i) {
      const double x = (static_cast<double>(i) + 0.5) / static_cast<double>(nx);
      const double y = (static_cast<double>(j) + 0.5) / static_cast<double>(ny);
      const bool is_black = (static_cast<int>(8 * x) + static_cast<int>(8 * y)) % 2 == 1;
      const double value = kind == 's'   ? std::pow(100, 0.5 + 0.5 * std::sin(2 * M_PI * x) * std::sin(2 * M_PI * y))
                           : kind == 'i' ? (std::hypot(x - 0.5, y - 0.5) < 0.25 ? 100 : 1)
                                         : (is_black ? 100 : 1);
      grid->viscosity.push_back(value);
    }
  return grid;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0, difference = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, std::abs(b[i]));
    difference = std::max(difference, std::abs(a[i] - b[i]));
  }
  return difference / largest;
}

/// For data that are not compatible too: the pressure's ground takes what does not cancel, as in the matrix.
TEST(Stokes, AgreesWithSuperlu) {
  const StopRule tight{.relative_residual = 1e-13};
  for (const auto& grid : {unit_square(32, 32), unit_square(16, 8, 1e-2), unit_square(6, 10, 5, 30), unit_square(5, 5)})
    for (const std::vector<double>& b : {smooth_force(*grid), test::random_block(grid->unknowns(), 7)}) {
      SCOPED_TRACE(test::name_of(*grid));
      const auto expected = solve(grid, {}, b, tight, "superlu");
      for (const Settings& settings :
           {Settings{}, Settings{{"relaxation", "vanka"}}, Settings{{"vanka", "simple"}, {"relaxation", "vanka"}},
            Settings{{"vanka", "stencil"}, {"relaxation", "vanka"}},
            Settings{{"vanka", "tensor"}, {"relaxation", "vanka"}},
            Settings{{"relaxation", "schur-uzawa"}, {"restart", "100"}},
            Settings{{"preconditioner", "block-triangular"}}}) {
        const auto got = solve(grid, settings, b, tight);
        EXPECT_LE(got.stats.relative_residual, 1e-12);
        EXPECT_LE(largest_difference(got.x, expected.x), 1e-9);
      }
    }
}

TEST(StokesViscosity, MayVaryAHundredfold) {
  for (const char kind : {'s', 'i', 'c'}) {
    SCOPED_TRACE(kind);
    const auto grid = of_contrast_100(32, 32, kind);
    const SolveStats stats = solve(grid, {}, smooth_force(*grid)).stats;
    EXPECT_TRUE(stats.converged);
    EXPECT_LE(stats.iterations, 20);
    const auto small = of_contrast_100(16, 8, kind);
    const std::vector<double> b = smooth_force(*small);
    const StopRule tight{.relative_residual = 1e-12};
    EXPECT_LE(largest_difference(solve(small, {}, b, tight).x, solve(small, {}, b, tight, "superlu").x), 1e-8);
    EXPECT_THROW(solve(small, {{"relaxation", "braess-sarazin"}}, b), InputError);
    EXPECT_THROW(solve(small, {{"preconditioner", "block-triangular"}}, b), InputError);
  }
}

/// Given element by element, the same viscosity everywhere is the constant one.
TEST(StokesViscosity, FieldOfOneValueIsThatValue) {
  const auto constant = unit_square(16, 12, 0.3, 5);
  auto field = std::make_shared<StokesGrid>(*constant);
  field->viscosity.assign(16 * 12, 0.3);
  const std::vector<double> b = smooth_force(*constant);
  const StopRule tight{.relative_residual = 1e-12};
  const auto expected = solve(constant, {{"relaxation", "vanka"}}, b, tight), got = solve(field, {}, b, tight);
  EXPECT_EQ(got.stats.iterations, expected.stats.iterations);
  EXPECT_LE(largest_difference(got.x, expected.x), 1e-10);
}

/// A column that overflows leaves nothing behind for those that follow it.
TEST(Stokes, BadColumnsSpoilNoOthers) {
  const auto grid = unit_square(16, 16);
  const int64_t n = grid->unknowns();
  for (const char* relaxation : {"braess-sarazin", "vanka"})
    for (const double bad : {static_cast<double>(NAN), static_cast<double>(INFINITY), 1e300}) {
      const auto engine = make_stokes({{"relaxation", relaxation}});
      engine->setup(stokes_problem_without_matrix(grid));
      const std::vector<double> b = smooth_force(*grid);
      std::vector<double> block(2 * n, bad), x(2 * n, 0.0), alone(n, 0.0);
      std::copy(b.begin(), b.end(), block.begin() + n);
      EXPECT_TRUE(engine->solve({b.data(), n, 1}, {alone.data(), n, 1}, {}).converged);
      const SolveStats stats = engine->solve({block.data(), n, 2}, {x.data(), n, 2}, {});
      EXPECT_FALSE(stats.columns[0].converged) << bad;
      EXPECT_TRUE(stats.columns[1].converged) << bad;
      EXPECT_EQ(std::vector<double>(x.begin() + n, x.end()), alone) << relaxation << " " << bad;
    }
}

/// An update is a setup, whether it keeps the levels (viscosity and reaction times one factor) or not.
TEST(Stokes, UpdateIsLikeSetup) {
  const auto first = unit_square(32, 16, 0.5, 3);
  for (const auto& second : {unit_square(32, 16, 5, 30), unit_square(32, 16, 5, 3), unit_square(16, 16, 0.5, 3)})
    for (const char* what : {"braess-sarazin", "vanka", "block-triangular"}) {
      const Settings settings{what == std::string_view("block-triangular") ? Settings{{"preconditioner", what}}
                                                                           : Settings{{"relaxation", what}}};
      SCOPED_TRACE(test::name_of(*second) + ", " + what);
      const auto engine = make_stokes(settings);
      engine->setup(stokes_problem_without_matrix(first));
      const std::vector<double> b = smooth_force(*second);
      const int64_t n = second->unknowns();
      std::vector<double> x(n, 0.0), before(first->unknowns(), 0.0);
      const std::vector<double> any = smooth_force(*first);
      engine->solve({any.data(), first->unknowns(), 1}, {before.data(), first->unknowns(), 1}, {});
      engine->update(stokes_problem_without_matrix(second));
      const SolveStats stats = engine->solve({b.data(), n, 1}, {x.data(), n, 1}, {});
      const auto expected = solve(second, settings, b);
      EXPECT_EQ(stats.iterations, expected.stats.iterations);
      EXPECT_LE(largest_difference(x, expected.x), 1e-12);
    }
}

/// The level of the guess's pressure is of no meaning, and a large one costs no accuracy.
TEST(Stokes, ConstantsInTheGuessDoNotMatter) {
  const auto grid = unit_square(16, 16);
  const std::vector<double> b = smooth_force(*grid);
  const auto engine = make_stokes({});
  engine->setup(stokes_problem_without_matrix(grid));
  const int64_t n = grid->unknowns();
  std::vector<double> from_zero(n, 0.0), from_guess(n, 0.0);
  for (int64_t i = 2 * grid->velocities(); i < n; ++i) from_guess[i] = 1000;
  for (auto* x : {&from_zero, &from_guess})
    EXPECT_TRUE(engine->solve({b.data(), n, 1}, {x->data(), n, 1}, {.relative_residual = 1e-12}).converged);
  EXPECT_EQ(from_guess, from_zero);
}

TEST(Stokes, SameBitsOnAnyNumberOfThreads) {
  const auto grid = unit_square(48, 40);
  const std::vector<double> b = test::random_block(grid->unknowns(), 4);
  std::vector<double> first;
  for (const int threads : {1, 2, 3}) {
    omp_set_num_threads(threads);
    std::vector<double> both;
    for (const char* relaxation : {"braess-sarazin", "vanka"}) {
      const auto x = solve(grid, {{"relaxation", relaxation}}, b).x;
      both.insert(both.end(), x.begin(), x.end());
    }
    if (first.empty()) first = both;
    EXPECT_EQ(both, first) << threads;
  }
  omp_set_num_threads(omp_get_num_procs());
}

template <class D, class T>
test::Solution solve_on(const StokesGrid& grid, StokesParams params, const std::vector<double>& b) {
  stokes::StokesOn<D, T> engine(std::move(params));
  const Problem problem = stokes_problem_without_matrix(std::make_shared<const StokesGrid>(grid));
  engine.setup(problem);
  return test::solve(engine, problem, b, {.relative_residual = 1e-9});
}

/// The whole engine under the rules of a GPU.
TEST(Stokes, RunsOnTheCheckingDevice) {
  for (const auto& grid : {*unit_square(12, 12), *unit_square(16, 8), *unit_square(8, 16, 2, 5)})
    for (const char* what : {"braess-sarazin", "vanka", "schur-uzawa", "block-triangular"}) {
      SCOPED_TRACE(test::name_of(grid) + ", " + what);
      StokesParams params;
      (std::string_view(what) == "block-triangular" ? params.preconditioner : params.relaxation) = what;
      const auto b = smooth_force(grid);
      const auto expected = solve_on<CpuDevice, float>(grid, params, b),
                 got = solve_on<CheckingDevice, float>(grid, params, b);
      EXPECT_TRUE(got.stats.converged);
      EXPECT_GE(got.stats.iterations, 6);
      EXPECT_LE(got.stats.iterations, expected.stats.iterations + 1) << "its coarsest level is larger";
      EXPECT_LE(largest_difference(got.x, expected.x), 1e-6);
    }
}

TEST(Stokes, LevelsAndMemoryAreReported) {
  const auto grid = unit_square(32, 32);
  const auto engine = make_stokes({});
  EXPECT_EQ(engine->bytes(), 0);
  engine->setup(stokes_problem_without_matrix(grid));
  ASSERT_EQ(engine->levels().size(), 5u) << "32, 16, 8, 4, 2";
  EXPECT_EQ(engine->levels()[0].unknowns, 2 * 63 * 63 + 33 * 33);
  EXPECT_EQ(engine->levels()[4].unknowns, 27);
  for (const int64_t n : {2, 5, 16}) {
    const CsrMatrix a = stokes_matrix(*unit_square(n, n + 1));
    EXPECT_EQ(stokes_nonzeros(*unit_square(n, n + 1)), a.nonzeros());
  }
  EXPECT_GT(engine->bytes(), 0);
}

/// One table of 25 inverses serves all levels of square elements; one inverse per patch takes far more.
TEST(Stokes, TunedVankaSharesOneTable) {
  const auto bytes = [](int64_t n, const char* vanka) {
    const auto engine = make_stokes({{"relaxation", "vanka"}, {"vanka", vanka}});
    engine->setup(stokes_problem_without_matrix(unit_square(n, n)));
    return engine->bytes();
  };
  const auto plan = stokes::plan_levels(*unit_square(32, 32));
  StokesParams params;
  params.vanka = "tuned";
  const stokes::Multigrid<CpuDevice, float> multigrid(plan, params, stokes::Relaxation::vanka, 1, 1);
  EXPECT_EQ(multigrid.table_bytes(), 25 * 51 * 51 * 4);
  EXPECT_GT(bytes(32, "simple") - bytes(32, "tuned"), 33 * 33 * 51 * 51 * 4);
}

std::string declined(const Problem& problem) { return stokes_declines(problem).value_or("takes it"); }

TEST(Stokes, DeclinesWhatItCannotSolve) {
  EXPECT_EQ(declined(test::poisson(3)), "solves Stokes problems on structured elements only");
  for (const int64_t n : {2, 3, 5, 13, 96, 104})
    EXPECT_EQ(declined(stokes_problem_without_matrix(unit_square(n, n))), "takes it") << n;
  EXPECT_THAT(declined(stokes_problem_without_matrix(unit_square(33, 33))),
              HasSubstr("33 x 33 ends at 33 x 33; choose a size such as"));
  EXPECT_THAT(declined(stokes_problem_without_matrix(unit_square(68, 68))), HasSubstr("68 x 68 ends at 17 x 17"));
  EXPECT_THAT(declined(stokes_problem_without_matrix(unit_square(15600, 15600))), HasSubstr("with 32 bits"));
  StokesGrid uneven = *unit_square(2, 2);
  uneven.viscosity = {1, 2, 3, 1e10};
  EXPECT_THAT(declined(stokes_problem_without_matrix(std::make_shared<const StokesGrid>(uneven))),
              HasSubstr("supports viscosities from"));
  for (const double bad : {0.0, -1.0, static_cast<double>(NAN), static_cast<double>(INFINITY)})
    EXPECT_THROW(stokes_problem_without_matrix(unit_square(4, 4, bad)), InputError) << bad;
}

TEST(Stokes, EnginesForDefiniteMatricesDeclineIt) {
  const Problem problem = stokes_problem(unit_square(4, 4));
  for (const EngineInfo& engine : engines())
    EXPECT_EQ(engine.declines(problem).has_value(), engine.name != "stokes" && engine.name != "superlu") << engine.name;
  EXPECT_EQ(choose_engine("auto", problem).name, "stokes");
  EXPECT_EQ(choose_engine("auto", stokes_problem(unit_square(17, 17))).name, "superlu");
}

TEST(Stokes, RefusesBadParameters) {
  for (const Settings& bad :
       {Settings{{"relaxation", "gauss"}}, Settings{{"preconditioner", "none"}}, Settings{{"pre", "-1"}},
        Settings{{"pre", "0"}, {"post", "0"}}, Settings{{"vanka_weight", "nan"}}, Settings{{"schur_sweeps", "0"}},
        Settings{{"schur_scale", "-2"}}, Settings{{"omega", "1"}}, Settings{{"vanka", "fast"}},
        Settings{{"restart", "0"}}})
    EXPECT_THROW(make_stokes(bad), InputError) << bad.begin()->first;
}

/// A relaxation far from its parameters does not converge; the run ends, and tells its residuals.
TEST(Stokes, DivergenceIsReported) {
  const auto grid = unit_square(16, 16);
  const SolveStats stats = solve(grid, {{"schur_weight", "900"}}, smooth_force(*grid), {.max_iterations = 20}).stats;
  EXPECT_FALSE(stats.converged);
  EXPECT_GE(stats.history.size(), 2u);
}

}  // namespace
}  // namespace gridiron
