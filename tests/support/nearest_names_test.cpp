// SPDX-License-Identifier: Apache-2.0
#include "support/nearest_names.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace gridiron {
namespace {

TEST(NearestNames, LettersApart) {
  EXPECT_EQ(letters_apart("vdd", "VDD"), 0u);
  EXPECT_EQ(letters_apart("vdd", "vddx"), 1u);
  EXPECT_EQ(letters_apart("kitten", "sitting"), 3u);
  EXPECT_EQ(letters_apart("", "abc"), 3u);
}

TEST(NearestNames, OfFewAllAndOfManyTheNearest) {
  EXPECT_EQ(names_near("vcc", {}), "none");
  EXPECT_EQ(names_near("vcc", std::vector<std::string>{"vdd", "vss"}), "vdd, vss");
  std::vector<std::string> many;
  for (int k = 0; k < 20; ++k) many.push_back("net" + std::to_string(k));
  EXPECT_EQ(names_near("net17x", many), "net17, net1, net7 and 17 more");
  EXPECT_EQ(first_names(many), "net0, net1, net2 and 17 more");
}

TEST(NearestNames, WhatWasMeant) {
  const std::vector<std::string> engines{"cholmod", "aggamg", "psc"};
  EXPECT_EQ(did_you_mean("agamg", engines), "; did you mean 'aggamg'?");
  EXPECT_EQ(did_you_mean("PSC", engines), "; did you mean 'psc'?");
  EXPECT_EQ(did_you_mean("pcs", engines), "") << "two of three letters";
  EXPECT_EQ(did_you_mean("umfpack", engines), "");
  EXPECT_EQ(did_you_mean("m9", std::vector<std::string>{"m1", "m2"}), "") << "half of its letters";
  EXPECT_EQ(did_you_mean("vd", std::vector<std::string>{"vss", "vdd"}), "; did you mean 'vdd'?");
  EXPECT_EQ(did_you_mean("vddd", std::vector<std::string>{"vdd"}), "") << "there is no other";
  EXPECT_EQ(did_you_mean("x", std::vector<std::string>{}), "");
}

}  // namespace
}  // namespace gridiron
