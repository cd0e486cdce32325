// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "netlist/circuit.hpp"
#include "netlist/deck/deck.hpp"

namespace gridiron {

struct Deck;

/// One of several about equal parts of the text of a flat deck, cut between cards, as processes read them that share
/// it. The deck may be cut into files already, which are read in order.
class NetlistPart {
 public:
  /// Reads part `part` of `parts`. What is wrong is kept for require_no_failure(): also cards that concern other parts
  /// (.include, .subckt, X, .param, .global, .lib, .model, .temp) and a block, such as .control, that is cut in two.
  NetlistPart(const std::vector<std::shared_ptr<const SourceText>>& files, int part, int parts, ReadOptions options);
  ~NetlistPart();
  NetlistPart(NetlistPart&&) noexcept;

  /// The files that have an .end in this part: what follows of them, here and in later parts, is not read.
  const std::vector<size_t>& ended_files() const { return ended_; }
  /// Gives up what it read of a file, and what was wrong with it; that many lines after the .end are told.
  void drop(size_t file);
  /// Errors: InputError, the first one of the files that were not dropped.
  void require_no_failure() const;

  /// The nodes of a first line that reads as a card: it is the title unless another card of some part has one of them.
  std::vector<std::string> nodes_of_first_line() const;
  bool has_node(std::string_view name) const;

  /// The cards of the part as a circuit whose elements refer to mentions; it has no table of names.
  struct Cards {
    Circuit circuit;
    NodeMentions nodes;
  };
  /// `elsewhere`: whether another part has this node. Call it once.
  Cards take(const std::function<bool(std::string_view)>& elsewhere);

 private:
  void take_file(size_t index);

  std::unique_ptr<Deck> deck_;
  std::vector<size_t> ended_;
  std::vector<std::exception_ptr> failures_;  ///< by file
};

}  // namespace gridiron
