// SPDX-License-Identifier: Apache-2.0
#include "netlist/deck/deck_ledger.hpp"

#include <fmt/format.h>

#include <utility>

#include "netlist/grammar/primitives.hpp"
#include "support/plural.hpp"

namespace gridiron {
namespace {

struct Kinds {
  CardKind operator()(const ast::Include& card) const {
    const bool is_lib = card.file.empty() || !card.section.empty();
    return is_lib ? CardKind::lib : CardKind::include;
  }
  CardKind operator()(const ast::Subcircuit&) const { return CardKind::subcircuit; }
  CardKind operator()(const EndsCard&) const { return CardKind::ends; }
  CardKind operator()(const ast::Instance&) const { return CardKind::instance; }
  CardKind operator()(const ParamCard&) const { return CardKind::param; }
  CardKind operator()(const FunctionCard&) const { return CardKind::function; }
  CardKind operator()(const GlobalCard&) const { return CardKind::global; }
  CardKind operator()(const ast::Model&) const { return CardKind::model; }
  CardKind operator()(const TemperatureCard& card) const {
    return card.which == TemperatureCard::kTemp ? CardKind::temp : CardKind::option;
  }
  CardKind operator()(const ast::Tran&) const { return CardKind::tran; }
  CardKind operator()(const LibSectionEnd&) const { return CardKind::endl; }
  CardKind operator()(const EndCard&) const { return CardKind::end; }
  CardKind operator()(const ast::Controlled& card) const {
    constexpr CardKind kByLetter[] = {CardKind::voltage_controlled_voltage, CardKind::current_controlled_current,
                                      CardKind::voltage_controlled_current, CardKind::current_controlled_voltage};
    return kByLetter[(card.name[0] | 0x20) - 'e'];
  }
  CardKind operator()(const ast::Coupling&) const { return CardKind::coupling; }
};

}  // namespace

CardKind kind_of(const StructureCard& card) { return std::visit(Kinds(), card); }

void enter(Ledger::File& file, CardKind kind, int64_t count) {
  const auto [name, fate] = class_of(kind);
  Ledger::add(file, name, fate, count);
}

void CardTally::enter_into(Ledger::File& file) {
  for (const CardKind kind : order_) enter(file, kind, std::exchange(counts_[static_cast<size_t>(kind)], 0));
  order_.clear();
}

void enter_cards(Ledger::File& file, const ParsedChunk& chunk) {
  enter(file, CardKind::print, std::ssize(chunk.print_cards));
  enter(file, CardKind::annotation,
        std::ssize(chunk.layer_cards) + std::ssize(chunk.nominal_cards) + std::ssize(chunk.net_cards) +
            std::ssize(chunk.dbu_cards) + std::ssize(chunk.dspf_comments));
  for (const ParsedChunk::Failure& card : chunk.skipped) enter(file, CardKind::not_understood, card.count);
  if (!chunk.title.empty()) enter(file, CardKind::title, 1);
  for (const DirectiveCards& d : chunk.directives)
    Ledger::add(file, d.directive->word,
                d.directive->treatment == Directive::Treatment::silent ? Fate::harmless : Fate::skipped, d.count);
  for (const OptionUse& o : chunk.options) Ledger::add(file, ".option " + o.name, o.fate, o.count);
}

std::pair<int64_t, uint64_t> lines_after_end(std::string_view text, uint64_t end_card) {
  int64_t count = 0;
  uint64_t first = 0;
  for (size_t at = text.find('\n', end_card); at != text.npos; at = text.find('\n', at)) {
    const size_t word = text.find_first_not_of(" \t\r", ++at);
    if (word == text.npos || text[word] == '\n' || grammar::is_comment_sign(text[word])) continue;
    if (count++ == 0) first = word;
  }
  return {count, first};
}

ReadFinding after_end_finding(const SourceText& text, int64_t count, uint64_t first) {
  return {true, "after-end",
          fmt::format("{} after .end, from here on, {} not read; remove {} or the .end", counted(count, "line"),
                      count == 1 ? "is" : "are", count == 1 ? "it" : "them"),
          text.describe(first)};
}

}  // namespace gridiron
