// SPDX-License-Identifier: Apache-2.0
// The reader reads back bitwise what the writer writes.
#include "netlist/writer.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "netlist/names/sink_comment.hpp"
#include "netlist/reader.hpp"
#include "tests/netlist/edit/same_circuit.hpp"
#include "tests/paths.hpp"

namespace gridiron {
namespace {

TEST(Writer, RoundTrip) {
  const Circuit before = read_netlist_text(
      "my grid\n* layer: M5,VDD net: 1\n* dbu: 1000\n* nominal: VDD 1.1\nr1 a b 0.1\nr2 b c 3.3333333333333335e-7\nc1 "
      "b 0 10f\nl1 c d 1n\nv1 a 0 1.1\n"
      "i1 b 0 1m pulse(1m 2m 0 1n)\ni2 c 0 pwl(0 0 1n 1u)\nx1 b c s\n.subckt s p q\nr1 p q 7\n.ends\n.tran 1p "
      "1n\n.print v(b)\n");
  const auto path = test::temporary("writer.sp");
  write_netlist(before, path);
  const Circuit after = read_netlist(path.string());
  std::filesystem::remove(path);
  ASSERT_EQ(after.node_count(), before.node_count());
  for (int k = 0; k < kKinds; ++k) {
    const Elements& x = before.elements(static_cast<Kind>(k));
    const Elements& y = after.elements(static_cast<Kind>(k));
    EXPECT_EQ(x.value, y.value);
    ASSERT_EQ(x.size(), y.size());
    for (int64_t i = 0; i < x.size(); ++i) {
      EXPECT_EQ(before.node_name(x.a[i]), after.node_name(y.a[i]));
      EXPECT_EQ(before.node_name(x.b[i]), after.node_name(y.b[i]));
    }
  }
  EXPECT_EQ(after.waveforms.size(), 2u);
  EXPECT_EQ(std::get<Pulse>(after.waveforms[0]).rise, 1e-9);
  EXPECT_EQ(after.layer_cards.size(), 1u);
  EXPECT_EQ(after.dbu_card, 1000);
  EXPECT_EQ(after.tran.stop, 1e-9);
  EXPECT_EQ(after.print_nodes, before.print_nodes);
}

TEST(Writer, TellsNetsAndSinks) {
  const Circuit before = read_netlist_text(
      "* grid\n* Netlist for VDD on default\nr1 a b 1\nv1 a 0 1\n* Sink for u1/VDD\ni1 b 0 1m\n"
      "* Netlist for VSS on default\nr2 c d 1\nv2 c 0 0\n* Sink for u1/VSS\ni2 0 d 1m\nv3 d 0 0\n",
      "deck.sp");
  const auto path = test::temporary("writer.sp");
  write_netlist(before, path, std::vector<ResistorFactor>{{1, 4}}, std::vector<NewPad>{{1, 1, 0.5, "p", "VDD"}});
  const Circuit after = read_netlist(path.string());
  std::filesystem::remove(path);
  test::expect_same_but(before, after, {{1, 4}}, 0, {"Vp", "Rp"}, {"VDD", "VSS", "VDD"});
  EXPECT_EQ(sink_name(after, 0).text(), "u1/VDD");
  EXPECT_EQ(sink_name(after, 1).text(), "u1/VSS");
  const auto net_before = [&after](int64_t source) {
    std::string net;
    for (const NetCard& card : after.net_cards)
      if (card.origin.offset < after.voltage_sources.origin[source].offset) net = card.net;
    return net;
  };
  EXPECT_EQ(net_before(0), "VDD");
  EXPECT_EQ(net_before(1), "VSS");
  EXPECT_EQ(net_before(2), "VSS");
  EXPECT_EQ(net_before(3), "VDD");
}

TEST(Writer, CompressesAsTheNameSays) {
  const Circuit circuit = read_netlist_text("t\nv1 a 0 1\nr1 a b 1\ni1 b 0 1m\n.end\n");
  const auto plain = test::temporary("writer.sp");
  write_netlist(circuit, plain);
  for (const char* extension : {"sp.gz", "sp.bz2", "sp.xz", "sp.zst"}) {
    const auto path = test::temporary(std::string("writer.") + extension);
    write_netlist(circuit, path);
    std::ifstream file(path, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), {});
    EXPECT_FALSE(bytes.empty() || bytes.starts_with("*")) << extension;
    EXPECT_EQ(read_netlist(path.string()).resistors.size(), 1) << extension;
    std::filesystem::remove(path);
  }
  std::filesystem::remove(plain);
}

}  // namespace
}  // namespace gridiron
