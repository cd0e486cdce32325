// SPDX-License-Identifier: Apache-2.0
// Circuits with controlled sources and negative resistances: which of them are certified, which are estimated, and what
// is refused.
#include "analysis/run/any_ir.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/results/limits.hpp"
#include "analysis/tran/transient.hpp"
#include "support/error.hpp"
#include "tests/analysis/analysed.hpp"

namespace gridiron {
namespace {

using test::Analysed;
using test::failure;
using testing::HasSubstr;

struct Situation {
  const char* cards;
  double volts;  ///< of node b
};

std::string deck(const std::string& cards) { return "* t\n" + cards + ".end\n"; }

TEST(AnyIr, MMatricesKeepTheirCertificate) {
  for (const auto& [cards, volts] : {
           Situation{"v1 a 0 1\nr1 a b 1\ng1 b 0 b 0 0.5\n", 1 / 1.5},
           {"v1 a 0 1\nr1 a b 1\ng1 b 0 0 b -0.5\n", 1 / 1.5},
           {"v1 a 0 1\nr1 a b 1\nr2 b 0 2\nr3 b 0 -4\n", 0.8},
           {"v1 a 0 1\nr1 a b 1\nr3 b 0 -4\n", 1 / 0.75},  // all that is fixed counts as one node
           {"v1 a 0 1\nr1 a b 1\nr2 b c 1\nr3 c b -2\nr4 c 0 1\n", 0.75},
           {"v1 a 0 1\nr1 a b 1\nl1 b c 1n\nr2 b 0 2\nr3 c 0 -4\n", 0.8},
           {"v1 a 0 1\nr1 a b 1\nr2 b a -2\nr3 b 0 2\n", 0.5},
           {"v1 a 0 1\nr1 a b 1\nr3 b c -1\nr4 b c 0\nr5 c 0 1\n", 0.5},
           {"v1 s 0 1\nl1 s a 1n\nl2 g 0 1n\nk1 l1 l2 0.5\nr1 a b 0.1\nr2 c g 0.1\ni1 b c 1\n", 0.9},
           {"v1 a 0 1\nr1 a b 1\ne1 c 0 value={0.5}\nr2 b c 1\n", 0.75},
           {"v1 a 0 1\nr1 a b 1\nf1 b 0 v1 0\nr2 b 0 1\nc1 b 0 -1p\n", 0.5},
       }) {
    const Analysed run(deck(cards));
    EXPECT_NEAR(run.volts("b"), volts, 1e-12) << cards;
    EXPECT_STREQ(run.result.certificate.kind(), "certified") << cards;
    EXPECT_FALSE(run.found("estimate-only")) << cards;
  }
}

TEST(AnyIr, BoundsHoldWherePositiveOnesBarelyOutweigh) {
  for (const auto& [cards, volts] : {
           Situation{"v1 a 0 1\nr0 a c 1\nr1 c b 0.3\nr2 c b -0.3000009\ni1 b 0 1\n", -100000.3},
           {"v1 a 0 1\nr1 a b 0.007\nr2 a b -0.007000021\ni1 b 0 10m\n", 1 - 7 * 0.7000021 / 0.21},
           {"v1 a 0 1\nr1 a b 0.3\nr2 b 0 -0.3000009\n", 0.3000009e6 / 0.9},
           {"v1 a 0 1\nv2 d 0 5\nr1 a b 0.3\nr2 d b -0.3000009\ni1 b 0 1u\n", 1 - 4 / 3e-6 - 0.1000003},
       }) {
    const Analysed run(deck(cards));
    const Certificate& certificate = run.result.certificate;
    EXPECT_STREQ(certificate.kind(), "certified") << cards;
    EXPECT_LE(std::abs(run.volts("b") - volts), certificate.max_error_v) << cards;
    EXPECT_LT(certificate.max_error_v, 1e-8 * std::abs(volts)) << cards;
  }
}

TEST(AnyIr, OthersAreEstimated) {
  for (const auto& [cards, volts] : {
           Situation{"v1 a 0 1\nr1 a b 1\nr2 b c -1\nr3 c 0 4\n", 0.75},
           {"v1 a 0 1\nr1 a b 1\nr2 b 0 1\ng1 b 0 a 0 0.5\n", 0.25},
           {"v1 a 0 1\nr1 a b 1\nr2 b 0 1\ng1 b 0 a b 0.5\n", 1 / 3.0},
           {"v1 a 0 1\nr1 a 0 1\ne1 b 0 a 0 3\nr2 b 0 1\n", 3},
           {"v1 a 0 1\nr1 a 0 1\ne1 b 0 poly(1) a 0 0.5 3\nr2 b 0 1\n", 3.5},
           {"v1 a 0 1\nr1 a 0 2\nf1 b 0 v1 2\nr2 b 0 1\n", 1},
           {"v1 a 0 1\nv2 c 0 2\nr1 a c 2\ne1 b 0 poly(2) a 0 c 0 0.5 3 4\nr2 b 0 1\n", 11.5},
           {"v1 a 0 1\nv2 c 0 2\nr1 a c 2\nf1 b 0 poly(2) v1 v2 0.25 3 1\nr2 b 0 1\n", -1.25},
           {"v1 a 0 1\nr1 a 0 2\nf1 b 0 v1 2 m=2\nr2 b 0 1\n", 2},
           {"v1 a 0 1\nr1 a 0 2\nh1 b 0 v1 4\nr2 b 0 1\n", -2},
           {"v1 a 0 1\nr1 a m 1\nvm m c 0\nr2 c 0 1\nh1 b 0 vm 4\nr3 b 0 1\n", 2},
           {"v1 a 0 1\ne1 b a a 0 0.5\nr2 b 0 1\n", 1.5},
           {"v1 a 0 1\nr1 a c 1\nr2 c 0 1\ne1 d 0 c 0 1e3\ne2 b 0 d 0 1e-3\nr3 b 0 1\n", 0.5},
       }) {
    const Analysed run(deck(cards));
    EXPECT_NEAR(run.volts("b"), volts, 1e-12) << cards;
    const Certificate& certificate = run.result.certificate;
    EXPECT_STREQ(certificate.kind(), "estimated") << cards;
    EXPECT_FALSE(certificate.valid);
    EXPECT_EQ(certificate.bound_v(), INFINITY) << "nothing is proved";
    EXPECT_LT(certificate.max_error_v, 1e-11) << cards;
    EXPECT_NEAR(certificate.current_imbalance_a, 0, 1e-12) << cards;
    EXPECT_TRUE(run.found("estimate-only")) << cards;
    EXPECT_EQ(run.result.engine.name, "superlu");
    const PowerBalance& power = run.result.power;
    EXPECT_NEAR(power.sources_w, power.loads_w + power.dissipated_w, 1e-11) << cards;
  }
}

TEST(AnyIr, SourcesCountWithWhatTheyAmountTo) {
  const Analysed run(deck("v1 a 0 1\nr1 a b 1\ne1 c 0 a 0 0.9\nr2 c d 1\ni1 d 0 10m\ng1 d 0 a 0 0.1\nr3 b 0 1\n"));
  EXPECT_NEAR(run.net("c").nominal_v, 0.9, 1e-12);
  EXPECT_NEAR(run.net("c").worst_drop_v, 0.11, 1e-12);
  EXPECT_NEAR(run.net("c").load_current_a, 0.11, 1e-12);
  EXPECT_EQ(run.result.input.voltage_sources, 1) << "those of the deck";
  EXPECT_EQ(run.result.input.current_sources, 1);
  const auto pad = std::ranges::find(run.result.pads, "e1", &PadResult::name);
  ASSERT_NE(pad, run.result.pads.end());
  EXPECT_NEAR(pad->current_a, 0.11, 1e-12);
  IrOptions options;
  options.nominal_v = {{"c", 1.0}};
  EXPECT_NEAR(Analysed(deck("v1 a 0 1\nr1 a 0 1\ne1 c 0 a 0 0.9\nr2 c 0 1\n"), options).net("c").worst_drop_v, 0.1,
              1e-12);
}

TEST(AnyIr, LimitsAreKeptByAnEstimateOnlyIfThatIsAccepted) {
  const std::string cards = deck("v1 a 0 1\nr1 a b 1\nr2 b 0 1\ng1 b 0 a b 0.5\n");
  const auto judged = [&](const char* limit, bool accept) {
    IrOptions options;
    options.limits = {parse_limit(limit)};
    options.accept_estimate = accept;
    return Analysed(cards, options).result.limits.at(0);
  };
  EXPECT_TRUE(judged("80%", false).undecided);
  EXPECT_THAT(describe(judged("80%", false)), HasSubstr("is an estimate; accept it by"));
  EXPECT_FALSE(judged("80%", true).undecided);
  EXPECT_FALSE(judged("80%", true).exceeded);
  EXPECT_TRUE(judged("50%", false).exceeded);
  EXPECT_FALSE(judged("50%", true).undecided);
}

TEST(AnyIr, WithoutAUniqueSolutionIsRefused) {
  const std::pair<const char*, const char*> kSituations[] = {
      {"v1 a 0 1\nr1 a b 1\nr3 b 0 -1\n", "nothing determines the voltage of node b"},
      {"v1 a 0 1\nr1 a b 1\ng1 b 0 b 0 -1\n", "nothing determines the voltage of node b"},
      {"v1 a 0 1\ne1 a 0 c 0 1\nr1 c 0 1\n", "nothing determines the current of 'e1'"},
      {"v1 a 0 1\nr1 a b 1\ne1 b 0 b 0 1\nr2 b 0 1\n", "nothing determines the current of 'e1'"},
      {"v1 a 0 1\nr1 a 0 1\nv2 a 0 1\nf1 b 0 v1 1\nf2 b 0 v2 1\nr2 b 0 1\n", "nothing determines the current of 'v"},
      {"v1 a 0 1\nr1 a b 1\ng1 b 0 x 0 1\nr2 b 0 1\n", "the control of 'g1' is not determined: node x floats"},
      {"v1 a 0 1\nv2 a 0 2\nr1 a b 1\ng1 b 0 a 0 1\n", "source-loop"},
      {"v1 a 0 1\nr1 a 0 1\ng1 b c a 0 1\nr2 b c 1\n", "floating"},
  };
  for (const auto& [cards, message] : kSituations)
    EXPECT_THAT(failure<GridError>(deck(cards)), HasSubstr(message)) << cards;
}

/// Each vector as a deck of its own has it; drops of a net behind a controlled source are those from its voltage under
/// the loads of the deck.
TEST(AnyIr, LoadVectorsAreThoseOfDecks) {
  const auto cards = [](const std::string& loads) {
    return deck("v1 in 0 1\nr1 in a 1\ne1 m 0 a 0 0.5\nr2 m b 2\nr3 b 0 2\ng1 0 b a b 0.1\n" + loads);
  };
  IrOptions options;
  options.loads = LoadTable{{"i1", "i2"}, 3, {0.1, 10e-3, 0.2, 0, 0.05, 50e-3}, "", {}};
  const Analysed all(cards("i1 a 0 0.1\ni2 b 0 10m\n"), options);
  const Analysed decks[] = {Analysed(cards("i1 a 0 0.1\ni2 b 0 10m\n")), Analysed(cards("i1 a 0 0.2\ni2 b 0 0\n")),
                            Analysed(cards("i1 a 0 0.05\ni2 b 0 50m\n"))};
  ASSERT_EQ(all.result.vectors.size(), 3u);
  for (size_t v = 0; v < 3; ++v)
    EXPECT_NEAR(all.result.vectors[v].nets.at(1).worst_drop_v, 0.45 - decks[v].volts("b"), 1e-12) << v;
  EXPECT_NEAR(all.volts("a"), decks[1].volts("a"), 1e-12);
  EXPECT_NEAR(all.result.power.sources_w, decks[1].result.power.sources_w, 1e-12);
  EXPECT_STREQ(all.result.certificate.kind(), "estimated");
  const std::string floats = deck("v1 a 0 1\nr1 a b 1\nr2 b 0 1\ng1 b 0 a b 0.5\ni1 x 0 0\nrx x y 1\n");
  options.loads = LoadTable{{"i1"}, 1, {1e-3}, "", {}};
  EXPECT_NE(failure<GridError>(floats, options), "");
}

/// The rest is as if the islands were not there; loads and controlled sources that reach into them act at its end.
TEST(AnyIr, IslandsAreLeftOut) {
  const std::string grid = "v1 a 0 1\nr1 a b 1\nr2 b 0 1\ng1 b 0 a b 0.5\ne1 m 0 a 0 2\nr3 m n 1\ni1 n 0 0.1\n";
  const Analysed alone(deck(grid));
  IrOptions opens;
  opens.islands.ignores_all = true;
  for (const char* island :
       {"r6 x y 1meg\ni3 x 0 1\n", "r6 x y 1\ng2 x 0 a 0 1\n", "r6 x y 1\nv2 x z 1\nf1 y 0 v1 2\nr7 z y 1\n",
        "e2 x y x z 3\nr6 x y 1\nr7 y z 1\ng2 z 0 x 0 1\n", "r6 x y 1\ng2 x y x 0 -1\ni3 y 0 1m\n"}) {
    EXPECT_THAT(failure<GridError>(deck(grid + island)),
                testing::AnyOf(HasSubstr("leave them out by"), HasSubstr("is not determined")))
        << island;
    const Analysed run(deck(grid + island), opens);
    for (const char* node : {"b", "m", "n"}) EXPECT_NEAR(run.volts(node), alone.volts(node), 1e-13) << island << node;
    EXPECT_EQ(run.result.left_out.parts.size(), 1u) << island;
    EXPECT_THAT(run.finding("islands-left-out"), HasSubstr("1 island of ")) << island;
    EXPECT_STREQ(run.result.certificate.kind(), "estimated");
    EXPECT_NEAR(run.result.certificate.max_error_v, alone.result.certificate.max_error_v, 1e-14) << island;
  }
  const Analysed between(deck(grid + "r6 x y 1\ni3 n x 0.1\ng2 x n a 0 0.2\n"), opens);
  EXPECT_NEAR(between.volts("n"), 2 - 0.1 - 0.1 + 0.2, 1e-12);
  EXPECT_EQ(between.result.left_out.loads, 2);
  EXPECT_NEAR(between.result.left_out.amperes, 0.3, 1e-12) << "what the controlled source amounts to included";
  EXPECT_THAT(failure<GridError>(deck(grid + "r6 x y 1\ni3 x 0 1\ne3 q 0 x y 1\nr7 q 0 1\n"), opens),
              HasSubstr("the control of 'e3' is not determined: node x lies in an island that is left out"));
  IrOptions of_net;
  of_net.net = "m";
  EXPECT_NEAR(Analysed(deck(grid + "r6 other:1 other:2 1\ni3 other:2 0 1\n"), of_net).volts("n"), 1.9, 1e-12);
  IrOptions vectors = opens;
  vectors.loads = LoadTable{{"i1", "i3"}, 2, {0.2, 5, 0.1, 6}, "", {}};
  EXPECT_NEAR(Analysed(deck(grid + "r6 x y 1\ni3 x 0 1\n"), vectors).volts("n"), 1.8, 1e-12);
}

/// Negative resistances alone leave no M-matrix either.
TEST(AnyIr, IslandsBesideNegativeResistancesAreLeftOut) {
  IrOptions opens;
  opens.islands.ignores_all = true;
  const Analysed run(deck("v1 a 0 1\nr1 a b 1\nr2 b c -1\nr3 c 0 4\nr6 x y -1\ni3 x 0 1m\n"), opens);
  EXPECT_NEAR(run.volts("b"), 0.75, 1e-12);
  EXPECT_STREQ(run.result.certificate.kind(), "estimated");
  EXPECT_EQ(run.result.left_out.loads, 1);
}

TEST(AnyIr, OptionsThatNeedAnMMatrixAreRefused) {
  const std::string cards = deck("v1 a 0 1\nr1 a b 1\nr2 b 0 1\ng1 b 0 a b 0.5\ni1 b 0 1m\n");
  IrOptions why, engine;
  why.why = {"b"};
  EXPECT_THAT(failure<InputError>(cards, why), HasSubstr("why takes no such circuit: 'g1' is a controlled source"));
  engine.engine = "cholmod";
  EXPECT_THAT(failure<InputError>(cards, engine), HasSubstr("name superlu or auto"));
  const Circuit circuit = read_netlist_text(cards);
  EXPECT_THAT(
      [&] {
        try {
          const System system(make_design(circuit));
        } catch (const GridError& e) {
          return std::string(e.what());
        }
        return std::string();
      }(),
      HasSubstr("'g1' is a controlled source; only an analysis or a simulation of the deck as it is"));
}

TEST(AnyIr, CheckFindsWhatARunWould) {
  const Circuit circuit = read_netlist_text(deck("v1 a 0 1\nr1 a 0 1\ne1 b 0 a 0 2\nr2 b c 1\ni1 c 0 1m\n"));
  const CheckResult result = check_netlist(circuit, {});
  EXPECT_FALSE(result.has_errors());
  EXPECT_THAT(result.nets, testing::Contains("b 2 V"));
  EXPECT_EQ(result.findings.at(0).code, "estimate-only");
}

TEST(AnyIr, EstimatesGrowWithTheConditionOfTheCircuit) {
  for (const double excess : {1e-3, 1e-6, 1e-9}) {
    // The G card draws from a source only, and leaves nothing certified.
    const double ohm = -1 / (1 - excess);
    const Analysed run(deck(fmt::format("v1 a 0 1\nr1 b a 1\nr3 b 0 {:.17g}\ng1 a 0 b 0 1\n", ohm)));
    const double exact = 1 / (1 + 1 / ohm);
    const double error = std::abs(run.volts("b") - exact), estimate = run.result.certificate.max_error_v;
    EXPECT_LT(error, 2 * estimate) << excess;
    EXPECT_GT(estimate, 1e-17 / (excess * excess)) << excess;
    EXPECT_LT(estimate, 1e-14 / (excess * excess)) << excess;
  }
}

}  // namespace
}  // namespace gridiron
