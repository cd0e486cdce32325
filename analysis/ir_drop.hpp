// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/ir_result.hpp"
#include "analysis/statistics.hpp"
#include "engines/engine.hpp"
#include "netlist/circuit.hpp"

namespace gridiron {

/// Told before each stage of a run ("read", "check", …).
using Progress = std::function<void(std::string_view stage)>;

struct IrOptions {
  std::string engine = "auto";
  Settings settings;           ///< --set
  double tolerance_v = 10e-6;  ///< certified bound to reach, V
  std::optional<double> rtol;  ///< relative residual instead of the tolerance
  int max_iterations = 500;
  bool reduce = true;
  std::string net;  ///< report this net only; empty: all
  std::map<std::string, double> nominal_v;
  std::vector<LimitRequest> limits;
  std::optional<double> dbu_per_um;
  Progress progress = [](std::string_view) {};
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
CheckResult check_netlist(const Circuit& circuit, const IrOptions& options);

/// Static IR drop of a circuit: DESIGN.md §1 from "check" to "recover". The result refers to `circuit`, which must stay
/// alive. Errors: InputError, GridError, ResourceError, SolverError when the engine breaks down. Missing the tolerance
/// is no exception: see tolerance_miss().
IrResult analyse_ir_drop(const Circuit& circuit, const IrOptions& options);

/// Empty when the answer is as accurate as asked for, else one line that says what is missing.
std::string tolerance_miss(const IrResult& result, const IrOptions& options);

}  // namespace gridiron
