// SPDX-License-Identifier: Apache-2.0
#include "engines/params.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "support/error.hpp"

namespace gridiron {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

struct SampleParams {
  double weight = 0.5;
  int sweeps = 2;
  bool fast = false;
  std::string smoother = "jacobi";

  template <class V>
  void visit(V& v) {
    v("weight", weight, "1", "damping");
    v("sweeps", sweeps, "", "sweeps before and after");
    v("fast", fast, "", "cut corners");
    v("smoother", smoother, "", "which");
  }
};

std::string complaint(const Settings& settings) {
  try {
    read_params<SampleParams>("sample", settings);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Params, DefaultsStayWhenNothingIsSet) {
  const auto params = read_params<SampleParams>("sample", {});
  EXPECT_EQ(params.weight, 0.5);
  EXPECT_EQ(params.sweeps, 2);
  EXPECT_FALSE(params.fast);
  EXPECT_EQ(params.smoother, "jacobi");
}

TEST(Params, EveryTypeIsRead) {
  const auto params = read_params<SampleParams>(
      "sample", {{"weight", "1e-3"}, {"sweeps", "-4"}, {"fast", "true"}, {"smoother", "x y"}});
  EXPECT_EQ(params.weight, 1e-3);
  EXPECT_EQ(params.sweeps, -4);
  EXPECT_TRUE(params.fast);
  EXPECT_EQ(params.smoother, "x y");
}

TEST(Params, UnknownKeyListsTheKnownOnes) {
  EXPECT_THAT(complaint({{"sweep", "3"}}),
              AllOf(HasSubstr("sample"), HasSubstr("\"sweep\""), HasSubstr("weight, sweeps, fast, smoother")));
}

TEST(Params, BadValuesSayWhatIsExpected) {
  for (const char* bad : {"", "abc", "1.5x", "nan", "inf", "1e999", " 1"}) {
    EXPECT_THAT(complaint({{"weight", bad}}), AllOf(HasSubstr("weight"), HasSubstr("a number"))) << bad;
  }
  for (const char* bad : {"", "2.5", "99999999999", "two", "0x10"}) {
    EXPECT_THAT(complaint({{"sweeps", bad}}), AllOf(HasSubstr("sweeps"), HasSubstr("a whole number"))) << bad;
  }
  for (const char* bad : {"", "1", "yes", "TRUE"}) {
    EXPECT_THAT(complaint({{"fast", bad}}), AllOf(HasSubstr("fast"), HasSubstr("true or false"))) << bad;
  }
}

TEST(Params, WhatTheUserTypedIsEscaped) {
  EXPECT_THAT(complaint({{"a\x1b[2J\n", "3"}}), AllOf(Not(HasSubstr("\x1b")), Not(HasSubstr("\n"))));
  EXPECT_THAT(complaint({{"sweeps", "\r\n"}}), Not(HasSubstr("\n")));
}

TEST(Params, ChoicesAreListed) {
  EXPECT_NO_THROW(require_choice("sample", "smoother", "jacobi", {"jacobi", "line"}));
  try {
    require_choice("sample", "smoother", "gauss", {"jacobi", "line"});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("\"gauss\""), HasSubstr("jacobi, line")));
  }
}

TEST(Params, ListShowsValueUnitAndMeaning) {
  const ParamList list = list_params(read_params<SampleParams>("sample", {{"fast", "true"}}));
  ASSERT_EQ(list.size(), 4u);
  EXPECT_EQ(list[0].name, "weight");
  EXPECT_EQ(list[0].value, "0.5");
  EXPECT_EQ(list[0].unit, "1");
  EXPECT_EQ(list[0].meaning, "damping");
  EXPECT_EQ(list[1].value, "2");
  EXPECT_EQ(list[2].value, "true");
  EXPECT_EQ(list[3].value, "jacobi");
}

struct PresetParams : SampleParams {
  std::string preset = "default";
  static std::vector<Preset> presets() { return {{"paper", {{"weight", "1"}, {"sweeps", "3"}}}}; }

  template <class V>
  void visit(V& v) {
    v("preset", preset, "", "which");
    SampleParams::visit(v);
  }
};

TEST(Params, APresetSetsWhatTheUserHasNot) {
  const auto params = read_params<PresetParams>("sample", {{"preset", "paper"}, {"sweeps", "7"}});
  EXPECT_EQ(params.weight, 1);
  EXPECT_EQ(params.sweeps, 7);
  EXPECT_EQ(params.preset, "paper");
  EXPECT_EQ(read_params<PresetParams>("sample", {{"preset", "default"}}).weight, 0.5);
  try {
    read_params<PresetParams>("sample", {{"preset", "book"}});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("book"), HasSubstr("one of default, paper")));
  }
}

TEST(Params, RangesAreChecked) {
  EXPECT_NO_THROW(require_range("sample", "weight", 1, 0, 1));
  for (const double value : {-0.1, 1.1, std::nan("")})
    EXPECT_THROW(require_range("sample", "weight", value, 0, 1), InputError);
}

}  // namespace
}  // namespace gridiron
