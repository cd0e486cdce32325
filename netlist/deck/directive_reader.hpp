// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "netlist/deck/deck.hpp"
#include "netlist/deck/section_notes.hpp"

namespace gridiron {

/// Reads the cards of a chunk that begin with a point. Internal to netlist/.
class DirectiveReader {
 public:
  /// `text`: what offsets count from.
  DirectiveReader(const char* text, const ReadOptions& options, ParsedChunk& chunk, SectionNotes& notes)
      : text_(text), options_(options), chunk_(chunk), notes_(notes) {}

  /// The directive at `at`, which then is behind it. Returns whether it is the .end of the file. Errors: CardError,
  /// SyntaxError.
  bool read(const char*& at, const char* end);

  /// A card of an .if block that was read otherwise, which stands at `where`.
  void add(const ConditionCard& card, const char* where) {
    notes_.begin_section();
    chunk_.conditions.push_back({card, offset(where)});
  }

 private:
  template <class Card, class Parse>
  void read_structure(const char*& at, const char* end, Parse parse);
  void mark(const char* where, StructureCard card);
  bool read_structure_named(std::string_view word, const char*& at, const char* end);
  void read_global_comment(const char*& at, const char* end);
  void read_parameters(const char*& at, const char* end);
  void read_function(const char*& at, const char* end);
  void read_condition(ConditionCard::Kind kind, const char*& at, const char* end);
  void read_print(const char*& at, const char* end);
  void read_temp(const char*& at, const char* end);
  void read_options(const char*& at, const char* end);
  void read_tran(const char*& at, const char* end);
  void read_not_carried_out(const Directive& directive, const char*& at, const char* end);

  /// The rest of a card, without its comments; of several lines a copy that the chunk keeps.
  ast::Text text_of(const char* from, const char* to);

  uint64_t offset(const char* where) const { return static_cast<uint64_t>(where - text_); }

  const char* text_;
  const ReadOptions& options_;
  ParsedChunk& chunk_;
  SectionNotes& notes_;
};

}  // namespace gridiron
