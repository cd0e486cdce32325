// SPDX-License-Identifier: Apache-2.0
// Random decks in the grammar of each dialect mean what a generator says that they mean, which has an arithmetic of its
// own: it writes the same circuit in plain cards, too.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <omp.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "netlist/names/node_place.hpp"
#include "netlist/reader.hpp"
#include "support/error.hpp"
#include "tests/netlist/dialects/dspf_deck.hpp"
#include "tests/netlist/dialects/random_deck.hpp"
#include "tests/netlist/dialects/same_circuit.hpp"
#include "tests/paths.hpp"

namespace gridiron {
namespace {

using test::DeckPair;
using test::DescribedCircuit;
using test::Language;

/// With GRIDIRON_DIALECT_DECKS=N so many per dialect.
int decks() {
  const char* const asked = std::getenv("GRIDIRON_DIALECT_DECKS");
  return asked ? std::atoi(asked) : 200;
}

class DialectDecks : public testing::TestWithParam<Language> {
 protected:
  void SetUp() override {
    folder_ = test::temporary("dialect_decks");
    std::filesystem::create_directories(folder_);
    omp_set_num_threads(1);  // decks are too small to share
  }
  void TearDown() override {
    omp_set_num_threads(threads_);
    std::filesystem::remove_all(folder_);
  }

  /// Empty if both are the same circuit.
  std::string difference(const DeckPair& pair, Dialect dialect) {
    for (const auto& [name, text] : pair.files) std::ofstream(folder_ / name, std::ios::binary) << text;
    std::ofstream(folder_ / "deck.sp", std::ios::binary) << pair.written;
    try {
      const Circuit written = read_netlist((folder_ / "deck.sp").string(), {.dialect = dialect});
      const Circuit plain = read_netlist_text(pair.plain, "plain");
      return DescribedCircuit(written).difference(DescribedCircuit(plain));
    } catch (const Error& e) {
      return e.what();
    }
  }
  std::string all_of(const DeckPair& pair) {
    std::string text = pair.written;
    for (const auto& [name, of] : pair.files) text += "---- " + name + "\n" + of;
    return text + "---- plain\n" + pair.plain;
  }

  std::filesystem::path folder_;
  int threads_ = omp_get_max_threads();
};

TEST_P(DialectDecks, MeanWhatTheirPlainCardsSay) {
  int guessed = 0;
  for (int seed = 0; seed < decks(); ++seed) {
    const DeckPair pair = test::RandomDeck(GetParam(), static_cast<unsigned>(seed)).make();
    ASSERT_EQ(difference(pair, GetParam().dialect), "") << "deck " << seed << "\n" << all_of(pair);
    if (!pair.is_unmistakable) continue;
    ++guessed;
    ASSERT_EQ(difference(pair, Dialect::automatic), "") << "guessed, deck " << seed << "\n" << all_of(pair);
  }
  EXPECT_GT(guessed, decks() / 4);
}

INSTANTIATE_TEST_SUITE_P(All, DialectDecks,
                         testing::Values(test::ngspice_language(), test::hspice_language(), test::pspice_language(),
                                         test::ltspice_language(), test::cdl_language()),
                         [](const auto& of) { return std::string(name_of(of.param.dialect)); });

using test::DspfDeck;
using test::lower_name;

void expect_traces(const Circuit& circuit, const DspfDeck& deck) {
  const NodePlaces places = place_nodes(circuit);
  std::map<std::string, Placement::Pin> pins;
  if (circuit.placement)
    for (const Placement::Pin& pin : circuit.placement->pins)
      pins.emplace(lower_name(std::string(circuit.node_name(pin.node))), pin);
  for (NodeId n = 1; n < circuit.node_count(); ++n) {
    const std::string name = lower_name(std::string(circuit.node_name(n)));
    const auto found = deck.traces.find(name);
    const test::TraceOfNode trace = found == deck.traces.end() ? test::TraceOfNode{} : found->second;
    EXPECT_EQ(std::isnan(places.x_um[n]), !trace.is_placed) << name;
    EXPECT_EQ(places.layer[n] < 0 ? "" : places.layers[places.layer[n]], trace.has_layer ? trace.layer : "") << name;
    if (trace.is_placed) {
      EXPECT_DOUBLE_EQ(places.x_um[n], trace.x) << name;
      EXPECT_DOUBLE_EQ(places.y_um[n], trace.y) << name;
    }
    EXPECT_EQ(pins.contains(name) ? std::string(pins.at(name).instance) : "", trace.instance) << name;
    EXPECT_EQ(pins.contains(name) ? std::string(pins.at(name).pin) : "", trace.pin) << name;
  }
  for (int64_t i = 0; i < circuit.resistors.size(); ++i) {
    const auto found = deck.widths.find("r:" + lower_name(circuit.element_name(kResistor, i)));
    const double width = circuit.placement && !circuit.placement->width.empty() ? circuit.placement->width_um(i) : 0;
    EXPECT_NEAR(width, found == deck.widths.end() ? 0 : found->second, 1e-9) << circuit.element_name(kResistor, i);
  }
}

TEST(ExtractedDecks, AreWhereTheirCommentsSay) {
  const int threads = omp_get_max_threads();
  omp_set_num_threads(1);
  for (int seed = 0; seed < decks(); ++seed) {
    DspfDeck deck(static_cast<unsigned>(seed));
    deck.make();
    for (const Dialect dialect : {Dialect::dspf, Dialect::automatic}) try {
        const Circuit written = read_netlist_text(deck.written, "deck.spf", {.dialect = dialect, .top = deck.top});
        const Circuit plain = read_netlist_text(deck.plain, "plain");
        EXPECT_EQ(DescribedCircuit(written).difference(DescribedCircuit(plain)), "");
        for (const ReadFinding& f : written.findings) EXPECT_FALSE(f.is_warning) << f.message;
        expect_traces(written, deck);
      } catch (const Error& e) {
        ADD_FAILURE() << e.what();
      }
    ASSERT_FALSE(HasFailure()) << "deck " << seed << "\n" << deck.written << deck.plain;
  }
  omp_set_num_threads(threads);
}

}  // namespace
}  // namespace gridiron
