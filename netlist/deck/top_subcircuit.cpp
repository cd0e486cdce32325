// SPDX-License-Identifier: Apache-2.0
#include "netlist/deck/top_subcircuit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "netlist/names/lower_case.hpp"
#include "support/error_text.hpp"
#include "support/lists.hpp"
#include "support/plural.hpp"

namespace gridiron {
namespace {

/// A card that instantiates `wanted` in a scope or what it defines; null if there is none.
const Use* find_use(const Scope& scope, const Scope& wanted) {
  for (const Use& use : scope.uses)
    if (scope.find(lower(use.card.words.back())) == &wanted) return &use;
  for (const auto& [name, inner] : scope.definitions)
    if (const Use* const use = find_use(*inner, wanted)) return use;
  return nullptr;
}

bool has_cards(const Scope& scope) { return !scope.pieces.empty() || !scope.uses.empty(); }

/// Those that nothing instantiates, in the order of the deck.
std::vector<const Scope*> unused_subcircuits(const Deck& deck) {
  std::vector<const Scope*> unused;
  for (const auto& [name, scope] : deck.top.definitions)
    if (has_cards(*scope) && !find_use(deck.top, *scope)) unused.push_back(scope.get());
  std::ranges::sort(unused, {}, [](const Scope* s) { return std::pair(s->opened.file, s->opened.offset); });
  return unused;
}

std::string names_of(const std::vector<const Scope*>& scopes) {
  constexpr size_t kMost = 5;
  std::vector<std::string> names;
  for (const Scope* s : scopes)
    if (names.size() < kMost) names.push_back(s->name);
  return fmt::format("{}{}", fmt::join(names, ", "), scopes.size() > kMost ? ", …" : "");
}

int64_t elements_of(const Scope& scope) {
  int64_t count = std::ssize(scope.uses);
  for (const Piece& piece : scope.pieces)
    for (const Kind k : kEveryKind) count += piece.end[k] - piece.begin[k];
  return count;
}

void require_no_clash(const Deck& deck, const Scope& top) {
  const auto fail = [&](const char* what, const std::string& name) {
    deck.files[top.opened.file].fail(
        top.opened.offset, fmt::format("{} {}: the deck has another {} '{}' outside of this subcircuit; rename one",
                                       field("top"), top.name, what, name));
  };
  for (const auto& [name, definition] : top.definitions)
    if (deck.top.definitions.contains(name)) fail("subcircuit", name);
  for (const auto& [name, model] : top.models)
    if (deck.top.models.contains(name)) fail("model", name);
  for (const auto& [name, index] : top.defined)
    if (deck.top.defined.contains(name)) fail("parameter", name);
}

}  // namespace

void take_as_top(Deck& deck, const std::string& name) {
  const auto found = deck.top.definitions.find(lower(name));
  if (found == deck.top.definitions.end()) {
    const std::vector<const Scope*> unused = unused_subcircuits(deck);
    throw field_error("top", "{}: the deck has no .subckt of that name outside of others; {}", name,
                      unused.empty() ? "no subcircuit of it needs one"
                                     : fmt::format("it has {} without an X card", names_of(unused)));
  }
  if (const Use* const use = find_use(deck.top, *found->second))
    deck.files[use->file].fail(use->offset, fmt::format("this card instantiates {}; leave out {} {}",
                                                        use->card.words.back(), field("top"), name));
  const std::unique_ptr<Scope> top = std::move(deck.top.definitions.extract(found).mapped());
  require_no_clash(deck, *top);
  if (const int64_t outside = elements_of(deck.top); outside > 0)
    deck.findings.push_back({false, "outside-of-top",
                             fmt::format("{} outside of .subckt {} {} part of the circuit, too; a node of one name is "
                                         "one node",
                                         counted(outside, "card"), top->name, outside == 1 ? "is" : "are"),
                             deck.files[top->opened.file].text->describe(top->opened.offset)});
  append(deck.top.pieces, std::move(top->pieces));
  append(deck.top.uses, std::move(top->uses));
  for (const auto& parameter : top->parameters) {
    deck.top.defined[lower(parameter.first.name)] = deck.top.parameters.size();
    deck.top.parameters.push_back(parameter);
  }
  for (auto& [key, definition] : top->definitions) definition->outer = &deck.top;
  deck.top.definitions.merge(top->definitions);
  deck.top.models.merge(top->models);
  deck.top.ports = std::move(top->ports);
}

void refuse_empty(const Deck& deck, const std::string& path) {
  const std::vector<const Scope*> unused = unused_subcircuits(deck);
  if (unused.empty()) throw input_error("{}: no elements in this netlist; is it the right file?", path);
  const Scope& first = *unused.front();
  throw input_error(
      "{}: all elements are in .subckt {}, which no X card instantiates; give {} {}, or add a card such as "
      "'x1 {} {}'",
      path, names_of(unused), field("top"), first.name, fmt::join(first.ports, " "), first.name);
}

}  // namespace gridiron
