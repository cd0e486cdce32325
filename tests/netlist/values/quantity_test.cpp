// SPDX-License-Identifier: Apache-2.0
#include "netlist/values/quantity.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <utility>

#include "netlist/reader.hpp"
#include "support/error.hpp"

namespace gridiron {
namespace {

using testing::HasSubstr;

TEST(Quantity, TakesEverySuffixOfNgspice) {
  for (const auto& [text, value] : {std::pair("1t", 1e12),
                                    {"1G", 1e9},
                                    {"1meg", 1e6},
                                    {"1MEG", 1e6},
                                    {"1k", 1e3},
                                    {"1K", 1e3},
                                    {"1m", 1e-3},
                                    {"1M", 1e-3},
                                    {"1mil", 25.4e-6},
                                    {"1u", 1e-6},
                                    {"1n", 1e-9},
                                    {"1p", 1e-12},
                                    {"1f", 1e-15},
                                    {"1k.", 1e3},
                                    {"1.", 1.0},
                                    {"1e3k", 1e6},
                                    {"1\xc2\xb5", 1e-6},
                                    {"1\xce\xbc", 1e-6},
                                    {"1\xb5", 1e-6}})
    for (const Quantity what : {Quantity::pure, Quantity::current, Quantity::capacitance, Quantity::time})
      EXPECT_EQ(quantity(text, what), value) << text;
}

TEST(Quantity, TakesItsOwnUnitOnly) {
  const std::pair<Quantity, std::vector<const char*>> own[] = {
      {Quantity::current, {"2A", "2a", "2amp", "2AMPS", "2ampere", "2amperes"}},
      {Quantity::voltage, {"2V", "2volt", "2volts"}},
      {Quantity::resistance, {"2ohm", "2Ohms", "2\xe2\x84\xa6", "2\xce\xa9"}},
      {Quantity::capacitance, {"2e15fF", "2e15ffarad"}},
      {Quantity::inductance, {"2H", "2henry"}},
      {Quantity::time, {"2s", "2sec", "2seconds"}},
      {Quantity::frequency, {"2Hz", "2hertz"}},
      {Quantity::temperature, {"2C", "2\xc2\xb0\x43", "2degC"}},
      {Quantity::length, {"2e6um", "2e3mmeters"}},
      {Quantity::power, {"2W", "2watts"}},
  };
  for (const auto& [mine, texts] : own)
    for (const char* const text : texts) {
      for (const auto& [what, ignored] : own) {
        const auto value = quantity(text, what);
        EXPECT_EQ(value.has_value(), what == mine) << text << " as " << phrase_of(what);
        EXPECT_DOUBLE_EQ(value.value_or(2), 2) << text;
      }
      EXPECT_EQ(quantity(text, Quantity::anything).has_value(), mine != Quantity::power) << text;
      EXPECT_FALSE(quantity(text, Quantity::pure)) << text;
    }
}

TEST(Quantity, RefusesWhatIsNoUnit) {
  for (const char* const text :
       {"1x",  "1dB",  "1mm2",   "1milli", "1micro", "1kilo", "1kk", "1atto", "1foo",  "1k5",   "1e",
        "1e+", "1uVV", "1farad", "1meter", "",       "A",     "1 ",  "1%",    "1e400", "1e300t"})
    EXPECT_FALSE(quantity(text, Quantity::anything)) << text;
  EXPECT_FALSE(quantity("300k", Quantity::temperature)) << "kelvin or kilo";
}

TEST(Quantity, AttoNeedsAUnit) {
  EXPECT_DOUBLE_EQ(amperes("3aA").value(), 3e-18);
  EXPECT_DOUBLE_EQ(quantity("3aF", Quantity::capacitance).value(), 3e-18);
  EXPECT_FALSE(quantity("3a", Quantity::capacitance)) << "an ampere is no capacitance";
  EXPECT_EQ(scaled(3, "a", Quantity::current).reading, Reading::ampere);
  EXPECT_EQ(scaled(3, "aA", Quantity::current).reading, Reading::atto);
  EXPECT_EQ(scaled(3, "mA", Quantity::current).reading, Reading::undisputed);
  EXPECT_EQ(scaled(3, "F", Quantity::current).reading, Reading::femto);
  EXPECT_EQ(scaled(3, "F", Quantity::capacitance).reading, Reading::femto_farad);
  EXPECT_EQ(scaled(3, "MHz", Quantity::frequency).reading, Reading::milli_hertz);
  EXPECT_EQ(scaled(3, "megHz", Quantity::frequency).reading, Reading::undisputed);
}

TEST(Quantity, OfTablesAndOptionsIsUndisputed) {
  EXPECT_FALSE(amperes("1F"));
  EXPECT_FALSE(amperes("1x"));
  EXPECT_FALSE(quantity("1MHz", Quantity::frequency));
  EXPECT_TRUE(quantity_with_unit("50mamp", Quantity::current));
  EXPECT_TRUE(quantity_with_unit("50A", Quantity::current));
  EXPECT_FALSE(quantity_with_unit("50m", Quantity::current)) << "no unit";
  EXPECT_FALSE(quantity_with_unit("50mV", Quantity::current));
}

TEST(Quantity, DialectsDecideAAndX) {
  EXPECT_DOUBLE_EQ(scaled(3, "a", Quantity::current, Dialect::hspice).value, 3e-18);
  EXPECT_DOUBLE_EQ(scaled(3, "a", Quantity::capacitance, Dialect::hspice).value, 3e-18);
  EXPECT_DOUBLE_EQ(scaled(3, "a", Quantity::current, Dialect::ngspice).value, 3);
  EXPECT_DOUBLE_EQ(scaled(3, "x", Quantity::resistance, Dialect::hspice).value, 3e6);
  EXPECT_DOUBLE_EQ(scaled(3, "Xohm", Quantity::resistance, Dialect::hspice).value, 3e6);
  EXPECT_DOUBLE_EQ(scaled(3, "x", Quantity::resistance, Dialect::ngspice).value, 3);
  EXPECT_THROW(scaled(3, "x", Quantity::resistance), UnitError);
  EXPECT_THROW(scaled(3, "xV", Quantity::resistance, Dialect::hspice), UnitError);
}

TEST(Quantity, OfAUnitWithItsSuffix) {
  EXPECT_EQ(measured_by("mV"), Quantity::voltage);
  EXPECT_EQ(measured_by("A"), Quantity::current);
  EXPECT_EQ(measured_by("F"), std::nullopt) << "femto";
  EXPECT_EQ(measured_by("k"), std::nullopt);
  EXPECT_EQ(measured_by(""), std::nullopt);
}

/// The message of a deck that is refused.
std::string refusal(const std::string& cards, Dialect dialect = Dialect::automatic) {
  try {
    ReadOptions options;
    options.dialect = dialect;
    read_netlist_text("* t\n" + cards + ".end\n", "deck", options);
  } catch (const InputError& e) {
    return e.what();
  }
  return "read";
}

TEST(UnitsOfCards, AreRefusedWhereTheyStand) {
  EXPECT_THAT(refusal("i1 a 0 100mW\n"), HasSubstr("deck:2:11: 'mW' is no unit of a current"));
  EXPECT_THAT(refusal("r1 a 0 R=5V tc=1m\n"), HasSubstr("deck:2:11: 'V' is no unit of a resistance"));
  EXPECT_THAT(refusal("r1 a 0 5 temp=300K\n"), HasSubstr("deck:2:18: 'K' is no unit of a temperature"));
  EXPECT_THAT(refusal("r1 a 0 5 m=2A\n"), HasSubstr("deck:2:13: 'A' is no unit of a number without unit"));
  EXPECT_THAT(refusal("c1 a 0 1p ic=1A\nr1 a 0 1\n"), HasSubstr("deck:2:15: 'A' is no unit of a voltage"));
  EXPECT_THAT(refusal("l1 a 0 1F\nr1 a 0 1V\n"), HasSubstr("deck:3:9: 'V'"));
  EXPECT_THAT(refusal("i1 a 0 DC 1V\n"), HasSubstr("deck:2:12: 'V' is no unit of a current"));
  EXPECT_THAT(refusal("v1 a 0 SIN(1 1 1s)\n"), HasSubstr("deck:2:17: 's' is no unit of a frequency"));
  EXPECT_THAT(refusal("v1 a 0 EXP(0 1V 1V)\n"), HasSubstr("deck:2:18: 'V' is no unit of a time"));
  EXPECT_THAT(refusal("r1 a 0 1\n.tran 1V 2n\n"), HasSubstr("deck:3:8: 'V' is no unit of a time"));
  EXPECT_THAT(refusal("r1 a 0 1\n.temp 25V\n"), HasSubstr("deck:3:9: 'V' is no unit of a temperature"));
  EXPECT_THAT(refusal("r1 a 0 {2*1W}\n"), HasSubstr("deck:2:9: 'W' is no unit of a value"));
  EXPECT_THAT(refusal("r1 a 0 m l=1V\n.model m r (rsh=1)\n"), HasSubstr("'V' is no unit of a length"));
  EXPECT_THAT(refusal("r1 a 0 m\n.model m r (r=1V)\n"), HasSubstr("deck:3:16: 'V' is no unit of a resistance"));
  EXPECT_EQ(refusal("v1 a 0 1V\nr1 a 0 1kOhm temp=25C\ni1 a 0 SIN(1mA 1mA 1megHz 1ns)\n.temp 25\xc2\xb0\x43\n"),
            "read");
}

TEST(UnitsOfCards, FollowParameters) {
  EXPECT_THAT(refusal(".param p=10mV\ni1 a 0 {p}\n"),
              HasSubstr("deck:3:9: parameter 'p' is a voltage, where a current is expected"));
  EXPECT_THAT(refusal(".param p=10mV q=p\ni1 a 0 {q}\n"), HasSubstr("parameter 'q' is a voltage"));
  EXPECT_THAT(refusal(".param p='100mV'\ni1 a 0 'p'\n"), HasSubstr("parameter 'p' is a voltage"));
  EXPECT_THAT(refusal("i1 a 0 {100mV}\n"), HasSubstr("deck:2:12: 'mV' is no unit of a current"));
  EXPECT_THAT(refusal(".param p=1V\n.subckt s a q=1\ni1 a 0 {q}\n.ends\nx1 a s q={p}\n"),
              HasSubstr("parameter 'q' is a voltage"));
  EXPECT_THAT(refusal(".subckt s a\ni1 a 0 {p}\n.ends\nx1 a s p=1V\n"), HasSubstr("parameter 'p' is a voltage"));
  EXPECT_EQ(refusal(".param p=10mV\nv1 a 0 {p}\ni1 a 0 {p/1k}\n"), "read");
}

TEST(UnitsOfCards, AreNotedInFindings) {
  ReadOptions options;
  const Circuit circuit =
      read_netlist_text("* t\n.param p=2A\ni1 a 0 1A\ni2 a 0 {p}\ni3 a 0 1aA\nr1 a 0 1\n.end\n", "deck", options);
  EXPECT_EQ(circuit.current_sources.value, (std::vector<double>{1, 2, 1e-18}));
  ASSERT_EQ(circuit.findings.size(), 2u);
  EXPECT_EQ(circuit.findings[0].code, "bare-ampere");
  EXPECT_THAT(circuit.findings[0].message, HasSubstr("(2 numbers)"));
  EXPECT_EQ(circuit.findings[0].place, "deck:3:9");
  EXPECT_EQ(circuit.findings[1].code, "atto");
  EXPECT_FALSE(circuit.findings[1].is_warning);
}

}  // namespace
}  // namespace gridiron
