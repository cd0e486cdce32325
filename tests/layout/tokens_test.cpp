// SPDX-License-Identifier: Apache-2.0
// Words, comments, strings, numbers and points of LEF and DEF.
#include "layout/tokens.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/layout/layout_texts.hpp"

namespace gridiron::layout {
namespace {

using test::error_of;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> words_of(const std::string& text) {
  const auto source = SourceText::from_string(text, "t.def");
  std::vector<std::string> words;
  for (Tokens tokens(*source); !tokens.at_end();) words.emplace_back(tokens.take());
  return words;
}

template <class F>
auto with(const std::string& text, F&& f) {
  const auto source = SourceText::from_string(text, "t.def");
  Tokens tokens(*source);
  return f(tokens);
}

TEST(LayoutTokens, WhiteSpacePartsWords) {
  EXPECT_THAT(words_of(" a\tb;\r\n( 1 ) ;\f"), ElementsAre("a", "b;", "(", "1", ")", ";"));
  EXPECT_THAT(words_of(""), ElementsAre());
  EXPECT_THAT(words_of("\xef\xbb\xbfVERSION"), ElementsAre("VERSION"));
}

TEST(LayoutTokens, CommentsBeginWithAWord) {
  EXPECT_THAT(words_of("# first\na#b # rest \"x\n#\nc #"), ElementsAre("a#b", "c"));
}

TEST(LayoutTokens, StringsKeepTheirMarksAndMayGoOverLines) {
  EXPECT_THAT(words_of(R"("a b" ; "# ;" "x\"y" "")"), ElementsAre("\"a b\"", ";", "\"# ;\"", R"("x\"y")", "\"\""));
  EXPECT_THAT(words_of("\"a\nb\";"), ElementsAre("\"a\nb\"", ";"));
  EXPECT_EQ(error_of([] { words_of("a\n \"b\nc"); }),
            "t.def:2:2: the string that begins here has no end; close it with a quotation mark");
}

/// A deck has a line for each name: a line break in one would be a card of its own.
TEST(LayoutTokens, NamesHaveNoControlCharacters) {
  const auto name = [](const std::string& text) {
    return with(text, [](Tokens& t) { return std::string(t.name("a name")); });
  };
  EXPECT_EQ(name("\"a b\""), "\"a b\"");
  EXPECT_EQ(error_of([&] { name("\"a\nR1 x 0 1\""); }),
            R"(t.def:1:1: a name with a line break or control character in it, "\"a\nR1 x 0 1\""; take it out)");
}

TEST(LayoutTokens, NumbersMayHaveDecimalsAndAreRounded) {
  const auto dbu = [](const std::string& text) { return with(text, [](Tokens& t) { return t.dbu("a length"); }); };
  EXPECT_EQ(dbu("-12"), -12);
  EXPECT_EQ(dbu("12.6"), 13);
  EXPECT_EQ(dbu("1e3"), 1000);
  EXPECT_EQ(dbu("1073741823"), 1073741823);
  EXPECT_THAT(error_of([&] { dbu("1073741824"); }),
              HasSubstr("t.def:1:1: a length of 1073741824 database units is out"));
  EXPECT_THAT(error_of([&] { dbu("99999999999999999999"); }), HasSubstr("out of range"));
  EXPECT_EQ(error_of([&] { dbu("12a"); }), "t.def:1:1: expected a length, not \"12a\"");
  EXPECT_EQ(error_of([&] { dbu("-"); }), "t.def:1:1: expected a length, not \"-\"");
  EXPECT_EQ(error_of([&] { dbu("nan"); }), "t.def:1:1: expected a length, not \"nan\"");
  EXPECT_EQ(error_of([&] { dbu(""); }), "t.def:1:1: expected a length, but the file ends here; is it cut off?");
}

TEST(LayoutTokens, CountsBeginAtOne) {
  const auto count = [](const std::string& text) { return with(text, [](Tokens& t) { return t.count("a number"); }); };
  EXPECT_EQ(count("3"), 3);
  EXPECT_EQ(error_of([&] { count("0"); }), "t.def:1:1: expected a number from 1 on, not 0");
  EXPECT_EQ(error_of([&] { count("-2"); }), "t.def:1:1: expected a number from 1 on, not -2");
}

TEST(LayoutTokens, PointsRepeatCoordinatesByAsterisks) {
  const Point last{7, 8};
  const auto point = [&](const std::string& text, const Point* before) {
    return with(text, [&](Tokens& t) { return t.point(before); });
  };
  EXPECT_EQ(point("( 1 -2 )", nullptr), (Point{1, -2}));
  EXPECT_EQ(point("( * 2 )", &last), (Point{7, 2}));
  EXPECT_EQ(point("( 1 * )", &last), (Point{1, 8}));
  EXPECT_THAT(error_of([&] { point("( 1 * )", nullptr); }), HasSubstr("t.def:1:5: '*' repeats a coordinate"));
  EXPECT_EQ(error_of([&] { point("( 1 2 3 )", nullptr); }),
            "t.def:1:7: expected ')' behind the coordinates of a point, not \"3\"");
  EXPECT_THAT(error_of([&] { point("1 2", nullptr); }), HasSubstr("expected a point, like ( 0 100 ), not \"1\""));
}

TEST(LayoutTokens, ParenthesesMayStickToNumbers) {
  with("(1 2)(3 *) x", [](Tokens& t) {
    const Point a = t.point();
    EXPECT_EQ(a, (Point{1, 2}));
    EXPECT_EQ(t.point(&a), (Point{3, 2}));
    EXPECT_EQ(t.peek(), "x");
    return 0;
  });
}

TEST(LayoutTokens, PointsMayHaveAnExtension) {
  with("( 1 2 30 ) ( 4 5 )", [](Tokens& t) {
    Dbu extension = -1;
    t.point(nullptr, &extension);
    EXPECT_EQ(extension, 30);
    t.point(nullptr, &extension);
    EXPECT_EQ(extension, 0);
    return 0;
  });
}

TEST(LayoutTokens, BackslashesAreNoPartOfNames) {
  EXPECT_EQ(plain_name(R"(a\[0\]/b\/c)"), "a[0]/b/c");
  EXPECT_EQ(plain_name(R"(a\\b\)"), R"(a\b\)");
}

TEST(LayoutTokens, LongOrOddWordsAreShownShortAndEscaped) {
  EXPECT_EQ(shown(std::string(100, 'x')), "\"" + std::string(60, 'x') + "\"...");
  EXPECT_EQ(shown("\x01\xff"), R"("\x01\xff")");
}

}  // namespace
}  // namespace gridiron::layout
