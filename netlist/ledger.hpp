// SPDX-License-Identifier: Apache-2.0
#pragma once

// What was written and what became of it: every card of every file of a deck.

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace gridiron {

enum class Fate : std::uint8_t {
  used,      ///< it is part of the circuit, or decides how that is read
  harmless,  ///< it changes no result, by its nature
  skipped,   ///< it was left out, which a finding says
};
inline constexpr std::size_t kFates = 3;
constexpr const char* name_of(Fate fate) {
  return fate == Fate::used ? "used" : fate == Fate::harmless ? "harmless" : "skipped";
}

enum class CardKind : std::uint8_t {
  resistor,
  capacitor,
  inductor,
  voltage_source,
  current_source,
  instance,
  subcircuit,
  ends,
  param,
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
  other_section,
  outside_section,
  uncalled_section,
  after_end,
  not_understood,
};
inline constexpr std::size_t kCardKinds = static_cast<std::size_t>(CardKind::not_understood) + 1;

/// How the ledger calls a kind of card, and its fate. A kind that is missing here does not compile.
struct CardClass {
  std::string_view name;
  Fate fate;
};
constexpr CardClass class_of(CardKind kind) {
  switch (kind) {
    case CardKind::resistor:
      return {"R", Fate::used};
    case CardKind::capacitor:
      return {"C", Fate::used};
    case CardKind::inductor:
      return {"L", Fate::used};
    case CardKind::voltage_source:
      return {"V", Fate::used};
    case CardKind::current_source:
      return {"I", Fate::used};
    case CardKind::instance:
      return {"X", Fate::used};
    case CardKind::subcircuit:
      return {".subckt", Fate::used};
    case CardKind::ends:
      return {".ends", Fate::used};
    case CardKind::param:
      return {".param", Fate::used};
    case CardKind::global:
      return {".global", Fate::used};
    case CardKind::include:
      return {".include", Fate::used};
    case CardKind::lib:
      return {".lib", Fate::used};
    case CardKind::endl:
      return {".endl", Fate::used};
    case CardKind::model:
      return {".model", Fate::used};
    case CardKind::temp:
      return {".temp", Fate::used};
    case CardKind::option:
      return {".option", Fate::used};
    case CardKind::tran:
      return {".tran", Fate::used};
    case CardKind::print:
      return {".print", Fate::used};
    case CardKind::end:
      return {".end", Fate::used};
    case CardKind::title:
      return {"title", Fate::harmless};
    case CardKind::annotation:
      return {"comment with a meaning", Fate::used};
    case CardKind::other_section:
      return {"card of another section of the library", Fate::harmless};
    case CardKind::outside_section:
      return {"card outside of the sections of the library", Fate::skipped};
    case CardKind::uncalled_section:
      return {"card of a section that is not read", Fate::skipped};
    case CardKind::after_end:
      return {"line after .end", Fate::skipped};
    case CardKind::not_understood:
      return {"card that is not understood", Fate::skipped};
  }
  throw std::logic_error("a kind of card without a class");
}
static_assert([] {
  for (std::size_t kind = 0; kind < kCardKinds; ++kind)
    if (class_of(static_cast<CardKind>(kind)).name.empty()) return false;
  return true;
}());

struct Ledger {
  struct Row {
    std::string what;  ///< "R", ".option reltol"
    Fate fate;
    std::int64_t count;
  };
  struct File {
    std::string path;
    std::vector<Row> rows;
  };
  std::vector<File> files;  ///< one per text that was read: each FILE, each .include and each .lib, in this order

  /// Adds to the row of this name and fate.
  static void add(File& file, std::string_view what, Fate fate, std::int64_t count);

  std::int64_t count(Fate fate) const;
  std::int64_t cards() const { return count(Fate::used) + count(Fate::harmless) + count(Fate::skipped); }
};

}  // namespace gridiron
