// SPDX-License-Identifier: Apache-2.0
// A second opinion on models of packages and macros: random decks with controlled sources and negative resistances have
// the operating point that ngspice finds.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <random>

#include "tests/app/ngspice_voltages.hpp"
#include "tests/app/tool.hpp"

namespace gridiron {
namespace {

constexpr double kRelative = 1e-6, kAbsolute = 1e-9;

class RandomModels {
 public:
  explicit RandomModels(unsigned seed) : random_(seed) {}

  std::string cards() {
    add("v1 n1 0 {:.4g}", uniform(0.5, 3));
    nodes_ = 1;
    for (int i = 0, n = integer(3, 15); i < n; ++i) {
      const std::string from = node();
      add("r{} {} n{} {:.6g}", ++count_, from, ++nodes_, resistance());
    }
    for (int i = 0, n = integer(2, 12); i < n; ++i) two_nodes("r", "", resistance());
    for (int i = 0, n = integer(1, 4); i < n; ++i) two_nodes("i", "", uniform(0, 1e-2));
    for (int i = 0, n = integer(0, 3); i < n; ++i) two_nodes("r", "", -uniform(20, 500));
    for (int i = 0, n = integer(1, 5); i < n; ++i) controlled();
    if (chance(0.5)) subcircuit();
    return cards_;
  }

 private:
  double uniform(double low, double high) { return std::uniform_real_distribution(low, high)(random_); }
  int integer(int low, int high) { return std::uniform_int_distribution(low, high)(random_); }
  bool chance(double p) { return uniform(0, 1) < p; }
  double resistance() { return std::pow(10, uniform(-1, 2)); }
  std::string node() { return fmt::format("n{}", integer(1, nodes_)); }
  std::string node_or_ground() { return chance(0.3) ? "0" : node(); }
  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    cards_ += fmt::format(format, std::forward<Args>(args)...) + "\n";
  }
  void two_nodes(const char* letter, const std::string& control, double value) {
    const std::string a = node(), b = node_or_ground();
    if (a != b) add("{}{} {} {} {}{:.6g}", letter, ++count_, a, b, control, value);
  }
  std::string control() {
    const std::string c = node(), d = node_or_ground();
    return c == d ? control() : fmt::format("{} {} ", c, d);
  }
  /// A source whose current controls others, in series with a resistor.
  std::string meter() {
    const std::string name = fmt::format("vm{}", ++count_), from = node();
    add("{} {} n{} {}", name, from, ++nodes_, chance(0.8) ? "0" : "0.1");
    add("r{} n{} {} {:.6g}", ++count_, nodes_, node_or_ground(), resistance());
    return name + " ";
  }
  /// All but the last gain of two.
  std::string polynomial(const std::string& controls, double constant, double gain) {
    return fmt::format("POLY(2) {}{:.6g} {:.6g} ", controls, constant, gain);
  }
  /// A new node, as the output of a source of voltage.
  void output(const char* letter, const std::string& control, double gain) {
    const std::string below = chance(0.6) ? "0" : node();
    add("{}{} n{} {} {}{:.6g}", letter, ++count_, ++nodes_, below, control, gain);
    add("r{} n{} {} {:.6g}", ++count_, nodes_, node_or_ground(), resistance());
  }
  void controlled() {
    switch (integer(0, 7)) {
      case 0:
        return output("e", control(), uniform(-1, 1.2));
      case 1:
        return output("h", meter(), uniform(-2, 2));
      case 2:
        return two_nodes("f", meter(), uniform(-0.6, 0.6));
      case 3: {
        const std::string a = node();
        return add("g{} {} 0 {} 0 {:.6g}", ++count_, a, a, uniform(-1e-3, 0.1));
      }
      case 4:
        return two_nodes("g", control(), uniform(-5e-3, 5e-3));
      case 5:
        return output("e", polynomial(control() + control(), uniform(-0.1, 0.1), uniform(-1, 1)), uniform(-1, 1));
      case 6:
        return two_nodes("f", polynomial(meter() + meter(), uniform(-1e-3, 1e-3), uniform(-0.3, 0.3)),
                         uniform(-0.3, 0.3));
      default:
        return two_nodes("g", polynomial(control() + control(), uniform(-1e-3, 1e-3), uniform(-5e-3, 5e-3)),
                         uniform(-5e-3, 5e-3));
    }
  }
  void subcircuit() {
    add(".subckt macro p n gm=1m");
    add("vs p q 0\nr1 q n 50\nr2 q t 20\nr3 t n -200\nf1 p n vs {:.4g}\ng1 t n q n {{gm*2}}", uniform(-0.3, 0.3));
    add("e1 o n t n {:.4g}\nr4 o t 75\n.ends", uniform(-1, 1));
    for (int i = 0, n = integer(1, 3); i < n; ++i) add("x{} {} 0 macro gm={:.4g}", ++count_, node(), uniform(0, 4e-3));
  }

  std::mt19937 random_;
  std::string cards_;
  int nodes_ = 0, count_ = 1;
};

using test::voltages;
using test::Voltages;

class NgspiceModels : public test::Tool {};

TEST_F(NgspiceModels, HaveTheSameOperatingPoint) {
  if (shell("command -v ngspice").code != 0) GTEST_SKIP() << "no ngspice here: apt-get install ngspice";
  const char* const asked = std::getenv("GRIDIRON_MODEL_DECKS");
  const unsigned decks = asked ? static_cast<unsigned>(std::atoi(asked)) : 120;
  int estimated = 0;
  for (unsigned seed = 0; seed < decks; ++seed) {
    const std::string cards = RandomModels(seed).cards();
    write("deck.sp", "* models\n" + cards + ".control\nset numdgt=15\nop\nprint all\nquit\n.endc\n.end\n");
    const Outcome ours = gridiron("ir deck.sp --formats solution,text --out out --quiet");
    ASSERT_EQ(ours.code, 0) << "deck " << seed << "\n" << ours.err << cards;
    const std::string summary = slurp(folder_ / "out" / "summary.txt");
    estimated += summary.find("Estimate ") != summary.npos ? 1 : 0;
    const Outcome theirs = shell("ngspice -b deck.sp 2>&1");
    const Voltages mine = voltages(slurp(folder_ / "out" / "deck.solution"), false),
                   reference = voltages(theirs.out, true);
    for (const auto& [node, volts] : mine) {
      if (node == "0") continue;
      const auto other = reference.find(node);
      ASSERT_TRUE(other != reference.end()) << "deck " << seed << ": no node " << node << "\n" << theirs.out << cards;
      EXPECT_NEAR(volts, other->second, kRelative * std::abs(other->second) + kAbsolute)
          << "deck " << seed << ", node " << node << "\n"
          << cards;
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(estimated, static_cast<int>(decks / 2));
}

}  // namespace
}  // namespace gridiron
