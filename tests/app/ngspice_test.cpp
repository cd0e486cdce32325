// SPDX-License-Identifier: Apache-2.0
// A second opinion: random decks with every card that is accepted have the operating point that ngspice finds.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/app/ngspice_voltages.hpp"
#include "tests/app/tool.hpp"

namespace gridiron {
namespace {

constexpr int kDecks = 300;
constexpr double kRelative = 1e-6;
constexpr double kAbsolute = 1e-12;  // V

/// A random deck that both programs accept: no 0 Ω (1 mΩ to ngspice), no node behind capacitors alone, no loop of
/// inductors or sources.
class RandomDeck {
 public:
  explicit RandomDeck(unsigned seed) : random_(seed) {}

  std::string text() {
    deck_ = pick({"* deck", "Random power grid 7", "Voltage drop of a mesh 1.5k", "IBM power grid 1"}) + "\n";
    parameters();
    temperature();
    supplies();
    for (int i = 0; i < integer(2, 25); ++i) branch("r", resistance());
    for (int i = 0; i < integer(0, 3); ++i) branch("l", inductance());
    for (int i = 0; i < integer(0, 20); ++i) card("r", any_node(), any_node_or_ground(), resistance());
    for (int i = 0; i < integer(0, 4); ++i) card("c", any_node(), any_node_or_ground(), capacitance());
    for (int i = 0; i < integer(0, 8); ++i) card("i", any_node(), any_node_or_ground(), load());
    for (int i = 0; i < integer(0, 2); ++i) conditions();
    subcircuits();
    harmless();
    return deck_ + ".control\nset numdgt=15\nop\nprint all\nquit\n.endc\n.end\n";
  }

 private:
  double uniform(double low, double high) { return std::uniform_real_distribution(low, high)(random_); }
  int integer(int low, int high) { return std::uniform_int_distribution(low, high)(random_); }
  bool chance(double p) { return uniform(0, 1) < p; }
  std::string pick(const std::vector<std::string>& of) { return of[integer(0, static_cast<int>(of.size()) - 1)]; }

  std::string any_node() { return fmt::format("n{}", integer(1, nodes_)); }
  std::string any_node_or_ground() { return chance(0.3) ? pick({"0", "gnd"}) : any_node(); }
  std::string new_node() { return fmt::format("n{}", ++nodes_); }

  void line(const std::string& text) { deck_ += text + pick({"", "", "", " ; note", " $ note"}) + "\n"; }

  void card(const std::string& letter, const std::string& a, const std::string& b, const std::string& rest) {
    if (a == b) return;
    const std::string gap = pick({" ", " ", " ", "\n+ ", "\n* between\n+ "});
    line(fmt::format("{}{} {} {}{}{}", chance(0.5) ? letter : std::string(1, static_cast<char>(letter[0] - 32)),
                     ++cards_, a, b, gap, rest));
  }

  /// A card between a node that is there and a new one.
  void branch(const std::string& letter, const std::string& rest) {
    const std::string from = any_node();
    card(letter, from, new_node(), rest);
  }

  /// `v` with one of the suffixes that both programs read alike, in any case, and a unit or none.
  std::string with_suffix(double v, const std::vector<std::string>& units) {
    static constexpr std::pair<const char*, double> kSuffixes[] = {
        {"t", 1e12}, {"g", 1e9},  {"meg", 1e6}, {"k", 1e3},   {"", 1},         {"m", 1e-3},
        {"u", 1e-6}, {"n", 1e-9}, {"p", 1e-12}, {"f", 1e-15}, {"mil", 25.4e-6}};
    const auto [suffix, factor] = kSuffixes[integer(0, static_cast<int>(std::size(kSuffixes)) - 1)];
    std::string letters = suffix + (chance(0.5) ? pick(units) : "");
    for (char& c : letters)
      if (chance(0.5)) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return fmt::format("{:.9g}{}", v / factor, letters);
  }

  /// A positive value with its unit spelled in one of many ways, or as an expression.
  std::string value(double v, const std::vector<std::string>& units) {
    switch (integer(0, 9)) {
      case 0:
      case 1:
      case 2:
        return with_suffix(v, units);
      case 7:
        return fmt::format("{{dbl({:.6g})}}", v / 2);
      case 8:
        return fmt::format("'two > half && !(two == 3) ? {:.6g} : 1k'", v);
      case 9:
        return fmt::format("{{mixed({:.6g}, half) + (1 <= 0)}}", v / 2);
      case 3:
        return fmt::format("{{{:.6g}*two}}", v / 2);
      case 4:
        return fmt::format("'{:.6g}*(half+half)'", v);
      default:
        return fmt::format("{:.6g}", v);
    }
  }

  /// A word that stands for a value.
  std::string bare_parameter(double v) {
    deck_ += fmt::format(".param value{}={:.9g}\n", ++words_, v);
    return fmt::format("value{}", words_);
  }

  void parameters() {
    line(".param two=2 half={1/two}");
    deck_ += ".func dbl(x) {2*x}\n.func mixed(x,y) {dbl(x) * sgn(y) * max(dbl(y), 0)}\n";
    line(fmt::format(".param hot={{{}+half*10}}", integer(20, 100)));
    line(".model metal r (tc1=2m tc2=1u)");
    line(fmt::format(".model sheet r (rsh={} tc1=1m tnom={} narrow=0.1u short={{half*0.1u}})", uniform(1, 50),
                     integer(0, 50)));
    line(".model plain res r=75");
  }

  void temperature() {
    if (chance(0.4)) line(fmt::format(".temp {}", pick({"125", "-40", "{hot}", "27"})));
    if (chance(0.4)) line(fmt::format(".option temp={} reltol=1e-4", pick({"85", "{hot}", "0"})));
    if (chance(0.3)) line(fmt::format(".options tnom={}", pick({"25", "{hot/2}"})));
  }

  void supplies() {
    for (int i = 0, n = integer(1, 3); i < n; ++i) {
      const std::string v = chance(0.5) ? fmt::format("{:.4g}", uniform(0.5, 3.3))
                                        : with_suffix(uniform(0.5, 3.3), {"v", "volt", "volts"});
      const std::string form = pick({v, "DC " + v, "DC=" + v, "AC 1 DC " + v, v + " AC 1 0", "DC " + v + " AC 1 90",
                                     "PULSE(" + v + " 5 0 1n 1n 5n 20n)", "SIN " + v + " 1V 1megHz 1ns"});
      if (i > 0 && chance(0.3))
        branch("v", form);
      else
        card("v", new_node(), "0", form);
      if (i > 0 && chance(0.5)) card("r", fmt::format("n{}", nodes_), any_node(), resistance());
    }
  }

  /// Branches of which one applies.
  void conditions() {
    const std::string sign = pick({"==", ">", "<=", "!="}), a = any_node();
    deck_ += fmt::format(".if (two {} {})\n", sign, integer(1, 3));
    card("r", a, any_node(), resistance());
    deck_ += fmt::format(".elseif (half {} 0.5)\n", sign);
    card("r", a, "0", resistance());
    deck_ += ".else\n";
    card("i", a, "0", load());
    deck_ += ".endif\n";
  }

  std::string settings(bool with_multiplier) {
    std::string s;
    if (chance(0.3)) s += fmt::format(" tc1={:.3g}", uniform(-2e-3, 4e-3));
    if (chance(0.2)) s += fmt::format(" tc2={:.3g}", uniform(-5e-6, 2e-5));
    if (chance(0.2)) s += pick({" dtemp=10", " dtemp={-half*30}", " temp=60", " TEMP=60 dtemp=5", " temp={hot}"});
    if (with_multiplier && chance(0.3)) s += pick({" m=2", " M={two*3}", " m=2.5"});
    if (chance(0.1)) s += " scale=1.5";
    return s;
  }

  std::string resistance(bool with_multiplier = true) {
    const double ohms = std::pow(10, uniform(-1, 4));
    const std::string v = chance(0.2) ? bare_parameter(ohms) : value(ohms, {"ohm", "Ohms"});
    const std::string s = settings(with_multiplier);
    switch (integer(0, 9)) {
      case 0:
        return "r=" + v + s;
      case 1:
        return v + " TC=3m" + (with_multiplier && chance(0.5) ? " m=2" : "");
      case 2:
        return v + " tc=2m 1u";
      case 3:
        return fmt::format("{:.6g} metal", uniform(1, 100)) + s;
      case 4:
        return "metal " + v + s;
      case 5:
        return fmt::format("sheet l={}u w={}u", integer(1, 100), integer(1, 10)) + s;
      case 6:
        return "plain" + s;
      case 7:
        return v + " ac=5 noisy=0" + s;
      case 8:
        return fmt::format("{{{:.6g}*(1+2m*(temper-27))}}", uniform(1, 1000));
      default:
        return v + s;
    }
  }

  std::string inductance() { return "1n" + std::string(pick({"", " m=2", " tc1=1m ic=0", " scale=2"})); }
  std::string capacitance() { return "1p" + std::string(pick({"", " m=3", " tc1=1m ic=1", " temp=50 w=1 l=1"})); }

  std::string load(bool with_multiplier = true) {
    const double amperes = std::pow(10, uniform(-5, -1));
    const std::string m = with_multiplier && chance(0.4) ? pick({" M=3", " m={two}"}) : "";
    if (chance(0.2)) return pick({"", "DC "}) + bare_parameter(amperes) + m;
    const std::string v = value(amperes, {"a", "amp", "amps"});
    return pick({v + m, "DC " + v + m, "AC 1 DC " + v + m, v + " AC 2 45" + m, "PULSE(" + v + " 1 0 1n 1n 5n 20n)" + m,
                 "DC " + v + " PWL(0 1 1n 2)" + m, "EXP(" + v + " 2 1n 1n 5n 1n)" + m, "PWL(0 " + v + " 1n 2)" + m});
  }

  /// `cell` has settings of its own; `plain_cell` may be multiplied, as ngspice 39 drops the M of what is inside.
  void subcircuits() {
    line(".subckt cell p q " + pick({"", "params: "}) + "r=100 load=1m");
    line("r1 p mid {r}" + settings(true));
    deck_ += ".if (r > 50)\n";
    line("r2 mid q {r*two}" + settings(true));
    deck_ += ".else\n";
    line("r2 mid q {r+5}" + settings(true));
    deck_ += ".endif\n";
    line("i1 mid 0 {load}");
    line("c1 mid q 1p");
    line(".ends cell");
    line(".subckt plain_cell p q");
    line("r1 p mid " + resistance(false));
    line("r2 mid q " + resistance(false));
    line("i1 mid q " + load(false));
    line(".ends");
    line(".subckt pair p q w=50");
    line("x1 p mid cell r={w}");
    line("x2 mid q cell load={1u*w}");
    line(".ends pair");
    for (int i = 0; i < integer(0, 4); ++i) {
      card("x", any_node(), any_node_or_ground(), pick({"cell", "cell r={20*two}", "cell params: load=2m r=10"}));
      card("x", any_node(), any_node_or_ground(), pick({"plain_cell", "plain_cell m=3", "plain_cell M={two}"}));
      card("x", any_node(), any_node_or_ground(), pick({"pair", "pair w=20"}));
    }
  }

  void harmless() {
    for (const char* text : {".ic v(n1)=0.3", ".nodeset v(n1)=0.2", ".measure tran x max v(n1)", ".probe v(n1)",
                             ".width out=80", ".ac dec 1 1 10", ".tran 1n 10n", ".tf v(n1) v1", ".op",
                             ".model dx d (is=1f)", ".plot tran v(n1)", ".four 1meg v(n1)"})
      if (chance(0.2)) line(text);
  }

  std::mt19937 random_;
  std::string deck_;
  int nodes_ = 0, cards_ = 0, words_ = 0;
};

using test::voltages;
using test::Voltages;

class Ngspice : public test::Tool {};

TEST_F(Ngspice, FindsTheSameOperatingPoint) {
  if (shell("command -v ngspice").code != 0) GTEST_SKIP() << "no ngspice here: apt-get install ngspice";
  for (unsigned seed = 0; seed < kDecks; ++seed) {
    const std::string deck = RandomDeck(seed).text();
    write("deck.sp", deck);
    const Outcome ours = gridiron("ir deck.sp --engine cholmod --tolerance 100nV --formats solution --out out --quiet");
    ASSERT_EQ(ours.code, 0) << "deck " << seed << "\n" << ours.err << deck;
    const Voltages mine = voltages(slurp(folder_ / "out" / "deck.solution"), false);
    const Outcome theirs = shell("ngspice -b deck.sp 2>&1");
    const Voltages reference = voltages(theirs.out, true);
    ASSERT_GT(mine.size(), 2u) << "deck " << seed;
    for (const auto& [node, volts] : mine) {
      if (node == "0") continue;
      const auto other = reference.find(node);
      ASSERT_TRUE(other != reference.end()) << "deck " << seed << ": no node " << node << "\n" << theirs.out << deck;
      EXPECT_NEAR(volts, other->second, kRelative * std::abs(other->second) + kAbsolute)
          << "deck " << seed << ", node " << node << "\n"
          << deck;
    }
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace gridiron
