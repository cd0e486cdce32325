// SPDX-License-Identifier: Apache-2.0
#include "netlist/deck/conditions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "netlist/deck/deck_ledger.hpp"
#include "netlist/deck/run_values.hpp"
#include "netlist/names/lower_case.hpp"
#include "support/error.hpp"

namespace gridiron {
namespace {

double value_of(ast::Text condition, Origin where, const std::vector<File>& files, Parameters& parameters) {
  const File& file = files[where.file];
  if (condition.empty()) file.fail(where.offset, "expected a condition, such as (x == 1)");
  return parameters.evaluate({0, condition, {}}, Quantity::anything, file, where.offset);
}

std::string_view name_of(ConditionCard::Kind kind) {
  return kind == ConditionCard::kIf       ? ".if"
         : kind == ConditionCard::kElseif ? ".elseif"
         : kind == ConditionCard::kElse   ? ".else"
                                          : ".endif";
}

}  // namespace

bool TopConditions::holds(ast::Text condition, Origin where) {
  if (taken_ != deck_.top.parameters.size() || known_functions_ != deck_.top.functions.size()) {
    known_.clear();
    known_functions_ = deck_.top.functions.size();
    take_parameters();
  }
  if (const double* const known = known_.find(condition, Quantity::anything)) return *known != 0;
  const bool knows_temperature = predefined_.was_looked_up(kTemper);
  if (!knows_temperature) predefined_.set(kTemper, temperature_ = foreseen_temperature());
  try {
    const double value = value_of(condition, where, deck_.files, parameters_);
    if (!knows_temperature) takes_temperature_ = where;
    known_.keep(condition, Quantity::anything, value);
    return value != 0;
  } catch (const InputError& e) {
    throw InputError(fmt::format("{}; a condition outside of subcircuits takes what is defined above it", e.what()));
  }
}

void TopConditions::take_parameters() {
  const auto& all = deck_.top.parameters;
  for (; taken_ < all.size(); ++taken_) {
    const auto& [assignment, where] = all[taken_];
    const File& file = deck_.files[where.file];
    const auto value = [&, name = assignment.name, place = where.offset] {
      return parameters_.evaluate({0, name, {}}, Quantity::anything, file, place);
    };
    if (!parameters_.is_settled(assignment.name)) {
      parameters_.define(assignment, where);
      continue;
    }
    const double before = value();
    parameters_.define(assignment, where);
    if (value() != before)
      file.fail(assignment.name, where.offset,
                fmt::format("parameter '{}' gets another value after a condition has used it; define it once",
                            assignment.name));
  }
}

void TopConditions::look_for_temperatures() {
  const auto has_any = [](const ParsedChunk& chunk) {
    return std::ranges::any_of(
        chunk.marks, [](const StructureMark& mark) { return std::holds_alternative<TemperatureCard>(mark.card); });
  };
  for (; files_looked_at_ < deck_.files.size(); ++files_looked_at_) {
    if (std::ranges::none_of(deck_.files[files_looked_at_].chunks, has_any)) continue;
    Cards outside = temperatures_;
    int depth = 0;
    for (const ParsedChunk& chunk : deck_.files[files_looked_at_].chunks) {
      auto condition = chunk.conditions.begin();
      const auto pass_conditions = [&](uint64_t up_to) {
        for (; condition != chunk.conditions.end() && condition->offset < up_to; ++condition) {
          const ConditionCard::Kind kind = condition->card.kind;
          depth += kind == ConditionCard::kIf ? 1 : kind == ConditionCard::kEndif ? -1 : 0;
        }
      };
      for (const StructureMark& mark : chunk.marks) {
        pass_conditions(mark.offset);
        if (const auto* lib = std::get_if<ast::Include>(&mark.card); lib && lib->file.empty()) {
          outside = temperatures_;
        } else if (std::holds_alternative<LibSectionEnd>(mark.card)) {
          temperatures_ = outside;
        } else if (const auto* card = std::get_if<TemperatureCard>(&mark.card); card && depth == 0) {
          temperatures_[card->which] = {card->value, {files_looked_at_, mark.offset}};
        }
      }
      pass_conditions(UINT64_MAX);
    }
  }
}

double TopConditions::foreseen_temperature() {
  look_for_temperatures();
  for (const auto which : {TemperatureCard::kTemp, TemperatureCard::kOptionTemp}) {
    const Card& card = temperatures_[which] ? temperatures_[which] : deck_.temperatures[which];
    if (!card) continue;
    Parameters trial(predefined_, &deck_.top);  // what this settles, a later card may still define again
    for (const auto& [assignment, where] : deck_.top.parameters) trial.define(assignment, where);
    try {
      const auto& [value, where] = *card;
      return trial.evaluate(value, Quantity::temperature, deck_.files[where.file], where.offset);
    } catch (const InputError&) {
      break;  // require_temperature() looks whether it matters
    }
  }
  return language_ == Dialect::hspice ? 25 : Temperatures().circuit;
}

void TopConditions::require_temperature() {
  if (!predefined_.was_looked_up(kTemper)) return;
  const double celsius = evaluate_temperatures(deck_, parameters_).circuit;
  if (celsius != temperature_)
    deck_.files[takes_temperature_.file].fail(
        static_cast<uint64_t>(takes_temperature_.offset),
        fmt::format("this condition takes temper as {} °C, but the deck has {} °C in the end; write .temp before it, "
                    "outside of .if blocks",
                    temperature_, celsius));
}

void OpenBlocks::read(const ConditionCard& card, Origin where, const File& file, Scope& scope,
                      TopConditions& conditions, int32_t& branch) {
  if (card.kind == ConditionCard::kIf) {
    blocks_.push_back({where.offset, &scope, are_live(), branch});
    return begin_branch(blocks_.back(), card, where, scope, conditions, branch);
  }
  if (card.kind == ConditionCard::kMisspelt) {
    if (blocks_.empty() || blocks_.back().is_live)
      file.fail(where.offset, "unknown card; those of .if blocks are .elseif (condition), .else and .endif");
    return;
  }
  if (blocks_.empty()) file.fail(where.offset, fmt::format("{} without .if before it; remove it", name_of(card.kind)));
  Block& block = blocks_.back();
  if (block.scope != &scope)
    file.fail(where.offset,
              fmt::format("{} while .subckt {} is open; end that one first", name_of(card.kind), scope.name));
  if (card.kind != ConditionCard::kElseif && !card.condition.empty() && block.is_live)
    file.fail(
        card.condition, where.offset,
        fmt::format("{} takes nothing behind it{}; remove it, or begin a comment by ';'", name_of(card.kind),
                    card.kind == ConditionCard::kElse ? ", and a further condition is '.elseif (condition)'" : ""));
  if (card.kind == ConditionCard::kEndif) {
    branch = block.outer;
    blocks_.pop_back();
    return;
  }
  if (block.has_else) file.fail(where.offset, fmt::format("{} after .else; remove one", name_of(card.kind)));
  begin_branch(block, card, where, scope, conditions, branch);
}

void OpenBlocks::begin_branch(Block& block, const ConditionCard& card, Origin where, Scope& scope,
                              TopConditions& conditions, int32_t& branch) {
  block.has_else = card.kind == ConditionCard::kElse;
  if (!block.is_live) return;
  if (scope.outer) {
    const bool is_always = block.has_else;
    scope.branches.push_back({block.outer, block.branch, is_always, card.condition, where, {}});
    branch = block.branch = static_cast<int32_t>(scope.branches.size()) - 1;
    block.is_taken = true;
    return;
  }
  block.is_taken = !block.was_taken && (block.has_else || conditions.holds(card.condition, where));
  block.was_taken |= block.is_taken;
}

void OpenBlocks::require_closed(const File& file, const Scope* scope) const {
  if (blocks_.empty() || (scope && blocks_.back().scope != scope)) return;
  file.fail(blocks_.back().offset, fmt::format(".if has no .endif{}; add it",
                                               scope ? fmt::format(" before the end of .subckt {}", scope->name) : ""));
}

std::vector<char> take_branches(const Scope& definition, const Use& use, Parameters& parameters,
                                const std::vector<File>& files) {
  const std::vector<Branch>& branches = definition.branches;
  std::vector<char> is_taken(branches.size()), block_is_taken(branches.size());
  std::set<std::string> given;
  if (!branches.empty())
    for (const ast::Assignment& a : use.card.parameters) given.insert(lower(a.name));
  auto next = definition.branch_parameters.begin();
  for (size_t b = 0; b < branches.size(); ++b) {
    const Branch& branch = branches[b];
    const bool is_open =
        (branch.outer < 0 || is_taken[branch.outer]) && !(branch.previous >= 0 && block_is_taken[branch.previous]);
    is_taken[b] = is_open && (branch.is_else || value_of(branch.condition, branch.where, files, parameters) != 0);
    block_is_taken[b] = is_taken[b] || (branch.previous >= 0 && block_is_taken[branch.previous]);
    if (!is_taken[b]) continue;
    branch.is_taken = true;
    if (!branch.fault.empty()) files[branch.fault_file].fail(branch.fault_at, branch.fault);
    for (next = std::ranges::lower_bound(definition.branch_parameters, static_cast<int32_t>(b), {},
                                         &BranchParameter::branch);
         next != definition.branch_parameters.end() && next->branch == static_cast<int32_t>(b); ++next) {
      const auto& [_, assignment, where] = *next;
      if (given.contains(lower(assignment.name))) continue;
      if (parameters.is_settled(assignment.name))
        files[where.file].fail(
            assignment.name, where.offset,
            fmt::format("parameter '{}' is defined after a condition has used it; define it before", assignment.name));
      parameters.define(assignment, where);
    }
  }
  return is_taken;
}

void add_to_branch(BranchParameter parameter, Scope& scope) {
  std::vector<BranchParameter>& all = scope.branch_parameters;
  scope.branch_names.insert(lower(parameter.assignment.name));
  all.insert(std::ranges::upper_bound(all, parameter.branch, {}, &BranchParameter::branch), parameter);
}

bool fits_branch(const StructureCard& card) {
  return std::holds_alternative<ast::Instance>(card) || std::holds_alternative<ParamCard>(card) ||
         std::holds_alternative<ast::Include>(card) || std::holds_alternative<ast::Tran>(card);
}

void enter_untaken_branches(const Scope& scope, Deck& deck) {
  for (const auto& [name, inner] : scope.definitions) enter_untaken_branches(*inner, deck);
  if (!scope.is_instantiated) return;
  const auto is_lost = [&scope](int32_t branch) { return branch >= 0 && !scope.branches[branch].is_taken; };
  const auto move = [&deck](size_t file, CardKind kind, int64_t count) {
    enter(deck.ledger.files[file], kind, -count);
    enter(deck.ledger.files[file], CardKind::other_branch, count);
  };
  for (const Piece& piece : scope.pieces)
    if (is_lost(piece.branch))
      for (const Kind k : kEveryKind) move(piece.file, static_cast<CardKind>(k), piece.end[k] - piece.begin[k]);
  for (const Use& use : scope.uses)
    if (is_lost(use.branch)) move(use.file, CardKind::instance, 1);
  std::set<std::pair<uint64_t, uint64_t>> cards;
  for (const auto& [branch, assignment, where] : scope.branch_parameters)
    if (is_lost(branch) && cards.emplace(where.file, where.offset).second) move(where.file, CardKind::param, 1);
}

}  // namespace gridiron
