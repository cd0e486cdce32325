// SPDX-License-Identifier: Apache-2.0
#pragma once

// Intermediate form between text and Circuit: the output of the threads that read the chunks of a file. Internal to
// netlist/.
//
// Elements become columns at once. Structure cards (.subckt, .include, .param, X, …) are left as marks between runs of
// elements, as their meaning may lie in other chunks and files; scope.cpp and elaborate.cpp carry them out when all
// has been read. A flat deck has no marks, and costs nothing extra.

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "netlist/circuit.hpp"
#include "netlist/deck/directives.hpp"
#include "netlist/deck/skipped_block.hpp"
#include "netlist/extracted/chunk_notes.hpp"
#include "netlist/grammar/ast.hpp"
#include "netlist/ledger.hpp"
#include "netlist/names/name_table.hpp"
#include "netlist/names/node_mentions.hpp"
#include "netlist/values/expression.hpp"
#include "netlist/values/quantity.hpp"

namespace gridiron {

/// Elements of one kind in one chunk; nodes are ids of the chunk's own name table, or mentions.
struct ChunkElements {
  std::vector<NodeId> a, b;
  std::vector<double> value;
  std::vector<uint64_t> offset;
  std::vector<int32_t> form;  ///< sources only: index into ParsedChunk::forms, −1 for DC alone

  int64_t size() const { return std::ssize(a); }
};

/// An R, C, L, V or I card whose value depends on an expression, a model, the temperature or a multiplier. Of nearly
/// all that is one text, and there may be millions.
class Deferred {
 public:
  int64_t index() const { return index_; }  ///< among the elements of its kind in the chunk
  ast::Text expression() const { return names_model_ ? ast::Text() : text_; }
  ast::Text model() const { return names_model_ ? text_ : more_ ? more_->model : ast::Text(); }
  std::span<const ast::Setting> settings() const {
    return more_ ? std::span<const ast::Setting>(more_->settings) : std::span<const ast::Setting>();
  }
  /// Once its value is computed, if it was nothing but an expression.
  bool is_done() const { return text_.empty() && !more_; }

  void set_index(int64_t index) { index_ = static_cast<uint32_t>(index); }
  void set_expression(ast::Text expression) {
    if (names_model_ && !expression.empty()) more().model = std::exchange(text_, {});
    if (!names_model_ || !expression.empty()) text_ = expression, names_model_ = false;
  }
  /// Before the expression, if it has both.
  void set_model(ast::Text model) { text_ = model, names_model_ = true; }
  void add(ast::Setting setting) { more().settings.push_back(std::move(setting)); }
  /// Of one without settings.
  void set_done() { text_ = {}; }

 private:
  struct More {
    ast::Text model;
    std::vector<ast::Setting> settings;
  };
  More& more() {
    if (!more_) more_ = std::make_unique<More>();
    return *more_;
  }

  ast::Text text_;
  std::unique_ptr<More> more_;
  uint32_t index_ = 0;
  bool names_model_ = false;
};

/// What a source has besides its DC value.
struct SourceForm {
  ast::Shape shape = ast::Shape::none;
  std::vector<ast::Value> arguments;
  ast::Value multiplier{1, {}, {}};
  std::vector<ast::Setting> parasitics;  ///< `Rser=` and `Cpar=` of a voltage source
  std::vector<ast::Setting> options;     ///< of a PWL, see ast::Source

  const ast::Setting* pwl_option(std::string_view key) const;  ///< null if it is not given
  const ast::Setting* pwl_file() const;
};

using ElementCounts = std::array<int64_t, kKinds>;

/// Other names of node 0 in HSPICE, besides "gnd".
inline constexpr ast::Text kGroundsOfHspice[] = {"gnd!", "ground"};

/// Whether a name is that of node 0, inside subcircuits too.
inline bool is_ground(ast::Text node) { return node == "0" || same_name(node, "gnd"); }

/// The same in a deck of this language.
inline bool is_ground_in(Dialect language, ast::Text node) {
  if (is_ground(node)) return true;
  return language == Dialect::hspice && (same_name(node, kGroundsOfHspice[0]) || same_name(node, kGroundsOfHspice[1]));
}

/// Whether a node, in lower case, is one of everywhere by its name, as PSpice's $G_VCC.
inline bool is_global_in(Dialect language, std::string_view node) {
  return language == Dialect::pspice && node.starts_with("$g_");
}

/// What the value of an element measures.
constexpr Quantity quantity_of(Kind kind) {
  constexpr Quantity kQuantities[] = {Quantity::resistance, Quantity::capacitance, Quantity::inductance,
                                      Quantity::voltage, Quantity::current};
  return kQuantities[kind];
}

// Cards that determine the meaning of the elements around them.
struct ParamCard {
  std::vector<ast::Assignment> assignments;
};
/// `.func NAME(argument, …) {body}`, or `.param NAME(argument, …)=body`.
struct FunctionCard {
  UserFunction function;
};
/// `.if (condition)`, `.elseif (condition)`, `.else`, `.endif`, and what is none of them and is likely meant for one:
/// in a branch that does not apply it would be harmless, like any other card.
struct ConditionCard {
  enum Kind { kIf, kElseif, kElse, kEndif, kMisspelt } kind;
  ast::Text condition;  ///< of .else and .endif what stands behind them, which has no meaning
};
struct GlobalCard {
  std::vector<ast::Text> nodes;
};
/// One temperature of `.temp` or `.option`.
struct TemperatureCard {
  enum Which { kTemp, kOptionTemp, kOptionTnom, kKinds } which;
  ast::Value value;
};
struct EndsCard {
  std::vector<ast::Text> names;  ///< none, or that of the subcircuit
};
struct LibSectionEnd {
  std::vector<ast::Text> names;  ///< none, or that of the section
};
struct EndCard {};
using StructureCard =
    std::variant<ast::Include, ast::Subcircuit, EndsCard, ast::Instance, ParamCard, FunctionCard, GlobalCard,
                 ast::Model, TemperatureCard, ast::Tran, LibSectionEnd, EndCard, ast::Controlled, ast::Coupling>;

/// Whether it adds to the circuit, as elements do.
inline bool belongs_to_circuit(const StructureCard& card) {
  return std::holds_alternative<ast::Instance>(card) || std::holds_alternative<ast::Controlled>(card) ||
         std::holds_alternative<ast::Coupling>(card);
}

/// Whether it changes the scope or the file, and so ends a run of elements; all others may appear among these.
inline bool ends_elements(const StructureCard& card) {
  return std::holds_alternative<ast::Include>(card) || std::holds_alternative<ast::Subcircuit>(card) ||
         std::holds_alternative<EndsCard>(card) || std::holds_alternative<LibSectionEnd>(card) ||
         std::holds_alternative<EndCard>(card);
}

/// A structure card and the number of elements of each kind before it in its chunk.
struct StructureMark {
  StructureCard card;
  uint64_t offset;
  ElementCounts before;
};

/// A card of an .if block. A deck may have two for every element, so they take as little room as they can: the elements
/// before it are those whose offsets are less.
struct ConditionMark {
  ConditionCard card;
  uint64_t offset;
};

inline constexpr size_t kMostSkipped = 20;  ///< reported in full; the rest of a section is counted

/// A first line that reads as a card although it may be the title; decided when the whole deck is known.
struct FirstLine {
  uint64_t begin = 0, end = 0;
  bool reads_as_card = false;
  /// One that begins like a card and cannot be read as one: why not, and where; empty for others.
  std::string fault = {};
  uint64_t fault_at = 0;
  std::string parameter = {};  ///< that it needs as its value to be read as a card
};

/// Cards of one directive that does not belong to the circuit: the first of them, and how many.
struct DirectiveCards {
  const Directive* directive;
  uint64_t offset;
  int64_t count;
};

/// A card that only one dialect has.
struct DialectSign {
  Dialect dialect;
  uint64_t offset;
};

/// An option of `.option`: where it stands first, how often, and its fate.
struct OptionUse {
  std::string name;
  Fate fate;
  uint64_t offset;
  int64_t count;
};

struct ParsedChunk {
  ParsedChunk() = default;
  ParsedChunk(ParsedChunk&&) = default;
  ParsedChunk& operator=(ParsedChunk&&) = default;

  NodeNames names;
  NodeMentions mentions;  ///< what the columns refer to instead, see ReadOptions
  std::array<ChunkElements, kKinds> elements;
  std::vector<SourceForm> forms;
  std::array<std::vector<Deferred>, kKinds> deferred;  ///< per kind, by ascending index
  std::vector<StructureMark> marks;
  std::vector<ConditionMark> conditions;

  std::vector<LayerCard> layer_cards;
  std::vector<NominalCard> nominal_cards;
  std::vector<std::pair<std::string, uint64_t>> net_cards;  ///< net and offset
  std::vector<std::pair<double, uint64_t>> dbu_cards;       ///< database units per µm, and offset
  std::vector<uint64_t> print_cards;                        ///< where they stand
  std::vector<std::pair<std::string, uint64_t>> prints;     ///< nodes of .print, and where
  std::vector<std::pair<std::string, uint64_t>> unprinted;  ///< what .print asks for besides, and where
  std::string title;
  FirstLine first_line;

  struct Failure {
    uint64_t offset;
    std::string message;
    int64_t count = 1;  ///< of such cards of the section, from this one on
  };
  std::vector<DirectiveCards> directives;
  std::vector<DialectSign> signs;  ///< cards that tell the dialect and are no such directives, a few of them
  std::deque<std::string> texts;   ///< expressions of several lines, put together
  std::vector<OptionUse> options;
  std::vector<uint64_t> valueless;      ///< sources without a value or waveform
  std::vector<uint64_t> dspf_comments;  ///< that begin with `*|`, or `* LAYER_MAP`
  bool has_annotations = false;         ///< `$…` behind the value of resistors
  ChunkNotes notes;                     ///< what these and those comments tell
  std::vector<uint64_t> odd_comments;   ///< that begin like one with a meaning and are none
  std::vector<ReadingNotes> readings;   ///< section by section of a library
  SkippedBlock open_block;              ///< at the end of the chunk
  std::vector<Failure> skipped;         ///< under --lenient; the first kMostSkipped, and the first one of each section
  std::vector<Failure> failures;        ///< the first one of each section; told only where that is read

  ElementCounts counts() const {
    ElementCounts c;
    for (const Kind k : kEveryKind) c[k] = elements[k].size();
    return c;
  }
  /// Of elements before `offset`, which are `known` at least.
  ElementCounts counts_before(uint64_t offset, ElementCounts known) const {
    for (const Kind k : kEveryKind)
      while (known[k] < elements[k].size() && elements[k].offset[known[k]] < offset) ++known[k];
    return known;
  }
};

struct ReadOptions {
  bool lenient = false;  ///< skip and count cards that are not understood instead of rejecting the deck
  Dialect dialect = Dialect::automatic;
  std::string top = {};  ///< the subcircuit whose elements are the top level, too; empty: none
  /// Called as a file is parsed, from any thread but one call at a time: bytes done, bytes in all.
  std::function<void(int64_t, int64_t)> progress = {};
  /// Called with the path of every file of the deck before it is opened; what it throws ends the reading.
  std::function<void(const std::string&)> opens = {};
  bool mentions = false;  ///< set by NetlistPart: elements refer to NodeMentions, not to a table of names
};

/// Reads the bytes of `text` from `begin` to `end`, which begin with a card, or within `block`. `starts_deck`: the
/// first line may be a title.
ParsedChunk read_chunk(const SourceText& text, size_t begin, size_t end, const ReadOptions& options, bool starts_deck,
                       const SkippedBlock& block = {});

/// Reads one file on all threads: split at card boundaries, one ParsedChunk each, in order. `main_file`: the first line
/// may be a title.
std::vector<ParsedChunk> parse_text(const SourceText& text, bool main_file, const ReadOptions& options);

/// The same of the bytes from `begin` to `end` alone, both of which card_boundary() gave or are the text's.
std::vector<ParsedChunk> parse_range(const SourceText& text, size_t begin, size_t end, bool main_file,
                                     const ReadOptions& options);

/// First line start at or after `from` where a new card may begin: not a continuation, comment or empty line.
size_t card_boundary(std::string_view text, size_t from);

/// Follows includes, parameters and subcircuits and merges everything into one flat circuit.
Circuit elaborate(std::vector<std::shared_ptr<const SourceText>> files, const ReadOptions& options);

}  // namespace gridiron
