// SPDX-License-Identifier: Apache-2.0
// `IC=` of capacitors and inductors: read, with expressions and in subcircuits, and written.
#include <gtest/gtest.h>

#include <filesystem>
#include <vector>

#include "netlist/reader.hpp"
#include "netlist/writer.hpp"
#include "tests/paths.hpp"

namespace gridiron {
namespace {

void expect_the_same(const Circuit& circuit) {
  struct Expected {
    Kind kind;
    const char* name;
    double value;
  };
  const std::vector<Expected> expected = {
      {kCapacitor, "c2", 0.5}, {kCapacitor, "x1.c1", 0.75}, {kCapacitor, "x2.c1", 1.25}, {kInductor, "l1", -0.1}};
  ASSERT_EQ(circuit.initial_conditions.size(), expected.size());
  for (size_t k = 0; k < expected.size(); ++k) {
    const InitialCondition& found = circuit.initial_conditions[k];
    EXPECT_EQ(found.kind, expected[k].kind);
    EXPECT_TRUE(circuit.element_name(found.kind, found.element).ends_with(expected[k].name)) << k;
    EXPECT_DOUBLE_EQ(found.value, expected[k].value);
  }
}

TEST(InitialConditions, AreReadAndWritten) {
  const Circuit circuit = read_netlist_text(
      "* t\n.param half=0.5\nv1 p 0 1\nr1 p a 1\nc1 a 0 1p\nc2 a 0 2p m=2 ic={half}\nl1 a b 1n ic=-0.1\nr2 b 0 1\n"
      "x1 a s\nx2 b s v0=1.25 m=3\n.subckt s q v0=0.75\nc1 q 0 1p ic={v0}\n.ends\n.tran 1p 1n uic\n.end\n");
  expect_the_same(circuit);
  const auto path = test::temporary("initial.sp");
  write_netlist(circuit, path);
  const Circuit again = read_netlist(path.string());
  std::filesystem::remove(path);
  expect_the_same(again);
  EXPECT_TRUE(again.tran.uic);
}

}  // namespace
}  // namespace gridiron
