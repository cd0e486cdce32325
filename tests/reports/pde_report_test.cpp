// SPDX-License-Identifier: Apache-2.0
// The output of `gridiron pde`: schema, text, plots.
#include "reports/pde_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "reports/pictures/canvas.hpp"
#include "reports/pictures/convergence_picture.hpp"
#include "tests/reports/json/schema_validator.hpp"
#include "tests/reports/pictures/decoded_png.hpp"
#include "tests/reports/sample.hpp"

namespace gridiron {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

PdeResult solved(const char* name, int64_t size) {
  PdeOptions options;
  options.problem = name;
  options.choices.size = size;
  return solve_pde(options);
}

TEST(PdeReport, JsonFollowsItsSchema) {
  for (const PdeProblem& problem : pde_problems())
    EXPECT_EQ(test::violations("gridiron.pde-1", pde_json(solved(std::string(problem.name).c_str(), 5))), "")
        << problem.name;
  PdeResult broken = solved("poisson2d", 5);
  broken.error->linf = NAN;
  broken.solve.relative_residual = INFINITY;
  EXPECT_EQ(test::violations("gridiron.pde-1", pde_json(broken)), "");
}

TEST(PdeReport, TellsOfStepsInTime) {
  PdeResult result = solved("stokes2d", 4);
  EXPECT_TRUE(json::parse(pde_json(result))["steps"].is_null());
  result.steps = TimeSteps{0.5, {7, 4, 3}};
  EXPECT_EQ(test::violations("gridiron.pde-1", pde_json(result)), "");
  EXPECT_EQ(json::parse(pde_json(result))["steps"]["iterations"], json::array({7, 4, 3}));
  EXPECT_THAT(pde_text(result), testing::HasSubstr("3 to t = 0.5 s, of 3 to 7 iterations"));
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
  // u is 0 on the boundary and lowest at x = y = 1/√2, so the darkest colours are up and to the right of the middle.
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

TEST(PdeReport, TextAndJsonHaveTheChecksOfTheApplications) {
  const PdeResult mesh = solved("griddeform2d", 9), vortex = solved("trefoil3d", 9);
  EXPECT_THAT(pde_text(mesh), HasSubstr("\nMesh         0 of 64 cells folded"));
  EXPECT_THAT(pde_text(mesh), HasSubstr(", moved to t = 1\n"));
  EXPECT_EQ(json::parse(pde_json(mesh))["check"]["folded_cells"], 0);
  EXPECT_THAT(pde_text(vortex), HasSubstr("3 right-hand sides\n"));
  EXPECT_THAT(pde_text(vortex), HasSubstr("\nVortex       largest speed"));
  EXPECT_EQ(json::parse(pde_json(vortex))["check"]["circulation"].get<double>(), vortex.vortex->circulation);
}

TEST(PdeReport, SaysWhichSolutionHolds) {
  EXPECT_THAT(pde_text(solved("poisson2d", 9)), HasSubstr("\nSolution     u = -x^2 y^2 (1-x^2) (1-y^2)\n"));
  EXPECT_THAT(pde_text(solved("porous3d", 11)), Not(HasSubstr("\nSolution")));
  PdeOptions options;
  options.problem = "poisson2d";
  options.choices = {.size = 9, .conditions = "y0=dirichlet:1"};
  const PdeResult other = solve_pde(options);
  EXPECT_THAT(pde_text(other), HasSubstr("\nSolution     not known: the condition on face y0 is not that of u\n"));
  EXPECT_THAT(pde_text(other), Not(HasSubstr("u = -x")));
  EXPECT_EQ(json::parse(pde_json(other))["note"], "the condition on face y0 is not that of u");
}

TEST(PdeReport, SaysWhatDidNotCancel) {
  PdeResult result = solved("poisson2d", 9);
  EXPECT_THAT(pde_text(result), Not(HasSubstr("\nData")));
  result.unbalanced = 0.0062;
  EXPECT_THAT(pde_text(result), HasSubstr("\nData         0.62 % of the total flow did not cancel"));
  EXPECT_EQ(json::parse(pde_json(result))["unbalanced"], 0.0062);
}

TEST(PdeReport, SaysWhereAMeshStopped) {
  PdeResult result = solved("griddeform2d", 9);
  result.mesh->time = 0.25;
  EXPECT_THAT(pde_text(result), HasSubstr(", stopped at t = 0.250 of 1, before a cell would fold\n"));
}

TEST(PdeReport, OptionsAreUntrustedText) {
  PdeResult result = solved("poisson2d", 5);
  result.parameters.push_back({"curve", "a\x1b[2J\n\xff.csv", "", ""});
  EXPECT_THAT(pde_text(result), HasSubstr("curve=a\\x1b[2J\\x0a"));
  EXPECT_EQ(test::violations("gridiron.pde-1", pde_json(result)), "");
}

TEST(PdeReport, FieldLinesRunOverTheMap) {
  PdeResult result = solved("capacitor3d", 9);
  const test::DecodedPng with(pde_picture(result));
  result.lines_in_slice.clear();
  const test::DecodedPng without(pde_picture(result));
  ASSERT_EQ(with.width, without.width);
  int different = 0;
  for (int y = 66; y < 66 + 640; ++y) different += with.at(76 + 640 / 48, y) != without.at(76 + 640 / 48, y);
  EXPECT_GT(different, 500) << "the line at x = 1/48 goes up nearly straight";
}

TEST(PdeReport, ErrorAndConvergencePictures) {
  const PdeResult result = solved("poisson2d", 17);
  ASSERT_TRUE(result.error_slice);
  EXPECT_EQ(*std::max_element(result.error_slice->value.begin(), result.error_slice->value.end()), result.error->linf);
  EXPECT_GT(test::DecodedPng(pde_error_picture(result)).width, 640);
  PdeResult iterated = result;
  iterated.solve.history = {1, 0.1, 0.0, NAN, 1e-300};
  EXPECT_GT(test::DecodedPng(convergence_picture("a", "b", iterated.engine, iterated.solve)).width, 400);
  iterated.solve.history = {NAN};
  EXPECT_GT(test::DecodedPng(convergence_picture("a", "b", iterated.engine, iterated.solve)).width, 400);
}

TEST(PdeReport, MeshPictureShowsTheMesh) {
  const PdeResult result = solved("griddeform2d", 17);
  const test::DecodedPng png(pde_mesh_picture(result));
  const auto dark = [&](int x, int y) { return png.at(x, y)[0] < 128; };
  // Along the middle of the square, 16 cells: at least 15 lines are crossed between one wall and the other.
  int lines = 0;
  for (int x = 30; x < 738; ++x) lines += dark(x, 66 + 360 - 9) && !dark(x - 1, 66 + 360 - 9);
  EXPECT_GE(lines, 13);
  EXPECT_LE(lines, 17);
}

TEST(PdeReport, LinesPictureShowsNearLinesOverFarOnes) {
  PdeResult result = solved("capacitor3d", 5);
  // Two lines that cross on the page at the middle: the later one in the list is farther away.
  result.lines = {Line{{{0.1, 0.1, 0.5}, {0.5, 0.5, 0.9}}, {0, 0}}, Line{{{0.4, 0.9, 0.1}, {0.6, 0.9, 0.1}}, {1, 1}}};
  EXPECT_GT(test::DecodedPng(pde_lines_picture(result)).width, 700);
  result.lines = {Line{{{0.1, 0.1, 0.5}}, {NAN}}};
  EXPECT_GT(test::DecodedPng(pde_lines_picture(result)).width, 700);
}

TEST(PdeStudyReport, TableJsonAndPicture) {
  PdeOptions options;
  options.problem = "poisson2d";
  PdeStudy study = study_pde(options, {9, 17, 33});
  const std::string text = pde_study_text(study);
  EXPECT_THAT(text, HasSubstr("error falls as h^"));
  EXPECT_THAT(text, HasSubstr("\n    33"));
  const json report = json::parse(pde_study_json(study));
  EXPECT_EQ(test::violations("gridiron.pde_study-1", pde_study_json(study)), "");
  ASSERT_EQ(report["runs"].size(), 3U);
  for (const json& run : report["runs"]) EXPECT_EQ(test::violations("gridiron.pde-1", run.dump()), "");
  EXPECT_NEAR(report["error_orders"]["l2"].get<double>(), 2, 0.1);
  const int both = test::DecodedPng(pde_study_picture(study)).width;

  options.problem = "capacitor3d";
  study = study_pde(options, {5, 9});
  EXPECT_TRUE(json::parse(pde_study_json(study))["error_orders"].is_null());
  EXPECT_EQ(test::violations("gridiron.pde_study-1", pde_study_json(study)), "");
  EXPECT_THAT(pde_study_text(study), Not(HasSubstr("L1")));
  EXPECT_LT(test::DecodedPng(pde_study_picture(study)).width, both) << "one panel less";
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
