// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "tests/analysis/exact/exact_solution.hpp"

namespace gridiron::test {

/// A ground and two power nets of two layers, with pads of all kinds, nodes on no layer, resistors to other nets, and
/// sources away from the nominal voltage. It knows of which part every resistor is.
class LayeredCircuit {
 public:
  explicit LayeredCircuit(unsigned seed) : random_(seed) {
    const Net power = add_net("1", "1.1", "1.05"), low = add_net("2", "0.75", "0.8"), ground = add_net("0", "0", "0");
    for (const Net& net : {power, low}) {
      for (const int node : net.loaded)
        if (chance(0.7)) add('i', node, chance(0.5) ? 0 : pick(ground.loaded), fmt::format("{}u", integer(1, 999)));
      if (chance(0.3)) add_resistor(pick(net.loaded), 0, "", fmt::format("{}k", integer(1, 20)));
    }
    if (chance(0.3)) add_resistor(pick(power.loaded), pick(low.loaded), "", fmt::format("{}k", integer(1, 20)));
    std::shuffle(cards_.begin(), cards_.end(), random_);
  }

  std::string deck() const {
    std::string text = "layers\n";
    int number = 0;
    for (const Tagged& of : cards_)
      text +=
          fmt::format("{}{} {} {} {}\n", of.card.kind, ++number, names_[of.card.a], names_[of.card.b], of.card.text);
    return text + ".end\n";
  }

  const std::vector<std::string>& names() const { return names_; }
  std::vector<Card> cards() const {
    std::vector<Card> cards;
    for (const Tagged& of : cards_) cards.push_back(of.card);
    return cards;
  }
  int node(const std::string& name) const { return static_cast<int>(std::ranges::find(names_, name) - names_.begin()); }

  bool is_held(int node) const {
    return node == 0 || std::ranges::any_of(cards_, [&](const Tagged& of) {
             return of.card.kind == 'v' && (of.card.a == node || of.card.b == node);
           });
  }

  struct Share {
    Rational volts;
    int64_t segments = 0;
  };
  /// By Kirchhoff's laws for voltages and for a unit current into the node.
  std::map<std::string, Share> shares(int node, int net, const Rational& nominal, Rational& drop) const {
    std::vector<Card> loaded, driven;
    for (const Tagged& of : cards_) {
      loaded.push_back(of.card);
      if (of.card.kind == 'i') continue;
      driven.push_back(of.card);
      if (of.card.kind == 'v') driven.back().value = 0;
    }
    driven.push_back({'i', 0, node, "1", 1});
    const int nodes = static_cast<int>(names_.size());
    const ExactSolution volts(nodes, loaded), ohms(nodes, driven);
    const bool is_ground = nominal == 0;
    drop = abs(*volts.voltage(node) - nominal);
    const bool is_up = *volts.voltage(node) > nominal;
    std::map<std::string, Share> shares;
    Rational rest = drop;
    for (const auto& [card, part, of_net] : cards_) {
      if (card.kind != 'r' || card.value == 0 || part.empty() || of_net != net) continue;
      if (is_held(card.a) && is_held(card.b)) continue;
      const Rational ohm = *ohms.voltage(card.a) - *ohms.voltage(card.b);
      Share& share = shares[part];
      const Rational part_v = ohm * (*volts.voltage(card.a) - *volts.voltage(card.b)) / card.value;
      share.volts += is_up ? part_v : Rational(-part_v);
      rest -= is_up ? part_v : Rational(-part_v);
      ++share.segments;
    }
    shares["sources"].volts = rest;
    EXPECT_TRUE(is_ground || !is_up || drop < 1);
    return shares;
  }

 private:
  struct Net {
    std::vector<int> loaded;
  };
  struct Tagged {
    Card card;
    std::string part;
    int net;
  };

  int integer(int low, int high) { return std::uniform_int_distribution(low, high)(random_); }
  bool chance(double p) { return std::uniform_real_distribution(0.0, 1.0)(random_) < p; }
  int pick(const std::vector<int>& of) { return of[static_cast<size_t>(integer(0, static_cast<int>(of.size()) - 1))]; }
  int add_node(const std::string& name) {
    names_.push_back(name);
    return static_cast<int>(names_.size()) - 1;
  }
  void add(char kind, int a, int b, const std::string& text, const std::string& part = "") {
    if (chance(0.5) && kind != 'v' && kind != 'i') std::swap(a, b);
    if (a != b) cards_.push_back({{kind, a, b, text, rational(text)}, part, net_});
  }
  void add_resistor(int a, int b, const std::string& part, const std::string& text = "") {
    add('r', a, b, text.empty() ? fmt::format("{}.{:02}", integer(0, 2), integer(1, 99)) : text, part);
  }

  Net add_net(const std::string& name, const std::string& volts, const std::string& other_volts) {
    net_ = static_cast<int>(name[0] - '0');
    std::vector<int> high, low;
    for (int k = integer(2, 4); k > 0; --k) high.push_back(add_node(fmt::format("n{}_m2_{}_0", name, high.size())));
    for (int k = integer(3, 6); k > 0; --k) low.push_back(add_node(fmt::format("n{}_m1_{}_0", name, low.size())));
    for (size_t k = 1; k < high.size(); ++k) add_resistor(high[k - 1], high[k], "m2");
    for (size_t k = 1; k < low.size(); ++k) add_resistor(low[k - 1], low[k], "m1");
    for (const int node : low)
      if (node == low.front() || chance(0.6)) add_resistor(node, pick(high), "m1-m2");
    if (chance(0.2)) add('r', low[1], low[2], "0");
    Net net{low};
    if (chance(0.5)) {
      net.loaded.push_back(add_node("u" + name));
      add_resistor(net.loaded.back(), pick(low), "m1-?");
      if (chance(0.5)) {
        net.loaded.push_back(add_node("w" + name));
        add_resistor(net.loaded.back(), *(net.loaded.end() - 2), "?");
      }
    }
    for (int k = integer(1, 3); k > 0; --k) add_pads(name, pick(high), chance(0.8) ? volts : other_volts);
    return net;
  }

  void add_pads(const std::string& name, int at, const std::string& volts) {
    const double kind = std::uniform_real_distribution(0.0, 1.0)(random_);
    const std::string number = fmt::format("{}_{}", name, cards_.size());
    if (kind < 0.2 && !is_held(at)) return add('v', at, 0, volts);
    if (kind < 0.4 && name == "0") return add_resistor(at, 0, "pads");
    const int source = add_node("p" + number);
    add('v', source, 0, volts);
    if (kind < 0.7) return add_resistor(source, at, "pads");
    const int board = add_node("b" + number);
    add_resistor(source, board, "package");
    for (int k = integer(1, 2); k > 0; --k) {
      const int bump = add_node(fmt::format("c{}_{}", number, k));
      if (chance(0.5))
        add('l', board, bump, "1n");
      else
        add_resistor(board, bump, "package");
      add_resistor(bump, at, "pads");
    }
  }

  std::mt19937 random_;
  int net_ = 0;
  std::vector<std::string> names_ = {"0"};
  std::vector<Tagged> cards_;
};

}  // namespace gridiron::test
