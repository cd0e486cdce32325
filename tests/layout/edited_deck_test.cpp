// SPDX-License-Identifier: Apache-2.0
// A layout has no deck to edit: the flat one of its circuit has the edits.
#include "netlist/edit/edited_deck.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "layout/read_layout.hpp"
#include "netlist/names/sink_comment.hpp"
#include "netlist/reader.hpp"
#include "tests/data.hpp"
#include "tests/netlist/edit/same_circuit.hpp"

namespace gridiron::layout::test {
namespace {

TEST(EditedDeckOfALayout, ReadsBackAsTheSameCircuit) {
  GRIDIRON_DATA_OR_SKIP(def, "layout/nangate45/gcd.def.gz");
  GRIDIRON_DATA_OR_SKIP(lef, "layout/nangate45/Nangate45.lef.gz");
  GRIDIRON_DATA_OR_SKIP(powers, "layout/nangate45/gcd_power.csv");
  LayoutFiles files;
  files.def = def;
  files.lefs = {lef};
  files.powers = {powers};
  files.nominal = {{"VDD", 1.1}};
  const Layout layout = read_layout(files);
  const Circuit& before = *layout.circuit;
  const std::vector<ResistorFactor> widened{{5, 1.5}, {0, 3}, {before.resistors.size() - 1, 1.1}};
  const std::vector<NewPad> pads{{before.resistors.a[0], 1.1, 0.5, "pad", before.net_cards[0].net},
                                 {before.resistors.a[before.resistors.size() - 1], 0, 0, "V1"}};
  const auto path = gridiron::test::temporary("edited_layout.sp");
  write_edited_deck(before, widened, pads, path);
  const Circuit after = read_netlist(path.string());
  std::filesystem::remove(path);

  std::map<int64_t, double> factors;
  for (const ResistorFactor& r : widened) factors[r.resistor] = r.factor;
  const std::set<std::string> added{"Vpad", "Rpad", "VV1"};
  for (const Kind kind : kEveryKind) gridiron::test::expect_same_elements(before, after, kind, factors, 0, added);
  for (int64_t i = 0; i < before.current_sources.size(); ++i)
    EXPECT_EQ(sink_name(before, i).text(), sink_name(after, i).text());
  EXPECT_EQ(after.dbu_card, before.dbu_card);
  ASSERT_EQ(after.net_cards.size(), before.net_cards.size() + 1);
  const auto fed_by = [&after](int64_t source) {
    std::string net;
    for (const NetCard& card : after.net_cards)
      if (card.origin.offset < after.voltage_sources.origin[source].offset) net = card.net;
    return net;
  };
  ASSERT_EQ(layout.elements.size(), 2u);
  for (const NetElements& elements : layout.elements)
    for (int64_t i = elements.first_source; i < elements.last_source; ++i)
      EXPECT_EQ(fed_by(i), layout.chip->nets[elements.net].name);
  EXPECT_EQ(fed_by(before.voltage_sources.size()), before.net_cards[0].net);
}

}  // namespace
}  // namespace gridiron::layout::test
