// SPDX-License-Identifier: Apache-2.0
#include "netlist/deck/top_subcircuit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "netlist/deck/conditions.hpp"
#include "netlist/deck/run_values.hpp"
#include "netlist/names/lower_case.hpp"
#include "netlist/values/parameters.hpp"
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

bool has_cards(const Scope& scope) {
  return !scope.pieces.empty() || !scope.uses.empty() || !scope.controlled.empty() || !scope.couplings.empty();
}

void find_used(const Scope& scope, std::set<const Scope*>& used) {
  for (const Use& use : scope.uses) used.insert(scope.find(lower(use.card.words.back())));
  for (const auto& [name, inner] : scope.definitions) find_used(*inner, used);
}

/// Those that nothing instantiates, in the order of the deck.
std::vector<const Scope*> unused_subcircuits(const Deck& deck) {
  std::set<const Scope*> used;
  find_used(deck.top, used);
  std::vector<const Scope*> unused;
  for (const auto& [name, scope] : deck.top.definitions)
    if (has_cards(*scope) && !used.contains(scope.get())) unused.push_back(scope.get());
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
  int64_t count = std::ssize(scope.uses) + std::ssize(scope.controlled) + std::ssize(scope.couplings);
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
  for (const BranchParameter& parameter : top.branch_parameters)
    if (const std::string name = lower(parameter.assignment.name); deck.top.defined.contains(name))
      fail("parameter", name);
  for (const auto& [name, function] : top.functions)
    if (deck.top.functions.contains(name)) fail("function", name);
}

/// Takes the branches that apply, as one instance of the subcircuit would, so that nothing of it is up to instances
/// any more.
void decide_branches(Deck& deck, Scope& top) {
  if (top.branches.empty()) return;
  ReadingsOfFiles readings;  // told where the parameters are used otherwise
  Parameters predefined(deck.files, deck.dialect, deck.language, readings);
  Parameters outer(predefined, &deck.top), parameters(outer, &top);
  const auto define = [](Parameters& of, const Scope& scope) {
    for (const auto& [assignment, where] : scope.parameters) of.define(assignment, where);
  };
  define(outer, deck.top);
  define(parameters, top);
  predefined.set(kTemper, evaluate_temperatures(deck, outer).circuit);
  const std::vector<char> taken = take_branches(top, {}, parameters, deck.files);
  top.is_instantiated = true;
  enter_untaken_branches(top, deck);
  for (const BranchParameter& parameter : top.branch_parameters)
    if (taken[parameter.branch]) top.parameters.emplace_back(parameter.assignment, parameter.where);
  const auto keep_taken = [&taken](auto& cards) {
    std::erase_if(cards, [&taken](const auto& card) { return card.branch >= 0 && !taken[card.branch]; });
    for (auto& card : cards) card.branch = -1;
  };
  keep_taken(top.pieces);
  keep_taken(top.uses);
  top.branches.clear();
  top.branch_parameters.clear();
  top.branch_names.clear();
}

/// Moves all that `from` holds to the top level. Its names are known not to clash.
void move_contents(Scope& from, Scope& top) {
  // A binding for each member: whoever adds one to Scope has to say here what becomes of it.
  auto& [name, outer, opened, bytes, depth, ports, parameters, defined, branches, branch_parameters, branch_names,
         is_instantiated, pieces, uses, controlled, couplings, definitions, models, functions] = from;
  append(top.pieces, std::move(pieces));
  append(top.uses, std::move(uses));
  append(top.controlled, std::move(controlled));
  append(top.couplings, std::move(couplings));
  for (auto& parameter : parameters) {
    top.defined[lower(parameter.first.name)] = top.parameters.size();
    top.parameters.push_back(std::move(parameter));
  }
  for (auto& [key, definition] : definitions) definition->outer = &top;
  top.definitions.merge(definitions);
  top.models.merge(models);
  top.functions.merge(functions);
  top.ports = std::move(ports);
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
  decide_branches(deck, *top);
  move_contents(*top, deck.top);
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
