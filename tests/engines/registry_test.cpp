// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string_view>
#include <vector>

#include "engines/engine.hpp"
#include "support/error.hpp"
#include "tests/engines/hand_made_grids.hpp"
#include "tests/engines/systems.hpp"

namespace gridiron {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(Registry, CholmodComesFirst) { EXPECT_EQ(engines().front().name, "cholmod"); }

/// The rule of docs/engines.md.
TEST(Registry, AutoGoesBySizePlacesDeviceAndSolves) {
  const auto choice = [](const Problem& problem, ExpectedUse use) { return choose_engine("auto", problem, use).name; };
  const Problem small = test::mesh(20, 20, 1)->problem;
  const auto placed = test::mesh(320, 320, 1);  // 204,800 unknowns
  const Problem unplaced = test::cube(30);
  const bool has_gpu = cuda_state() == Cuda::ready;
  for (const int64_t solves : {1, 7, 8, 1000}) {
    EXPECT_EQ(choice(small, {"cpu", solves}), "cholmod");
    EXPECT_EQ(choice(unplaced, {"cpu", solves}), solves < 1000 ? "aggamg" : "cholmod");
    EXPECT_EQ(choice(unplaced, {"auto", solves}), solves < 1000 ? "aggamg" : "cholmod");
    EXPECT_EQ(choice(placed->problem, {"cpu", solves}), solves < 8 ? "gpuhmd" : "cholmod");
    EXPECT_EQ(choice(placed->problem, {"auto", solves}), has_gpu || solves < 8 ? "gpuhmd" : "cholmod");
  }
  EXPECT_EQ(choice(small, {"cuda", 1}), has_gpu ? "aggamg" : "cholmod");
}

/// The names of the engines that `auto` tries, if none does.
std::vector<std::string_view> tried_in_turn(const Problem& problem, std::string_view device) {
  std::vector<const EngineInfo*> tried;
  std::vector<std::string_view> names;
  for (const EngineInfo* engine = &choose_engine("auto", problem, {device}); engine;
       engine = engine_after(tried, problem, {device})) {
    tried.push_back(engine);
    names.push_back(engine->name);
  }
  return names;
}

TEST(Registry, AutoTriesMultigridAfterAFactorizationAndTheOtherWayRound) {
  const auto placed = test::mesh(320, 320, 1);
  EXPECT_THAT(tried_in_turn(placed->problem, "cpu"), ElementsAre("gpuhmd", "cholmod", "aggamg"));
  EXPECT_THAT(tried_in_turn(test::poisson(9), "cpu"), ElementsAre("cholmod", "aggamg", "superlu"));
  EXPECT_THAT(tried_in_turn(test::cube(30), "cpu"), ElementsAre("aggamg", "cholmod", "superlu"));
  Problem unsymmetric = test::poisson(9);
  unsymmetric.symmetric_positive_definite = false;
  EXPECT_THAT(tried_in_turn(unsymmetric, "cpu"), ElementsAre("superlu"));
  if (cuda_state() == Cuda::ready) {
    const auto larger = test::mesh(720, 720, 1);  // 518,400 unknowns
    EXPECT_THAT(tried_in_turn(larger->problem, "auto"), ElementsAre("gpuhmd", "aggamg", "cholmod"));
  }
}

TEST(Registry, UnknownEngineListsTheKnownOnes) {
  EXPECT_EQ(find_engine("superlu").name, "superlu");
  try {
    find_engine("umfpack\n");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("\"umfpack\\n\""), HasSubstr("cholmod, stokes, superlu, aggamg")));
  }
}

}  // namespace
}  // namespace gridiron
