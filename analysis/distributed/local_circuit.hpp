// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "analysis/distributed/processes.hpp"
#include "analysis/results/ir_report.hpp"
#include "netlist/circuit.hpp"
#include "netlist/deck/deck.hpp"
#include "netlist/names/node_place.hpp"
#include "netlist/tables/load_table.hpp"
#include "support/lists.hpp"

namespace gridiron::distributed {

/// What a process holds of a netlist: its own nodes, and the elements that end at one of them. Nodes whose names tell a
/// place are distributed in equal numbers along a space-filling curve, all others by a hash of their names; what ideal
/// sources and 0 Ω tie together has one owner.
struct LocalCircuit {
  Circuit circuit;    ///< nodes: ground, its own ones, then those of others, by owner; comment cards are of all
  int32_t own = 0;    ///< nodes 1 … own are its own
  NodePlaces places;  ///< as PlaceTable has them
  std::vector<int64_t> serial;             ///< per own node (index NodeId): its id in a run of one process
  std::vector<std::vector<NodeId>> asked;  ///< per process the own nodes that it refers to, in its order
  std::vector<int32_t> others;             ///< per process how many nodes it owns that the elements here end at
  std::vector<int64_t> first_of_part;      ///< per process, and one more: the serial ids of nodes its part names first
  int64_t nodes_in_all = 0;                ///< with ground
  int64_t placed = 0;                      ///< nodes of all processes whose names tell a place
  NameStyles styles;                       ///< by the style of these names
  std::array<int64_t, kKinds> elements_in_all{};
  std::vector<Finding> findings;  ///< of the values of the elements that this process read

  /// Whether this process, of all that hold an element, is the one that counts it.
  bool counts(NodeId a, NodeId b, int rank) const {
    if (a != kGround) return a <= own;
    return b != kGround ? b <= own : rank == 0;
  }
};

/// Cards of all processes as numbers, in the order in which a run of one process finds them.
inline int64_t card_number(Origin card) { return uint64_t{card.file} << 48 | card.offset; }
inline Origin card_of(int64_t number) {
  const uint64_t bits = number;
  return {bits >> 48, bits & ((uint64_t{1} << 48) - 1)};
}

/// Reads a flat deck, which may be cut into several files, with all processes. `loads`: a table that will replace loads
/// of the deck, or null. Errors, on all of them: InputError, also for values that cannot be analysed; ResourceError.
LocalCircuit read_shared_netlist(const Communicator& all, const std::vector<std::string>& paths,
                                 const ReadOptions& options, const LoadTable* loads = nullptr);

/// Returns, for every node of others, from own + 1 on, what its owner finds: value_of(n) of a node of its own.
template <class T>
std::vector<T> ask_owners(const Communicator& all, const LocalCircuit& local, auto value_of) {
  std::vector<std::vector<T>> to(local.asked.size());
  for (size_t p = 0; p < to.size(); ++p)
    for (const NodeId n : local.asked[p]) to[p].push_back(value_of(n));
  std::vector<T> values;
  for (const std::vector<T>& from : all_to_all(all, std::move(to))) append(values, from);
  return values;
}

}  // namespace gridiron::distributed
