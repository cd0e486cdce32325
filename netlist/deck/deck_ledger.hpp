// SPDX-License-Identifier: Apache-2.0
#pragma once

// How the cards of a deck come into its ledger: elements and structure cards are counted as the columns and marks that
// they are anyway, all others by kind in the chunk that reads them. Internal to netlist/.

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "netlist/deck/deck.hpp"

namespace gridiron {

CardKind kind_of(const StructureCard& card);

/// Enters `count` cards into the ledger.
void enter(Ledger::File& file, CardKind kind, int64_t count);

/// Cards that are counted one by one before they are entered, kind by kind in the order in which these occur.
class CardTally {
 public:
  void add(CardKind kind, int64_t count) {
    if (count == 0) return;
    int64_t& sum = counts_[static_cast<size_t>(kind)];
    if (sum == 0) order_.push_back(kind);
    sum += count;
  }
  /// Whether there is one.
  bool has(CardKind kind) const { return counts_[static_cast<size_t>(kind)] != 0; }
  void enter_into(Ledger::File& file);

 private:
  std::array<int64_t, kCardKinds> counts_{};
  std::vector<CardKind> order_;
};

/// Enters what is neither an element nor a mark of a chunk.
void enter_cards(Ledger::File& file, const ParsedChunk& chunk);

/// How many lines after the line of the .end at `end_card` are neither empty nor comments, and where the first begins.
std::pair<int64_t, uint64_t> lines_after_end(std::string_view text, uint64_t end_card);
ReadFinding after_end_finding(const SourceText& text, int64_t count, uint64_t first);

}  // namespace gridiron
