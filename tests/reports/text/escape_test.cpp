// SPDX-License-Identifier: Apache-2.0
// Untrusted names stay text in every format.
#include "reports/text/escape.hpp"

#include <gtest/gtest.h>

#include "reports/text/numbers.hpp"

namespace gridiron {
namespace {

TEST(Printable, KeepsTextAndShowsControlBytes) {
  EXPECT_EQ(printable("n1_10_20"), "n1_10_20");
  EXPECT_EQ(printable("Netz_größe_µ"), "Netz_größe_µ");
  EXPECT_EQ(printable("\x1b[31mred"), "\\x1b[31mred");
  EXPECT_EQ(printable("a\nb\x7f"),
            "a\\x0a"
            "b\\x7f");
  EXPECT_EQ(printable("\xc2\x9b"
                      "1m"),
            "\\x9b1m");
  EXPECT_EQ(printable("a\u202eb\u2028"), "a\\u202eb\\u2028");
}

TEST(Printable, ShowsBytesThatAreNotUtf8) {
  EXPECT_EQ(printable("\xff"), "\\xff");
  EXPECT_EQ(printable("\xc3"), "\\xc3");                    // truncated
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf");           // overlong '/'
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // surrogate
  EXPECT_EQ(printable("\xf0\x9f\x94\xa5"), "\xf0\x9f\x94\xa5");
}

std::string csv(std::string_view text) {
  std::string out;
  append_csv_field(out, text);
  return out;
}

TEST(CsvField, QuotesWhatNeedsIt) {
  EXPECT_EQ(csv("n1_10_20"), "n1_10_20");
  EXPECT_EQ(csv(""), "");
  EXPECT_EQ(csv("a,b"), "\"a,b\"");
  EXPECT_EQ(csv("say \"hi\""), "\"say \"\"hi\"\"\"");
  EXPECT_EQ(csv("two\nlines"), "\"two\nlines\"");
}

TEST(CsvField, DefusesFormulas) {
  EXPECT_EQ(csv("=1+2"), "'=1+2");
  EXPECT_EQ(csv("@SUM(A1)"), "'@SUM(A1)");
  EXPECT_EQ(csv("-x"), "'-x");
  EXPECT_EQ(csv("+x"), "'+x");
  EXPECT_EQ(csv("=HYPERLINK(\"u\",1)"), "\"'=HYPERLINK(\"\"u\"\",1)\"");
  EXPECT_EQ(csv("a=b"), "a=b");
}

TEST(HtmlText, LeavesNoMarkup) {
  EXPECT_EQ(html_text("<script>alert('x' & \"y\")</script>"),
            "&lt;script&gt;alert(&#39;x&#39; &amp; &quot;y&quot;)&lt;/script&gt;");
}

TEST(FileNamePart, CannotLeaveItsDirectory) {
  EXPECT_EQ(file_name_part("VDD"), "VDD");
  EXPECT_EQ(file_name_part("../../etc/passwd"), "_._.._etc_passwd");
  EXPECT_EQ(file_name_part(".."), "_");
  EXPECT_EQ(file_name_part(""), "_");
  EXPECT_EQ(file_name_part("a\\b:c*?"), "a_b_c__");
  EXPECT_EQ(file_name_part(std::string("a\0b", 3)), "a_b");
  EXPECT_EQ(file_name_part("name. "), "name");
  EXPECT_EQ(file_name_part("größe"), "größe");
  EXPECT_EQ(file_name_part(std::string(300, 'x')).size(), 80u);
}

std::string number(double value) {
  std::string out;
  append_number(out, value);
  return out;
}

std::string volts(double value) {
  std::string out;
  append_volts(out, value);
  return out;
}

TEST(Numbers, AreExactAndPlain) {
  EXPECT_EQ(number(0.1), "0.1");
  EXPECT_EQ(number(1.0 / 3), "0.3333333333333333");
  EXPECT_EQ(number(-0.0), "0");
  EXPECT_EQ(volts(1.8 - 1e-9), "1.799999999");
  EXPECT_EQ(volts(1.0 / 3), "0.333333333333");
  EXPECT_EQ(volts(-0.0), "0");
}

TEST(Numbers, TakeTheUnitThatFits) {
  EXPECT_EQ(with_unit(0.0432109, "V"), "43.21 mV");
  EXPECT_EQ(with_unit(1.8, "V"), "1.800 V");
  EXPECT_EQ(with_unit(0.99996, "V"), "1.000 V");
  EXPECT_EQ(with_unit(0.00099994, "V"), "999.9 uV");
  EXPECT_EQ(with_unit(-2.5e-6, "A", "µ"), "-2.500 µA");
  EXPECT_EQ(with_unit(0, "V"), "0 V");
  EXPECT_EQ(with_unit(1e-3, "V"), "1.000 mV");
  EXPECT_EQ(with_unit(1000, "A"), "1.000 kA");
  EXPECT_EQ(with_unit(0.0 / 0.0, "V"), "n/a");
}

TEST(Numbers, CountsReadEasily) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1234567), "1 234 567");
  EXPECT_EQ(grouped(-1234), "-1 234");
  EXPECT_EQ(byte_count(0), "0 B");
  EXPECT_EQ(byte_count(12345678), "12.3 MB");
}

}  // namespace
}  // namespace gridiron
