// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "tests/analysis/exact/rational.hpp"

namespace gridiron::test {

/// A two-terminal element of a deck with its value as typed.
struct Card {
  char kind;  ///< r, l, v or i
  int a, b;   ///< nodes; 0 is ground
  std::string text;
  Rational value;
};

/// A small circuit out of everything that goes wrong in large ones: islands, floating sources, ties in series and in
/// parallel, resistances up to 24 and loads up to 18 orders of magnitude apart, loads that cancel, several supplies.
class RandomCircuit {
 public:
  explicit RandomCircuit(uint64_t seed) : random_(seed) {
    const int parts = chance(0.6) ? 1 : integer(2, 3), most = 60 / parts;
    ohm_decades_ = pick<double>({0, 1, 3, 6, 12});
    load_decades_ = pick<double>({0, 1, 3, 9});
    supply_ = pick<std::string>({"1.8", "1.1", "0.75", "3.3"});
    for (int part = 0; part < parts; ++part) add_part(integer(1, most));
    for (int k = parts - 1; k > 0; --k)
      if (chance(0.4)) add('v', any_node(), any_node(), pick<std::string>({"0.2", "1.8", "50m", "0"}));
    for (int k = integer(0, 2); k > 0; --k) repeat_a_tie();
    for (int k = integer(0, 1) * integer(1, 4); k > 0; --k) add_cancelling_loads();
    if (cards_.empty()) add('v', 1, 0, supply_);
    std::shuffle(cards_.begin(), cards_.end(), random_);
  }

  int nodes() const { return nodes_; }  ///< ground included
  const std::vector<Card>& cards() const { return cards_; }
  double supply() const { return std::stod(supply_); }  ///< V, of most pads

  /// IBM's style, on a lattice: engines that need coordinates find them.
  static std::string name(int node) {
    return node == 0 ? "0" : fmt::format("n1_{}_{}", 1000 * (node % 8), 1000 * (node / 8));
  }

  std::string deck() const {
    std::string text = "a random circuit\n";
    int number = 0;
    for (const Card& card : cards_)
      text += fmt::format("{}{} {} {} {}\n", card.kind, ++number, name(card.a), name(card.b), card.text);
    return text + ".end\n";
  }

 private:
  double uniform(double low, double high) { return std::uniform_real_distribution(low, high)(random_); }
  int integer(int low, int high) { return std::uniform_int_distribution(low, high)(random_); }
  bool chance(double p) { return uniform(0, 1) < p; }
  template <class T>
  T pick(const std::vector<T>& of) {
    return of[static_cast<size_t>(integer(0, static_cast<int>(of.size()) - 1))];
  }
  int any_node() { return integer(1, nodes_ - 1); }

  void add(char kind, int a, int b, const std::string& text) {
    if (a != b) cards_.push_back({kind, a, b, text, rational(text)});
  }

  /// Three digits of 10^±decades, with an exponent or a scale factor.
  std::string number(double decades) {
    const double value = std::pow(10, uniform(-decades, decades));
    const int exponent = static_cast<int>(std::floor(std::log10(value)));
    const std::string digits = fmt::format("{}.{:02}", integer(1, 9), integer(0, 99));
    if (exponent == 3 && chance(0.5)) return digits + "k";
    if (exponent == -3 && chance(0.5)) return digits + "m";
    if (exponent == -6 && chance(0.5)) return digits + "u";
    return exponent == 0 ? digits : fmt::format("{}e{}", digits, exponent);
  }

  void add_branch(int a, int b) {
    const double kind = uniform(0, 1);
    if (kind < 0.05)
      add('r', a, b, "0");
    else if (kind < 0.08)
      add('l', a, b, "1n");
    else if (kind < 0.1)
      add('v', a, b, pick<std::string>({"0", "0.1", "-20m"}));
    else
      add('r', a, b, number(ohm_decades_));
  }

  /// Nodes that hang together, as a lattice or as they come, with pads and loads, or without.
  void add_part(int size) {
    const int first = nodes_;
    nodes_ += size;
    const bool is_lattice = chance(0.5);
    for (int node = first + 1; node < nodes_; ++node)
      add_branch(node, is_lattice ? std::max(first, node - (chance(0.5) ? 1 : 8)) : integer(first, node - 1));
    for (int k = integer(0, size); k > 0; --k) {
      const int node = integer(first, nodes_ - 1);
      const int other = is_lattice ? std::min(nodes_ - 1, node + (chance(0.5) ? 1 : 8)) : integer(first, nodes_ - 1);
      if (node != other) add('r', node, other, number(ohm_decades_));
    }
    const bool is_island = chance(0.08);
    if (!is_island) add_pads(first);
    if (is_island && chance(0.6)) return;
    for (int k = integer(0, size); k > 0; --k) {
      const std::string sign = chance(0.15) ? "-" : "";
      add('i', integer(first, nodes_ - 1), chance(0.8) ? 0 : integer(0, nodes_ - 1), sign + number(load_decades_));
    }
  }

  void add_pads(int first) {
    for (int k = integer(1, 3); k > 0; --k) {
      const int node = integer(first, nodes_ - 1);
      const std::string volts = chance(0.85) ? supply_ : pick<std::string>({"1.75", "1.2", "-0.3"});
      const double kind = uniform(0, 1);
      if (kind < 0.1) {
        add('r', node, 0, number(ohm_decades_));
      } else if (kind < 0.5 && !has_source_to_ground(node)) {
        add('v', node, 0, volts);
      } else {
        add('v', nodes_, 0, volts);
        add('r', nodes_++, node, number(ohm_decades_));
      }
    }
  }

  bool has_source_to_ground(int node) const {
    return std::any_of(cards_.begin(), cards_.end(),
                       [&](const Card& c) { return c.kind == 'v' && c.a == node && c.b == 0; });
  }

  /// A second source in parallel: the same, within what is accepted, or, now and then, another one.
  void repeat_a_tie() {
    std::vector<Card> sources;
    std::copy_if(cards_.begin(), cards_.end(), std::back_inserter(sources),
                 [](const Card& c) { return c.kind == 'v' && c.text.front() != '-'; });
    if (sources.empty()) return;
    const Card of = pick(sources);
    if (chance(0.05))
      add('v', of.a, of.b, "2.5");
    else if (chance(0.2) && of.text == supply_)
      add('v', of.a, of.b, of.text + (supply_.size() == 3 ? "00000000" : "0000000") + "3");
    else
      add('v', of.a, of.b, of.text);
  }

  void add_cancelling_loads() {
    const int node = any_node();
    const std::string large = number(load_decades_);
    add('i', node, 0, large);
    add('i', 0, chance(0.7) ? node : any_node(), large);
    if (chance(0.5)) add('i', node, 0, number(load_decades_));
  }

  std::mt19937_64 random_;
  int nodes_ = 1;
  double ohm_decades_ = 0, load_decades_ = 0;
  std::string supply_;
  std::vector<Card> cards_;
};

}  // namespace gridiron::test
