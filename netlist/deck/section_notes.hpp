// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <unordered_map>
#include <utility>

#include "netlist/deck/deck.hpp"

namespace gridiron {

/// What a chunk has of each directive that is not carried out, of each option, and of numbers that programs read
/// differently, and its first failure: section by section, as those of a library may not be read. Internal to netlist/.
class SectionNotes {
 public:
  explicit SectionNotes(ParsedChunk& chunk) : chunk_(chunk) { chunk_.readings.emplace_back(); }

  /// Decks begin one at each card of an .if block; nearly none of them has notes.
  void begin_section() {
    is_new_ = true;
    if (has_readings_) chunk_.readings.emplace_back(), has_readings_ = false;
  }
  /// `offset`: where it stands, of which the first is kept.
  void add(const Directive& directive, uint64_t offset);
  /// Kept if it is the first one of the section, and otherwise counted.
  void add(ParsedChunk::Failure failure);
  bool has_failure() const { return !is_new_ && std::ssize(chunk_.failures) > first_failure_; }
  void add_option(ast::Text name, Fate fate, uint64_t offset);
  /// A card that was left out under --lenient.
  void add_skipped(ParsedChunk::Failure card);
  /// A card that only this dialect has; the first ones are kept.
  void add_sign(Dialect dialect, uint64_t offset);

  /// A number with its suffix and unit, noting letters that programs read differently; `text` is what offsets count
  /// from. Errors: CardError.
  double measured(double digits, ast::Text letters, Quantity quantity, Dialect dialect, const char* text);

 private:
  /// Before the first of what is counted section by section.
  void open_section() {
    if (!std::exchange(is_new_, false)) return;
    first_directive_ = std::ssize(chunk_.directives);
    options_.clear();
    first_failure_ = std::ssize(chunk_.failures);
    first_skipped_ = std::ssize(chunk_.skipped);
  }

  ParsedChunk& chunk_;
  std::unordered_map<std::string, size_t> options_;  ///< of this section: where in the chunk's by their names
  bool is_new_ = false;                              ///< nothing was counted in this section
  bool has_readings_ = false;                        ///< in this section
  ptrdiff_t first_directive_ = 0, first_failure_ = 0, first_skipped_ = 0;  ///< of this section
};

}  // namespace gridiron
