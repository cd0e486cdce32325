// SPDX-License-Identifier: Apache-2.0
#include "netlist/deck/dialect_guess.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "support/error.hpp"

namespace gridiron {
namespace {

struct Sign {
  Dialect dialect;
  Origin where;
};

bool is_of_layout(Dialect dialect) { return dialect == Dialect::cdl || dialect == Dialect::dspf; }

std::vector<Sign> signs_of(const Deck& deck) {
  std::vector<Sign> signs;
  for (size_t f = 0; f < deck.files.size(); ++f)
    for (const ParsedChunk& chunk : deck.files[f].chunks) {
      for (const DialectSign& sign : chunk.signs) signs.push_back({sign.dialect, {f, sign.offset}});
      for (const DirectiveCards& cards : chunk.directives)
        if (cards.directive->dialect != Dialect::automatic)
          signs.push_back({cards.directive->dialect, {f, cards.offset}});
    }
  std::ranges::stable_sort(signs, {}, [](const Sign& s) {
    return std::tuple(is_of_layout(s.dialect), static_cast<uint64_t>(s.where.file),
                      static_cast<uint64_t>(s.where.offset));
  });
  return signs;
}

}  // namespace

Dialect dialect_of_word(ast::Text word) {
  for (const std::string_view comment : {"*|dspf", "*|net", "*|ground_net", "*|groundnet"})
    if (same_name(word, comment)) return Dialect::dspf;
  return Dialect::automatic;
}

Dialect guess_so_far(const Deck& deck) {
  const std::vector<Sign> signs = signs_of(deck);
  return signs.empty() ? Dialect::automatic : signs.front().dialect;
}

Dialect guess_dialect(Deck& deck) {
  const std::vector<Sign> signs = signs_of(deck);
  if (signs.empty()) return Dialect::automatic;
  const Sign& first = signs.front();
  const auto place = [&](const Sign& sign) {
    return deck.files[sign.where.file].text->describe(static_cast<uint64_t>(sign.where.offset));
  };
  const auto other = std::ranges::find_if(signs, [&](const Sign& s) {
    return s.dialect != first.dialect && (is_of_layout(first.dialect) || !is_of_layout(s.dialect));
  });
  const std::string contradiction =
      other == signs.end() ? "" : fmt::format(", though {} has one of {}", place(*other), name_of(other->dialect));
  deck.findings.push_back({other != signs.end(), "dialect",
                           fmt::format("the deck is taken for one of {}, which alone has such a card{}; {} says which "
                                       "one is meant, also for the suffixes of numbers",
                                       name_of(first.dialect), contradiction, field("dialect")),
                           place(first)});
  return first.dialect;
}

}  // namespace gridiron
