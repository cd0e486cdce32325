// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/insight/budget.hpp"
#include "analysis/results/ir_report.hpp"
#include "analysis/results/summarise.hpp"
#include "analysis/solve/solver.hpp"

namespace gridiron {

struct BudgetOptions {
  std::vector<std::string> nodes;         ///< bound these, too
  size_t worst = 10;                      ///< how many nodes of each net are listed, at least 1
  int64_t most_solves = 1000;             ///< per net, in search of its worst node; at least 1
  std::vector<LimitRequest> limits = {};  ///< those on the worst drop of nets are judged
};

/// The largest drops over all loads x that a budget allows, without any load vector. With d the drop of node n at the
/// least loads l and g_j = ∂drop/∂x_j from G λ = e_n, the largest is
///
///     W = d + max Σ g_j (x_j − l_j),
///
/// one unit response (Solver::respond) and one greedy filling (Budget::fill). It is certified: if every λ is within ε
/// of the true one and load j has c_j ends, each true gain is within c_j ε, so for any allowed x, and so for the
/// largest
///
///     |W − W_computed| ≤ error of d + ε · max Σ c_j (x_j − l_j).
///
/// The worst node of each net is found for certain. By λ ≥ 0, drops are at most those under loads that draw all they
/// may at the ends that raise drops and nothing more at others, which one solve gives for all nodes; candidates are
/// bounded from the largest of these on, in blocks, until the next one cannot exceed the worst so far. Which nodes are
/// candidates, and why no other can be the worst, says BudgetCandidates. At last one more solve per net compares all
/// nodes with the ceilings under the loads that were found (check_over_budget()).
///
/// `report` is that of the deck's loads, with the nets to look at. Errors: InputError of Budget, for nodes without
/// drop; GridError for loads at floating nodes; the solver's.
BudgetReport bound_over_budget(Solver& solver, const IrReport& report, const BudgetTable& table,
                               const BudgetOptions& options = {});

/// An information for limits that are judged under the deck's loads alone: all but those on the worst drop of a net.
std::vector<Finding> find_unjudged_limits(const SummaryOptions& options);

/// "net VDD: worst drop over the budget of 120.6 mV exceeds 90 mV".
std::string describe(const BudgetNet& net, const IrReport& report);

/// Empty unless a bound of the report misses the tolerance.
std::string tolerance_miss(const BudgetReport& report, const SolverOptions& options);

}  // namespace gridiron
