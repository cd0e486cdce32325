// SPDX-License-Identifier: Apache-2.0
// Update, several columns and stop requests for every engine of the registry on the problems it is designed for, and
// for the engines on the checking device.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <ostream>
#include <random>

#include "device/checking_device.hpp"
#include "engines/aggamg/aggamg_on.hpp"
#include "engines/changes.hpp"
#include "engines/gpuhmd/gmd_on.hpp"
#include "engines/gpuhmd/gpuhmd_on.hpp"
#include "engines/hybrid/hybrid_on.hpp"
#include "engines/sgml/sgml_on.hpp"
#include "engines/sgml/tables_on.hpp"
#include "tests/engines/hand_made_grids.hpp"
#include "tests/engines/regular_grids.hpp"

namespace gridiron {
namespace {

using test::Deck;

/// An engine, and the problem it is to solve.
struct Form {
  std::string name;
  enum Kind { power_grid, points_2d, points_3d } kind;
  /// If `plain`, lines of single unknowns on a single plane: then nothing depends on the magnitude of conductances.
  std::function<std::unique_ptr<Engine>(bool plain)> make;
};
void PrintTo(const Form& form, std::ostream* out) { *out << form.name; }

constexpr const char* kKinds[] = {"power_grid", "points_2d", "points_3d"};
bool is_hybrid(const Form& form) {
  return form.kind == Form::power_grid && (form.name.starts_with("gpuhmd") || form.name.starts_with("sgml"));
}

HybridParams hybrid_params(bool plain) {
  HybridParams params;
  if (plain) {
    params.line_length = 1;
    params.plane = "layered";
  }
  return params;
}

RegularGrid grid_of(Form::Kind kind, double contrast) {
  RegularGrid grid = kind == Form::points_2d ? test::unit_grid(2, 17) : test::unit_grid(3, 9);
  if (contrast > 0)
    test::set_sigma(grid, [&](double x, double y, double z) { return 1 + contrast * (x + 2 * y * y + z * x); });
  return grid;
}

Problem some_problem(Form::Kind kind) {
  if (kind == Form::power_grid) return test::mesh(11, 8, 0.7)->problem;
  return test::problem_on(grid_of(kind, 1));
}

template <class D>
void add_forms_on(const std::string& device, std::vector<Form>& forms) {
  forms.push_back({"gpuhmd_" + device, Form::power_grid, [](bool plain) {
                     GpuHmdParams params;
                     params.hybrid = hybrid_params(plain);
                     params.coarse_size = 20;
                     return gpuhmd::make_gpuhmd_on<D>(params);
                   }});
  forms.push_back({"gpuhmd_divided_" + device, Form::power_grid, [](bool plain) {
                     GpuHmdParams params;
                     params.hybrid = hybrid_params(plain);
                     params.hybrid.hybrid = "paper";
                     params.precision = "half";
                     return gpuhmd::make_gpuhmd_on<D>(params);
                   }});
  forms.push_back({"sgml_" + device, Form::power_grid, [](bool plain) {
                     SgmlHybridParams params;
                     params.hybrid = hybrid_params(plain);
                     return sgml::make_hybrid_with_tables<D>(params);
                   }});
  forms.push_back({"gmd_" + device, Form::points_2d, [](bool) {
                     GmdParams params;
                     params.coarse_size = 20;
                     return std::make_unique<gpuhmd::GmdOn<D, float>>(params);
                   }});
  for (const Form::Kind kind : {Form::points_2d, Form::points_3d})
    forms.push_back(
        {"sgml_" + device, kind, [](bool) { return std::make_unique<sgml::SgmlOn<D, float>>(SgmlParams()); }});
  forms.push_back({"aggamg_" + device, Form::points_2d, [](bool) {
                     AggAmgParams params;
                     params.coarse_size = 20;
                     return std::make_unique<aggamg::AggAmgOn<D, float>>(params);
                   }});
}

std::vector<Form> all_forms() {
  std::vector<Form> forms;
  for (const EngineInfo& info : engines())
    for (const Form::Kind kind : {Form::power_grid, Form::points_2d, Form::points_3d}) {
      if (info.devices == "cuda" || info.declines(some_problem(kind))) continue;
      Form form{std::string(info.name), kind, {}};
      const bool has_lines = is_hybrid(form);
      form.make = [&info, has_lines](bool plain) {
        return info.make(has_lines && plain ? Settings{{"line_length", "1"}, {"plane", "layered"}} : Settings());
      };
      forms.push_back(std::move(form));
    }
  add_forms_on<CheckingDevice>("checked", forms);
  return forms;
}

std::vector<Form> forms_of(std::function<bool(const Form&)> wanted) {
  std::vector<Form> some;
  for (const Form& form : all_forms())
    if (wanted(form)) some.push_back(form);
  return some;
}

std::string name_of(const testing::TestParamInfo<Form>& info) {
  return info.param.name + "_" + kKinds[info.param.kind];
}

const StopRule kTight{.relative_residual = 1e-11};

void expect_dense_answer(const Problem& problem, std::span<const double> b, std::span<const double> x) {
  EXPECT_LT(test::error(problem, b, x), 1e-8);
}

/// After an update from `before`, with a solution in between, and after a setup.
struct Both {
  test::Solution updated, fresh;
  int64_t bytes_updated = 0, bytes_fresh = 0;
};
Both solve_both(const Form& form, bool plain, const Problem& before, const Problem& now) {
  const auto b = test::random_block(now.matrix.rows, 5);
  Both both;
  const auto engine = form.make(plain), other = form.make(plain);
  engine->setup(before);
  test::solve(*engine, before, b);
  engine->update(now);
  both.updated = test::solve(*engine, now, b, kTight);
  other->setup(now);
  both.fresh = test::solve(*other, now, b, kTight);
  EXPECT_TRUE(both.updated.stats.converged);
  both.bytes_updated = engine->bytes();
  both.bytes_fresh = other->bytes();
  expect_dense_answer(now, b, both.updated.x);
  return both;
}

void expect_same_bits(const Both& both) {
  EXPECT_EQ(both.updated.x, both.fresh.x);
  EXPECT_EQ(both.updated.stats.history, both.fresh.stats.history);
  EXPECT_EQ(both.bytes_updated, both.bytes_fresh);
}

// ---- every engine

class EveryForm : public testing::TestWithParam<Form> {};

TEST_P(EveryForm, UpdateGivesTheDenseAnswer) {
  const Problem before = some_problem(GetParam().kind);
  Problem now = before;
  if (GetParam().kind == Form::power_grid) {
    Deck deck = *test::mesh(11, 8, 0.7);
    for (size_t e = 0; e < deck.network.conductance.size(); e += 3) deck.network.conductance[e] *= 2.5;
    deck.network.pad[40] += 0.3;
    deck.finish();
    now = deck.problem;
  } else {
    now = test::problem_on(grid_of(GetParam().kind, 5));
  }
  solve_both(GetParam(), false, before, now);
}

TEST_P(EveryForm, SolvesSeveralColumns) {
  const Problem problem = some_problem(GetParam().kind);
  const auto n = static_cast<size_t>(problem.matrix.rows);
  const auto engine = GetParam().make(false);
  engine->setup(problem);
  for (const size_t columns : {3, 11}) {
    auto b = test::random_block(static_cast<int64_t>(columns * n), 7);
    std::fill_n(b.begin() + static_cast<ptrdiff_t>(n), n, 0.0);
    const auto [x, stats] = test::solve(*engine, problem, b, kTight);
    ASSERT_EQ(stats.columns.size(), columns);
    EXPECT_EQ(stats.columns[1].iterations, 0);
    for (const size_t j : {size_t{0}, columns - 1}) {
      EXPECT_TRUE(stats.columns[j].converged);
      expect_dense_answer(problem, std::span(b).subspan(j * n, n), std::span(x).subspan(j * n, n));
    }
  }
}

TEST_P(EveryForm, StopsOnRequestAndSolvesAgain) {
  const Problem problem = some_problem(GetParam().kind);
  const auto b = test::random_block(problem.matrix.rows, 7);
  const auto engine = GetParam().make(false);
  engine->setup(problem);
  std::stop_source source;
  source.request_stop();
  Context stopped = engine->context();
  stopped.stop = source.get_token();
  engine->set_context(stopped);
  EXPECT_THROW(test::solve(*engine, problem, b), Stopped);
  engine->set_context({});
  expect_dense_answer(problem, b, test::solve(*engine, problem, b, kTight).x);
}

TEST_P(EveryForm, ForgetsTheStopTokenItWasSetUpWith) {
  const Problem problem = some_problem(GetParam().kind);
  const auto b = test::random_block(problem.matrix.rows, 7);
  const auto engine = GetParam().make(false);
  std::stop_source source;
  engine->set_context({.stop = source.get_token()});
  engine->setup(problem);
  source.request_stop();
  EXPECT_THROW(test::solve(*engine, problem, b), Stopped);
  engine->set_context({});
  expect_dense_answer(problem, b, test::solve(*engine, problem, b, kTight).x);
}

TEST_P(EveryForm, ABadRightHandSideSpoilsOnlyItsColumn) {
  const Problem problem = some_problem(GetParam().kind);
  const auto n = static_cast<size_t>(problem.matrix.rows);
  const auto engine = GetParam().make(false);
  engine->setup(problem);
  auto b = test::random_block(9 * problem.matrix.rows, 7);
  b[4 * n + n / 2] = std::numeric_limits<double>::quiet_NaN();
  const auto [x, stats] = test::solve(*engine, problem, b, kTight);
  EXPECT_FALSE(stats.converged);
  EXPECT_TRUE(std::isnan(stats.relative_residual));
  for (size_t j = 0; j < 9; ++j) {
    EXPECT_EQ(stats.columns[j].converged, j != 4) << j;
    if (j != 4) expect_dense_answer(problem, std::span(b).subspan(j * n, n), std::span(x).subspan(j * n, n));
  }
  const std::vector<double> first(b.begin(), b.begin() + static_cast<ptrdiff_t>(n));
  expect_dense_answer(problem, first, test::solve(*engine, problem, first, kTight).x);
}

TEST_P(EveryForm, RecoversFromAMatrixThatIsNotFinite) {
  const Problem problem = some_problem(GetParam().kind);
  const auto b = test::random_block(problem.matrix.rows, 7);
  const auto engine = GetParam().make(false);
  for (const double factor : {std::numeric_limits<double>::quiet_NaN(), 1e45, 1e-45}) {
    Problem bad = problem;
    for (double& value : bad.matrix.value) value *= factor;
    try {
      engine->update(bad);
      (void)test::solve(*engine, bad, b);
    } catch (const SolverError&) {
    }
    engine->update(problem);
    expect_dense_answer(problem, b, test::solve(*engine, problem, b, kTight).x);
  }
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryForm, testing::ValuesIn(all_forms()), name_of);

// ---- power grids

class HybridUpdate : public testing::TestWithParam<Form> {};

/// Conductances and pads in the same positions, each multiplied or divided by up to `most`.
Deck varied(const Deck& deck, double most, unsigned seed) {
  std::mt19937 random(seed);
  const auto factor = [&] { return std::pow(most, random() / 2147483648.0 - 1); };
  Deck now = deck;
  for (double& g : now.network.conductance) g *= factor();
  for (double& g : now.network.pad) g *= factor();
  now.finish();
  return now;
}

TEST_P(HybridUpdate, IsASetupToTheBitWhereNothingIsChosenByNumbers) {
  for (const auto& deck : {test::mesh(11, 8, 0.7), test::several_nets(), test::mesh_with_pins(20, 8, 0.3, 7)}) {
    Deck one_edge = *deck, one_pad = *deck;
    one_edge.network.conductance[7] *= 3;
    one_edge.finish();
    one_pad.network.pad[5] += 0.25;
    one_pad.network.pad[3] = 0;
    one_pad.finish();
    for (const Deck& now : {one_edge, one_pad, varied(*deck, 2, 3)})
      expect_same_bits(solve_both(GetParam(), true, deck->problem, now.problem));
  }
}

TEST_P(HybridUpdate, IsASetupToTheBitAlongTheSameLines) {
  for (const auto& deck : {test::mesh(11, 8, 0.7), test::mesh_with_pins(20, 8, 0.3, 5)}) {
    Deck doubled = *deck;
    for (auto* numbers : {&doubled.network.conductance, &doubled.network.pad})
      for (double& g : *numbers) g *= 2;
    doubled.finish();
    expect_same_bits(solve_both(GetParam(), false, deck->problem, doubled.problem));
  }
  Deck chain;  // a single line, whatever its values
  for (int32_t i = 0; i < 20; ++i) chain.node(i, 0, 0, 0, i == 6 ? 1 : 0);
  for (int32_t i = 1; i < 20; ++i) chain.wire(i - 1, i, 1);
  chain.finish();
  expect_same_bits(solve_both(GetParam(), false, chain.problem, varied(chain, 2, 8).problem));
}

TEST_P(HybridUpdate, ChoosesAnewWhereNumbersOrPlacesAreFarFromWhatTheyWere) {
  const auto deck = test::mesh(11, 8, 0.7);
  expect_same_bits(solve_both(GetParam(), false, deck->problem, varied(*deck, 1000, 4).problem));
  Deck moved = *deck;
  for (double& x : moved.geometry.x_um) x *= x;
  moved.finish();
  expect_same_bits(solve_both(GetParam(), false, deck->problem, moved.problem));
}

INSTANTIATE_TEST_SUITE_P(Hybrids, HybridUpdate, testing::ValuesIn(forms_of(is_hybrid)), name_of);

// ---- regular grids

class GridUpdate : public testing::TestWithParam<Form> {};

TEST_P(GridUpdate, OfSigmaOrShiftIsASetupToTheBit) {
  const Form::Kind kind = GetParam().kind;
  RegularGrid held = grid_of(kind, 1), uniform = grid_of(kind, 0), shifted = grid_of(kind, 0);
  held.shift = -3;
  shifted.shift = -3;
  const Problem rough = test::problem_on(grid_of(kind, 1)), even = test::problem_on(uniform);
  for (const RegularGrid& grid : {grid_of(kind, 4), held, uniform})
    expect_same_bits(solve_both(GetParam(), false, rough, test::problem_on(grid)));
  for (const RegularGrid& grid : {shifted, grid_of(kind, 4)})
    expect_same_bits(solve_both(GetParam(), false, even, test::problem_on(grid)));
}

TEST_P(GridUpdate, OfOneEntryIsASetupToTheBit) {
  const Problem before = test::problem_on(grid_of(GetParam().kind, 1));
  Problem now = before;
  CsrMatrix& a = now.matrix;
  const int64_t i = a.rows / 3;
  for (int64_t k = a.row_ptr[i]; k < a.row_ptr[i + 1]; ++k)
    if (a.col[k] == i) a.value[k] *= 1.5;
  expect_same_bits(solve_both(GetParam(), false, before, now));
}

INSTANTIATE_TEST_SUITE_P(Grids, GridUpdate, testing::ValuesIn(forms_of([](const Form& form) {
                           return form.kind != Form::power_grid &&
                                  (form.name.starts_with("gmd") || form.name.starts_with("sgml"));
                         })),
                         name_of);

// ---- aggregates

/// Couplings along x times `along_x`, along y times 1.
Problem anisotropic(double along_x) {
  constexpr int32_t n = 65;
  test::Rows rows(n * n);
  for (int32_t i = 0; i < n * n; ++i) {
    rows[i][i] = 2 * along_x + 2;
    if (i % n > 0) rows[i][i - 1] = rows[i - 1][i] = -along_x;
    if (i >= n) rows[i][i - n] = rows[i - n][i] = -1;
  }
  return test::problem_of(rows);
}

TEST(AggAmgUpdate, CoarsensAnewWhenStrongCouplingsBecomeWeak) {
  const auto iterations = [](Engine& engine, const Problem& problem) {
    return test::solve(engine, problem, test::random_block(problem.matrix.rows, 3)).stats.iterations;
  };
  const Problem along = anisotropic(1000), across = anisotropic(1e-3);
  const auto updated = find_engine("aggamg").make({}), fresh = find_engine("aggamg").make({});
  fresh->setup(across);
  updated->setup(along);
  updated->update(across);
  EXPECT_EQ(iterations(*updated, across), iterations(*fresh, across));
  // Also in many steps, each of them small.
  updated->setup(along);
  for (double now = 1000; now > 1e-3; now /= 3) updated->update(anisotropic(now));
  updated->update(across);
  EXPECT_LE(iterations(*updated, across), iterations(*fresh, across) + 3);
}

// ---- changes

TEST(Changes, AreFoundInBlocksOfRows) {
  const Problem before = test::poisson(150);
  Problem now = before;
  EXPECT_TRUE(changed_rows(before.matrix, now.matrix).empty());
  const auto touch = [&](int64_t row) { now.matrix.value[now.matrix.row_ptr[row]] *= 2; };
  for (const int64_t row : {5'000, 9'000, 22'499}) touch(row);
  const std::vector<RowRange> changed = changed_rows(before.matrix, now.matrix);
  for (const int64_t row : {5'000, 9'000, 22'499})
    EXPECT_TRUE(std::any_of(changed.begin(), changed.end(), [&](const RowRange& r) {
      return r.first <= row && row < r.last;
    })) << row;
  int64_t last = -1, rows = 0;
  for (const RowRange& r : changed) {
    EXPECT_GT(r.first, last);
    last = r.last;
    rows += r.count();
  }
  EXPECT_LT(rows, 150 * 150);
  EXPECT_FALSE(is_far(before.matrix, now.matrix));
}

TEST(Changes, AreFarWhenMoreThanOneInTwentyIsFourTimesAsLarge) {
  test::Rows rows(100);
  for (int32_t i = 0; i < 100; ++i) rows[i][i] = 1;
  const CsrMatrix before = test::problem_of(rows).matrix;
  for (const auto& [changed, factor, far] :
       {std::tuple(5, 100.0, false), {6, 4.5, true}, {6, 0.2, true}, {100, 4.0, false}, {100, 0.25, false}}) {
    CsrMatrix now = before;
    for (int i = 0; i < changed; ++i) now.value[i] *= factor;
    EXPECT_EQ(is_far(before, now), far) << changed << " times " << factor;
    EXPECT_EQ(is_far(now, before), far) << changed << " by " << factor;
  }
}

}  // namespace
}  // namespace gridiron
