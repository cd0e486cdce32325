// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/certificate.hpp"
#include "analysis/ir_result.hpp"
#include "analysis/statistics.hpp"
#include "engines/engine.hpp"
#include "netlist/circuit.hpp"
#include "regularize/eliminate.hpp"
#include "support/context.hpp"

namespace gridiron {

struct IrOptions {
  std::string engine = "auto", device = "auto";
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

/// The linear system of a circuit and the way back from its solution.
struct ReducedGrid {
  MergedNetwork merged;
  std::vector<std::int32_t> system;  ///< per merged node: its connected system, −1 where floating
  std::int32_t systems = 0;
  double largest_volts = 0;  ///< among given potentials and offsets
  Elimination elimination;   ///< from the merged network to the unknowns of `problem`
  std::shared_ptr<const Problem> problem;
  std::vector<std::string> part_names;   ///< per Geometry::net: its nets, "VDD" or "VDD+VDDA"; empty for floating parts
  std::vector<std::string> layer_names;  ///< per Geometry::layer

  ReducedGrid() = default;
  ReducedGrid(const ReducedGrid&) = delete;
  ReducedGrid& operator=(const ReducedGrid&) = delete;

  /// Solves for any injection of the merged network (A, one per node) with an engine set up for `problem`; `voltage`
  /// (V, one per node) holds the guess on entry.
  SolveStats solve(Engine& engine, std::span<const double> injection, std::span<double> voltage,
                   const StopRule& stop) const;

  /// Gives `bound` its barrier by a loose solve; false when the outcome is no barrier.
  bool set_barrier(Engine& engine, ErrorBound& bound, int max_iterations) const;

  /// Conductances many orders apart make the bound by one number pessimistic; the residual itself as right-hand side
  /// is sharp. Infinite where even that proves nothing.
  ErrorBound::Result sharp_bound(Engine& engine, const ErrorBound& bound, std::span<const double> voltage,
                                 int max_iterations) const;
};

/// DESIGN.md §1 from "check" to "assemble". Errors: InputError, GridError, ResourceError.
std::unique_ptr<const ReducedGrid> prepare(const Circuit& circuit, const IrOptions& options);

/// Static IR drop of a circuit: DESIGN.md §1 from "check" to "recover". The result refers to `circuit`, which must stay
/// alive. Errors: InputError, GridError, ResourceError, SolverError when the engine breaks down. Missing the tolerance
/// is no exception: see tolerance_miss().
IrResult analyse_ir_drop(const Circuit& circuit, const IrOptions& options);

/// Empty when the answer is as accurate as asked for, else one line that says what is missing.
std::string tolerance_miss(const IrResult& result, const IrOptions& options);

}  // namespace gridiron
