// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "netlist/circuit.hpp"
#include "tests/netlist/dialects/waves.hpp"

namespace gridiron::test {

/// A random deck in the grammar of a language, and what it means.
class RandomDeck {
 public:
  RandomDeck(const Language& language, unsigned seed) : language_(language), random_(seed) {}

  DeckPair make();

 private:
  // Of the whole deck.
  void parameters(Scope& scope, const std::string& stem, int most);
  void functions();
  void temperature();
  void subcircuits();
  Subcircuit& subcircuit(const std::string& name, bool may_call);
  void conditions(Scope& scope);
  void included(DeckPair& pair);
  void surroundings(DeckPair& pair);

  // Of a scope.
  void fill(Scope& scope, int elements, bool may_call);
  void resistor(Scope& scope, const std::string& a, const std::string& b);
  void storage(Scope& scope, Kind kind);
  void source(Scope& scope, Kind kind);
  void controlled(Scope& scope);
  void coupled(Scope& scope);
  void instance(Scope& scope);

  struct Settings {
    std::string text;
    std::function<long double(const Environment&)> copies, scale;  ///< M, and temperature
  };
  Settings settings(Scope& scope);
  struct Parts {
    std::string text;
    Spelled rser{}, rpar{}, cpar{};
  };
  Parts parts(Scope& scope, bool is_source);

  std::string any_node(Scope& scope);
  std::string new_node(Scope& scope);
  std::string card_name(Scope& scope, const std::string& letter);
  /// Adds a card of words, over several lines now and then.
  void line(Scope& scope, const std::vector<std::string>& words, const std::string& tail = "");
  std::string tail() { return random_.pick(language_.tails); }

  const Language& language_;
  Random random_;
  Expressions expressions_{language_, random_};
  Values values_{language_, random_, expressions_};
  std::map<std::string, std::string> files_;
  Waves waves_{language_, random_, values_, files_};
  Scope top_;
  std::vector<std::unique_ptr<Subcircuit>> subcircuits_;
  std::vector<std::string> first_lines_;
  std::string libraries_;
  int selected_ = 0;
  bool has_global_ = false;
  long double degrees_ = 27, nominal_ = 27;
  std::vector<std::string> resistances_, capacitances_, inductances_, voltages_, currents_;
};

}  // namespace gridiron::test
