// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analysis/distributed/processes.hpp"
#include "netlist/names/node_mentions.hpp"
#include "netlist/names/node_place.hpp"

namespace gridiron::distributed {

/// Makes one list of the stems of all processes, the same on each of them, to which the keys then refer.
NameStems share_stems(const Communicator& all, NodeMentions& mentions);

/// Which process a node belongs to: every process finds the same.
class Owners {
 public:
  /// Along a Z-shaped curve through all places each process owns as many names, as a sample of them tells.
  Owners(const Communicator& all, const NodeMentions& mentions, const NameStems& stems);

  /// The owner of a node, by its key, which is no text, or by its name.
  int of(NameKey key) const;
  int of(std::string_view text) const;

  /// About how many names that tell a place a process owns.
  double names_of_each() const { return names_of_each_; }

  void move(NameKey key, int owner) { moved_[stems_.as_looked_up(key)] = owner; }
  void move(std::string_view text, int owner);

 private:
  /// Where x and y lie on the curve.
  uint64_t along_curve(int64_t x, int64_t y) const;
  /// The owner of a place.
  int at(int64_t x, int64_t y) const;
  void find_bounds(const Communicator& all, const NodeMentions& mentions, const std::vector<NodeName>& texts);

  const NameStems& stems_;
  uint64_t processes_;
  uint64_t least_x_ = 0, least_y_ = 0;
  int shift_ = 0;  ///< so that coordinates have 32 bits
  double names_of_each_ = 0;
  std::vector<uint64_t> first_;  ///< on the curve, of processes 1, 2, …
  std::unordered_map<NameKey, int> moved_;
  NameTable moved_texts_;
  std::vector<int> owner_of_moved_;
};

}  // namespace gridiron::distributed
