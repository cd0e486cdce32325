// SPDX-License-Identifier: Apache-2.0
// Names of any bytes in formats that have Unicode.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>
#include <string>

#include "reports/json/json.hpp"
#include "reports/text/utf8.hpp"

namespace gridiron {
namespace {

bool is_utf8(std::string_view text) {
  while (!text.empty())
    if (!next_code_point(text)) return false;
  return true;
}

TEST(UnicodeNames, EveryByteComesBack) {
  std::mt19937 random(5);
  const std::string parts[] = {"a", "\xc3\xa9", "\xee\xbe\x80", "\xee\xbf\xbf", "\xf0\x9f\x98\x80", "\xed\xa0\x80",
                               "\\"};
  for (int round = 0; round < 5000; ++round) {
    std::string name;
    for (int k = 0; k < 12; ++k)
      name +=
          random() % 2 == 0 ? parts[random() % std::size(parts)] : std::string(1, static_cast<char>(random() % 256));
    const std::string text = as_unicode(name);
    ASSERT_TRUE(is_utf8(text));
    ASSERT_EQ(from_unicode(text), name);
  }
}

TEST(UnicodeNames, TextStaysWhatItIs) {
  for (const char* text : {"", "n1_m1_0_0", "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", "\\xe9"}) {
    EXPECT_EQ(as_unicode(text), text);
    EXPECT_EQ(with_bytes_shown(text), text);
  }
  EXPECT_EQ(as_unicode("s\xfc"
                       "d"),
            "s\xee\xbf\xbc"
            "d")
      << "U+EFFC";
  EXPECT_EQ(as_unicode("\x80"), "\xee\xbe\x80") << "U+EF80";
  EXPECT_EQ(with_bytes_shown("s\xfc"
                             "d\xff"),
            "s\\xfcd\\xff");
}

TEST(UnicodeNames, DifferentNamesStayDifferentInJson) {
  const auto text = json_text({{"names", {"\xff", "\xfe", "\xee\xbf\xbf", "\xc3\xbf"}}, {"\xe9", 1}, {"n", nullptr}});
  const auto json = nlohmann::json::parse(text);
  for (size_t a = 0; a < 4; ++a)
    for (size_t b = 0; b < a; ++b) EXPECT_NE(json["names"][a], json["names"][b]);
  EXPECT_EQ(from_unicode(json["names"][0].get<std::string>()), "\xff");
  EXPECT_EQ(json[as_unicode("\xe9")], 1) << "keys too";
}

}  // namespace
}  // namespace gridiron
