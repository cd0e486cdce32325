// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "netlist/values/parameters.hpp"
#include "netlist/values/scope.hpp"

namespace gridiron {

/// What is worth reporting of a deck's cards that are no elements: those that were skipped or are not carried out,
/// comments and options that nobody understood, and what .tran and .print ask for in vain.
void find_cards(const Deck& deck, Circuit& circuit);

/// Names of nodes in letters of both cases, which are one node.
void find_cases_of_names(Circuit& circuit);

/// Subcircuits of the deck itself, not of its libraries, that no card instantiates although they hold elements; in
/// `scope` and what it defines.
void find_unused_subcircuits(const Deck& deck, const Scope& scope, Circuit& circuit);

/// Third nodes of elements, which carry no current, and names of models that the deck does not have.
void find_third_names(const Deck& deck, Circuit& circuit);

/// A comment that contradicts what one before it says of database units.
void find_other_dbu(double dbu, Origin comment, Circuit& circuit);

/// What letters of numbers were taken for where readers of SPICE differ: in cards, and in expressions.
void find_readings(const Deck& deck, const ReadingsOfFiles& in_expressions, Circuit& circuit);

/// What to say of files of which some have no .end, which may be cut: a warning where that is the last one, or others
/// than the last have one; else, as parts of one deck need none, an info. Files without any text do not count.
std::optional<ReadFinding> missing_end(std::span<const std::shared_ptr<const SourceText>> files,
                                       std::span<const char> has_end);

/// A file of nothing but a title and an .end.
bool has_no_cards(const Ledger::File& file);

/// Whether two values of a parameter or an option are the same as written.
bool is_same_value(const ast::Value& a, const ast::Value& b);

/// `.temp` applies whatever `.option temp=` says.
void report_replaced_option(Deck& deck);

}  // namespace gridiron
