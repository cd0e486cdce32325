// SPDX-License-Identifier: Apache-2.0
// Edited decks of all kinds read back as the same circuit but for the edits.
#include <gtest/gtest.h>

#include <filesystem>
#include <random>

#include "netlist/edit/edited_deck.hpp"
#include "netlist/reader.hpp"
#include "support/error.hpp"
#include "tests/data.hpp"
#include "tests/netlist/edit/same_circuit.hpp"

namespace gridiron {
namespace {

namespace fs = std::filesystem;

/// Factors for `count` resistors, the same for all that are of one card.
std::vector<ResistorFactor> random_factors(const Circuit& circuit, int64_t count, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> factor(1, 3);
  const auto key = [&](int64_t r) {
    return std::pair(circuit.resistors.origin[r].file, circuit.resistors.origin[r].offset);
  };
  std::map<std::pair<uint64_t, uint64_t>, double> of_card;
  for (int64_t i = 0; i < count && circuit.resistors.size() > 0; ++i)
    of_card[key(static_cast<int64_t>(random() % static_cast<uint64_t>(circuit.resistors.size())))] = factor(random);
  std::vector<ResistorFactor> widened;
  for (int64_t r = 0; r < circuit.resistors.size(); ++r) {
    const Origin origin = circuit.resistors.origin[r];
    const bool is_card = (circuit.files[origin.file]->text()[origin.offset] | 0x20) == 'r';
    if (const auto found = of_card.find(key(r)); is_card && found != of_card.end())
      widened.push_back({r, found->second});
  }
  return widened;
}

/// That a deck with random edits reads back so; false where it cannot be read itself.
bool round_trip(const fs::path& deck, const ReadOptions& options, int64_t count, int64_t most_ulps) {
  SCOPED_TRACE(deck.string());
  Circuit before;
  try {
    before = read_netlist(deck.string(), options);
  } catch (const Error&) {
    return false;
  }
  const std::vector<ResistorFactor> widened = random_factors(before, count, 1);
  const std::vector<NewPad> pads{{static_cast<NodeId>(before.node_count() - 1), 1.5, 0.25, "new_pad"}};
  const fs::path path = test::temporary("edited_deck.sp");
  write_edited_deck(before, widened, pads, path);
  test::expect_same_but(before, read_netlist(path.string(), options), widened, most_ulps, {"Vnew_pad", "Rnew_pad"});
  fs::remove(path);
  return true;
}

constexpr int64_t kFewUlps = 4;  // between a number and a value may be four roundings

TEST(EditedDecks, OfTheTests) {
  int decks = 0;
  for (const Dialect dialect : {Dialect::automatic, Dialect::hspice, Dialect::pspice})
    for (const fs::path& folder : {test::tests_dir() / "fuzz" / "corpus", test::tests_dir().parent_path() / "examples"})
      for (const auto& entry : fs::directory_iterator(folder))
        if (entry.path().filename().string().find(".sp") != std::string::npos)
          decks += round_trip(entry.path(), {.dialect = dialect}, 20, kFewUlps);
  EXPECT_GT(decks, 100);
}

TEST(EditedDecks, OfLenientReading) {
  for (const auto& entry : fs::directory_iterator(test::tests_dir() / "fuzz" / "corpus"))
    if (entry.path().extension() == ".sp") round_trip(entry.path(), {.lenient = true}, 20, kFewUlps);
}

TEST(EditedDecks, OfIbm) {
  for (const char* name : {"ibm/ibmpg1.spice.bz2", "ibm/ibmpg1t.spice.bz2"}) {
    GRIDIRON_DATA_OR_SKIP(path, name);
    EXPECT_TRUE(round_trip(path, {}, 1000, 0));
  }
}

TEST(EditedDecks, OfOpenRoad) {
  GRIDIRON_DATA_OR_SKIP(path, "openroad/gcd_vss.sp");
  EXPECT_TRUE(round_trip(path, {}, 1000, 0));
}

}  // namespace
}  // namespace gridiron
