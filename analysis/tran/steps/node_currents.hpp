// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/tran/steps/device_steps.hpp"
#include "analysis/tran/storage.hpp"
#include "engines/engine.hpp"
#include "netlist/circuit.hpp"
#include "regularize/merge.hpp"

namespace gridiron {

/// Which loads and histories of a storage flow into which merged nodes, in a form that is quickly summed up.
class NodeCurrents {
 public:
  NodeCurrents(const Merge& merge, const Sources& loads, const Storage& storage);

  /// Fills injection, A, merged nodes × scenarios: of every node, its loads and then its histories, each a row per
  /// source or element of the storage and a column per scenario. Nodes into which nothing flows are set to 0 only if
  /// `fills` says so.
  void sum(Block<const double> load, Block<const double> history, Block<double> injection, bool fills) const;

  /// The same for devices: fills first_entry, current and sign.
  void list(StepTables& tables) const;

 private:
  /// A current into a merged node.
  struct Entry {
    int32_t node, row;
  };
  /// Entries are apart by what they are, so that none asks: the first one of its node, a load, turned round.
  static constexpr int kKinds = 8;
  static constexpr int kind(bool is_first, bool is_load, bool is_turned) {
    return (is_first ? 0 : 4) + (is_load ? 0 : 2) + (is_turned ? 1 : 0);
  }
  static constexpr bool is_first(int kind) { return kind < 4; }
  static constexpr bool is_load(int kind) { return kind % 4 < 2; }
  static constexpr bool is_turned(int kind) { return kind % 2 == 1; }
  template <int kKind>
  void sum_kind(const Entry* begin, const Entry* end, const double* from, double* into) const;
  /// What threads sum apart: consecutive nodes, and their entries.
  struct Chunk {
    int32_t first_node;
    int64_t start[kKinds + 1];  ///< of every kind and the end, into entries_
  };

  int64_t loads_;
  int32_t nodes_;
  std::vector<Entry> entries_;
  std::vector<Chunk> chunks_;
};

}  // namespace gridiron
