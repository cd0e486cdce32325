// SPDX-License-Identifier: Apache-2.0
// What `gridiron pde` writes: the schema, the words, the picture.
#include "reports/pde_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/canvas.hpp"
#include "tests/reports/decoded_png.hpp"
#include "tests/reports/sample.hpp"
#include "tests/reports/schema_validator.hpp"

namespace gridiron {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

PdeResult solved(const char* name, std::int64_t size) {
  PdeOptions options;
  options.problem = name;
  options.choices.size = size;
  return solve_pde(options);
}

TEST(PdeReport, JsonFollowsItsSchema) {
  for (const char* name : {"poisson2d", "poisson3d", "anisotropic2d", "porous3d"})
    EXPECT_EQ(test::violations("gridiron.pde-1", pde_json(solved(name, 5))), "") << name;
  PdeResult broken = solved("poisson2d", 5);
  broken.error->linf = NAN;
  broken.solve.relative_residual = INFINITY;
  EXPECT_EQ(test::violations("gridiron.pde-1", pde_json(broken)), "");
}

TEST(PdeReport, JsonHasTheResult) {
  const PdeResult result = solved("poisson2d", 9);
  const json report = json::parse(pde_json(result));
  EXPECT_EQ(report["schema"], "gridiron.pde/1");
  EXPECT_EQ(report["problem"], "poisson2d");
  EXPECT_EQ(report["size"], 9);
  EXPECT_EQ(report["shape"], json::parse("[9, 9]"));
  EXPECT_EQ(report["unknowns"], 49);
  EXPECT_EQ(report["error"]["l1_relative"].get<double>(), result.error->l1_relative);
  EXPECT_EQ(report["error"]["linf"].get<double>(), result.error->linf);
  EXPECT_TRUE(report["check"].is_null());
}

TEST(PdeReport, JsonHasTheCheckWhereNoSolutionIsKnown) {
  const PdeResult result = solved("porous3d", 11);
  const json report = json::parse(pde_json(result));
  EXPECT_TRUE(report["error"].is_null());
  EXPECT_EQ(report["check"]["name"], "mass_balance");
  EXPECT_EQ(report["check"]["imbalance"].get<double>(), result.balance->imbalance);
  EXPECT_EQ(report["shape"], json::parse("[3, 11, 4]"));
  EXPECT_EQ(report["parameters"]["seed"], "1");
}

TEST(PdeReport, TextTellsErrorOrBalance) {
  const std::string smooth = pde_text(solved("anisotropic2d", 9));
  EXPECT_THAT(smooth, HasSubstr("epsilon=0.01"));
  EXPECT_THAT(smooth, HasSubstr("Grid         9 x 9: 49 unknowns, 217 nonzeros\n"));
  EXPECT_THAT(smooth, HasSubstr("\nError        L1 relative"));
  EXPECT_THAT(smooth, Not(HasSubstr("Balance")));
  EXPECT_THAT(pde_text(solved("porous3d", 11)), HasSubstr("\nBalance      inflow"));
}

TEST(PdeReport, PictureShowsTheSolutionTheRightWayUp) {
  // u is 0 on the boundary and lowest at x = y = 1/√2, so the darkest colours lie up and to the right of the middle.
  const test::DecodedPng png(pde_picture(solved("poisson2d", 33)));
  ASSERT_GT(png.width, 640);
  const auto luminance = [&](int x, int y) {
    const auto c = png.at(x, y);
    return c[0] + c[1] + c[2];
  };
  double sum_x = 0, sum_y = 0, count = 0;
  const Rgb darkest = heat_colours().front();
  for (int y = 0; y < png.height; ++y)
    for (int x = 0; x < 640; ++x)
      if (png.at(x, y) == std::array<int, 4>{darkest.red, darkest.green, darkest.blue, 255})
        sum_x += x, sum_y += y, ++count;
  ASSERT_GT(count, 0);
  constexpr int kLeft = 76, kTop = 66;  // margins around the plot
  EXPECT_NEAR((sum_x / count - kLeft) / 640, 0.707, 0.03);
  EXPECT_NEAR(1 - (sum_y / count - kTop) / 640, 0.707, 0.03);
  EXPECT_GT(luminance(kLeft + 5, kTop + 5), luminance(kLeft + 450, kTop + 190));
}

TEST(PdeReport, PictureKeepsTheShapeOfTheBox) {
  const test::DecodedPng square(pde_picture(solved("poisson3d", 5))), rock(pde_picture(solved("porous3d", 22)));
  EXPECT_EQ(square.height, rock.height) << "both are 640 pixels high";
  EXPECT_NEAR(square.width - rock.width, 640 * (1 - 365.76 / 670.56), 2);
}

TEST(PdeReport, PictureSurvivesAnEngineThatFailed) {
  PdeResult result = solved("poisson2d", 5);
  for (double& value : result.slice.value) value = NAN;
  EXPECT_GT(test::DecodedPng(pde_picture(result)).width, 0);
  result.slice.value[3] = INFINITY;
  result.slice.value[4] = 2;
  EXPECT_GT(test::DecodedPng(pde_picture(result)).width, 0);
}

TEST(PdeReport, WritesTheFilesAskedFor) {
  const test::TemporaryDirectory directory;
  write_pde_reports(solved("poisson2d", 5), directory.path() / "a" / "b", {"json", "png"});
  EXPECT_TRUE(std::filesystem::exists(directory.path() / "a" / "b" / "report.json"));
  EXPECT_TRUE(std::filesystem::exists(directory.path() / "a" / "b" / "solution.png"));
  EXPECT_FALSE(std::filesystem::exists(directory.path() / "a" / "b" / "summary.txt"));
}

}  // namespace
}  // namespace gridiron
