// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "analysis/insight/budget.hpp"
#include "analysis/results/ir_report.hpp"
#include "analysis/solve/solver.hpp"

namespace gridiron {

/// The largest drops of single nodes over a budget, see bound_over_budget(). Refers to what it is made of.
class NodeBounds {
 public:
  /// Solves for the least loads and for the ceilings. Errors: GridError for loads at floating nodes; the solver's.
  NodeBounds(Solver& solver, const IrReport& report, const Budget& budget);

  /// No loads that are allowed make the node drop more than this + ceiling_error(), which is certified.
  double ceiling(NodeId node) const;
  double ceiling_error() const { return least_error_ + ceiling_error_; }

  /// The certified error of responses with which drops are certified to so many volts; infinite where none does, or
  /// any.
  double response_error(double tolerance_v) const;

  /// Whether a source fixes the potential of a node, so that loads do not matter, and its drop then.
  bool is_fixed(NodeId node) const { return !is_free(node); }
  BudgetNode fixed(NodeId node) const;

  struct Found {
    BudgetNode bound;
    std::vector<double> above_a;  ///< the loads that cause it, see Budget::Filling
    double effective_ohm = 0;     ///< between the node and the sources
    std::array<std::optional<double>, 2>
        rise_v{};  ///< certified: how much it may fall, and rise, above the least loads
  };
  Found bounded(const UnitResponse& response) const;

  /// Lowers the ceilings of all nodes to what follows from some that were bounded, by one set-up and solve. With W_n
  /// the most that node n may fall above the least loads and b_n the most that its loads may draw, Kirchhoff's current
  /// law gives G W ≤ b, and so (G + P) W ≤ b + P V for any conductances P from bounded nodes to potentials V ≥ W.
  void tighten(const Solver& solver, std::span<const Found> known);

 private:
  /// A current of 1 A changes the voltage of a node by factor · (λ_b − λ_a).
  struct Ends {
    NodeId a, b;
    double factor;
  };
  bool is_free(NodeId n) const { return n != kGround && merge_.group[n] < merge_.unknowns; }
  const NetResult& net_of(NodeId node) const { return report_.nets[report_.nodes.net[node]]; }
  BudgetNode start(NodeId node) const;
  double least_drop(NodeId node, double sign) const;
  std::vector<double> gains(const UnitResponse& response, double sign) const;
  double rounding(double sum) const;
  void solve_for_least(Solver& solver);
  std::vector<double> most_injection(const Merge& merge, int64_t rows) const;
  void lower_ceilings(Solver& solver, std::vector<double> injection);

  const IrReport& report_;
  const Budget& budget_;
  const Merge& merge_;
  std::vector<std::array<Ends, 2>> ends_;  ///< per load: of the source and its twin
  std::vector<double> least_voltage_;      ///< of nodes under the least loads, V
  double least_error_ = 0;
  std::array<std::vector<double>, 2> ceiling_v_;  ///< per node: how much more it may fall, and rise, V
  double ceiling_error_ = 0;
  double most_error_per_ohm_ = 0;  ///< max Σ c_j (x_j − l_j), A
};

}  // namespace gridiron
