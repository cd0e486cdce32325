// SPDX-License-Identifier: Apache-2.0
#pragma once

// The files of a deck and the scopes, i.e. the top level and the subcircuits, that their cards belong to. Internal to
// netlist/.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "netlist/deck/deck.hpp"

namespace gridiron {

/// An input file; its index is Origin::file.
struct File {
  std::shared_ptr<const SourceText> text;
  std::vector<ParsedChunk> chunks;
  TextRange range = {};
  std::vector<Origin> around = {};  ///< where the subcircuits begin in which the card that includes it is

  [[noreturn]] void fail(uint64_t offset, const std::string& message) const;
  /// The same where `part`, a text of this file, stands; at `fallback` if it is of another file.
  [[noreturn]] void fail(ast::Text part, uint64_t fallback, const std::string& message) const;
  /// What to add to the message of a card that is not understood: whether the end of the file interrupts it.
  std::string hint_of_cut(uint64_t offset) const;
};

/// The elements of one chunk from `begin` to `end`.
struct Piece {
  size_t file, chunk;
  ElementCounts begin, end;
  int32_t branch = -1;  ///< of a subcircuit, that it belongs to
};

/// A `.model` card.
struct ModelCard {
  ast::Model card;
  Origin where;
};

struct Use {
  ast::Instance card;
  size_t file;
  uint64_t offset;
  int32_t branch = -1;  ///< of the subcircuit that it stands in
};

/// A branch of an .if block in a subcircuit, which each instance takes or not.
struct Branch {
  int32_t outer, previous;  ///< the branch around it, and the one before it in its block; −1 for none
  bool is_else;
  ast::Text condition;
  Origin where;
  std::string fault;  ///< of the first card in it that is not understood, which matters if it is taken
  size_t fault_file = 0;
  uint64_t fault_at = 0;
  mutable bool is_taken = false;  ///< by some instance
};

/// A parameter that a branch defines.
struct BranchParameter {
  int32_t branch;
  ast::Assignment assignment;
  Origin where;
};

/// An E, F, G, H or K card.
template <class Card>
struct ModelElement {
  Card card;
  Origin where;
};

/// A subcircuit as defined, or the top level.
struct Scope {
  std::string name;
  Scope* outer = nullptr;
  Origin opened{};
  size_t bytes = 0;  ///< of text from .subckt to .ends
  int depth = 0;
  std::vector<ast::Text> ports;
  std::vector<std::pair<ast::Assignment, Origin>> parameters;
  std::map<std::string, size_t> defined;           ///< the last one of each name among `parameters`
  std::vector<Branch> branches;                    ///< of a subcircuit, as they follow one another
  std::vector<BranchParameter> branch_parameters;  ///< by branch,
  std::set<std::string> branch_names;              ///< and their names
  mutable bool is_instantiated = false;
  std::vector<Piece> pieces;
  std::vector<Use> uses;
  std::vector<ModelElement<ast::Controlled>> controlled;
  std::vector<ModelElement<ast::Coupling>> couplings;
  std::map<std::string, std::unique_ptr<Scope>> definitions;
  std::map<std::string, ModelCard> models;
  std::map<std::string, UserFunction> functions;

  /// Elements; those that follow the last ones at once go on with their piece, as where each has a block of its own.
  void add(const Piece& elements);

  const Scope* find(const std::string& subcircuit) const;
  /// The model visible here under that name and the scope it is defined in; null if there is none.
  std::pair<const Scope*, const ModelCard*> find_model(const std::string& model) const;
  /// The function visible here under that name, or null.
  const UserFunction* find_function(std::string_view name) const;
  /// Whether it is a port, or ground.
  bool sees_node(ast::Text name) const;
  /// Whether its header or a .param in it defines a parameter.
  bool declares(ast::Text parameter) const;
  /// Whether it or a scope around it does.
  bool finds(ast::Text parameter) const { return declares(parameter) || (outer && outer->finds(parameter)); }
};

/// Names that stand where an element with a value may have a model, or a third node, and which no .model defines; in
/// lower case.
struct NameUse {
  const File* file;
  std::string name;
  uint64_t offset;  ///< of the first element
  int64_t count = 0;
};
using NotModels = std::map<std::string, NameUse>;

/// A deck whose files have been read and whose cards have been assigned to scopes.
struct Deck {
  Dialect dialect = Dialect::automatic;                ///< as given: of numbers
  Dialect language = Dialect::automatic;               ///< as given or guessed: of expressions
  std::function<void(const std::string&)> opens = {};  ///< of ReadOptions, for what flatten() reads
  std::vector<File> files;
  Scope top;
  std::set<std::string> globals;
  std::array<std::optional<std::pair<ast::Value, Origin>>, TemperatureCard::kKinds> temperatures;
  std::vector<std::pair<ast::Tran, Origin>> tran;
  NotModels third_nodes, no_models;  ///< ports and global nodes, and others; filled by flatten()
  std::vector<ReadFinding> findings;
  Ledger ledger;                           ///< a file for each of `files`
  std::optional<ReadFinding> missing_end;  ///< of the main file; told last
  std::optional<NodeMentions> mentions;    ///< what flatten() adds those of the chunks to, if they have them
};

/// Takes the first line out of the circuit if it reads as a card and is the title nevertheless; a finding says which.
/// `elsewhere`: whether a node occurs in what is not of this deck, which may be part of one.
void decide_first_line(
    Deck& deck, const std::function<bool(ast::Text)>& elsewhere = [](ast::Text) { return false; });

/// The nodes of a first line that reads as a card, but for ground; none if it does not.
std::vector<std::string> nodes_of_first_line(const Deck& deck);

/// What to add to the message of an error of a deck whose first file is `first`: where it is at a first line that is
/// taken as a card, how to write a title. Else empty.
std::string hint_at_first_line(std::string_view message, const SourceText& first);

/// Builds the circuit of a deck, which it takes apart. With mentions the nodes of elements are these, and there is no
/// table of names.
Circuit flatten(Deck& deck);

/// Reads a deck, which may be cut into several files, with all files that it includes. Errors: InputError.
void read_deck(std::vector<std::shared_ptr<const SourceText>> files, const ReadOptions& options, Deck& deck);

}  // namespace gridiron
