// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tests/netlist/dialects/expressions.hpp"

namespace gridiron::test {

/// A deck as a dialect writes it, with the files that it reads, and the same circuit in plain cards, which hold
/// numbers alone and lie at the top level. Plain cards are called after what they stand for: the resistor of `x1.v1` is
/// `r:x1.v1`, and a second one of that name `r:x1.v1#2`.
struct DeckPair {
  std::string written, plain;
  std::map<std::string, std::string> files;
  bool is_unmistakable = false;  ///< the dialect need not be given
};

/// Where cards become part of the circuit: the top level, or an instance of a subcircuit.
struct Place {
  std::string path;                          ///< "x1.x2."
  Environment values;                        ///< of parameters
  std::map<std::string, std::string> ports;  ///< and the nodes that they are tied to
  long double copies = 1;                    ///< M of the instances around

  std::string node(const std::string& name) const {
    if (name == "0" || name == "gnd") return "0";
    if (name.starts_with("glob")) return name;
    const auto port = ports.find(name);
    return port != ports.end() ? port->second : path + name;
  }
};

/// Plain cards.
class Plain {
 public:
  std::string text;

  static std::string number(long double v) { return fmt::format("{:.17g}", static_cast<double>(v)); }
  /// `letter` tells the kind of element, `name` the card that it comes from.
  std::string name(char letter, const std::string& path, const std::string& card) {
    const std::string key = fmt::format("{}:{}{}", letter, path, card);
    const int before = uses_[key]++;
    return before == 0 ? key : fmt::format("{}#{}", key, before + 1);
  }
  void card(char letter, const Place& at, const std::string& card, const std::string& a, const std::string& b,
            const std::string& rest) {
    text += fmt::format("{} {} {} {}\n", name(letter, at.path, card), a, b, rest);
  }

 private:
  std::map<std::string, int> uses_;
};

/// A value as a card spells it, and what it is.
struct Spelled {
  std::string text;
  std::function<long double(const Environment&)> value;
};

using Emit = std::function<void(const Place&, Plain&)>;

struct Subcircuit;

/// The cards of the top level or of a subcircuit.
struct Scope {
  std::vector<std::string> lines;
  std::vector<Emit> cards;
  std::vector<std::string> nodes;
  std::vector<Named> names;  ///< parameters that its expressions may use
  std::vector<std::pair<std::string, std::function<long double(const Environment&)>>> definitions;
  int count = 0;

  void define(Environment& values) const {
    for (const auto& [name, value] : definitions) values[name] = value(values);
  }
};

struct Subcircuit {
  std::string name;
  std::vector<std::string> ports;
  Scope body;
  std::vector<Named> parameters;  ///< that instances may set
  std::vector<Spelled> defaults;
};

/// The cards of an instance.
inline void emit_instance(const Subcircuit& of, const Place& inside, Plain& out) {
  Place at = inside;
  of.body.define(at.values);
  for (const Emit& card : of.body.cards) card(at, out);
}

}  // namespace gridiron::test
