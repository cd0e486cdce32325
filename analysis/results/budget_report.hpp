// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/results/indices.hpp"
#include "netlist/circuit.hpp"
#include "support/visited.hpp"

namespace gridiron {

/// The largest drop of a node over all loads that a budget allows.
struct BudgetNode {
  NodeId node = kGround;
  int32_t net = -1;                  ///< index into IrReport::nets
  double drop_v = 0;                 ///< bounce on ground nets
  double bound_v = 0;                ///< certified: the largest drop is within drop_v ± bound_v
  double deck_drop_v = 0;            ///< under the deck's own loads
  std::vector<int32_t> full_blocks;  ///< indices into BudgetReport::blocks: what limits the drop

  void visit(auto& v) const {
    v("node", NodeIndex{node})("net", NetIndex{net})("drop_v", drop_v)("bound_v", bound_v)("deck_drop_v", deck_drop_v);
    v("full_blocks", full_blocks);
  }
};

/// The worst of a net.
struct BudgetNet {
  int32_t net = -1;                    ///< index into IrReport::nets
  std::vector<BudgetNode> worst;       ///< the largest of those that were bounded, worst first
  double ceiling_v = 0;                ///< certified: no node of the net drops more, whatever loads are allowed
  bool is_certain = false;             ///< no other node can be worse than the first by more than its bound
  int64_t candidates = 0;              ///< nodes that one of could be the worst
  int64_t solved = 0;                  ///< how many of them were bounded
  std::vector<double> load_a;          ///< what every current source of the deck draws at the worst
  double check_drop_v = 0;             ///< of the worst node, from another solve for load_a
  double check_bound_v = 0;            ///< certified error of check_drop_v
  std::optional<double> limit_v = {};  ///< the lowest one on the worst drop of the net
  bool exceeded = false, undecided = false;

  void visit(auto& v) const {
    v("net", NetIndex{net})("worst", worst)("ceiling_v", ceiling_v, "no node drops more")("is_certain", is_certain);
    v("candidates", candidates)("solved", solved)("check_drop_v", check_drop_v)("check_bound_v", check_bound_v);
    v("limit_v", limit_v)("exceeded", exceeded)("undecided", undecided);
  }
};

/// Loads whose sum is limited.
struct BudgetBlock {
  std::string members, place;  ///< as written, and where
  int64_t loads = 0;
  double most = 0;  ///< of their sum: A, or W at the nominal voltage
  bool is_power = false;
  void visit(auto& v) const {
    v("members", members)("place", place)("loads", loads)(is_power ? "most_w" : "most_a", most);
  }
};

/// The worst case over all loads that a budget allows.
struct BudgetReport {
  std::string path;                            ///< of the budget
  int64_t loads = 0;                           ///< of the deck; both halves of a load pair are one
  int64_t ranged = 0;                          ///< those that may change
  double least_a = 0, deck_a = 0, most_a = 0;  ///< sums over all loads, one by one, without blocks
  std::vector<BudgetBlock> blocks;
  std::vector<BudgetNet> nets;
  std::vector<BudgetNode> chosen;  ///< nodes that were asked for, in this order
  int64_t adjoint_solves = 0;
  double seconds = 0;

  void visit(auto& v) const {
    v("path", path)("loads", loads)("ranged_loads", ranged)("least_a", least_a)("deck_a", deck_a)("most_a", most_a);
    v("blocks", blocks)("nets", nets)("nodes", chosen)("adjoint_solves", adjoint_solves)("seconds", seconds);
  }

  bool limit_exceeded() const {
    for (const BudgetNet& net : nets)
      if (net.exceeded) return true;
    return false;
  }
};

}  // namespace gridiron
