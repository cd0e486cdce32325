// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/insight/budget_bound.hpp"
#include "analysis/insight/explain.hpp"
#include "analysis/insight/pad_gains.hpp"
#include "analysis/model/design.hpp"
#include "analysis/results/summarise.hpp"
#include "analysis/solve/solver.hpp"
#include "netlist/circuit.hpp"

namespace gridiron {

struct IrOptions : DesignOptions, SolverOptions, SummaryOptions {
  bool reduce = true;  ///< eliminate dangling and series nodes
  Context context;
  std::optional<LoadTable> loads;           ///< load vectors instead of the deck's loads; what it does not name stays
  std::vector<std::string> why;             ///< nodes to explain, see node_to_explain()
  std::optional<PadGainOptions> pad_gains;  ///< also find where one more pad lowers the worst drops most
  std::optional<BudgetTable> budget;        ///< also bound the drops over all loads that it allows
  BudgetOptions over_budget;                ///< their limits are those of this run
  std::function<void(const System&)> show_system = {};  ///< called before the engine is set up
};

/// The findings of a netlist and a summary of what would be analysed; nothing is solved.
struct CheckResult {
  std::vector<Finding> findings;
  int64_t nodes = 0;  ///< with ground, as IrReport's
  int64_t parts = 0, floating_parts = 0;
  std::vector<std::string> nets;  ///< "VDD 1.8 V"
  void visit(auto& v) const {
    v("findings", findings)("nodes", nodes)("parts", parts)("floating_parts", floating_parts)("nets", nets);
  }
  bool has_errors() const {
    for (const Finding& f : findings)
      if (f.severity == Finding::Severity::error) return true;
    return false;
  }
};
CheckResult check_netlist(const Circuit& circuit, const DesignOptions& options);

/// What summarise() leaves empty since it concerns the run: engine, statistics, timings and findings of `solver`.
/// Timings count from `before` on.
void add_run(IrReport& report, const Solver& solver, const Solver::Work& before = {});

/// Of that, the engine, its statistics and the timings.
void add_work(IrReport& report, const Solver& solver, const Solver::Work& before = {});

/// "decks/ibmpg1.spice.bz2" → "ibmpg1", the NAME of NAME.solution; standard input is "stdin".
std::string netlist_name(const std::string& path);

/// Path, name and size of the netlist that was read.
void add_input(IrReport& report);

/// Static IR drop of a circuit in one call: Design, System, Solver, summarise. The report refers to `circuit`, which
/// must stay alive. Errors: InputError, GridError, ResourceError, SolverError when the engine breaks down. Missing the
/// tolerance does not throw: see tolerance_miss().
IrReport analyse_ir_drop(const Circuit& circuit, const IrOptions& options);

/// What becomes of a solver once it has solved, before results are summed up: it is released always, never, or unless
/// limits may be exceeded.
enum class SolverAfterwards { is_released, stays, stays_beyond_limits };

/// The latter half of it: solves for `loads` and sums up. With `is_worst_case` the report is of the worst over all
/// vectors, otherwise of the only one. Timings are those of the solver's work since `before`. Errors: as above.
IrReport analyse_loads(Solver& solver, const Loads& loads, bool is_worst_case, const SummaryOptions& options,
                       const Solver::Work& before = {}, SolverAfterwards afterwards = SolverAfterwards::stays);

/// Where the drops of nodes beyond limits fall, then those of `asked`. What nobody asked for is worth no failure: a
/// finding tells of it. Errors: Stopped.
void add_drop_shares(Solver& solver, const Loads& loads, std::span<const NodeId> asked, IrReport& report);

/// Empty if the solution meets the requested accuracy, otherwise one line that describes the shortfall.
std::string tolerance_miss(const IrReport& report, const SolverOptions& options);

}  // namespace gridiron
