// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "analysis/ir/design.hpp"
#include "analysis/ir/solver.hpp"
#include "analysis/ir/summarise.hpp"
#include "netlist/circuit.hpp"

namespace gridiron {

struct IrOptions : DesignOptions, SolverOptions, SummaryOptions {
  bool reduce = true;  ///< eliminate dangling and series nodes
  Context context;

  /// Load vectors in the place of the deck's loads of the sources they name; see Loads.
  struct {
    std::vector<std::string> names;
    std::int64_t vectors = 0;  ///< none: the deck's loads
    std::vector<double> amperes;
  } loads;
};

/// Findings of a netlist and what would be analysed; nothing is solved.
struct CheckResult {
  std::vector<Finding> findings;
  std::int64_t nodes = 0, parts = 0, floating_parts = 0;
  std::vector<std::string> nets;  ///< "VDD 1.8 V"
  bool has_errors() const {
    for (const Finding& f : findings)
      if (f.severity == Finding::Severity::error) return true;
    return false;
  }
};
CheckResult check_netlist(const Circuit& circuit, const DesignOptions& options);

/// Static IR drop of a circuit in one go: Design, System, Solver, summarise. The report refers to `circuit`, which must
/// stay alive. Errors: InputError, GridError, ResourceError, SolverError when the engine breaks down. Missing the
/// tolerance is no exception: see tolerance_miss().
IrReport analyse_ir_drop(const Circuit& circuit, const IrOptions& options);

/// Empty when the answer is as accurate as asked for, else one line that says what is missing.
std::string tolerance_miss(const IrReport& report, const SolverOptions& options);

}  // namespace gridiron
