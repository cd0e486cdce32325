// SPDX-License-Identifier: Apache-2.0
// Names that several elements share, against a plain search.
#include "analysis/model/deck/duplicate_names.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cctype>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "netlist/reader.hpp"

namespace gridiron {
namespace {

TEST(DuplicateNames, AreThoseOfAPlainSearch) {
  std::mt19937 random(7);
  std::string deck = "* t\n";
  for (int i = 0; i < 60000; ++i)
    deck += std::string(1, "rRiI"[random() % 4]) + std::to_string(random() % 50000) + " a b 1\n";
  deck += ".subckt s a\nr1 a 0 1\nR1 a 0 1\n.ends\nx1 a s\nX1 a s\n.end\n";
  const Circuit circuit = read_netlist_text(deck);
  std::map<std::string, std::pair<Kind, int64_t>> first;
  std::vector<std::array<int64_t, 4>> wanted;
  for (const Kind kind : kEveryKind)
    for (int64_t i = 0; i < circuit.elements(kind).size(); ++i) {
      std::string name = circuit.element_name(kind, i);
      for (char& c : name) c = static_cast<char>(std::tolower(c));
      const auto [found, is_new] = first.emplace(name, std::pair(kind, i));
      if (!is_new) wanted.push_back({kind, i, found->second.first, found->second.second});
    }
  ASSERT_GT(wanted.size(), 1000u);
  for (const int64_t most : {int64_t{20}, int64_t{1000000}}) {
    const DuplicateNames found = find_duplicate_names(circuit, most);
    EXPECT_EQ(found.count, std::ssize(wanted));
    ASSERT_EQ(std::ssize(found.pairs), std::min(most, std::ssize(wanted)));
    for (size_t k = 0; k < found.pairs.size(); ++k) {
      const auto& [element, before] = found.pairs[k];
      EXPECT_EQ((std::array<int64_t, 4>{element.kind, element.index, before.kind, before.index}), wanted[k]);
    }
  }
}

}  // namespace
}  // namespace gridiron
