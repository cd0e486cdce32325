// SPDX-License-Identifier: Apache-2.0
#include "netlist/deck/deck_findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "support/error.hpp"

namespace gridiron {
namespace {

ReadFinding reading_finding(Reading reading, int64_t count, const std::string& place) {
  const std::string more = count > 1 ? fmt::format(" ({} numbers)", count) : "";
  switch (reading) {
    case Reading::ampere:
      return {false, "bare-ampere",
              fmt::format("A after a number is ampere{}, as in ngspice; give {} hspice where it is atto, as in HSPICE",
                          more, field("dialect")),
              place};
    case Reading::atto:
      return {false, "atto", atto_text(count), place};
    case Reading::atto_by_dialect:
      return {true, "atto", fmt::format("a after a number is atto, 1e-18, as HSPICE reads it{}", more), place};
    case Reading::femto:
    case Reading::femto_farad:
      return {true, "femto", fmt::format("F after a number is femto, 1e-15, as in every SPICE, and no farad{}", more),
              place};
    case Reading::milli_hertz:
      return {true, "milli-hertz",
              fmt::format("M before Hz is milli, 1e-3, as in every SPICE{}; write megHz for 1e6", more), place};
    case Reading::mil:
      return {true, "mil",
              fmt::format("mil is a thousandth of an inch, 25.4e-6{}; ngspice reads it so on cards, but for milli in "
                          "expressions: write m or 25.4e-6",
                          more),
              place};
    case Reading::undisputed:
      break;
  }
  throw std::logic_error("a reading without a finding");
}

ReadFinding odd_comment(const File& file, uint64_t offset) {
  return {true, "comment-not-understood",
          "this comment begins like one with a meaning and cannot be read as one; write '* layer: NAME,NET net: N', "
          "'* nominal: NET VOLTS' or '* dbu: N'",
          file.text->describe(offset)};
}

/// One that may change the circuit, for all that is known of it.
ReadFinding skipped_option(const File& file, const OptionUse& use) {
  return {true, "option-ignored",
          fmt::format(".option {} is not carried out; remove it if it does not change the circuit", use.name),
          file.text->describe(use.offset)};
}

/// The last .tran counts, as in ngspice.
void find_tran_cards(const Deck& deck, Circuit& circuit) {
  const auto tell = [&](const char* code, std::string message, size_t file, uint64_t offset) {
    circuit.tran_findings.push_back({true, code, std::move(message), deck.files[file].text->describe(offset)});
  };
  for (size_t i = 1; i < deck.tran.size(); ++i)
    tell(
        "tran-replaced",
        fmt::format("this .tran replaces the one at {}; leave one of them out", circuit.place(deck.tran[i - 1].second)),
        deck.tran[i].second.file, deck.tran[i].second.offset);
  if (!deck.tran.empty() && deck.tran.back().first.startup)
    tell("not-carried-out",
         "startup: sources do not rise from 0 in 20 us, but are on from the beginning; remove the word",
         deck.tran.back().second.file, deck.tran.back().second.offset);
  for (size_t index = 0; index < deck.files.size(); ++index)
    for (const ParsedChunk& c : deck.files[index].chunks) {
      for (const auto& [what, offset] : c.unprinted)
        tell("not-printed", fmt::format(".print of {}: only V(node) of one node is recorded", what), index, offset);
    }
}

/// ngspice refuses or carries out other cards in the first line; of options, temperatures change the circuit.
bool begins_with_option(const Deck& deck) {
  return std::ranges::any_of(
      std::array{TemperatureCard::kOptionTemp, TemperatureCard::kOptionTnom}, [&](TemperatureCard::Which which) {
        const auto& card = deck.temperatures[which];
        if (!card || card->second.file != 0) return false;
        return deck.files[0].text->text().substr(0, card->second.offset).find('\n') == std::string_view::npos;
      });
}

/// The first skipped cards one by one, and each kind of card that is not carried out once.
void find_other_cards(const Deck& deck, Circuit& circuit) {
  std::set<std::string> told_options;
  circuit.findings.insert(circuit.findings.begin(), deck.findings.begin(), deck.findings.end());
  size_t skipped = 0;
  std::vector<DirectiveCards> kinds;
  std::vector<std::string> places;
  int64_t valueless = 0;
  std::string first_valueless;
  for (const File& file : deck.files)
    for (const ParsedChunk& c : file.chunks) {
      for (const ParsedChunk::Failure& f : c.skipped)
        if (skipped++ < kMostSkipped)
          circuit.findings.push_back(
              {true, "card-skipped", fmt::format("card skipped: {}", f.message), file.text->describe(f.offset)});
      if (valueless == 0 && !c.valueless.empty()) first_valueless = file.text->describe(c.valueless[0]);
      valueless += std::ssize(c.valueless);
      for (const uint64_t offset : c.odd_comments) circuit.findings.push_back(odd_comment(file, offset));
      for (const OptionUse& o : c.options)
        if (o.fate == Fate::skipped && told_options.insert(o.name).second)
          circuit.findings.push_back(skipped_option(file, o));
      for (const DirectiveCards& n : c.directives) {
        if (n.directive->treatment != Directive::Treatment::told) continue;
        const auto known =
            std::ranges::find_if(kinds, [&n](const DirectiveCards& k) { return k.directive == n.directive; });
        if (known != kinds.end()) {
          known->count += n.count;
        } else {
          kinds.push_back(n);
          places.push_back(file.text->describe(n.offset));
        }
      }
    }
  if (begins_with_option(deck))
    circuit.findings.push_back({true, "first-line",
                                "this line is carried out, while ngspice takes every first line for the title; write a "
                                "title before it",
                                deck.files[0].text->describe(0)});
  for (size_t k = 0; k < kinds.size(); ++k)
    circuit.findings.push_back(
        {true, "not-carried-out",
         fmt::format("{} is not carried out{}: {}", kinds[k].directive->word,
                     kinds[k].count > 1 ? fmt::format(" ({} cards)", kinds[k].count) : "", kinds[k].directive->reason),
         places[k]});
  if (valueless > 0)
    circuit.findings.push_back(
        {true, "no-value",
         fmt::format("{} no value and no waveform, and {} read as 0; write 0 if it is meant",
                     valueless == 1 ? "this source has" : fmt::format("{} sources have", valueless),
                     valueless == 1 ? "is" : "are"),
         first_valueless});
  if (deck.missing_end) circuit.findings.push_back(*deck.missing_end);
}

}  // namespace

void find_cards(const Deck& deck, Circuit& circuit) {
  find_other_cards(deck, circuit);
  find_tran_cards(deck, circuit);
}

void find_cases_of_names(Circuit& circuit) {
  const auto tell = [&](std::string message) {
    circuit.findings.push_back({false, "case-of-names", std::move(message), circuit.files[0]->path()});
  };
  if (const NodeId node = circuit.nodes.in_other_case(); node >= 0)
    tell(fmt::format("names have no case: node {} occurs in letters of another case, too, and is one node",
                     circuit.node_name(node).view()));
  const NameStems& stems = circuit.nodes.stems();
  if (const size_t stem = stems.in_other_case(); stem < stems.size())
    tell(
        fmt::format("names have no case: those of nodes begin with {}_ and with the same in letters of another case, "
                    "and equal ones are one node",
                    stems[stem]));
}

void find_unused_subcircuits(const Deck& deck, const Scope& scope, Circuit& circuit) {
  for (const auto& [name, inner] : scope.definitions) {
    const bool is_own = inner->opened.file < deck.files.size() && !deck.files[inner->opened.file].range.is_included;
    if (is_own && !inner->is_instantiated && !inner->pieces.empty())
      circuit.findings.push_back(
          {false, "unused-subcircuit",
           fmt::format("no X card instantiates subcircuit '{}'; its elements are left out", inner->name),
           circuit.place(inner->opened)});
    if (inner->is_instantiated) find_unused_subcircuits(deck, *inner, circuit);
  }
}

void find_third_names(const Deck& deck, Circuit& circuit) {
  const auto tell = [&](bool is_warning, const std::vector<const NameUse*>& names, const char* code, const char* what,
                        const char* means) {
    if (names.empty()) return;
    int64_t count = 0;
    for (const NameUse* use : names) count += use->count;
    const auto first = std::ranges::min_element(
        names, {}, [&](const NameUse* use) { return std::pair(use->file - deck.files.data(), use->offset); });
    circuit.findings.push_back({is_warning, code,
                                fmt::format("'{}' {}{}: {}", (*first)->name, what,
                                            count > 1 ? fmt::format(" ({} such elements)", count) : "", means),
                                (*first)->file->text->describe((*first)->offset)});
  };
  std::vector<const NameUse*> nodes, unknown;
  for (const auto& [name, use] : deck.third_nodes) nodes.push_back(&use);
  for (const auto& [name, use] : deck.no_models) (circuit.nodes.find(name) >= 0 ? nodes : unknown).push_back(&use);
  tell(false, nodes, "third-node", "is the third node of an element", "it carries no current");
  tell(true, unknown, "model-unknown", "is no .model of this deck and no other node of it",
       "the element has the value on its card; add the .model if it changes that");
}

void find_other_dbu(double dbu, Origin comment, Circuit& circuit) {
  circuit.findings.push_back({true, "comments-contradict",
                              fmt::format("this comment says {} database units per um, one before it {}; remove one "
                                          "of them",
                                          dbu, circuit.dbu_card),
                              circuit.place(comment)});
}

void find_readings(const Deck& deck, const ReadingsOfFiles& in_expressions, Circuit& circuit) {
  for (size_t r = 1; r < kReadings; ++r) {
    int64_t count = 0;
    std::string place;
    for (size_t f = 0; f < deck.files.size(); ++f) {
      const auto take = [&](const ReadingNotes& notes) {
        const ReadingNotes::Note& note = notes.of[r];
        if (count == 0 && note.count > 0) place = deck.files[f].text->describe(note.offset);
        count += note.count;
      };
      for (const ParsedChunk& c : deck.files[f].chunks)
        for (const ReadingNotes& of_section : c.readings) take(of_section);
      if (f < in_expressions.size()) take(in_expressions[f]);
    }
    if (count == 0) continue;
    const auto reading = static_cast<Reading>(r);  // capacitors count in a simulation only
    (reading == Reading::femto_farad ? circuit.tran_findings : circuit.findings)
        .push_back(reading_finding(reading, count, place));
  }
}

bool has_no_cards(const Ledger::File& file) {
  return std::ranges::all_of(file.rows, [](const Ledger::Row& row) {
    return row.what == class_of(CardKind::title).name || row.what == class_of(CardKind::end).name;
  });
}

bool is_same_value(const ast::Value& a, const ast::Value& b) {
  if (a.expression != b.expression) return false;
  if (!a.expression.empty() || a.letters == b.letters) return a.number == b.number;
  try {
    return with_any_unit(a.number, a.letters) == with_any_unit(b.number, b.letters);
  } catch (const UnitError&) {
    return false;
  }
}

void report_replaced_option(Deck& deck) {
  const auto& temp = deck.temperatures[TemperatureCard::kTemp];
  const auto& option = deck.temperatures[TemperatureCard::kOptionTemp];
  if (!temp || !option || is_same_value(temp->first, option->first)) return;
  const auto [file, offset] = option->second;
  deck.findings.push_back({true, "temperature", "this option has no effect: .temp gives another temperature",
                           deck.files[file].text->describe(offset)});
}

std::optional<ReadFinding> missing_end(std::span<const std::shared_ptr<const SourceText>> files,
                                       std::span<const char> has_end) {
  std::vector<const SourceText*> open;
  constexpr std::string_view kSpace = " \t\r\n";
  size_t count = 0;
  bool is_last_open = false;
  for (size_t k = 0; k < files.size(); ++k) {
    if (files[k]->text().find_first_not_of(kSpace) == std::string_view::npos) continue;
    ++count;
    is_last_open = !has_end[k];
    if (is_last_open) open.push_back(files[k].get());
  }
  if (open.empty()) return std::nullopt;
  const SourceText& source = open.size() == count ? *open.back() : *open.front();
  const std::string_view text = source.text();
  const size_t last = text.find_last_not_of(kSpace);
  const size_t line = text.substr(0, last + 1).rfind('\n') + 1;  // npos + 1 == 0
  const bool is_whole_line = text.find('\n', last) != std::string_view::npos;
  return ReadFinding{is_last_open || open.size() + 1 < count, "no-end",
                     is_whole_line ? "this file has no .end; is it complete?"
                                   : "the deck ends in the middle of a line and has no .end: it may be cut, and the "
                                     "last value with it",
                     source.describe(line)};
}

}  // namespace gridiron
