// SPDX-License-Identifier: Apache-2.0
// A second opinion: small random RLC grids with every waveform end where ngspice has them, both with fine steps.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <map>
#include <random>
#include <regex>

#include "tests/app/tool.hpp"

namespace gridiron {
namespace {

constexpr double kMostVolts = 1e-5;
constexpr double kStop = 10e-9, kStep = 2.5e-12;

/// What a grid has besides resistors, capacitors, inductors and sources.
struct Extras {
  bool initial = false;     ///< most capacitors and inductors have initial conditions
  bool coupled = false;     ///< inductors are
  bool controlled = false;  ///< E, F, G and H cards, and negative resistances and capacitances
};

/// Times of nanoseconds, which resistors of ohms, capacitors of pF to nF and inductors of pH to nH go with.
class RandomGrid {
 public:
  explicit RandomGrid(unsigned seed, const Extras& extras = {})
      : random_(seed), has_initial_(extras.initial), is_coupled_(extras.coupled), is_controlled_(extras.controlled) {}

  std::string cards() {
    supply("v1", 1.8);
    if (is_coupled_ || chance(0.5)) supply("v2", 1.8);
    const int nodes = integer(3, 12);
    for (int i = 0; i < nodes; ++i) {
      const std::string from = any_node(), to = fmt::format("n{}", ++nodes_);
      card("r", from, to, log_uniform(0.1, 5));
      card("c", to, chance(0.8) ? "0" : from, log_uniform(20e-12, 2e-9));
    }
    for (int i = 0; i < integer(1, 6); ++i) card("r", any_node(), any_node(), log_uniform(0.1, 20));
    for (int i = 0; i < integer(0, 2); ++i) card("r", any_node(), "0", log_uniform(20, 200));
    for (int i = 0; is_controlled_ && i < 4; ++i) control();
    for (int i = 0; i < integer(1, 6); ++i)
      cards_ += fmt::format("i{} {} {} {}\n", ++count_, any_node(), chance(0.8) ? "0" : any_node(), waveform());
    if (is_coupled_) couple();
    return cards_;
  }
  int nodes() const { return nodes_; }

 private:
  double uniform(double low, double high) { return std::uniform_real_distribution(low, high)(random_); }
  double log_uniform(double low, double high) { return std::exp(uniform(std::log(low), std::log(high))); }
  int integer(int low, int high) { return std::uniform_int_distribution(low, high)(random_); }
  bool chance(double p) { return uniform(0, 1) < p; }
  std::string any_node() { return fmt::format("n{}", integer(1, nodes_)); }

  void card(const char* letter, const std::string& a, const std::string& b, double value) {
    if (a != b) cards_ += fmt::format("{}{} {} {} {:.6g}{}\n", letter, ++count_, a, b, value, initial(letter[0]));
  }

  std::string initial(char letter) {
    if (!has_initial_ || (letter != 'c' && letter != 'l') || chance(0.3)) return "";
    return fmt::format(" ic={:.4g}", letter == 'c' ? uniform(-0.5, 2) : uniform(-0.1, 0.2));
  }

  /// A pad behind the inductance and the resistance of a package.
  void supply(const std::string& name, double volts) {
    const std::string value = chance(0.7)
                                  ? fmt::format("{}", volts)
                                  : fmt::format("pwl(0 {} 2n {} 4n {} 6n {})", volts, volts, volts - 0.1, volts);
    const std::string inner = fmt::format("n{}", ++nodes_), node = fmt::format("n{}", ++nodes_);
    cards_ += fmt::format("{} {}p 0 {}\n", name, name, value);
    cards_ += fmt::format("l{} {}p {} {:.6g}{}\n", ++count_, name, inner, log_uniform(20e-12, 1e-9), initial('l'));
    inductors_.push_back(fmt::format("l{}", count_));
    card("r", inner, node, log_uniform(0.05, 0.5));
    card("c", node, "0", log_uniform(100e-12, 2e-9));
    if (nodes_ > 2) card("r", node, "n1", log_uniform(0.1, 5));
  }

  /// The pads with each other, and often with a coil of its own circuit.
  void couple() {
    if (chance(0.5)) {
      cards_ +=
          fmt::format("lcoil coil 0 {:.6g}\nrcoil coil 0 {:.6g}\n", log_uniform(20e-12, 1e-9), log_uniform(0.1, 5));
      inductors_.push_back("lcoil");
    }
    for (size_t j = 1; j < inductors_.size(); ++j)
      for (size_t i = 0; i < j; ++i)
        cards_ += fmt::format("k{} {} {} {:.4g}\n", ++count_, inductors_[i], inductors_[j],
                              inductors_.size() > 2 ? uniform(-0.45, 0.45) : uniform(-0.9, 0.9));
  }

  /// A controlled source, with what it feeds, of gains that leave grids stable; now and then a negative value.
  void control() {
    const std::string from = any_node(), with = chance(0.5) ? "0" : any_node(), into = any_node(),
                      out = fmt::format("n{}", ++nodes_);
    const int number = ++count_;
    switch (integer(0, 5)) {
      case 0:
        cards_ += fmt::format("e{} {} 0 {} {} {:.4g}\n", number, out, from, with, uniform(-1.5, 1.5));
        card("r", out, into, log_uniform(2, 50));
        break;
      case 1:
        cards_ += fmt::format("g{} {} 0 {} {} {:.4g}\n", number, into, from, with, uniform(-0.05, 0.05));
        card("r", out, into, log_uniform(1, 20));
        card("c", out, "0", log_uniform(20e-12, 500e-12));
        break;
      case 2:
        cards_ += fmt::format("vm{} {} {} 0\nf{} {} 0 vm{} {:.4g}\n", number, from, out, number, into, number,
                              uniform(-0.9, 0.9));
        card("r", out, "0", log_uniform(5, 100));
        break;
      case 3:
        cards_ +=
            fmt::format("vm{} {} m{} 0\nrm{} m{} 0 {:.4g}\nh{} {} {} vm{} {:.4g}\n", number, from, number, number,
                        number, log_uniform(5, 100), number, out, chance(0.5) ? "0" : into, number, uniform(-3, 3));
        card("r", out, any_node(), log_uniform(2, 50));
        break;
      case 4:
        cards_ += fmt::format("r{} {} 0 {:.4g}\n", number, from, -log_uniform(50, 500));
        card("r", out, into, log_uniform(1, 20));
        break;
      default:
        cards_ += fmt::format("c{} {} 0 {:.4g}\n", number, out, -log_uniform(1e-12, 10e-12));
        card("r", out, into, log_uniform(1, 20));
        card("c", out, "0", log_uniform(20e-12, 500e-12));
    }
    card("r", out, "0", log_uniform(20, 200));
  }

  /// With edges of at least 200 ps, which both programs resolve.
  std::string waveform() {
    const double low = uniform(0, 0.02), high = low + uniform(0.01, 0.2);
    switch (integer(0, 4)) {
      case 0:
        return fmt::format("pulse({:.4g} {:.4g} {:.4g} {:.4g} {:.4g} {:.4g} {:.4g})", low, high, uniform(0, 2e-9),
                           uniform(0.2e-9, 1e-9), uniform(0.2e-9, 1e-9), uniform(0.2e-9, 2e-9), uniform(5e-9, 8e-9));
      case 1:
        return fmt::format("pwl(0 {:.4g} {:.4g} {:.4g} {:.4g} {:.4g} 7n {:.4g})", low, uniform(0.5e-9, 2e-9), high,
                           uniform(3e-9, 5e-9), low, high);
      case 2:
        return fmt::format("sin({:.4g} {:.4g} {:.4g} {:.4g} {:.4g} {:.4g})", high, low, uniform(50e6, 300e6),
                           uniform(0, 2e-9), uniform(0, 1e8), uniform(0, 360));
      case 3:
        return fmt::format("exp({:.4g} {:.4g} {:.4g} {:.4g} {:.4g} {:.4g})", low, high, uniform(0, 2e-9),
                           uniform(0.5e-9, 2e-9), uniform(3e-9, 5e-9), uniform(0.5e-9, 2e-9));
      default:
        return fmt::format("dc {:.4g}", low);
    }
  }

  std::mt19937 random_;
  bool has_initial_, is_coupled_, is_controlled_;
  std::vector<std::string> inductors_;  ///< of pads
  std::string cards_;
  int nodes_ = 0, count_ = 0;
};

class NgspiceTran : public test::Tool {
 protected:
  void compare_random_grids(double step, double stop, const Extras& extras);
};

void NgspiceTran::compare_random_grids(double step, double stop, const Extras& extras) {
  const char* const word = extras.initial ? " uic" : "";
  const char* const engine = extras.controlled ? "superlu" : "cholmod";
  if (shell("command -v ngspice").code != 0) GTEST_SKIP() << "no ngspice here: apt-get install ngspice";
  const char* const asked = std::getenv("GRIDIRON_TRAN_DECKS");
  const unsigned decks = asked ? static_cast<unsigned>(std::atoi(asked)) : 100;
  double worst = 0;
  for (unsigned seed = 0; seed < decks; ++seed) {
    RandomGrid grid(seed, extras);
    const std::string cards = grid.cards();
    std::string print = ".print tran", final_values;
    for (int n = 1; n <= grid.nodes(); ++n) {
      print += fmt::format(" v(n{})", n);
      final_values += fmt::format("print v(n{})[k]\n", n);
    }
    write("ours.sp", fmt::format("* grid {}\n{}.tran {} {}{}\n{}\n.end\n", seed, cards, step, stop, word, print));
    write("theirs.sp",
          fmt::format("* grid {}\n{}.options reltol=1e-7 vntol=1e-10 abstol=1e-13 chgtol=1e-18 trtol=1\n"
                      ".control\nset numdgt=12\ntran {} {} 0 {}{}\nlet k=length(time)-1\n{}quit\n.endc\n.end\n",
                      seed, cards, step, stop, step, word, final_values));
    const Outcome ours =
        gridiron(fmt::format("tran ours.sp --engine {} --threads 1 --formats output --out out --quiet", engine));
    ASSERT_EQ(ours.code, 0) << "grid " << seed << "\n" << ours.err << cards;
    std::map<std::string, double> mine;
    std::istringstream lines(slurp(folder_ / "out" / "ours.output"));
    std::string node;
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line);
      double time = 0, volts = 0;
      if (line.starts_with("Node: "))
        node = line.substr(6);
      else if (words >> time >> volts)
        mine[node] = volts;
    }
    const Outcome theirs = shell("ngspice -b theirs.sp 2>&1");
    const std::regex printed(R"(v\((n\d+)\)\[k\] = (\S+))");
    int compared = 0;
    for (std::sregex_iterator at(theirs.out.begin(), theirs.out.end(), printed), end; at != end; ++at, ++compared) {
      const double difference = std::abs(mine.at((*at)[1]) - std::stod((*at)[2]));
      worst = std::max(worst, difference);
      EXPECT_LT(difference, kMostVolts) << "grid " << seed << ", node " << (*at)[1] << "\n" << cards;
    }
    ASSERT_EQ(compared, grid.nodes()) << "grid " << seed << "\n" << theirs.out << cards;
    if (HasFailure()) return;
  }
  RecordProperty("worst_volts", fmt::format("{}", worst));
}

TEST_F(NgspiceTran, RandomGridsEndAtTheSameVoltages) { compare_random_grids(kStep, kStop, {}); }

TEST_F(NgspiceTran, CoupledInductorsDoToo) { compare_random_grids(kStep, kStop, {.coupled = true}); }

TEST_F(NgspiceTran, CoupledInductorsDoSoFromInitialConditions) {
  compare_random_grids(5e-13, 1e-9, {.initial = true, .coupled = true});
}

TEST_F(NgspiceTran, RandomGridsStartFromTheSameInitialConditions) {
  compare_random_grids(1e-12, 1e-9, {.initial = true});
}

TEST_F(NgspiceTran, ControlledSourcesWithCoupledInductorsDoToo) {
  compare_random_grids(kStep, kStop, {.coupled = true, .controlled = true});
}

TEST_F(NgspiceTran, ControlledSourcesStartFromTheSameInitialConditions) {
  compare_random_grids(5e-13, 1e-9, {.initial = true, .coupled = true, .controlled = true});
}

TEST_F(NgspiceTran, ResultsBeginWhereTheTranCardSays) {
  if (shell("command -v ngspice").code != 0) GTEST_SKIP() << "no ngspice here: apt-get install ngspice";
  const std::string cards = "v1 p 0 1\nr1 p a 1\nc1 a 0 100p\ni1 a 0 pulse(0 0.3 1.8n .5n .5n 1n 9n)\n";
  write("ours.sp", "* t\n" + cards + ".tran 2p 5n 2n\n.print tran v(a)\n.end\n");
  write("theirs.sp", "* t\n" + cards +
                         ".options reltol=1e-7 vntol=1e-10 abstol=1e-13 chgtol=1e-18 trtol=1\n.control\nset numdgt=12\n"
                         "tran 50p 5n 2n 5p\nlet k=length(time)-1\nprint time[0]\nprint v(a)[0]\nprint time[k]\n"
                         "print v(a)[k]\nquit\n.endc\n.end\n");
  ASSERT_EQ(gridiron("tran ours.sp --engine cholmod --threads 1 --formats output --out out --quiet").code, 0);
  std::istringstream lines(slurp(folder_ / "out" / "ours.output"));
  std::vector<std::pair<double, double>> rows;
  for (std::string line; std::getline(lines, line);)
    if (double t = 0, v = 0; std::istringstream(line) >> t >> v) rows.emplace_back(t, v);
  ASSERT_EQ(rows.size(), 1501u);
  const Outcome theirs = shell("ngspice -b theirs.sp 2>&1");
  std::vector<double> numbers;
  const std::regex printed(R"(\] = (\S+))");
  for (std::sregex_iterator at(theirs.out.begin(), theirs.out.end(), printed), end; at != end; ++at)
    numbers.push_back(std::stod((*at)[1]));
  ASSERT_EQ(numbers.size(), 4u) << theirs.out;
  EXPECT_DOUBLE_EQ(rows.front().first, 2e-9);
  const double since = numbers[0] - rows.front().first;  // theirs is the first step at or after the start
  ASSERT_GE(since, 0);
  ASSERT_LE(since, 5e-12);
  const auto before = static_cast<size_t>(since / 2e-12);
  EXPECT_NEAR(std::lerp(rows[before].second, rows[before + 1].second, since / 2e-12 - static_cast<double>(before)),
              numbers[1], kMostVolts);
  EXPECT_NEAR(rows.back().first, numbers[2], 1e-14);
  EXPECT_NEAR(rows.back().second, numbers[3], kMostVolts);
}

}  // namespace
}  // namespace gridiron
