// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/insight/budget_members.hpp"
#include "analysis/model/system.hpp"
#include "analysis/results/budget_report.hpp"
#include "netlist/tables/budget_table.hpp"

namespace gridiron {

/// A load whose current x, A, a budget bounds: a current source, or both halves of a load pair.
struct BudgetLoad {
  int64_t source = -1, twin = -1;    ///< indices into Circuit::current_sources; −1: no second half
  double sign = 1, twin_factor = 0;  ///< the source draws sign·x, its twin twin_factor·x
  double least_a = 0, most_a = 0;
  double weight = 1;   ///< what an ampere counts in blocks: 1, or the supply where these are of power
  int32_t block = -1;  ///< the innermost one that it is in; −1: none
};

/// What the loads of a system may draw: all x with least ≤ x ≤ most for each load and Σ weight·x ≤ most over every
/// block. Blocks are nested or apart, so the largest of Σ gain·x is found greedily: loads in the order of gain per
/// weight, each as much as it and all blocks around it leave (a polymatroid: Edmonds 1970).
class Budget {
 public:
  /// A load that no rule `each` means stays as the deck says; of several the last holds. `voltage_v`, an answer of the
  /// system, decides which nets nodes are on. Errors: InputError, beginning with the place of the rule, for members
  /// that do not exist, a least above the most, blocks that overlap or are below the least of their loads, and powers
  /// of loads without supply voltage.
  Budget(const System& system, std::span<const double> voltage_v, const BudgetTable& table);

  const std::vector<BudgetLoad>& loads() const { return loads_; }
  const std::vector<BudgetBlock>& blocks() const { return blocks_; }
  /// How many loads may change.
  int64_t ranged() const;

  /// How much a load may draw above its least, A, if all others draw their least.
  double room_a(size_t load) const;

  /// Amperes above the least, per load, that make Σ gain·amperes largest; gains are per ampere.
  struct Filling {
    double gain = 0;
    std::vector<double> above_a;
    std::vector<int32_t> full_blocks;  ///< those that have nothing left
  };
  Filling fill(std::span<const double> gain) const;

  /// What every current source draws with these above the least; empty: none.
  std::vector<double> source_amperes(std::span<const double> above_a = {}) const;

 private:
  struct Members;
  void bound_loads(const BudgetTable& table, std::span<const BudgetMember> members, std::span<const double> supply_v);
  void add_blocks(const BudgetTable& table, std::span<const BudgetMember> members, std::span<const double> supply_v);
  void nest(const BudgetTable& table, const std::vector<std::vector<int64_t>>& members, std::span<const int64_t> rows);

  std::shared_ptr<const Design> design_;
  std::vector<BudgetLoad> loads_;
  std::vector<uint8_t> is_named_;    ///< per load: by a rule `each`
  std::vector<BudgetBlock> blocks_;  ///< in the order of the table
  std::vector<int32_t> parent_;      ///< per block: the one around it, −1: none
  std::vector<double> slack_;        ///< per block: what its loads may draw above their least, × weight
};

}  // namespace gridiron
