// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analysis/insight/budget_bound.hpp"
#include "analysis/plan/find_plan.hpp"
#include "analysis/run/ir_drop.hpp"
#include "netlist/deck/deck.hpp"
#include "support/field.hpp"

namespace gridiron {

/// What a user works on in a shell or a script: one design with its edits and its loads, and the solvers set up for it.
/// Nothing is done twice: another load costs one solve, an edited grid an update of each engine that is asked again.
/// After an error everything is as before.
class Session {
 public:
  /// Reads a netlist in place of the one before, with its edits, loads and solvers. Errors: those of read_netlist() and
  /// make_design(). Findings are no errors here, see check().
  void read(const std::string& path, const ReadOptions& read = {}, const DesignOptions& options = {});

  /// A circuit that was made otherwise, such as from a layout, in place of the netlist before; `path` is what reports
  /// call it. Errors: those of make_design().
  void read(const std::string& path, std::shared_ptr<const Circuit> circuit, const DesignOptions& options = {});
  /// Forgets the netlist with its edits, loads and solvers; `why` is what design() tells from then on.
  void forget(std::string why);

  /// A session without a netlist, which counts this one's work on. Of two netlists the one before can so be kept until
  /// the next has been analysed: give it back() then if that failed.
  Session successor();
  /// Takes the place of its successor, whose work it counts.
  void back(Session& successor);

  bool has_design() const { return design_ != nullptr; }
  /// Whether neither the grid nor its loads were changed since it was read. Errors: those of design().
  bool is_as_read() const { return change_findings(false).empty(); }

  /// Errors of all that follow: InputError when nothing has been read.
  const Design& design() const;
  const std::string& path() const { return path_; }

  /// What is to be found in the netlist, and a summary of it; nothing is solved.
  CheckResult check() const;

  /// The nominal voltage of a net, V. The netlist is not read again; solvers are set up anew. Errors: InputError when
  /// there is no such net.
  void set_nominal(const std::string& net, double volts);

  /// What becomes of islands from now on. Only a netlist that has some with loads is looked at anew, with its edits;
  /// solvers are set up anew then. Errors: those of make_design().
  void set_islands(const IslandRule& rule);

  /// The current of a source, A. Errors: those of Loads::set().
  void set_load(const std::string& source, double amperes);
  double load(const std::string& source) const;

  /// All edits, or after an error none. Errors: those of System::apply().
  void apply(std::span<const Edit> edits);
  void apply(const Edit& edit) { apply(std::span(&edit, 1)); }
  /// Resistance of a resistor as edited, ohm; 0 for a short. Errors: InputError when there is none of that name.
  double resistance(const std::string& resistor) const;

  /// What is asked of an analysis.
  struct Request : SolverOptions, SummaryOptions {
    Context context;
    std::optional<LoadTable> loads;  ///< load vectors instead of the current loads; what it does not name is the deck's
    RunFacts run = {};               ///< for the report
    bool allow_reuse = false;        ///< the last report, if it answers the same and nothing was changed since
  };

  /// Solves and sums up; the report is kept. Circuits whose errors are estimated are solved anew each time. Missing the
  /// tolerance is no error, see tolerance_miss(). Errors: those of analyse_ir_drop().
  const IrReport& analyse(const Request& request);

  /// How findings of reports name options from here on; by default they are marked, for spelled().
  void set_spelling(FieldSpelling spelling) { spelling_ = std::move(spelling); }

  /// The last analysis. Errors: InputError when there is none, or the grid or its loads were changed since.
  const IrReport& report() const;

  /// What report() was asked for. Errors: those of report().
  const Request& request() const { return report(), *asked_; }

  /// Why nodes of the last analysis drop, by the engine that it was made with; kept in report(). Errors: those of
  /// report(), node_to_explain() and explain().
  const std::vector<Explanation>& explain(const std::vector<std::string>& nodes, const ExplainOptions& options,
                                          std::stop_token stop = {});

  /// Where the drops of nodes of the last analysis fall, by the engine that it was made with; kept in report(), instead
  /// of those of nodes beyond limits. Errors: those of report(), node_to_explain() and gridiron::find_drop_shares().
  const std::vector<DropShares>& find_drop_shares(const std::vector<std::string>& nodes, std::stop_token stop = {});

  /// Where one more pad lowers the worst drops of the last analysis most: of nets beyond limits, or of all if none is.
  /// Kept in report(). Errors: those of report() and gridiron::find_pad_gains().
  const std::vector<PadGains>& find_pad_gains(const PadGainOptions& options, std::stop_token stop = {});

  /// The largest drops over all loads that a budget allows, of the grid of the last analysis, by the engine that it was
  /// made with; its limits are judged on them, too. Kept in report(). Missing the tolerance is no error. Errors: those
  /// of report() and bound_over_budget(), InputError where the analysis was not of the netlist's own loads.
  const BudgetReport& bound_over_budget(const BudgetTable& table, BudgetOptions options, std::stop_token stop = {});

  /// The stress of metal, and what is to be said of it, of the last analysis, and its cascade by the engine that it was
  /// made with. Kept in report(). Errors: those of report(), gridiron::find_stress() and find_cascade(), InputError
  /// where several load vectors were analysed.
  const StressReport& find_stress(const StressOptions& options, std::stop_token stop = {});

  /// The cheapest change of the grid as edited that keeps the limits of the last analysis under its loads, by the
  /// engine that it was made with. Errors: those of report() and gridiron::find_plan(), InputError where the analysis
  /// had no limits or errors are estimated only.
  const Plan& find_plan(const PlanMeans& means, std::stop_token stop = {});
  /// Makes the changes of that plan. Errors: InputError without one for the grid as it is.
  void apply_plan();

  /// For report(): checksums of what was read.
  void set_files(std::vector<RunFacts::InputFile> files) { report_.run.files = std::move(files); }

  /// The loads in force.
  const Loads& loads() const;
  /// The grid as edited. Errors: those of the design (Design::throw_first_error).
  const System& system();

  /// Frees the solvers.
  void forget_solvers();

  /// Work done since the session began.
  struct Work {
    /// Netlists parsed, or handed over; designs made of them; grids reduced or edited.
    int reads = 0, designs = 0, systems = 0;
    int setups = 0, updates = 0;  ///< of engines, see Solver::Work
    int64_t vectors = 0;          ///< load vectors solved for
    int reused = 0;               ///< analyses that were answered by the one before
    void visit(auto& v) const {
      v("reads", reads)("designs", designs)("systems", systems)("setups", setups)("updates", updates);
      v("vectors", vectors)("reused", reused);
    }
  };
  Work work() const;

 private:
  static constexpr int64_t kNoGrid = -1;
  struct Solved {
    SolverOptions options;
    std::string device;
    int64_t grid = 0;  ///< Session::grid_ that the solver is for; kNoGrid: it may be for any
    std::unique_ptr<Solver> solver;
  };
  void adopt(std::shared_ptr<const Design> design);
  /// Makes the design again, with the edits and loads of this one.
  void make_again(const DesignOptions& options);
  /// The report of a circuit whose matrix is no M-matrix, without what concerns the run.
  IrReport estimated(const Request& request, const Loads& given) const;
  /// The same of one that has a certificate.
  IrReport certified(const Request& request, const Loads& given);
  /// Up to date; `before` is its work so far.
  Solved& solver_for(const Request& request, Solver::Work& before);
  /// By the solver and the loads of the last analysis.
  void with_solver(std::stop_token stop, const std::function<void(Solver&, const Loads&)>& work);
  CascadeReport find_cascade(const StressOptions& options, std::stop_token stop);
  void changed() { ++state_; }
  /// That the grid was edited, or that its loads are not those of the deck.
  std::vector<Finding> change_findings(bool has_other_loads) const;
  std::string spelled_here(const std::string& message) const {
    return spelling_ ? spelled(message, spelling_) : message;
  }
  void spell_findings() {
    for (Finding& finding : report_.findings) finding.message = spelled_here(finding.message);
  }

  std::string path_, why_none_ = "no netlist has been read; read one first";
  std::shared_ptr<const Circuit> circuit_;
  std::shared_ptr<const Design> design_;
  std::vector<Edit> edits_;
  std::optional<Loads> loads_;
  std::optional<System> system_;
  std::list<Solved> solvers_;
  int64_t grid_ = 0, state_ = 0;  ///< counted up by every change of the grid, and of anything
  IrReport report_;
  std::optional<Request> asked_;  ///< that report_ answers
  int64_t reported_ = -1;         ///< state_ then
  std::optional<Plan> plan_;
  int64_t planned_ = -1;  ///< state_ when it was found
  Work work_;             ///< without that of solvers_
  FieldSpelling spelling_;
};

}  // namespace gridiron
