// SPDX-License-Identifier: Apache-2.0
#include "grid/refined_mesh.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "grid/element.hpp"
#include "support/error.hpp"

namespace gridiron {
namespace {

using testing::HasSubstr;

std::string message(CoarseMesh mesh, int levels = 1) {
  try {
    RefinedMesh(std::move(mesh), levels);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// Every unknown is one place, whichever cell it is seen from, and every number is used.
void expect_numbers_are_places(const RefinedMesh& mesh) {
  std::map<int64_t, Place> place_of;
  std::map<std::pair<long, long>, int64_t> unknown_at;
  for (int64_t c = 0; c < mesh.cells(); ++c)
    for (int64_t j = 0; j <= mesh.steps(); ++j)
      for (int64_t i = 0; i <= mesh.steps(); ++i) {
        if (!mesh.has(i, j)) continue;
        const Place p = mesh.place(c, i, j);
        const int64_t unknown = mesh.unknown(c, i, j);
        const auto [at, is_new] = unknown_at.try_emplace({std::lround(p[0] * 1e6), std::lround(p[1] * 1e6)}, unknown);
        ASSERT_EQ(at->second, unknown) << p[0] << ", " << p[1];
        if (unknown < 0) continue;
        ASSERT_LT(unknown, mesh.unknowns());
        const auto [place, first] = place_of.try_emplace(unknown, p);
        ASSERT_NEAR(place->second[0], p[0], 1e-12);
        ASSERT_NEAR(place->second[1], p[1], 1e-12);
      }
  EXPECT_EQ(static_cast<int64_t>(place_of.size()), mesh.unknowns());
}

TEST(RefinedMesh, NumbersArePlaces) {
  for (const int corners : {3, 4})
    for (const int64_t n : {1, 3})
      for (const int levels : {0, 1, 2, 3}) {
        const RefinedMesh mesh(unit_square_mesh(corners, n), levels);
        const int64_t side = n << levels;
        EXPECT_EQ(mesh.unknowns(), (side - 1) * (side - 1));
        EXPECT_EQ(mesh.elements(), side * side * (corners == 3 ? 2 : 1));
        expect_numbers_are_places(mesh);
      }
  for (const int levels : {0, 1, 2, 3}) expect_numbers_are_places(RefinedMesh(flow_around_square_mesh(), levels));
}

TEST(RefinedMesh, FlowAroundASquareHasThePapersNodes) {
  EXPECT_EQ(RefinedMesh(flow_around_square_mesh(), 0).cells(), 28);
  EXPECT_EQ(RefinedMesh(flow_around_square_mesh(), 0).unknowns(), 7);
  EXPECT_EQ(RefinedMesh(flow_around_square_mesh(), 7).unknowns(), 228'480);
  EXPECT_EQ(RefinedMesh(flow_around_square_mesh(), 8).unknowns(), 915'712);
}

TEST(RefinedMesh, RefusesWhatIsNoMesh) {
  const CoarseMesh square{4, {{0, 0}, {1, 0}, {1, 1}, {0, 1}}, {{0, 1, 2, 3}}};
  EXPECT_EQ(message(square), "");
  CoarseMesh mesh = square;
  mesh.cell[0] = {0, 3, 2, 1};
  EXPECT_THAT(message(mesh), HasSubstr("cell 0 run clockwise"));
  mesh = square;
  mesh.cell[0][2] = 4;
  EXPECT_THAT(message(mesh), HasSubstr("cell 0 has vertex 4, there are 4"));
  mesh = square;
  mesh.vertex[2] = {1.5, 1};
  EXPECT_THAT(message(mesh), HasSubstr("cell 0 is not a parallelogram"));
  mesh = square;
  mesh.vertex[3] = {2, 0};
  EXPECT_THAT(message(mesh), HasSubstr("cell 0 is degenerate"));
  mesh = square;
  mesh.vertex[3] = {NAN, 1};
  EXPECT_THAT(message(mesh), HasSubstr("cell 0"));
  mesh = square;
  mesh.vertex.push_back({5, 5});
  EXPECT_THAT(message(mesh), HasSubstr("no cell has vertex 4"));
  mesh = square;
  mesh.cell.push_back({0, 1, 2, 3});
  EXPECT_THAT(message(mesh), HasSubstr("overlaps"));
  mesh = square;
  mesh.corners = 5;
  EXPECT_THAT(message(mesh), HasSubstr("3 or 4 corners"));
  EXPECT_THAT(message(square, -1), HasSubstr("levels"));
  EXPECT_THAT(message(square, 20), HasSubstr("more nodes than a matrix can index"));
  // Two small squares beside a large one meet in the middle of its side.
  const CoarseMesh hanging{
      4, {{0, 0}, {2, 0}, {2, 2}, {0, 2}, {3, 0}, {3, 1}, {2, 1}, {3, 2}}, {{0, 1, 2, 3}, {1, 4, 5, 6}, {6, 5, 7, 2}}};
  EXPECT_THAT(message(hanging), HasSubstr("vertex 6 hangs on the edge of vertices 1 and 2"));
}

/// Against ∇φ_a · ∇φ_b integrated by differences, for a skew parallelogram and a triangle.
TEST(Element, StiffnessIsTheIntegral) {
  const std::array<Place, 2> sides{{{2, 0.3}, {-0.4, 1.1}}};
  const double area = 2 * 1.1 + 0.3 * 0.4;
  for (const int corners : {3, 4}) {
    const ElementMatrix k = element_stiffness(corners, shape_of(sides));
    const auto phi = [&](int a, double s, double t) {
      if (corners == 3) return a == 0 ? 1 - s - t : a == 1 ? s : t;
      return (a == 1 || a == 2 ? s : 1 - s) * (a >= 2 ? t : 1 - t);
    };
    const auto gradient = [&](int a, double s, double t) -> Place {
      constexpr double d = 1e-5;
      const double fs = (phi(a, s + d, t) - phi(a, s - d, t)) / (2 * d),
                   ft = (phi(a, s, t + d) - phi(a, s, t - d)) / (2 * d);
      const auto& [u, v] = sides;
      return {(fs * v[1] - ft * u[1]) / area, (ft * u[0] - fs * v[0]) / area};
    };
    constexpr int n = 200;
    for (int a = 0; a < corners; ++a)
      for (int b = 0; b < corners; ++b) {
        double sum = 0;
        for (int i = 0; i < n; ++i)
          for (int j = 0; j < n; ++j) {
            const double s = (i + 0.5) / n, t = (j + 0.5) / n;
            const Place p = gradient(a, s, t), q = gradient(b, s, t);
            sum += (p[0] * q[0] + p[1] * q[1]) * area / (n * n) * (corners == 3 ? 0.5 : 1);
          }
        EXPECT_NEAR(k[a][b], sum, 1e-4) << corners << " corners, " << a << ", " << b;
      }
  }
}

}  // namespace
}  // namespace gridiron
