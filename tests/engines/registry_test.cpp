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
  Problem unplaced;
  unplaced.matrix = placed->problem.matrix;
  const bool has_gpu = cuda_state() == Cuda::ready;
  for (const int64_t solves : {1, 7, 8, 1000}) {
    EXPECT_EQ(choice(small, {"cpu", solves}), "cholmod");
    EXPECT_EQ(choice(unplaced, {"cpu", solves}), "aggamg");
    EXPECT_EQ(choice(unplaced, {"auto", solves}), "aggamg");
    EXPECT_EQ(choice(placed->problem, {"cpu", solves}), solves < 8 ? "gpuhmd" : "cholmod");
    EXPECT_EQ(choice(placed->problem, {"auto", solves}), has_gpu || solves < 8 ? "gpuhmd" : "cholmod");
  }
  EXPECT_EQ(choice(small, {"cuda", 1}), has_gpu ? "aggamg" : "cholmod");
}

TEST(Registry, AutoEndsWithAFactorization) {
  const auto placed = test::mesh(320, 320, 1);
  const auto tried = [&](std::string_view device) {
    std::vector<std::string_view> names;
    for (const EngineInfo* engine = &choose_engine("auto", placed->problem, {device}); engine;
         engine = engine_after(*engine, placed->problem, {device}))
      names.push_back(engine->name);
    return names;
  };
  EXPECT_THAT(tried("cpu"), ElementsAre("gpuhmd", "cholmod"));
  if (cuda_state() == Cuda::ready) {
    EXPECT_THAT(tried("auto"), ElementsAre("gpuhmd", "aggamg", "cholmod"));
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
