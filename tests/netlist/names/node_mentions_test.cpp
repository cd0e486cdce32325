// SPDX-License-Identifier: Apache-2.0
#include "netlist/names/node_mentions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace gridiron {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* kPlaced[] = {"n1_0_0",         "n0_12345678_9",   "N12_40_67108863",   "_X_n3_5_6",
                                   "vdd_m1_2000_40", "Node_met5_10_20", "a_long_net_M9_1_2", "n1_99999_100000"};
/// No convention, no place; numbers that would not be spelled like this again, or are too large; ground.
constexpr const char* kTexts[] = {"a",       "n1_5",    "x_1_2",         "n1_05_6",
                                  "n1_5_06", "n1_-5_6", "n1_67108864_0", "n1_0_123456789",
                                  "n1__6",   "_1_2",    "n1_5_6x",       "7_m1_x_2"};

TEST(NodeMentions, NamesComeBackAsTheyWereSpelled) {
  NodeMentions mentions;
  for (const char* name : kPlaced) {
    const int32_t at = mentions.add(name);
    EXPECT_FALSE(name_key::is_text(mentions[at])) << name;
    EXPECT_EQ(mentions.name(at), name);
  }
  for (const char* name : kTexts) {
    const int32_t at = mentions.add(name);
    EXPECT_TRUE(name_key::is_text(mentions[at])) << name;
    EXPECT_EQ(mentions.name(at), name);
  }
  EXPECT_EQ(mentions.add("0"), 0);
  EXPECT_EQ(mentions.name(0), "0");
  const NameKey key = mentions[2];
  EXPECT_EQ(name_key::x_of(key), 12345678);
  EXPECT_EQ(name_key::y_of(key), 9);
}

TEST(NodeMentions, TheSameNodeAgainHasTheSameNumber) {
  NodeMentions mentions;
  const int32_t a = mentions.add("n1_10_20"), b = mentions.add("n1_30_20", a);
  EXPECT_NE(a, b);
  EXPECT_EQ(mentions.add("n1_30_20"), b) << "the newest";
  EXPECT_EQ(mentions.add("N1_30_20", b), b) << "however it is spelled";
  EXPECT_NE(mentions.add("n2_30_20", b), b);
  const int32_t text = mentions.add("Top");
  EXPECT_EQ(mentions.add("tOP", text), text);
}

TEST(NodeMentions, KeysOfANameAreThoseOfAllItsSpellings) {
  NodeMentions mentions;
  const NameKey small = mentions[mentions.add("n1_10_20")], large = mentions[mentions.add("N1_10_20")];
  const NameKey text = mentions[mentions.add("top")];
  EXPECT_THAT(mentions.keys_of("n1_10_20"), ElementsAre(small, large));
  EXPECT_THAT(mentions.keys_of("TOP"), ElementsAre(text));
  EXPECT_THAT(mentions.keys_of("n2_10_20"), IsEmpty());
}

TEST(NodeMentions, PartsAreJoinedInOrder) {
  NodeMentions first, second;
  first.add("n1_1_1"), first.add("top");
  second.add("n7_2_2"), second.add("top"), second.add("n1_3_3");
  const int32_t shift = first.append(std::move(second));
  ASSERT_EQ(first.size(), 6u);
  EXPECT_EQ(first.name(1 + shift), "n7_2_2");
  EXPECT_EQ(first[2 + shift], first[2]);
  EXPECT_EQ(first.name(3 + shift), "n1_3_3");
  first.spell_all();
  EXPECT_TRUE(name_key::is_text(first[1]));
  EXPECT_EQ(first.name(1), "n1_1_1");
}

/// What is beyond the numbers that a key has room for stays text; keys of several parts are told apart no worse.
TEST(NodeMentions, MoreStemsThanAKeyTellsApart) {
  std::vector<std::string> names;
  for (int k = 0; k < 6000; ++k) names.push_back("n" + std::to_string(k) + "_1_2");
  NodeMentions many, more;
  for (int k = 0; k < 6000; ++k) (k < 3000 ? many : more).add(names[k]);
  EXPECT_FALSE(many.has_too_many_stems());
  const int32_t shift = many.append(std::move(more));
  EXPECT_TRUE(many.has_too_many_stems());
  for (const int k : {0, 1000, 2999}) {
    EXPECT_EQ(many.name(1 + k), names[k]);
    EXPECT_EQ(many.name(1 + k + shift), names[3000 + k]);
  }
}

}  // namespace
}  // namespace gridiron
