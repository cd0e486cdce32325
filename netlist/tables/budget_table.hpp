// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "netlist/values/quantity.hpp"

namespace gridiron {

/// A current as a budget gives it.
struct BudgetAmount {
  enum class Unit { ampere, watt, share };
  double value = 0;  ///< finite, ≥ 0; a share is of what the deck says
  Unit unit = Unit::ampere;
};

/// What the loads of a chip may draw when nobody knows the vectors: bounds of single loads and of sums over blocks.
struct BudgetTable {
  /// One kind of members: all that it says belong.
  struct Term {
    enum class Kind { glob, net, area };
    Kind kind = Kind::glob;
    std::string text;                                   ///< a name with * and ?, or that of a net
    double x0_um = 0, y0_um = 0, x1_um = 0, y1_um = 0;  ///< of an area, edges included
  };
  struct Row {
    bool is_sum = false;        ///< otherwise the bounds are those of each member
    std::vector<Term> members;  ///< their union; at least one
    std::string text;           ///< the members as written
    BudgetAmount least, most;
    int64_t line = 0, column = 0;
  };
  std::vector<Row> rows;
  std::string path;  ///< of the file; empty for a table made by hand
  AttoNumbers atto = {};

  /// Where a row comes from, as messages begin: "budget.csv:2:1".
  std::string place(const Row& row) const;
};

/// Reads a CSV file (also compressed) with a row per rule:
///
///     each,MEMBERS,MOST[,LEAST]   every member draws between LEAST (0 if not given) and MOST
///     sum,MEMBERS,MOST            all members together draw at most MOST
///
/// MEMBERS are terms with blanks between them: names of current sources or instances, in which * stands for any
/// characters and ? for one; net:NAME; area:X0:Y0:X1:Y1 in µm. Amounts are currents (2mA), powers at the nominal
/// voltage (1.5mW), or percentages of what the deck says (150%). Errors: InputError that begins with file:line:column.
BudgetTable read_budget(const std::string& path);

/// The same from text in memory.
BudgetTable read_budget_text(std::string text, const std::string& name = "budget");

}  // namespace gridiron
