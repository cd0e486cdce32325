// SPDX-License-Identifier: Apache-2.0
#pragma once

// The parts of a file that are not read: all but one section of a library, or the sections of a file that .include
// reads. Internal to netlist/.

#include <cstdint>
#include <optional>
#include <vector>

#include "netlist/deck/deck.hpp"
#include "netlist/ledger.hpp"

namespace gridiron {

class UnreadParts {
 public:
  /// From this byte on the file is read, or what it holds is called that.
  void change(uint64_t offset, std::optional<CardKind> unread) {
    const bool is_unread = !changes_.empty() && changes_.back().unread;
    if (unread || is_unread) changes_.push_back({offset, unread});
  }

  /// What the card at this byte is called; none if it is read.
  std::optional<CardKind> at(uint64_t offset) const;

  /// Takes the cards that are neither elements nor structure out of a chunk where they are not read, and enters them.
  void leave_out(ParsedChunk& chunk, Ledger::File& ledger) const;

 private:
  struct Change {
    uint64_t offset;
    std::optional<CardKind> unread;
  };
  std::vector<Change> changes_;  ///< ascending
};

}  // namespace gridiron
