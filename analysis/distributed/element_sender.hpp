// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "analysis/distributed/owners.hpp"
#include "netlist/circuit.hpp"

namespace gridiron::distributed {

/// An element on its way to the owners of its ends. Keys that are texts have these beside the records, in the order of
/// a, b.
struct ElementRecord {
  NameKey a, b;
  double value;
  uint64_t file : 16, kind : 3, owns_a : 1, owns_b : 1, offset : 43;
};

/// Some elements, per process that they go to.
struct ElementMessages {
  std::vector<std::vector<ElementRecord>> records;
  std::vector<Writer> texts;
};

/// Where cards are in the text of all files.
class CardPlaces {
 public:
  explicit CardPlaces(const Circuit& part);
  /// The first mention of a node is at the place of its card, or one further if it is the second node there.
  uint64_t operator()(uint64_t file, uint64_t offset) const { return begin_of_file_[file] + offset; }
  uint64_t operator()(Origin origin) const { return (*this)(origin.file, origin.offset); }

 private:
  std::vector<uint64_t> begin_of_file_;
};

/// Addresses the elements that a process has read, in the order of the text. It refers to what it is made of.
class ElementSender {
 public:
  ElementSender(const Circuit& part, const NodeMentions& mentions, const Owners& owners, const CardPlaces& place_of);

  /// Addresses the next so many cards to the owners of their nodes.
  ElementMessages next(size_t processes, int64_t cards);

 private:
  void write(int kind, const Elements& e, int64_t i, ElementMessages& to);
  /// The owner of a node; −1 for ground.
  int owner(NameKey key);

  const Circuit& part_;
  const NodeMentions& mentions_;
  const Owners& owners_;
  const CardPlaces& place_of_;
  std::vector<int> owner_of_text_;
  NameKey last_key_ = name_key::kGround;
  int last_owner_ = -1;
  std::array<int64_t, kKinds> written_{};
};

}  // namespace gridiron::distributed
