// SPDX-License-Identifier: Apache-2.0
#pragma once

// What was written and what became of it: every card of every file of a deck.

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace gridiron {

enum class Fate : uint8_t {
  used,      ///< it is part of the circuit, or decides how that is read
  harmless,  ///< it changes no result, by its nature
  skipped,   ///< it was left out, which a finding says
};
inline constexpr size_t kFates = 3;
constexpr const char* name_of(Fate fate) {
  return fate == Fate::used ? "used" : fate == Fate::harmless ? "harmless" : "skipped";
}

enum class CardKind : uint8_t {
  resistor,
  capacitor,
  inductor,
  voltage_source,
  current_source,
  voltage_controlled_voltage,
  current_controlled_current,
  voltage_controlled_current,
  current_controlled_voltage,
  coupling,
  instance,
  subcircuit,
  ends,
  param,
  function,
  condition,
  global,
  include,
  lib,
  endl,
  model,
  temp,
  option,
  tran,
  print,
  end,
  title,
  annotation,
  other_branch,
  other_section,
  outside_section,
  uncalled_section,
  after_end,
  not_understood,
};
inline constexpr size_t kCardKinds = static_cast<size_t>(CardKind::not_understood) + 1;

/// How the ledger calls a kind of card, and its fate. A kind that is missing here does not compile.
struct CardClass {
  std::string_view name;
  Fate fate;
};
constexpr CardClass class_of(CardKind kind) {
  using enum CardKind;
  using enum Fate;
  switch (kind) {
    case resistor:
      return {"R", used};
    case capacitor:
      return {"C", used};
    case inductor:
      return {"L", used};
    case voltage_source:
      return {"V", used};
    case current_source:
      return {"I", used};
    case voltage_controlled_voltage:
      return {"E", used};
    case current_controlled_current:
      return {"F", used};
    case voltage_controlled_current:
      return {"G", used};
    case current_controlled_voltage:
      return {"H", used};
    case coupling:
      return {"K", used};
    case instance:
      return {"X", used};
    case subcircuit:
      return {".subckt", used};
    case ends:
      return {".ends", used};
    case param:
      return {".param", used};
    case function:
      return {".func", used};
    case condition:
      return {".if", used};
    case global:
      return {".global", used};
    case include:
      return {".include", used};
    case lib:
      return {".lib", used};
    case endl:
      return {".endl", used};
    case model:
      return {".model", used};
    case temp:
      return {".temp", used};
    case option:
      return {".option", used};
    case tran:
      return {".tran", used};
    case print:
      return {".print", used};
    case end:
      return {".end", used};
    case title:
      return {"title", harmless};
    case annotation:
      return {"comment with a meaning", used};
    case other_branch:
      return {"card of a branch that is not taken", harmless};
    case other_section:
      return {"card of another section of the library", harmless};
    case outside_section:
      return {"card outside of the sections of the library", skipped};
    case uncalled_section:
      return {"card of a section that is not read", skipped};
    case after_end:
      return {"line after .end", skipped};
    case not_understood:
      return {"card that is not understood", skipped};
  }
  throw std::logic_error("a kind of card without a class");
}
static_assert([] {
  for (size_t kind = 0; kind < kCardKinds; ++kind)
    if (class_of(static_cast<CardKind>(kind)).name.empty()) return false;
  return true;
}());

struct Ledger {
  struct Row {
    std::string what;  ///< "R", ".option reltol"
    Fate fate;
    int64_t count;
  };
  struct File {
    std::string path;
    std::vector<Row> rows;
    std::unordered_map<std::string, size_t> places = {};  ///< of rows, by fate and name, once these are many
  };
  std::vector<File> files;  ///< one per text that was read: each FILE, each .include and each .lib, in this order

  /// Adds to the row of this name and fate.
  static void add(File& file, std::string_view what, Fate fate, int64_t count);

  int64_t count(Fate fate) const;
  int64_t cards() const { return count(Fate::used) + count(Fate::harmless) + count(Fate::skipped); }
};

}  // namespace gridiron
