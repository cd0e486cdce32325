// SPDX-License-Identifier: Apache-2.0
#include "support/side_by_side.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <thread>

#include "support/context.hpp"

namespace gridiron {
namespace {

class SideBySide : public testing::TestWithParam<int> {};

TEST_P(SideBySide, RunsBothAndTheFirstHere) {
  const ThreadCount threads(GetParam());
  int runs_of_f = 0, runs_of_g = 0;
  std::thread::id place;
  side_by_side([&] { ++runs_of_f, place = std::this_thread::get_id(); }, [&] { ++runs_of_g; });
  EXPECT_EQ(runs_of_f, 1);
  EXPECT_EQ(runs_of_g, 1);
  EXPECT_EQ(place, std::this_thread::get_id());
}

TEST_P(SideBySide, RethrowsTheErrorOfEither) {
  const ThreadCount threads(GetParam());
  const auto fail = [](const char* why) { throw std::runtime_error(why); };
  const auto error_of = [](auto f, auto g) -> std::string {
    try {
      side_by_side(f, g);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(error_of([&] { fail("f"); }, [] {}), "f");
  EXPECT_EQ(error_of([] {}, [&] { fail("g"); }), "g");
  EXPECT_EQ(error_of([&] { fail("f"); }, [&] { fail("g"); }), "g");
}

INSTANTIATE_TEST_SUITE_P(Threads, SideBySide, testing::Values(1, 2, 3));

}  // namespace
}  // namespace gridiron
