// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "netlist/names/name_table.hpp"
#include "netlist/names/node_names.hpp"

namespace gridiron {

/// Looks the names of nodes up for columns of elements, in the order of the text, as ids require. Look-up is bound by
/// the latency of memory: the slots of the table are prefetched while the next cards are parsed, later the names that
/// they point to, and only then are the names compared. Internal to netlist/.
class NodeLookup {
 public:
  explicit NodeLookup(NodeNames& names) : names_(names) {}

  /// For the last row of the column, which must outlive this.
  void add(std::string_view name, std::vector<NodeId>& column) {
    Waiting& newest = waiting_[queued_ % kWaiting];
    if (queued_ >= kWaiting) look_up(newest);
    newest = {names_.wanted(name), &column, column.size() - 1, nullptr, 0};
    names_.prefetch(newest.node);
    if (queued_ >= kWaiting / 2) names_.prefetch_name(waiting_[(queued_ - kWaiting / 2) % kWaiting].node);
    ++queued_;
  }

  /// The same for the first node of a card: along a wire, that is the one at which the card before it ends.
  void add_chained(std::string_view name, std::vector<NodeId>& column) {
    if (queued_ > 0) {
      Waiting& last = waiting_[(queued_ - 1) % kWaiting];
      if (last.node.name == name) {
        last.next_column = &column;
        last.next_row = column.size() - 1;
        return;
      }
    }
    add(name, column);
  }

  /// Looks up those that still wait.
  void finish() {
    for (size_t k = queued_ < kWaiting ? 0 : queued_ - kWaiting; k < queued_; ++k) look_up(waiting_[k % kWaiting]);
    queued_ = 0;
  }

 private:
  struct Waiting {
    NodeNames::Wanted node;
    std::vector<NodeId>* column;
    size_t row;
    std::vector<NodeId>* next_column;  ///< of the card after it, if that begins with the same node; otherwise null
    size_t next_row;
  };

  void look_up(const Waiting& waiting) {
    const NodeId node = names_.intern(waiting.node);
    (*waiting.column)[waiting.row] = node;
    if (waiting.next_column) (*waiting.next_column)[waiting.next_row] = node;
  }

  static constexpr size_t kWaiting = 32;
  NodeNames& names_;
  std::array<Waiting, kWaiting> waiting_;
  size_t queued_ = 0;
};

}  // namespace gridiron
