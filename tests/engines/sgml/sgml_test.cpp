// SPDX-License-Identifier: Apache-2.0
// SGML: each operator against its definition, the compact schedule against the faithful one, the checking device
// against the CPU, the reduction per cycle, other engines' solutions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <omp.h>

#include <algorithm>
#include <numbers>

#include "device/checking_device.hpp"
#include "device/cpu_device.hpp"
#include "engines/sgml/sgml_engine.hpp"
#include "engines/sgml/sgml_on.hpp"
#include "tests/engines/regular_grids.hpp"

namespace gridiron {
namespace {

using sgml::Lattice;
using sgml::SgmlOn;
using test::Neighbours;
using testing::HasSubstr;
using Boundary = RegularGrid::Boundary;

constexpr double kPi = std::numbers::pi;

template <class D>
class SgmlOperators : public testing::Test {};
using Devices = testing::Types<CpuDevice, CheckingDevice>;
TYPED_TEST_SUITE(SgmlOperators, Devices);

/// A random field on a lattice, its ring zero.
std::vector<double> random_field(const Lattice& lattice, unsigned seed) {
  const std::vector<double> random = test::random_block(lattice.unknowns(), seed);
  std::vector<double> field(lattice.size(), 0.0);
  const int64_t nx = lattice.unknowns(0);
  for (int64_t k = 0; k < lattice.unknowns(); ++k) field[lattice.at(k / nx, k % nx)] = random[k];
  return field;
}

/// Lattices that cover every kind of face, parity and embedding: points per axis, fixed faces as bits.
struct Shape {
  int dimensions;
  int64_t fine[3], coarse[3];
  unsigned fixed;
};
const Shape kShapes[] = {
    {2, {9, 9, 1}, {5, 5, 1}, 0b001111}, {2, {9, 17, 1}, {5, 9, 1}, 0b000000}, {2, {5, 9, 1}, {3, 9, 1}, 0b000110},
    {2, {5, 9, 1}, {5, 5, 1}, 0b000110}, {2, {6, 8, 1}, {3, 5, 1}, 0b001001},  {2, {12, 5, 1}, {5, 3, 1}, 0b000000},
    {3, {5, 5, 9}, {3, 3, 5}, 0b111111}, {3, {5, 9, 5}, {3, 5, 3}, 0b000000},  {3, {5, 5, 5}, {3, 5, 3}, 0b110010},
    {3, {6, 4, 8}, {3, 3, 5}, 0b011010},
};

std::pair<Lattice, Lattice> lattices(const Shape& shape) {
  Lattice fine, coarse;
  fine.dimensions = shape.dimensions;
  for (int axis = 0; axis < shape.dimensions; ++axis)
    for (int end = 0; end < 2; ++end) fine.fixed[axis][end] = shape.fixed >> (2 * axis + end) & 1;
  coarse = fine;
  for (int axis = 0; axis < 3; ++axis) {
    fine.points[axis] = shape.fine[axis];
    coarse.points[axis] = shape.coarse[axis];
  }
  return {fine, coarse};
}

/// Hat function of coarse point c at fine point p.
double hat(int64_t fine, int64_t coarse, int64_t c, int64_t p) {
  if (fine == 1) return 1;
  const double at = static_cast<double>(p) * static_cast<double>(coarse - 1) / static_cast<double>(fine - 1);
  return std::max(0.0, 1 - std::abs(at - static_cast<double>(c)));
}

/// f(coarse index, fine index, tensor product of hats) for all pairs of unknowns.
template <class F>
void for_each_pair(const Lattice& fine, const Lattice& coarse, F&& f) {
  for (int64_t c = 0; c < coarse.unknowns(); ++c)
    for (int64_t p = 0; p < fine.unknowns(); ++p) {
      const int64_t cl = c / coarse.unknowns(0), pl = p / fine.unknowns(0);
      const int64_t at_c[3] = {c % coarse.unknowns(0), coarse.y_of(cl), coarse.z_of(cl)};
      const int64_t at_p[3] = {p % fine.unknowns(0), fine.y_of(pl), fine.z_of(pl)};
      double weight = 1;
      for (int axis = 0; axis < 3; ++axis)
        weight *= hat(fine.points[axis], coarse.points[axis], coarse.point_of(axis, at_c[axis]),
                      fine.point_of(axis, at_p[axis]));
      f(coarse.at(at_c[0], at_c[1], at_c[2]), fine.at(at_p[0], at_p[1], at_p[2]), weight);
    }
}

std::array<AxisMap, 3> maps_of(const Shape& shape) {
  return {AxisMap{shape.fine[0], shape.coarse[0]}, AxisMap{shape.fine[1], shape.coarse[1]},
          AxisMap{shape.fine[2], shape.coarse[2]}};
}

TYPED_TEST(SgmlOperators, TransfersAreHatFunctions) {
  using D = TypeParam;
  for (const Shape& shape : kShapes) {
    SCOPED_TRACE(&shape - kShapes);
    const auto [fine, coarse] = lattices(shape);
    const sgml::Transfer<D, double> transfer(fine, coarse, maps_of(shape));
    const std::vector<double> f = random_field(fine, 1), u = random_field(coarse, 2), old = random_field(coarse, 3);
    std::vector<double> restricted(coarse.size(), 0.0), interpolated(fine.size(), 0.0), added = f;
    for_each_pair(fine, coarse, [&](int64_t c, int64_t p, double weight) {
      restricted[c] += weight * f[p];
      interpolated[p] += weight * u[c];
      added[p] += weight * (u[c] - old[c]);
    });

    const Array<D, double> f_device(f), u_device(u), old_device(old);
    Array<D, double> coarse_out(std::vector<double>(coarse.size(), 0.0));
    transfer.restrict_sources(f_device.view(), coarse_out.view());
    EXPECT_THAT(coarse_out.to_host(), testing::Pointwise(testing::DoubleNear(1e-14), restricted));

    Array<D, double> fine_out(std::vector<double>(fine.size(), 0.0));
    transfer.interpolate(u_device.view(), fine_out.view());
    EXPECT_THAT(fine_out.to_host(), testing::Pointwise(testing::DoubleNear(1e-14), interpolated));

    fine_out.copy_from(f);
    transfer.add_increments(u_device.view(), old_device.view(), fine_out.view());
    EXPECT_THAT(fine_out.to_host(), testing::Pointwise(testing::DoubleNear(1e-14), added));

    // Injection recovers a linear function from its interpolation, also between points.
    Array<D, double> before(std::vector<double>(coarse.size(), 0.0));
    transfer.inject(f_device.view(), coarse_out.view(), before.view());
    EXPECT_EQ(coarse_out.to_host(), before.to_host());
    std::vector<double> injected(coarse.size(), 0.0);
    for_each_pair(coarse, fine, [&](int64_t p, int64_t c, double weight) { injected[c] += weight * f[p]; });
    EXPECT_THAT(before.to_host(), testing::Pointwise(testing::DoubleNear(1e-14), injected));
  }
}

/// One sweep u + τ (f − A u) / diagonal with the dense matrix of the problem, for uniform and variable stencils of both
/// kinds.
TYPED_TEST(SgmlOperators, RelaxationFollowsItsDefinition) {
  using D = TypeParam;
  for (const int dimensions : {2, 3})
    for (const Neighbours neighbours : {Neighbours::along_axes, Neighbours::all_around})
      for (const bool varies : {false, true})
        for (const bool mixed : {false, true}) {
          RegularGrid grid = test::unit_grid(dimensions, 5);
          grid.shift = -3;
          if (mixed) grid.boundary[0][1] = grid.boundary[1][0] = grid.boundary[1][1] = Boundary::neumann;
          if (varies) test::set_sigma(grid, [](double x, double y, double z) { return 1 + x + 2 * y * y + 3 * z * x; });
          const Problem problem = test::problem_on(grid, neighbours);
          ASSERT_EQ(sgml_declines(problem), std::nullopt);
          const auto plan = sgml::plan_levels(problem);
          EXPECT_EQ(plan[0].stencil.uniform, !varies);
          const sgml::Stencil<D, double> stencil(plan[0].stencil);
          const Lattice& lattice = stencil.lattice();
          const std::vector<double> u = random_field(lattice, 4), f = random_field(lattice, 5);
          const Array<D, double> u_device(u), f_device(f);
          Array<D, double> out(std::vector<double>(lattice.size(), 0.0));
          stencil.visit(sgml::Relax<D, double>{u_device.view(), f_device.view(), out.view(), 0.7});
          const std::vector<double> relaxed = out.to_host();
          const int64_t nx = lattice.unknowns(0);
          const auto at = [&](int64_t k) { return lattice.at(k / nx, k % nx); };
          const CsrMatrix& a = problem.matrix;
          for (int64_t row = 0; row < a.rows; ++row) {
            double r = f[at(row)], diagonal = 0;
            for (int64_t k = a.row_ptr[row]; k < a.row_ptr[row + 1]; ++k) {
              r -= a.value[k] * u[at(a.col[k])];
              if (a.col[k] == row) diagonal = a.value[k];
            }
            ASSERT_NEAR(relaxed[at(row)], u[at(row)] + 0.7 * r / diagonal, 1e-13) << "row " << row;
          }

          // The second of two sweeps in one tile writes back to the input of the first.
          Array<D, double> from(u), to(std::vector<double>(lattice.size(), 0.0));
          stencil.visit(sgml::RelaxInOneTile<D, double>{from.view(), to.view(), f_device.view(), {2, {0.7, 0.4}}});
          EXPECT_THAT(to.to_host(), testing::Pointwise(testing::DoubleNear(1e-13), relaxed));
          Array<D, double> twice(std::vector<double>(lattice.size(), 0.0));
          stencil.visit(sgml::Relax<D, double>{std::as_const(out).view(), f_device.view(), twice.view(), 0.4});
          EXPECT_THAT(from.to_host(), testing::Pointwise(testing::DoubleNear(1e-13), twice.to_host()));
        }
}

/// A stencil with random conductances, or a uniform one with random weights; conductances to the ring are zero unless a
/// face is fixed.
sgml::StencilData random_stencil(const Lattice& lattice, bool all_around, bool uniform) {
  sgml::StencilData data{.lattice = lattice, .all_around = all_around, .uniform = uniform};
  data.weight = {0, 1, 0.8, 0.3};
  data.diagonal = all_around ? 4.9 : 3.7;
  if (uniform) return data;
  const auto positive = [&](unsigned seed) {
    std::vector<double> field = random_field(lattice, seed);
    for (double& g : field)
      if (g != 0) g = 1.1 + g;
    return field;
  };
  for (int k = 0; k < half_neighbour_count(lattice.dimensions, all_around); ++k)
    data.conductance.push_back(positive(10 + k));
  data.diagonals = positive(30);
  for (double& d : data.diagonals) d += 8;
  return data;
}

/// Passes in tiles against sweeps and transfers one by one: levels smaller than a tile, as large, larger by one and two
/// points; strips; layers; more sweeps than one pass takes.
TYPED_TEST(SgmlOperators, TilesDoWhatSweepsDoOneByOne) {
  using D = TypeParam;
  using T = double;
  struct Case {
    int dimensions;
    bool all_around, uniform;
    int64_t points[3];
    unsigned fixed;
    int sweeps;
  };
  std::vector<Case> cases{{2, false, false, {1, 1, 1}, 0, 2},          {2, false, false, {3, 200, 1}, 0, 8},
                          {2, false, true, {700, 2, 1}, 0b0101, 5},    {2, true, true, {140, 90, 1}, 0b1111, 4},
                          {2, true, false, {70, 40, 1}, 0b0110, 6},    {3, false, false, {33, 35, 2}, 0, 8},
                          {3, false, false, {64, 31, 3}, 0, 4},        {3, false, false, {20, 60, 7}, 0b010010, 3},
                          {3, false, false, {20, 20, 3}, 0b110000, 3}, {2, false, false, {1, 1, 1}, 0, 1},
                          {2, false, true, {2, 2, 1}, 0, 1},           {2, false, false, {1, 900, 1}, 0, 8},
                          {3, false, false, {18, 19, 16}, 0, 6},       {2, false, false, {65, 70, 1}, 0, 40}};
  for (const int64_t nx : {62, 63, 64, 65, 66})
    for (const int64_t ny : {30, 31, 32, 33}) cases.push_back({2, false, nx % 2 == 0, {nx, ny, 1}, 0b1001, 2});
  for (const Case& test : cases) {
    SCOPED_TRACE(testing::Message() << test.points[0] << " x " << test.points[1] << " x " << test.points[2]);
    Lattice lattice;
    lattice.dimensions = test.dimensions;
    std::ranges::copy(test.points, lattice.points);
    for (int k = 0; k < 6; ++k) lattice.fixed[k / 2][k % 2] = test.fixed >> k & 1;
    const sgml::Stencil<D, T> stencil(random_stencil(lattice, test.all_around, test.uniform));
    ASSERT_TRUE(stencil.fits_tiles() && sgml::TileShape::fits(lattice));
    const sgml::TileShape shape(lattice, test.sweeps);
    const std::vector<double> u = random_field(lattice, 4), f = random_field(lattice, 5);
    const Array<D, T> u_device(u), f_device(f);
    std::vector<T> tau(test.sweeps);
    for (int k = 0; k < test.sweeps; ++k) tau[k] = 0.3 + 0.1 * (k % 5);

    Array<D, T> from(u), to(std::vector<double>(lattice.size(), 0.0));
    for (int k = 0; k < test.sweeps; ++k) {
      stencil.visit(sgml::Relax<D, T>{std::as_const(from).view(), f_device.view(), to.view(), tau[k]});
      std::swap(from, to);
    }
    Array<D, T> now(u), next(std::vector<double>(lattice.size(), 0.0));
    for (int first = 0; first < test.sweeps; first += shape.sweeps) {
      sgml::RelaxTiles<D, T, sgml::Present<D, T>> pass{
          shape, {std::as_const(now).view()}, f_device.view(), next.view(), {}};
      pass.steps.count = std::min(shape.sweeps, test.sweeps - first);
      std::copy_n(tau.begin() + first, pass.steps.count, pass.steps.tau);
      stencil.visit(pass);
      std::swap(now, next);
    }
    EXPECT_EQ(now.to_host(), from.to_host());
  }
}

/// What passes in tiles begin with.
TYPED_TEST(SgmlOperators, TilesTransferAsTransfersDo) {
  using D = TypeParam;
  using T = double;
  std::vector<Shape> shapes{{2, {129, 65, 1}, {65, 33, 1}, 0b001111},
                            {2, {67, 100, 1}, {34, 100, 1}, 0b0110},
                            {3, {65, 33, 3}, {33, 17, 3}, 0},
                            {3, {31, 81, 5}, {16, 41, 3}, 0b100110}};
  for (const Shape& shape : kShapes)
    if (shape.dimensions == 2 &&
        sgml::Transfer<D, T>(lattices(shape).first, lattices(shape).second, maps_of(shape)).is_nested())
      shapes.push_back(shape);
  for (const Shape& shape : shapes) {
    SCOPED_TRACE(testing::Message() << shape.fine[0] << " x " << shape.fine[1] << " x " << shape.fine[2]);
    const auto [fine, coarse] = lattices(shape);
    const sgml::Transfer<D, T> transfer(fine, coarse, maps_of(shape));
    const sgml::PointTransfer by_points = transfer.by_points();
    const std::vector<double> f = random_field(fine, 1), u = random_field(coarse, 2), old = random_field(coarse, 3);
    const Array<D, T> f_device(f), u_device(u), old_device(old);
    const Array<D, T> no_source(std::vector<double>(std::max(fine.size(), coarse.size()), 0.0));
    const auto begun = [&](const Lattice& lattice, const auto& start) {
      Array<D, T> out(std::vector<double>(lattice.size(), 0.0));
      using Start = std::decay_t<decltype(start)>;
      sgml::Stencil<D, T>(random_stencil(lattice, false, false))
          .visit(sgml::RelaxTiles<D, T, Start>{sgml::TileShape(lattice, 3), start, no_source.view(), out.view(), {}});
      return out.to_host();
    };
    Array<D, T> expected(std::vector<double>(fine.size(), 0.0));
    transfer.interpolate(u_device.view(), expected.view());
    EXPECT_EQ(begun(fine, sgml::FromCoarser<D, T>{by_points, u_device.view()}), expected.to_host());
    expected.copy_from(f);
    transfer.add_increments(u_device.view(), old_device.view(), expected.view());
    EXPECT_EQ(begun(fine, sgml::WithIncrements<D, T>{by_points, f_device.view(), u_device.view(), old_device.view()}),
              expected.to_host());
    Array<D, T> injected(std::vector<double>(coarse.size(), 0.0)), before(std::vector<double>(coarse.size(), 0.0)),
        kept(std::vector<double>(coarse.size(), 0.0));
    transfer.inject(f_device.view(), injected.view(), before.view());
    EXPECT_EQ(begun(coarse, sgml::FromFiner<D, T>{by_points, f_device.view(), kept.view()}), injected.to_host());
    EXPECT_EQ(kept.to_host(), injected.to_host());
  }
}

TEST(SgmlPlan, EverySizeEndsAtThreePoints) {
  for (int64_t points = 3; points < 80; ++points) {
    const auto plan = sgml::plan_levels(test::problem_on(test::unit_grid(2, points)));
    EXPECT_EQ(plan.back().stencil.lattice.points[0], 3) << points;
    for (size_t v = 0; v + 1 < plan.size(); ++v) {
      const AxisMap& map = plan[v].to_next[0];
      EXPECT_GE(5 * (map.fine - 1), 6 * (map.coarse - 1)) << points;
      EXPECT_LE(2 * (map.fine - 1), 5 * (map.coarse - 1)) << points;
    }
  }
  for (const int64_t points : {5, 9, 17, 33, 65}) {
    const auto plan = sgml::plan_levels(test::problem_on(test::unit_grid(2, points)));
    for (size_t v = 0; v + 1 < plan.size(); ++v) EXPECT_TRUE(plan[v].to_next[0].is_halved());
  }
}

template <class D, class T>
test::Solution solved(const Problem& problem, const std::vector<double>& b, const StopRule& stop,
                      const Settings& settings = {}) {
  SgmlOn<D, T> engine(read_params<SgmlParams>("sgml", settings));
  engine.setup(problem);
  return test::solve(engine, problem, b, stop);
}

/// Small problems of every kind.
std::vector<Problem> small_problems(const std::vector<int64_t>& sizes) {
  std::vector<Problem> problems;
  for (const int64_t points : sizes)
    for (const int dimensions : {2, 3}) {
      if (dimensions == 3 && points > 17) continue;
      RegularGrid grid = test::unit_grid(dimensions, points);
      problems.push_back(test::problem_on(grid));
      problems.push_back(test::problem_on(grid, Neighbours::all_around));
      RegularGrid mixed = grid;
      mixed.boundary[0][1] = Boundary::neumann;
      test::set_faces(mixed, 1, Boundary::neumann);
      problems.push_back(test::problem_on(mixed));
      test::set_sigma(mixed, [](double x, double y, double z) { return test::capacitor_sigma(x, y, z, 1); });
      problems.push_back(test::problem_on(mixed));
      problems.push_back(test::problem_on(mixed, Neighbours::all_around));
      RegularGrid insulated = grid;
      for (int axis = 0; axis < dimensions; ++axis) test::set_faces(insulated, axis, Boundary::neumann);
      insulated.shift = -1;
      problems.push_back(test::problem_on(insulated));
    }
  return problems;
}

TEST(Sgml, SchedulesGiveTheSameNumbers) {
  RegularGrid oblong = test::unit_grid(2, 17);
  oblong.size[1] = 65;
  std::vector<Problem> problems = small_problems({3, 5, 9, 17, 33});
  problems.push_back(test::problem_on(oblong));
  for (const Problem& problem : problems) {
    SCOPED_TRACE(problem.matrix.rows);
    const auto b = test::random_block(problem.matrix.rows, 7);
    const StopRule one_cycle{.relative_residual = 0, .max_iterations = 1};
    const auto compact = solved<CpuDevice, double>(problem, b, one_cycle).x,
               faithful = solved<CpuDevice, double>(problem, b, one_cycle, {{"schedule", "faithful"}}).x;
    double largest = 0;
    for (const double v : compact) largest = std::max(largest, std::abs(v));
    ASSERT_THAT(faithful, testing::Pointwise(testing::DoubleNear(1e-13 * largest), compact));
  }
}

/// With the diagonal entry of RegularGrid::grounded_unknown() doubled, which keeps it at zero if the sources sum to
/// zero.
Problem grounded(const RegularGrid& grid, Neighbours neighbours = Neighbours::along_axes) {
  Problem problem = test::problem_on(grid, neighbours);
  const int64_t held = grid.grounded_unknown();
  CsrMatrix& a = problem.matrix;
  for (int64_t k = a.row_ptr[held]; k < a.row_ptr[held + 1]; ++k)
    if (a.col[k] == held) a.value[k] *= 2;
  return problem;
}

RegularGrid insulated_grid(int dimensions, int64_t points) {
  RegularGrid grid = test::unit_grid(dimensions, points);
  for (int axis = 0; axis < dimensions; ++axis) test::set_faces(grid, axis, Boundary::neumann);
  return grid;
}

/// σ in squares of 16² points, alternately 1 and `contrast`.
void set_squares(RegularGrid& grid, double contrast) {
  const auto square = [&](double x) { return static_cast<int>(x / grid.spacing[0] / 16 + 1e-6); };
  test::set_sigma(grid, [&](double x, double y, double) { return (square(x) + square(y)) % 2 ? contrast : 1; });
}

/// The GPU code path, with protected memory, bounds checks and a scattered order: bitwise identical to the CPU.
TEST(Sgml, CheckingDeviceGivesTheSameBits) {
  const StopRule stop{.relative_residual = 0, .max_iterations = 1};
  for (const Problem& problem : small_problems({3, 6, 9})) {
    SCOPED_TRACE(problem.matrix.rows);
    const auto b = test::random_block(problem.matrix.rows, 8);
    EXPECT_EQ((solved<CpuDevice, float>(problem, b, stop).x), (solved<CheckingDevice, float>(problem, b, stop).x));
    if (problem.regular_grid()->size[0] == 6) continue;
    const Settings faithful{{"schedule", "faithful"}};
    EXPECT_EQ((solved<CpuDevice, double>(problem, b, stop, faithful).x),
              (solved<CheckingDevice, double>(problem, b, stop, faithful).x));
  }
  RegularGrid rough = insulated_grid(2, 33);
  set_squares(rough, 1e4);
  const Problem problem = grounded(rough);
  const auto b = test::random_block(problem.matrix.rows, 8);
  EXPECT_EQ((solved<CpuDevice, float>(problem, b, {}).x), (solved<CheckingDevice, float>(problem, b, {}).x));
}

TEST(Sgml, AgreesWithCholmod) {
  for (const Problem& problem : small_problems({3, 4, 5, 6, 9, 10, 12, 17, 20, 33})) {
    const RegularGrid& grid = *problem.regular_grid();
    SCOPED_TRACE(std::to_string(grid.size[0]) + "^" + std::to_string(grid.dimensions) + " " +
                 std::to_string(problem.matrix.rows));
    const auto b = test::random_block(problem.matrix.rows, 9);
    const auto reference = find_engine("cholmod").make({});
    reference->setup(problem);
    const auto expected = test::solve(*reference, problem, b).x;
    const auto [x, stats] = solved<CpuDevice, float>(problem, b, {.relative_residual = 1e-11, .max_iterations = 40});
    EXPECT_TRUE(stats.converged) << stats.iterations << " " << stats.relative_residual;
    double largest = 0;
    for (const double v : expected) largest = std::max(largest, std::abs(v));
    ASSERT_THAT(x, testing::Pointwise(testing::DoubleNear(1e-8 * largest), expected));
  }
}

/// Reduction of the residual per cycle, over all cycles that start above 1e-10 ‖b‖, where rounding has no effect yet.
struct Reduction {
  double mean = 0;  ///< geometric
  double least = 1e300;
};
Reduction reduction(const SolveStats& stats) {
  Reduction r;
  size_t cycles = 0;
  for (; cycles + 1 < stats.history.size() && stats.history[cycles] > 1e-10; ++cycles)
    r.least = std::min(r.least, stats.history[cycles] / stats.history[cycles + 1]);
  r.mean = std::pow(stats.history[0] / stats.history[cycles], 1.0 / static_cast<double>(cycles));
  return r;
}

/// Stationary iteration, far enough for reduction().
SolveStats repeated(const Problem& problem, const std::vector<double>& b, Settings settings = {}) {
  settings.emplace("cycle", "stationary");
  SolveStats stats = solved<CpuDevice, float>(problem, b, {.relative_residual = 1e-11}, settings).stats;
  EXPECT_TRUE(stats.converged);
  return stats;
}

/// Sources of the paper's eq. (8), whose solution is (7).
double eq8(double x, double y, double) {
  return 2 * (y * y * (1 - 6 * x * x) * (1 - y * y) + x * x * (1 - 6 * y * y) * (1 - x * x));
}

TEST(Sgml, ReducesTheResidualOfPoissonProblems) {
  for (const Neighbours neighbours : {Neighbours::along_axes, Neighbours::all_around})
    for (const int64_t points : {65, 257}) {
      const RegularGrid grid = test::unit_grid(2, points);
      const Problem problem = test::problem_on(grid, neighbours);
      for (const auto& b : {test::sources_on(grid, eq8), test::random_block(problem.matrix.rows, 1)})
        EXPECT_GE(reduction(repeated(problem, b)).least, 40) << points;
    }
  // Sweeps as in the paper: 2 per level.
  const RegularGrid square = test::unit_grid(2, 257);
  const Problem problem = test::problem_on(square, Neighbours::all_around);
  EXPECT_GE(reduction(repeated(problem, test::sources_on(square, eq8), {{"coarse_relaxations", "2"}})).least, 25);
}

TEST(Sgml, ReducesTheResidualOfPoissonProblemsInThreeDimensions) {
  const RegularGrid cube = test::unit_grid(3, 65);
  const auto b =
      test::sources_on(cube, [](double x, double y, double z) { return std::sin(kPi * x) * y * (1 - y) * z; });
  for (const Neighbours neighbours : {Neighbours::along_axes, Neighbours::all_around}) {
    const Problem problem = test::problem_on(cube, neighbours);
    const Reduction smooth = reduction(repeated(problem, b));
    EXPECT_GE(smooth.mean, 150);
    EXPECT_GE(smooth.least, 120);
    EXPECT_GE(reduction(repeated(problem, test::random_block(problem.matrix.rows, 1))).least, 50);
  }
}

/// Eq. (16) with both signs, Dirichlet conditions at top and bottom, mirrored lateral faces.
TEST(Sgml, ReducesTheResidualOfTheCapacitor) {
  for (const int64_t points : {33, 65})
    for (const double sign : {1.0, -1.0})
      for (const Neighbours neighbours : {Neighbours::along_axes, Neighbours::all_around}) {
        RegularGrid grid = test::unit_grid(3, points);
        test::set_faces(grid, 0, Boundary::neumann);
        test::set_faces(grid, 1, Boundary::neumann);
        test::set_sigma(grid, [sign](double x, double y, double z) { return test::capacitor_sigma(x, y, z, sign); });
        const Problem problem = test::problem_on(grid, neighbours);
        std::vector<double> b(problem.matrix.rows,
                              0.0);  // the contribution of u = ±1 on top and bottom to the next layer
        const int64_t layer = grid.unknowns(0) * grid.unknowns(1);
        for (int64_t i = 0; i < layer; ++i) {
          b[i] = -grid.spacing[0];
          b[b.size() - 1 - i] = grid.spacing[0];
        }
        const Reduction r = reduction(repeated(problem, b));
        EXPECT_GE(r.mean, 16) << points << " " << sign;
        EXPECT_GE(r.least, 8) << points << " " << sign;
      }
}

/// σ at random over `decades`.
void set_random_sigma(RegularGrid& grid, double decades) {
  const auto random = test::random_block(grid.points(), 3);
  const auto [low, high] = std::minmax_element(random.begin(), random.end());
  std::vector<double> sigma;
  for (const double r : random) sigma.push_back(std::pow(10.0, decades * (r - *low) / (*high - *low)));
  for (auto& all : grid.sigma) all = sigma;
}

/// Where cycles alone take hundreds of iterations or diverge, conjugate gradients around them converge.
TEST(Sgml, SolvesRoughProblems) {
  std::vector<std::pair<RegularGrid, int>> cases;  // and the limit on iterations along the axes; all around, a third
  for (const auto& [contrast, iterations] : {std::pair{1e2, 36}, {1e4, 100}}) {
    cases.emplace_back(test::unit_grid(2, 129), iterations);
    set_squares(cases.back().first, contrast);
  }
  cases.emplace_back(test::unit_grid(2, 129), 80);
  set_random_sigma(cases.back().first, 4);
  cases.emplace_back(insulated_grid(2, 65), 40);
  set_squares(cases.back().first, 1e2);
  cases.back().first.shift = -1;
  for (const auto& [grid, iterations] : cases)
    for (const Neighbours neighbours : {Neighbours::along_axes, Neighbours::all_around}) {
      SCOPED_TRACE(std::to_string(iterations) + (neighbours == Neighbours::along_axes ? " axes" : " around"));
      const Problem problem = test::problem_on(grid, neighbours);
      const auto b = test::random_block(problem.matrix.rows, 1);
      const auto [x, stats] = solved<CpuDevice, float>(problem, b, {});
      EXPECT_TRUE(stats.converged) << stats.relative_residual;
      EXPECT_LE(stats.iterations, neighbours == Neighbours::along_axes ? iterations : iterations / 2);
      EXPECT_LE(stats.relative_residual, 1e-8);
      std::vector<double> product(b.size());
      multiply(problem.matrix, x.data(), product.data());
      double squares = 0, of_b = 0;
      for (size_t i = 0; i < b.size(); ++i) {
        squares += std::pow(b[i] - product[i], 2);
        of_b += b[i] * b[i];
      }
      EXPECT_NEAR(stats.relative_residual / std::sqrt(squares / of_b), 1, 1e-3);
    }
}

TEST(Sgml, GivesUpWhereTheResidualNoLongerFalls) {
  RegularGrid grid = test::unit_grid(2, 129);
  set_squares(grid, 1e4);
  const Problem problem = test::problem_on(grid);
  const auto b = test::random_block(problem.matrix.rows, 1);
  SgmlOn<CpuDevice, float> engine(read_params<SgmlParams>("sgml", {{"cycle", "stationary"}}));
  engine.setup(problem);
  const SolveStats stats = test::solve(engine, problem, b, {}).stats;
  EXPECT_FALSE(stats.converged);
  EXPECT_LT(stats.iterations, 150);
  EXPECT_THAT(engine.note(), HasSubstr("a rough sigma"));
  EXPECT_TRUE(test::solve(engine, problem, b, {.relative_residual = 0.5}).stats.converged);
  EXPECT_EQ(engine.note(), "");
}

/// For smooth σ, both variants are the same.
TEST(Sgml, SmoothProblemsNeedNoConjugateGradients) {
  const RegularGrid grid = test::unit_grid(2, 65);
  const Problem problem = test::problem_on(grid);
  const auto b = test::sources_on(grid, eq8);
  const StopRule stop{.relative_residual = 1e-10};
  EXPECT_EQ((solved<CpuDevice, float>(problem, b, stop).x),
            (solved<CpuDevice, float>(problem, b, stop, {{"cycle", "stationary"}}).x));
}

double cosines(double x, double y, double z) { return std::cos(kPi * x) * std::cos(2 * kPi * y) * std::cos(kPi * z); }

/// All faces Neumann, a < 0 and a = 0.
TEST(Sgml, SolvesInsulatedBoxes) {
  RegularGrid grid = insulated_grid(2, 65);
  const auto source = [](double x, double y, double) { return cosines(x, y, 0) + 0.5; };
  // With a = −1e-3 the mean is 500, whose rounding leaves a residual of 1e-9.
  for (const auto& [shift, rtol] : {std::pair{-1e-3, 1e-8}, {-1.0, 1e-10}, {-1e4, 1e-10}}) {
    grid.shift = shift;
    const Problem problem = test::problem_on(grid);
    const SolveStats stats =
        solved<CpuDevice, float>(problem, test::sources_on(grid, source), {.relative_residual = rtol}).stats;
    EXPECT_TRUE(stats.converged) << shift;
    EXPECT_LE(stats.iterations, 9) << shift;
  }
}

/// a > 0 below the first mode that is not constant: sources that sum to zero leave the constant out, any others set it.
TEST(Sgml, SolvesInsulatedBoxesWithSourcesThatGrow) {
  RegularGrid grid = insulated_grid(2, 33);
  for (const double shift : {0.1, 5.0}) {
    grid.shift = shift;
    Problem problem = test::problem_on(grid);
    problem.symmetric_positive_definite = false;
    ASSERT_EQ(sgml_declines(problem), std::nullopt);
    for (const double level : {0.0, 0.5}) {
      const auto b = test::sources_on(grid, [level](double x, double y, double) { return cosines(x, y, 0) + level; });
      const auto [x, stats] = solved<CpuDevice, float>(problem, b, {.relative_residual = 1e-9});
      EXPECT_TRUE(stats.converged) << shift;
      const auto expected = test::dense_reference(problem.matrix, b);
      for (size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(x[i], expected[i], 1e-6) << shift << ", " << level;
    }
  }
  grid.shift = 10;  // π² = 9.87
  Problem problem = test::problem_on(grid);
  problem.symmetric_positive_definite = false;
  EXPECT_THAT(sgml_declines(problem).value_or(""), HasSubstr("positive definite"));
}

/// As the paper has it: all sweeps alike, as many on all levels, nothing solved directly.
TEST(Sgml, PaperPresetConverges) {
  for (const int dimensions : {2, 3}) {
    const RegularGrid grid = test::unit_grid(dimensions, dimensions == 2 ? 65 : 17);
    const Problem problem = test::problem_on(grid);
    const auto b = test::sources_on(grid, eq8);
    const auto [x, stats] = solved<CpuDevice, double>(problem, b, {.relative_residual = 1e-9}, {{"preset", "paper"}});
    EXPECT_TRUE(stats.converged);
    EXPECT_LE(stats.iterations, 8);
    const auto expected = solved<CpuDevice, double>(problem, b, {.relative_residual = 1e-9}).x;
    for (size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(x[i], expected[i], 1e-8);
  }
}

/// The ground of a box without reaction does not affect the cycle, which reduces the residual as in any other box, for
/// constant and variable σ, nested and embedded sizes, in 2-D and 3-D, for both stencils.
TEST(Sgml, ReducesTheResidualOfGroundedBoxes) {
  struct Case {
    int dimensions;
    int64_t points;
    bool varies;
    double reduction;
  };
  for (const Case& c : {Case{2, 65, false, 40},
                        {2, 257, false, 40},
                        {2, 65, true, 25},
                        {2, 257, true, 25},
                        {2, 200, true, 8},
                        {3, 33, false, 40},
                        {3, 33, true, 25}})
    for (const Neighbours neighbours : {Neighbours::along_axes, Neighbours::all_around}) {
      SCOPED_TRACE(std::to_string(c.points) + "^" + std::to_string(c.dimensions) + (c.varies ? " variable" : ""));
      RegularGrid grid = insulated_grid(c.dimensions, c.points);
      if (c.varies) test::set_sigma(grid, [](double x, double y, double z) { return 1 + 0.5 * cosines(x, y, z); });
      const Problem problem = grounded(grid, neighbours);
      EXPECT_EQ(sgml::plan_levels(problem)[0].stencil.uniform, !c.varies);
      const auto b = test::sources_on(grid, cosines);
      const auto [x, stats] = solved<CpuDevice, float>(problem, b, {.relative_residual = 1e-11});
      EXPECT_TRUE(stats.converged);
      EXPECT_GE(reduction(stats).least, c.reduction);
      EXPECT_NEAR(x[grid.grounded_unknown()], 0, 1e-12);
    }
}

/// Sources that do not sum to zero drain through the ground.
TEST(Sgml, GroundedBoxesAgreeWithCholmod) {
  for (const int dimensions : {2, 3})
    for (const int64_t points : {3, 5, 12, 17}) {
      RegularGrid grid = insulated_grid(dimensions, points);
      test::set_sigma(grid, [](double x, double y, double z) { return 1 + x + y * z; });
      const Problem problem = grounded(grid);
      const auto b = test::random_block(problem.matrix.rows, 9);
      const auto reference = find_engine("cholmod").make({});
      reference->setup(problem);
      const auto expected = test::solve(*reference, problem, b).x;
      const auto [x, stats] = solved<CpuDevice, float>(problem, b, {.relative_residual = 1e-11, .max_iterations = 40});
      EXPECT_TRUE(stats.converged) << points;
      double largest = 0;
      for (const double v : expected) largest = std::max(largest, std::abs(v));
      EXPECT_THAT(x, testing::Pointwise(testing::DoubleNear(1e-8 * largest), expected)) << points;
    }
}

/// The weaker the reaction, the larger the mean it determines, down to reactions below the precision of the diagonal.
/// The mean follows from the sources, whatever the rounding of the rest.
TEST(Sgml, WeakReactionsHoldTheMean) {
  RegularGrid grid = insulated_grid(2, 65);
  for (const double shift : {-1e-6, -1e-10, -1e-12, 1e-12, -1e-300, 1e-300}) {
    SCOPED_TRACE(shift);
    grid.shift = shift;
    const Problem problem = test::problem_on(grid);
    const double mean = std::abs(shift) > 1e-100 ? 3 : 0;
    const auto b =
        test::sources_on(grid, [&](double x, double y, double z) { return cosines(x, y, z) - shift * mean; });
    const auto [x, stats] = solved<CpuDevice, float>(problem, b, {.relative_residual = 1e-10});
    EXPECT_TRUE(stats.converged) << stats.relative_residual;
    EXPECT_GE(reduction(stats).least, 30);
    const std::vector<double> cells = test::sources_on(grid, [](double, double, double) { return 1; });
    double sum = 0;
    for (size_t i = 0; i < x.size(); ++i) sum += cells[i] * x[i];
    EXPECT_NEAR(sum, mean, 1e-3);
  }
}

TEST(Sgml, SinglePrecisionReachesTheSameResidual) {
  const RegularGrid grid = test::unit_grid(2, 129);
  const Problem problem = test::problem_on(grid);
  const auto b = test::sources_on(grid, eq8);
  const StopRule stop{.relative_residual = 1e-11};
  const SolveStats single = solved<CpuDevice, float>(problem, b, stop).stats,
                   full = solved<CpuDevice, double>(problem, b, stop).stats;
  EXPECT_TRUE(single.converged && full.converged);
  EXPECT_EQ(single.iterations, full.iterations);
}

/// A coupling ε times weaker along y: coarsened along x alone until both are comparable.
TEST(Sgml, SolvesAnisotropicProblems) {
  for (const double epsilon : {0.3, 0.01, 1e-4}) {
    RegularGrid grid = test::unit_grid(2, 65);
    grid.sigma[1] = {epsilon};
    const Problem problem = test::problem_on(grid);
    const SolveStats stats = solved<CpuDevice, float>(problem, test::sources_on(grid, eq8), {}).stats;
    EXPECT_TRUE(stats.converged);
    EXPECT_LE(stats.iterations, 12) << epsilon;
  }
}

/// Five-point Laplacian on n × n inner points times `scale`, declared as a grid.
Problem poisson(int32_t n, double scale = 1.0) {
  Problem problem = test::poisson(n, scale);
  RegularGrid grid;
  grid.size = {n + 2, n + 2, 1};
  grid.sigma = {{{scale}, {scale}, {scale}}};
  problem.structure = std::make_shared<const RegularGrid>(grid);
  return problem;
}

/// The tests of engine_test.cpp for engines that accept any matrix, on grids.
TEST(Sgml, SolvesTinyAndHugeScalesAndBlocks) {
  for (const int32_t n : {1, 2, 3, 8, 9, 16})
    for (const double scale : {1e-12, 1.0, 1e12})
      for (const double rhs_scale : {1e-12, 1e12}) {
        const Problem problem = poisson(n, scale);
        const int64_t rows = problem.matrix.rows;
        auto b = test::random_block(3 * rows, 5, rhs_scale);
        std::fill(b.begin() + rows, b.begin() + 2 * rows, 0.0);
        const auto [x, stats] = solved<CpuDevice, float>(problem, b, {.relative_residual = 1e-13});
        EXPECT_TRUE(stats.converged);
        for (int64_t j = 0; j < 3; ++j) {
          const auto expected = test::dense_reference(problem.matrix, std::span(b).subspan(j * rows, rows));
          for (int64_t i = 0; i < rows; ++i)
            ASSERT_NEAR(x[j * rows + i], expected[i], 1e-10 * rhs_scale / scale * n * n);
        }
      }
}

TEST(Sgml, UpdateSolvesTheNewNumbers) {
  Problem problem = poisson(10);
  SgmlOn<CpuDevice, float> engine({});
  engine.setup(problem);
  const auto b = test::random_block(100, 9);
  for (int round = 1; round <= 3; ++round) {
    for (int64_t i = 0; i < 100; ++i)
      for (auto k = problem.matrix.row_ptr[i]; k < problem.matrix.row_ptr[i + 1]; ++k)
        if (problem.matrix.col[k] == i) problem.matrix.value[k] += 0.1 * static_cast<double>(i) * round;
    engine.update(problem);
    const auto x = test::solve(engine, problem, b, {.relative_residual = 1e-13}).x;
    EXPECT_THAT(x, testing::Pointwise(testing::DoubleNear(1e-10), test::dense_reference(problem.matrix, b)));
  }
}

TEST(Sgml, StatsTellTheTrueResidual) {
  const Problem problem = poisson(20);
  const auto b = test::random_block(400, 3);
  const auto [x, stats] = solved<CpuDevice, float>(problem, b, {});
  std::vector<double> product(400);
  multiply(problem.matrix, x.data(), product.data());
  double squares = 0, of_b = 0, largest = 0;
  for (size_t i = 0; i < 400; ++i) {
    const double r = b[i] - product[i];
    squares += r * r;
    of_b += b[i] * b[i];
    largest = std::max(largest, std::abs(r));
  }
  EXPECT_NEAR(stats.relative_residual / std::sqrt(squares / of_b), 1, 1e-4);
  EXPECT_NEAR(stats.max_residual / largest, 1, 1e-4);
  EXPECT_EQ(stats.history.size(), static_cast<size_t>(stats.iterations) + 1);
  EXPECT_EQ(stats.history.back(), stats.relative_residual);
  const auto absolute = solved<CpuDevice, float>(problem, b, {.relative_residual = 0, .absolute_max = 1e-9}).stats;
  EXPECT_TRUE(absolute.converged);
  EXPECT_LE(absolute.max_residual, 1e-9);
}

TEST(Sgml, SameBitsForEveryNumberOfThreads) {
  RegularGrid rough = insulated_grid(2, 150);
  rough.shift = -1;
  set_squares(rough, 1e2);
  const int before = omp_get_max_threads();
  for (const Problem& problem : {poisson(150), test::problem_on(rough)}) {
    const auto b = test::random_block(problem.matrix.rows, 4);
    std::vector<std::vector<double>> solutions;
    for (const int threads : {1, 2, 4}) {
      omp_set_num_threads(threads);
      solutions.push_back(solved<CpuDevice, float>(problem, b, {.relative_residual = 0, .max_iterations = 6}).x);
    }
    EXPECT_EQ(solutions[0], solutions[1]);
    EXPECT_EQ(solutions[0], solutions[2]);
  }
  omp_set_num_threads(before);
}

TEST(Sgml, DeclinesIndefiniteProblems) {
  Problem problem = test::problem_on(test::unit_grid(2, 9));
  EXPECT_FALSE(sgml_declines(problem));
  problem.symmetric_positive_definite = false;
  EXPECT_THAT(sgml_declines(problem).value_or(""), HasSubstr("positive definite"));
}

TEST(Sgml, DeclinesWhatIsNoGridOfPoints) {
  EXPECT_THAT(sgml_declines(test::random_grid(10, 1, 1)), testing::Optional(HasSubstr("regular grid")));
  RegularGrid grid = test::unit_grid(2, 5);
  Problem problem = test::problem_on(grid);
  EXPECT_EQ(sgml_declines(problem), std::nullopt);
  grid.places = RegularGrid::Places::cells;
  problem.structure = std::make_shared<const RegularGrid>(grid);
  EXPECT_THAT(sgml_declines(problem), testing::Optional(HasSubstr("cell centres")));
  grid.places = RegularGrid::Places::points;
  test::set_sigma(grid, [](double x, double, double) { return 1 + x; });
  grid.sigma[1] = {1.0};
  EXPECT_THAT(sgml_declines(test::problem_on(grid)), testing::Optional(HasSubstr("sigma")));
  RegularGrid flat = test::unit_grid(2, 5);
  flat.spacing[1] *= 2;
  EXPECT_EQ(sgml_declines(test::problem_on(flat)), std::nullopt);
  EXPECT_THAT(sgml_declines(test::problem_on(flat, Neighbours::all_around)), testing::Optional(HasSubstr("spacing")));
  problem = test::problem_on(test::unit_grid(2, 5));
  problem.matrix = test::problem_of({{{0, 1.0}}}).matrix;
  EXPECT_THAT(sgml_declines(problem), testing::Optional(HasSubstr("neighbouring grid points")));
}

TEST(Sgml, TellsOfSizesThatItEmbeds) {
  const auto note = [](int64_t size) {
    const auto engine = make_sgml({});
    engine->setup(test::problem_on(test::unit_grid(2, size)));
    return engine->note();
  };
  EXPECT_EQ(note(33), "");
  EXPECT_THAT(note(34), HasSubstr("34 points along x"));
  EXPECT_THAT(note(35), HasSubstr("18 of them"));
}

TEST(Sgml, SaysWhatItCannotDo) {
  const auto message = [](const Problem& problem, const Settings& settings) -> std::string {
    try {
      find_engine("sgml").make(settings)->setup(problem);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  const Problem problem = test::problem_on(test::unit_grid(2, 9));
  EXPECT_THAT(message(problem, {{"relaxations", "0"}}), HasSubstr("relaxations"));
  EXPECT_THAT(message(problem, {{"coarse_relaxations", "0"}}), HasSubstr("coarse_relaxations"));
  EXPECT_THAT(message(problem, {{"schedule", "fast"}}), HasSubstr("faithful"));
  EXPECT_THAT(message(problem, {{"precision", "half"}}), HasSubstr("double"));
  EXPECT_THAT(message(problem, {{"cycle", "gmres"}}), HasSubstr("stationary"));
  EXPECT_THAT(message(problem, {{"plane", "double"}}), HasSubstr("layered"));
  for (const char* key : {"plane", "hybrid"})
    EXPECT_THAT(message(problem, {{key, key == std::string("plane") ? "single" : "paper"}}),
                HasSubstr("sgml on regular grids has no parameter \"" + std::string(key) + "\""));
  EXPECT_THAT(message(test::problem_on(test::unit_grid(2, 8)), {{"schedule", "faithful"}}), HasSubstr("2^n+1"));
  EXPECT_THAT(message(test::random_grid(10, 1, 1), {}), HasSubstr("regular grid"));
  Problem foreign = problem;
  std::swap(foreign.matrix.col[1], foreign.matrix.col[2]);
  EXPECT_THAT(message(foreign, {}), HasSubstr("does not match its regular grid"));
}

}  // namespace
}  // namespace gridiron
