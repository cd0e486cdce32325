// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/model/answer.hpp"
#include "analysis/model/finding.hpp"
#include "analysis/model/loads.hpp"
#include "analysis/model/system.hpp"
#include "analysis/solve/accuracy.hpp"
#include "analysis/solve/certifier.hpp"
#include "analysis/solve/device_vectors.hpp"
#include "analysis/solve/solver_options.hpp"
#include "analysis/solve/unit_response.hpp"
#include "engines/engine.hpp"
#include "support/context.hpp"

namespace gridiron {

/// Work that goes on beside a solve; it must not use the solver. Empty: none.
using Meanwhile = std::function<void()>;

/// An engine set up on a system, with the barrier of the certificate: another load costs one solve, a changed system an
/// update of the engine. After an error or a stop request it can solve again. What it calls back (progress, take) must
/// neither solve nor update: InputError.
class Solver {
 public:
  /// Sets up the engine. Errors: InputError if there is no such engine or it declines the system, SolverError,
  /// ResourceError.
  explicit Solver(System system, SolverOptions options = {}, Context context = {},
                  KeepVectors keep_vectors = keep_vectors_beside_engine);

  /// Where and how. These may change; they hold from the next call on.
  const Context& context() const { return context_; }
  void set_stop(std::stop_token stop) { context_.stop = std::move(stop); }
  void set_threads(int threads) { context_.threads = threads; }
  /// The share is that of a stage: of the barrier, of the solve of all vectors, of explanations.
  void set_progress(Progress progress, ShareDone share_done) {
    context_.progress = std::move(progress);
    context_.share_done = std::move(share_done);
  }

  /// One answer per load vector, each with a bound of its own. Missing the tolerance is no error, see tolerance_miss(),
  /// and a vector on which the engine breaks down leaves the others as they are, see Answer::is_finite(). Errors: those
  /// of System::check(), before anything is solved; Stopped, SolverError when the engine breaks down altogether,
  /// ResourceError.
  std::vector<Answer> solve(const Loads& loads);

  /// The same for many vectors: solves them in blocks, so that memory does not grow with their number. Calls
  /// take(vector, answer) in order.
  void solve(const Loads& loads, const std::function<void(std::int64_t, Answer)>& take);

  /// For the loads of the deck.
  Answer solve();

  /// For injections themselves, A, one per merged node and column, such as those of a time step. `voltage`, V measured
  /// from System::reference(), has the same shape; it holds the guess on entry, and the solution afterwards. Both lie
  /// in host memory. What is to be done `meanwhile` runs once: on a second thread while a factorization, which keeps
  /// one busy, solves for one column, or an engine on a GPU solves; otherwise before the solve. Errors: InputError for
  /// another shape or memory, SolverError where the engine breaks down on any of them; Stopped, ResourceError; those of
  /// `meanwhile`.
  std::vector<Accuracy> solve(Block<const double> injection, Block<double> voltage, const Meanwhile& meanwhile = {});

  /// Whether solve_unknowns() takes blocks in the memory of a GPU.
  bool takes_device_memory() const;

  /// What tells a solution's accuracy from a pass over it, ready for certificate(); null where that takes more: no
  /// barrier, weakly tied parts, or a relative residual asked for. Sets up and finds the barrier if need be. Errors:
  /// those of solve().
  const QuickResidual* quick_residual();
  /// Solves problem() itself, unknowns × k in any memory the engine takes, as far as quick_residual() is to certify.
  /// What is to be done `meanwhile` runs once, as in solve(). Errors: SolverError, Stopped, ResourceError.
  SolveStats solve_unknowns(Block<const double> b, Block<double> x, const Meanwhile& meanwhile = {});
  /// The accuracy of a solution with this residual, in whose measuring a part of `seconds` went; none where it misses
  /// the tolerance.
  std::optional<Accuracy> certified(const ColumnStats& stats, const ResidualSums& residual, double seconds);

  /// Whether solve_ahead() may be called: a factorization solves, and quick_residual() tells how well. Errors: those of
  /// quick_residual().
  bool can_solve_ahead();
  /// Solves for one injection as solve() does, and leaves its accuracy to certified(), so that this may be found while
  /// the next solve goes on. Errors: those of solve().
  ColumnStats solve_ahead(Block<const double> injection, Block<double> voltage);
  /// The accuracy of what solve_ahead() found; none where it misses the tolerance.
  std::optional<Accuracy> certified(const ColumnStats& stats, std::span<const double> injection,
                                    std::span<const double> voltage);

  /// Solves for unit currents into nodes, many at once: to a relative residual of 1e-10, and as far beyond that, but to
  /// 1e-12 at most, as a certified error of `error_ohm` takes. Errors: GridError for nodes that float, SolverError when
  /// the engine does not converge; Stopped, ResourceError.
  std::vector<UnitResponse> respond(std::span<const NodeId> nodes,
                                    double error_ohm = std::numeric_limits<double>::infinity());

  /// Goes over to a system of the same design that was edited. After an error the solver still is for the system
  /// before, and sets up again when it next solves if need be. Errors: as the constructor's.
  void update(System system);

  /// Whether a factorization solves, to which a guess is of no use.
  bool is_direct() const;

  const System& system() const { return system_; }
  const SolverOptions& options() const { return options_; }

  /// The engine in use, for reports: where it was set up, and the threads of the last call.
  EngineRun engine_run() const;
  /// Statistics of the last solve(), over all its vectors.
  const SolveStats& stats() const { return stats_; }
  /// What a user should know: that another engine took over, and why.
  const std::vector<Finding>& findings() const { return findings_; }
  /// Memory held between solves, the engine's included, the system's not.
  std::int64_t bytes() const;

  /// Frees the vectors of the last solve; the next one allocates them anew.
  void release_vectors();
  /// Frees the engine, too, and returns its memory to the system; the next solve sets it up anew.
  void release();

  /// Work done since construction, with timings.
  struct Work {
    int setups = 0, updates = 0;  ///< an update to a matrix of another pattern is a set-up
    int barriers = 0;
    std::int64_t vectors = 0;
    double setup_s = 0, solve_s = 0, certify_s = 0;
  };
  const Work& work() const { return work_; }
  /// A number that differs for every system and barrier that there was.
  std::int64_t made_certifiers() const { return work_.setups + work_.updates + work_.barriers; }

 private:
  class OneCall;
  void set_up(const EngineInfo& info, const System& system);
  void update_engine(const System& system);
  void change_engine(const EngineInfo& to, const std::string& why, const System& system);
  /// The engine that would take over; null: none.
  const EngineInfo* relief(const System& system) const;
  Outlook outlook() const { return {context_.device, options_.solves}; }
  bool take_over(const std::string& why, const System& system);
  void tell(const char* code, std::string message);
  void find_barrier();
  StopRule stop_rule() const;
  /// To the last digit, or as far as one pass in doubles shows that it meets the tolerance.
  enum class Judge { finely, quickly };
  /// Makes injected_ and solved_, with a guess in it unless from_zero_, what is to be solved. Called once there is a
  /// barrier, which takes vectors of its own, and again when another engine takes over.
  using GiveBlock = std::function<void()>;
  std::vector<Accuracy> solve_columns(const GiveBlock& give, Judge judge, const Meanwhile& meanwhile = {});
  std::vector<Accuracy> solve_block(const GiveBlock& give, Judge judge, const Meanwhile& meanwhile = {});
  template <class Solve>
  void run(Solve solve, std::int64_t columns, const Meanwhile& meanwhile) const;
  /// Whether vectors are reduced, recovered and judged there_, made ready for it: not where a system is solved but
  /// once, as making its tables takes what the first vector saves (benchmarks/results/h100.md).
  bool prepare_there(Judge judge);
  /// `reduce` puts into there_ what is to be solved for. Null where that cannot be done.
  template <class Reduce>
  std::optional<SolveStats> solve_there(Reduce reduce, Block<double> voltage, const StopRule& stop);
  std::optional<SolveStats> solve_units_there(std::span<const std::int32_t> merged, Block<double> voltage,
                                              const StopRule& stop);
  /// False where there is no memory for it; then vectors stay on the host.
  template <class Action>
  bool fits(Action action);
  /// context_, on the stream of there_.
  Context engine_context() const;
  std::vector<FineResidual> measured_there();
  std::vector<Accuracy> certified(Judge judge, bool are_there);
  bool certify_quickly(std::int64_t v, Accuracy& solution) const;
  bool take(const Certifier::Quick& quick, Accuracy& solution) const;
  std::optional<Accuracy> certified(const ColumnStats& stats, const Certifier::Quick& quick) const;
  void prepare(Judge& judge);
  StopRule stop_rule(Judge judge) const;
  std::vector<UnitResponse> respond_block(std::span<const NodeId> nodes, double error_ohm);
  /// Sets the levels of weakly tied parts right in volts(v).
  void settle(std::int64_t v);
  /// Vector v of the current block, of the merged network.
  FineVoltages volts(std::int64_t v) const;
  std::span<const double> injection(std::int64_t v) const;
  double relative_residual(std::int64_t v) const;
  /// Whether an answer misses what was asked for, and has a chance to reach it.
  bool is_open(const Accuracy& accuracy) const;
  /// Solves again for the residuals of answers that miss the tolerance, formed from the network in extended precision,
  /// and keeps the sum unrounded (iterative refinement as in Demmel et al., ACM Trans. Math. Softw. 32, 2006): where
  /// pads are weak, neither the rounding of the matrix nor that of the voltages limits the answer then.
  void refine(std::span<Accuracy> solutions);
  std::string miss_of(std::span<const Accuracy> solutions) const;

  System system_;
  SolverOptions options_;
  Context context_;
  const EngineInfo* info_;
  KeepVectors keep_vectors_;
  std::unique_ptr<DeviceVectors> there_;  ///< null: vectors are on the host. It has the stream that engine_ works on
  bool has_room_there_ = true;
  std::int64_t there_for_ = -1, solved_for_ = -1;  ///< made_certifiers() when it was made ready, and at the last solve
  std::unique_ptr<Engine> engine_;                 ///< null once it is released
  EngineRun last_run_;                             ///< what it did before
  bool is_set_up_ = false;                         ///< engine_ is for system_
  std::string_view device_;                        ///< where engine_ was set up
  std::string asked_for_;                          ///< and which device was asked for then
  int threads_ = 1;
  std::optional<Certifier> certifier_;
  bool is_alone_ = false;  ///< no other engine can take over
  bool is_busy_ = false;
  std::int64_t vectors_done_ = 0, all_vectors_ = 0;  ///< of the call
  std::vector<double> injection_, volts_;  ///< of the merged network, a block of load vectors; kept between solves
  Block<const double> injected_;           ///< what is being solved for, and the solutions
  Block<double> solved_;
  bool from_zero_ = true;     ///< whatever solved_ holds
  std::vector<double> rest_;  ///< what these are rounded by; empty unless answers were refined
  System::Scratch scratch_;
  SolveStats stats_;
  std::vector<Finding> findings_;
  Work work_;
};

}  // namespace gridiron
