// SPDX-License-Identifier: Apache-2.0
#include "analysis/results/limits.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>

#include "analysis/run/ir_drop.hpp"
#include "netlist/reader.hpp"
#include "support/error.hpp"
#include "tests/analysis/sessions.hpp"

namespace gridiron {
namespace {

using testing::Contains;
using testing::Field;
using testing::HasSubstr;

/// Net n1 of 1 V with drops of 0, 10 and 30 mV on m1 and 40 mV on m2; net n2 of 2 V with 100 mV.
constexpr const char* kDeck =
    "* t\nv1 n1_m1_0_0 0 1\nr1 n1_m1_0_0 n1_m1_1_0 1\nr2 n1_m1_1_0 n1_m1_2_0 2\nr3 n1_m1_2_0 n1_m2_2_0 1\n"
    "i1 n1_m2_2_0 0 10m\nv2 n2_m1_9_0 0 2\nr4 n2_m1_9_0 n2_m1_8_0 1\ni2 n2_m1_8_0 0 100m\n.end\n";

IrReport analysed(const char* deck, std::initializer_list<const char*> limits, double bound = 0) {
  static std::deque<Circuit> kept;  // reports refer to them
  const Circuit& circuit = kept.emplace_back(read_netlist_text(deck));
  IrReport report = analyse_ir_drop(circuit, {});
  if (bound > 0) report.certificate.max_error_v = bound;
  std::vector<LimitRequest> requests;
  for (const char* limit : limits) requests.push_back(parse_limit(limit));
  report.limits = check_limits(report, requests);
  return report;
}

TEST(Limits, OfNetsAndLayers) {
  const auto limits = analysed(kDeck, {"n1:worst=45mV", "N1:M1:worst=25mV", "n1:m2:p99=5%", "n1:m1:average=14mV",
                                       "n2:4.9%", "p50=35mV"})
                          .limits;
  ASSERT_EQ(limits.size(), 7u);
  const std::vector<bool> exceeded{false, true, false, false, true, false, false};
  for (size_t k = 0; k < limits.size(); ++k)
    EXPECT_EQ(limits[k].exceeded, exceeded[k]) << k << ' ' << describe(limits[k]);
  EXPECT_EQ(limits[1].layer, "m1");
  EXPECT_NEAR(limits[1].value_v, 0.03, 1e-12);
  EXPECT_NEAR(limits[3].value_v, 0.04 / 3, 1e-12);
  EXPECT_EQ(describe(limits[1]), "net n1 layer m1: worst drop of 30 mV exceeds 25 mV");
}

TEST(Limits, AreNotKeptByLessThanTheBound) {
  const auto limits = analysed(kDeck, {"n1:50mV", "n1:39mV", "n1:40.5mV"}, 1e-3).limits;
  EXPECT_FALSE(limits[0].exceeded || limits[0].undecided);
  EXPECT_TRUE(limits[1].exceeded);
  EXPECT_TRUE(limits[2].undecided && !limits[2].exceeded);
  EXPECT_THAT(describe(limits[2]), HasSubstr("is within 40.5 mV, but certified only to 0.001 V"));
}

TEST(Limits, NeedAUnitAndKnownNames) {
  for (const char* text : {"5", "50m", "50mA", "0.05", "5ohm", "", "worst=", "median=5%", "-5%", "-5mV", "nan", ":5%",
                           "n1::5%", "n1:", "p99:5%=3"})
    EXPECT_THROW(parse_limit(text), InputError) << text;
  EXPECT_THROW(analysed(kDeck, {"n9:5%"}), InputError);
  EXPECT_THROW(analysed(kDeck, {"n1:m9:5%"}), InputError);
}

TEST(Limits, CountWhatIsAboveThem) {
  const auto limits = analysed(kDeck, {"n1:worst=5mV", "n1:m1:worst=5mV", "n1:average=5mV", "n1:p50=1mV"}).limits;
  EXPECT_EQ(limits[0].nodes, 4);
  EXPECT_EQ(limits[0].failed, 3);
  EXPECT_EQ(limits[0].failed_instances, 1);
  EXPECT_EQ(limits[1].nodes, 3);
  EXPECT_EQ(limits[1].failed, 2);
  EXPECT_EQ(limits[1].failed_instances, 0) << "its pin is on m2";
  EXPECT_EQ(limits[2].failed, -1) << "no node is above an average";
  EXPECT_EQ(limits[3].failed, 3);
  EXPECT_THAT(describe(limits[0]), testing::EndsWith("exceeds 5 mV, one of 3 nodes that do"));
}

TEST(Limits, SaidTwiceCountOnceAndDoNotContradict) {
  const auto parsed = [](std::vector<std::string> texts) { return parse_limits(texts); };
  EXPECT_EQ(parsed({"5%", "worst=5%", "n1:5%", "N1:worst=5%", "50mV", "average=5%"}).size(), 4u);
  for (const std::vector<std::string>& texts :
       {std::vector<std::string>{"5%", "worst=8%"}, {"n1:5%", "N1:8%"}, {"n1:M1:p99=5mV", "n1:m1:p99=6mV"}})
    EXPECT_THAT(test::error_of<InputError>([&] { parsed(texts); }), HasSubstr("contradicts")) << texts[1];
}

TEST(Limits, OfOneNetNameTheOthersThatEscape) {
  const Circuit circuit = read_netlist_text(kDeck);
  const auto unjudged = [&](const char* limit) {
    IrOptions options;
    options.net = "n1";
    options.limits = {parse_limit(limit)};
    const IrReport report = analyse_ir_drop(circuit, options);
    EXPECT_EQ(report.unjudged_nets.empty(), report.findings.empty());
    return report.unjudged_nets;
  };
  EXPECT_THAT(unjudged("5%"), testing::ElementsAre("n2"));
  EXPECT_THAT(unjudged("n1:5%"), testing::IsEmpty());
}

auto is_warning(const char* code) { return Contains(Field(&Finding::code, code)); }

TEST(Plausibility, TellsOfLoadsThatCannotBeMeant) {
  EXPECT_THAT(analysed("t\nv1 a 0 1\nr1 a b 1\nr2 b c 1\n.end\n", {}).findings, is_warning("no-load"));
  const IrReport reversed = analysed("t\nv1 a 0 1\nr1 a b 1\ni1 0 b 10m\n.end\n", {});
  EXPECT_THAT(reversed.findings, is_warning("reversed-load"));
  EXPECT_THAT(reversed.findings, is_warning("overvoltage"));
  EXPECT_TRUE(analysed(kDeck, {}).findings.empty());
}

}  // namespace
}  // namespace gridiron
