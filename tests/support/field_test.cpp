// SPDX-License-Identifier: Apache-2.0
#include "support/field.hpp"

#include <gtest/gtest.h>

#include "support/error.hpp"

namespace gridiron {
namespace {

std::string in_tcl(std::string_view name) { return "-" + std::string(name); }

TEST(Field, IsSpelledByTheFrontEnd) {
  const std::string message = field("rtol") + " 2: too large; see " + field("max_iterations");
  EXPECT_EQ(spelled(message, in_tcl), "-rtol 2: too large; see -max_iterations");
  EXPECT_EQ(spelled(message), "rtol 2: too large; see max_iterations");
}

TEST(Field, OfAnErrorIsTheOneItBeginsWith) {
  const InputError error(field("size") + " 2: at least 3, or give " + field("cells"));
  EXPECT_STREQ(error.what(), "size 2: at least 3, or give cells");
  EXPECT_EQ(error.field(), "size");
  EXPECT_EQ(spelled(error.message(), in_tcl), "-size 2: at least 3, or give -cells");
  EXPECT_EQ(InputError("give " + field("cells")).field(), "");
}

TEST(Field, MarksThatHoldNoNameArePassedOn) {
  for (const std::string text : {"\x02", "a\x02 b", "\x02\x03", "\x02\x1b[2J\x03", "\x03 \x02size"})
    EXPECT_EQ(spelled(text, in_tcl), text);
}

}  // namespace
}  // namespace gridiron
