// SPDX-License-Identifier: Apache-2.0
// OpenROAD's `* Sink for u1/VDD` before the card of a current source.
#include "netlist/names/sink_comment.hpp"

#include <gtest/gtest.h>

#include "netlist/reader.hpp"

namespace gridiron {
namespace {

/// "instance|terminal" of the only current source below `comment`.
std::string name_below(const std::string& comment) {
  const Circuit c = read_netlist_text("* t\nr1 a 0 1\n" + comment + "\ni1 a 0 1m\n.end\n");
  const SinkName name = sink_name(c, 0);
  return name.instance + "|" + name.terminal;
}

TEST(SinkComment, NamesInstanceAndTerminal) {
  EXPECT_EQ(name_below("* Sink for u1/VDD"), "u1|VDD");
  EXPECT_EQ(name_below("*SINK for  core/u\\[3\\]/VDD \t\r"), "core/u\\[3\\]|VDD") << "the last slash divides";
  EXPECT_EQ(name_below("* Sink for u1"), "u1|");
  EXPECT_EQ(name_below("* Sink for /VDD"), "/VDD|");
}

TEST(SinkComment, IsTheLineBeforeAndNoOther) {
  for (const char* other : {"* Sink for", "* Sinks", "* sink u1/VDD", "*", "", "* Sink for u1/VDD\n", "r2 a 0 1",
                            "* Sink for u1/VDD\n* another"})
    EXPECT_EQ(name_below(other), "|") << other;
}

TEST(SinkComment, WithinASubcircuitBelongsToEveryInstance) {
  const Circuit c =
      read_netlist_text("* t\n.subckt s p\n* Sink for u1/VDD\ni1 p 0 1m\n.ends\nx1 a s\nx2 a s\nr1 a 0 1\n.end\n");
  EXPECT_EQ(sink_name(c, 0).text(), "x1.u1/VDD");
  EXPECT_EQ(sink_name(c, 1).text(), "x2.u1/VDD");
}

}  // namespace
}  // namespace gridiron
