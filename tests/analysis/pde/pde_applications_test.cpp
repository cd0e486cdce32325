// SPDX-License-Identifier: Apache-2.0
// Grid deformation, the trefoil vortex, the capacitor, and the curves and lines they are made of.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <omp.h>

#include <cmath>
#include <fstream>
#include <numbers>
#include <numeric>

#include "analysis/pde/applications/capacitor.hpp"
#include "analysis/pde/applications/vortex.hpp"
#include "analysis/pde/pde.hpp"
#include "support/error.hpp"
#include "tests/paths.hpp"

namespace gridiron {
namespace {

using testing::HasSubstr;

PdeResult solve(const char* name, const PdeChoices& choices, const char* engine = "cholmod") {
  PdeOptions options;
  options.problem = name;
  options.choices = choices;
  options.engine = engine;
  options.rtol = 1e-10;
  options.wants_fields = true;
  return solve_pde(options);
}

class CurveFile : public testing::Test {
 protected:
  CurveFile() : path_(test::temporary("curve").string() + ".csv") {}
  ~CurveFile() override { std::filesystem::remove(path_); }

  std::string refused(const std::string& text) const {
    std::ofstream(path_, std::ios::binary) << text;
    try {
      solve("griddeform2d", {.size = 17, .curve = path_});
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  }

  std::string path_;
};

TEST_F(CurveFile, ReadsPoints) {
  std::ofstream(path_) << "x,y\r\n# a square\n0.25, 0.25\n0.75,0.25\n\n0.75,0.75\n0.75,0.75\n0.25,0.75\n0.25,0.25\n";
  EXPECT_THAT(read_curve(path_), testing::ElementsAre(PlanePoint{0.25, 0.25}, PlanePoint{0.75, 0.25},
                                                      PlanePoint{0.75, 0.75}, PlanePoint{0.25, 0.75}));
}

TEST_F(CurveFile, SaysWhatIsWrong) {
  EXPECT_THAT(refused(""), HasSubstr("0 different points"));
  EXPECT_THAT(refused("0.1,0.1\n0.2,0.2\n0.1,0.1\n"), HasSubstr("2 different points"));
  EXPECT_THAT(refused(std::string((1 << 24) + 1, '#')), HasSubstr("more than 16 MB"));
  EXPECT_THAT(refused("0.1,0.1\n0.2\n"), HasSubstr(":2: expected two numbers"));
  EXPECT_THAT(refused("0.1,0.1\n0.2,nan\n"), HasSubstr(":2: expected two numbers"));
  EXPECT_THAT(refused("0.1,0.1\n0.2,1.5\n"), HasSubstr(":2: (0.2, 1.5) is not inside"));
  EXPECT_THAT(refused("0.01,0.01\n0.99,0.01\n0.99,0.99\n0.01,0.99\n"), HasSubstr("leaves the unit square"));
  EXPECT_THAT(refused("0.1,0.1\n0.1,0.1000000000000000001e0\n0.1,1e-300\n0.1,2e-300\n0.2,0.4\n0.4,0.4\n"),
              HasSubstr("too close"));
  std::filesystem::remove(path_);
  EXPECT_THROW(read_curve(path_), InputError);
}

TEST(Curve, SplineGoesThroughThePointsInEqualSteps) {
  const std::vector<PlanePoint> corners = circle({0.5, 0.5}, 0.3, 12), spline = closed_spline(corners, 0.01);
  const double step = std::hypot(spline[1][0] - spline[0][0], spline[1][1] - spline[0][1]);
  EXPECT_LE(step, 0.01);
  for (size_t i = 0; i < spline.size(); ++i) {
    const PlanePoint &p = spline[i], &q = spline[(i + 1) % spline.size()];
    EXPECT_NEAR(std::hypot(p[0] - q[0], p[1] - q[1]), step, 0.01 * step);
    EXPECT_NEAR(std::hypot(p[0] - 0.5, p[1] - 0.5), 0.3, 2e-3);
  }
  for (const PlanePoint& corner : corners) {
    double nearest = 1;
    for (const PlanePoint& p : spline) nearest = std::min(nearest, std::hypot(p[0] - corner[0], p[1] - corner[1]));
    EXPECT_LE(nearest, step);
  }
}

TEST(Curve, DepositsKeepAmountAndMiddle) {
  RegularGrid grid;
  grid.dimensions = 3;
  grid.size = {5, 6, 7};
  grid.spacing = {0.25, 0.2, 0.5};
  std::vector<double> values(grid.points(), 0.0);
  const Point place{0.37, 0.91, 2.2};
  add_deposits(grid, {{place, 3.0}}, values);
  double amount = 0;
  Point moment{};
  for (int64_t i = 0; i < grid.points(); ++i) {
    amount += values[i];
    for (int axis = 0; axis < 3; ++axis)
      moment[axis] += values[i] * static_cast<double>(grid.point(i)[axis]) * grid.spacing[axis];
  }
  EXPECT_NEAR(amount, 3, 1e-14);
  for (int axis = 0; axis < 3; ++axis) EXPECT_NEAR(moment[axis] / 3, place[axis], 1e-14);
}

TEST(GridDeformation, DrawsCellsToTheCircleWithoutFolds) {
  for (const int64_t size : {17, 33, 64, 129})
    for (const int stencil : {5, 9}) {
      const Mesh mesh = *solve("griddeform2d", {.size = size, .stencil = stencil}).mesh;
      EXPECT_EQ(mesh.time, kDeformationTime) << size;
      EXPECT_EQ(mesh.folded, 0);
      EXPECT_GT(mesh.least_area, 0.1);
      EXPECT_NEAR(mesh.total_area, 1, 1e-12) << "boundary nodes stay on the boundary";
      EXPECT_GT(mesh.steps, 5);
      // Cells on the circle are far smaller than those in the middle and in the corners.
      double on_curve = 0, away = 0, count_on_curve = 0, count_away = 0;
      for (int64_t j = 0; j + 1 < mesh.rows; ++j)
        for (int64_t i = 0; i + 1 < mesh.columns; ++i) {
          const PlanePoint& p = mesh.points[j * mesh.columns + i];
          const double off = std::abs(std::hypot(p[0] - 0.5, p[1] - 0.5) - 0.25);
          const double share = mesh.area_shares[j * (mesh.columns - 1) + i];
          if (off < 0.5 / static_cast<double>(size)) on_curve += share, ++count_on_curve;
          if (off > 0.15) away += share, ++count_away;
        }
      EXPECT_LT(on_curve / count_on_curve, 0.2 * away / count_away) << size;
    }
}

TEST(GridDeformation, MeshesOfAllSizesAreAlike) {
  const auto mesh_of = [](int64_t size) { return *solve("griddeform2d", {.size = size}).mesh; };
  const Mesh finest = mesh_of(257);
  EXPECT_EQ(finest.time, kDeformationTime);
  double before = INFINITY;
  for (const int64_t size : {33, 65, 129}) {
    const Mesh mesh = mesh_of(size);
    const int64_t every = (finest.columns - 1) / (size - 1);
    double farthest = 0;
    for (int64_t j = 0; j < size; ++j)
      for (int64_t i = 0; i < size; ++i) {
        const PlanePoint &p = mesh.points[j * size + i], &q = finest.points[j * every * finest.columns + i * every];
        farthest = std::max(farthest, std::hypot(p[0] - q[0], p[1] - q[1]));
      }
    EXPECT_LT(farthest, 0.5 * before) << size;
    before = farthest;
  }
  EXPECT_LT(before, 1e-3) << "129 and 257 points, in a box of side 1";
}

TEST(GridDeformation, SourceIsOnePerLengthOfTheCurve) {
  for (const int64_t size : {33, 129}) {
    RegularGrid grid;
    grid.size = {size, size, 1};
    grid.spacing = {1.0 / static_cast<double>(size - 1), 1.0 / static_cast<double>(size - 1), 1};
    const std::vector<double> amounts = deformation_model(grid, deformation_curve("")).spread[0];
    EXPECT_NEAR(std::accumulate(amounts.begin(), amounts.end(), 0.0), 0, 1e-12);
    // In the middle of the box f is 0, which leaves minus its mean.
    const double mean = -amounts[amounts.size() / 2] / (grid.spacing[0] * grid.spacing[1]);
    EXPECT_NEAR(mean, std::numbers::pi / 2, 0.02) << "radius 1/4";
  }
}

TEST(GridDeformation, MotionStopsBeforeCellsFold) {
  // Not a solution at all: the nodes would cross each other.
  const PdeResult result = solve("griddeform2d", {.size = 17});
  const auto curve = deformation_curve("");
  RegularGrid grid;
  grid.size = {17, 17, 1};
  grid.spacing = {1.0 / 16, 1.0 / 16, 1};
  for (auto& sigma : grid.sigma) sigma = {1.0};
  const PdeModel model = deformation_model(grid, curve);
  std::vector<double> wild = result.solution;
  for (size_t i = 0; i < wild.size(); ++i) wild[i] = (i * 7 % 11) * 0.05;
  const Mesh stopped = deform(model, wild, curve);
  EXPECT_LT(stopped.time, kDeformationTime);
  EXPECT_EQ(stopped.folded, 0);
}

TEST(GridDeformation, FoldedCellsAreFound) {
  Mesh mesh;
  mesh.columns = mesh.rows = 3;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) mesh.points.push_back({i / 2.0, j / 2.0});
  check(mesh);
  EXPECT_EQ(mesh.folded, 0);
  EXPECT_THAT(mesh.area_shares, testing::Each(1.0));
  // The middle node crosses the corner of the box: the cell it enters is inverted, its two neighbours become concave.
  mesh.points[4] = {1.25, 1.25};
  check(mesh);
  EXPECT_EQ(mesh.folded, 3);
  EXPECT_LT(mesh.least_area, 0);
  EXPECT_NEAR(mesh.total_area, 1, 1e-15) << "areas have signs";
}

TEST(GridDeformation, TheSignOfTheShiftHardlyMatters) {
  const Mesh minus = *solve("griddeform2d", {.size = 33}).mesh;
  const Mesh plus = *solve("griddeform2d", {.size = 33, .shift = 0.1}, "superlu").mesh;
  const Mesh none = *solve("griddeform2d", {.size = 33, .shift = 0.0}).mesh;
  double largest = 0;
  for (size_t i = 0; i < minus.points.size(); ++i)
    for (int axis = 0; axis < 2; ++axis)
      largest = std::max({largest, std::abs(plus.points[i][axis] - minus.points[i][axis]),
                          std::abs(none.points[i][axis] - minus.points[i][axis])});
  EXPECT_GT(largest, 0);
  EXPECT_LT(largest, 0.05 / 32) << "a twentieth of a spacing";
}

TEST(FieldLines, RungeKuttaGoesRoundInACircle) {
  RegularGrid grid;
  grid.dimensions = 3;
  grid.size = {41, 41, 3};
  grid.spacing = {0.05, 0.05, 1};
  std::vector<Point> turning(grid.points());
  for (int64_t i = 0; i < grid.points(); ++i) {
    const auto at = grid.point(i);
    turning[i] = {1 - static_cast<double>(at[1]) * 0.05, static_cast<double>(at[0]) * 0.05 - 1, 0};
  }
  const VectorGrid field(grid, std::move(turning));
  const double length = 2 * std::numbers::pi * 0.6;
  const auto miss = [&](int steps) {
    const Line line = field_line(field, {1.6, 1, 1}, length / steps, length * (1 + 1e-9));
    EXPECT_EQ(line.points.size(), steps + 1);
    EXPECT_NEAR(line.value.back(), 0.6, 0.01);
    return std::hypot(line.points.back()[0] - 1.6, line.points.back()[1] - 1);
  };
  EXPECT_GT(std::log2(miss(20) / miss(40)), 3.8) << "fourth order";

  const auto drift = [&](double tolerance) {
    double largest = 0;
    for (const Point& p : field_line(field, {1.6, 1, 1}, length / 5, length, tolerance).points)
      largest = std::max(largest, std::abs(std::hypot(p[0] - 1, p[1] - 1) - 0.6));
    return largest;
  };
  EXPECT_GT(drift(0), 1e-2);
  EXPECT_LT(drift(1e-6), 1e-4) << "shorter steps where the tolerance asks for them";
}

TEST(FieldLines, EndAtTheFaceAndWhereTheFieldVanishes) {
  RegularGrid grid;
  grid.dimensions = 2;
  grid.size = {3, 3, 1};
  grid.spacing = {0.5, 0.5, 1};
  const VectorGrid right(grid, std::vector<Point>(9, Point{2, 0, 0})), nothing(grid, std::vector<Point>(9, Point{}));
  const Line line = field_line(right, {0.25, 0.5, 0}, 0.1, 10);
  EXPECT_EQ(line.points.size(), 9U);
  EXPECT_EQ(line.points.back(), (Point{1, 0.5, 0})) << "cut where it crosses the face";
  EXPECT_EQ(line.value[0], 2);
  EXPECT_EQ(line.value.back(), 2);
  EXPECT_EQ(field_line(right, {1, 0.5, 0}, 0.1, 10).points.size(), 1U) << "it begins where it leaves";
  EXPECT_TRUE(field_line(right, {1.1, 0.5, 0}, 0.1, 10).points.empty());
  const VectorGrid aslant(grid, std::vector<Point>(9, Point{-3, 4, 0}));
  const Point corner = field_line(aslant, {0.25, 0.5, 0}, 0.6, 10).points.back();
  EXPECT_NEAR(corner[0], 0, 1e-15) << "the side is met before the top";
  EXPECT_NEAR(corner[1], 0.5 + 0.25 * 4 / 3, 1e-15);
  EXPECT_EQ(field_line(nothing, {0.25, 0.5, 0}, 0.1, 10).points.size(), 1U);
}

TEST(Trefoil, IsTheKnotOfThePaper) {
  for (const double theta : {0.0, 1.0, 4.0}) {
    const Point p = trefoil(theta);
    EXPECT_NEAR(p[0] - 1, 0.2 * (std::sin(theta) + 2 * std::sin(2 * theta)), 1e-15);
    EXPECT_NEAR(p[1] - 1, 0.2 * (std::cos(theta) - 2 * std::cos(2 * theta)), 1e-15);
    EXPECT_NEAR(p[2] - 1, -0.4 * std::sin(3 * theta), 1e-15);
  }
}

TEST(Trefoil, VelocityHasTheRightCirculationAndRotatesNowhereElse) {
  for (const int stencil : {7, 27}) {
    const PdeResult result = solve("trefoil3d", {.size = 49, .stencil = stencil}, "aggamg");
    EXPECT_EQ(result.components, 3);
    EXPECT_LT(result.vortex->stray_rotation, 0.06);
    EXPECT_NEAR(result.vortex->circulation, 1, 0.03);
    EXPECT_GT(result.vortex->largest_speed, 1);
    EXPECT_EQ(result.lines.size(), 2U);
    for (const Line& line : result.lines) EXPECT_GT(line.points.size(), 500U) << "no line runs into a wall at once";
  }
}

TEST(Trefoil, StrayRotationTellsCoarseGridsAndLooseSolutions) {
  const auto stray = [](int64_t size, double rtol) {
    PdeOptions options;
    options.problem = "trefoil3d";
    options.choices.size = size;
    options.engine = "aggamg";
    options.rtol = rtol;
    return solve_pde(options).vortex->stray_rotation;
  };
  const double good = stray(49, 1e-8);
  EXPECT_LT(good, 0.5 * stray(25, 1e-8));
  EXPECT_LT(good, 0.5 * stray(49, 0.1));
}

TEST(Trefoil, HasTheSymmetryOfTheKnot) {
  // Half a turn about the axis x = z = 1 (in the cube's coordinates, through its middle along y) maps the knot onto
  // itself: theta → −theta.
  const PdeResult result = solve("trefoil3d", {.size = 17});
  const GridField& velocity = result.fields.back();
  ASSERT_EQ(velocity.name, "velocity");
  const auto at = [&](int i, int j, int k, int c) { return velocity.values[3 * ((k * 17 + j) * 17 + i) + c]; };
  for (int k = 1; k < 16; ++k)
    for (int j = 1; j < 16; ++j)
      for (int i = 1; i < 16; ++i) {
        ASSERT_NEAR(at(i, j, k, 0), at(16 - i, j, 16 - k, 0), 1e-6);
        ASSERT_NEAR(at(i, j, k, 1), -at(16 - i, j, 16 - k, 1), 1e-6);
        ASSERT_NEAR(at(i, j, k, 2), at(16 - i, j, 16 - k, 2), 1e-6);
      }
}

TEST(Capacitor, BothSigns) {
  const double plus = solve("capacitor3d", {.size = 17}).balance->inflow;
  const double minus = solve("capacitor3d", {.size = 17, .sign = "-"}).balance->inflow;
  EXPECT_GT(plus, 1) << "σ is near 1 away from the ball, the drop is 2 over a length of 1";
  EXPECT_LT(plus, 2);
  EXPECT_GT(minus, 0.2) << "σ is near 0.1 away from the ball";
  EXPECT_LT(minus, 2);
}

TEST(Capacitor, ConductivityIsThatOfThePaper) {
  for (const bool is_plus : {true, false}) {
    const Conductivity sigma = capacitor_conductivity(is_plus);
    const double sign = is_plus ? 1 : -1;
    EXPECT_NEAR(sigma.value({0.5, 0.5, 0.5}), 0.55 - sign * 0.45 * std::tanh(2.0), 1e-15);
    EXPECT_NEAR(sigma.value({0.5, 0.7, 0.5}), 0.55, 1e-15);
    EXPECT_NEAR(sigma.value({0.5, 0.5, 0.9}), 0.55 + sign * 0.45 * std::tanh(2.0), 1e-15);
  }
}

TEST(Capacitor, PotentialIsOddAboutTheMiddleAndLinesStayInTheirPlane) {
  for (const char* sign : {"+", "-"}) {
    const PdeResult result = solve("capacitor3d", {.size = 17, .sign = sign});
    EXPECT_LE(result.balance->imbalance, 1e-12);
    const GridField& u = result.fields.front();
    for (int k = 0; k < 17; ++k)
      for (int j = 0; j < 17; ++j)
        for (int i = 0; i < 17; ++i)
          ASSERT_NEAR(u.values[(k * 17 + j) * 17 + i], -u.values[((16 - k) * 17 + j) * 17 + i], 1e-12);
    for (const Line& line : result.lines_in_slice) {
      EXPECT_NEAR(line.points.back()[2], 1, 1e-9) << "from plate to plate";
      for (const Point& p : line.points) ASSERT_NEAR(p[1], 0.5, 1e-6);
    }
    // Lines avoid a ball that conducts poorly and bend into one that conducts well.
    const Line& line = result.lines_in_slice[10];
    const double aside = 0.5 - line.points[line.points.size() / 2][0], start = 0.5 - line.points[0][0];
    EXPECT_GT(start, 0.05);
    if (*sign == '+')
      EXPECT_GT(aside, 1.1 * start);
    else
      EXPECT_LT(aside, 0.9 * start);
  }
}

TEST(Applications, DoNotDependOnThreads) {
  const int threads = omp_get_max_threads();
  for (const char* name : {"griddeform2d", "trefoil3d", "capacitor3d"}) {
    const auto lines_and_mesh = [&](int count) {
      omp_set_num_threads(count);
      const PdeResult result = solve(name, {.size = 27});
      std::vector<Point> points;
      for (const Line& line : result.lines) points.insert(points.end(), line.points.begin(), line.points.end());
      return std::pair(points, result.mesh ? result.mesh->points : std::vector<PlanePoint>{});
    };
    EXPECT_EQ(lines_and_mesh(1), lines_and_mesh(3)) << name;
  }
  omp_set_num_threads(threads);
}

}  // namespace
}  // namespace gridiron
