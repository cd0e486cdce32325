// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "analysis/model/answer.hpp"
#include "analysis/solve/batch.hpp"
#include "analysis/solve/certification.hpp"
#include "analysis/solve/engine_slot.hpp"
#include "analysis/solve/unit_response.hpp"

namespace gridiron {

/// Work that goes on while a solve does; it must not use the solver. Empty: none.
using Meanwhile = std::function<void()>;

/// An engine set up on a system, with the barrier of the certificate: another load costs one solve, a changed system an
/// update of the engine. After an error or a stop request it can solve again. What it calls back (progress, take) must
/// neither solve nor update: InputError. Errors of all solves: Stopped, SolverError when the engine breaks down,
/// ResourceError.
class Solver {
 public:
  /// Sets up the engine. Errors: InputError if there is none or it declines the system, SolverError, ResourceError.
  explicit Solver(System system, SolverOptions options = {}, Context context = {},
                  MakeVectors make_vectors = vectors_on_engine_device);

  /// Where and how. These may change; they hold from the next call on.
  const Context& context() const { return context_; }
  void set_stop(const std::stop_token& stop) { context_.stop = stop; }
  void set_threads(int threads) { context_.threads = threads; }
  /// The share is that of a stage: of the barrier, of the solve of all vectors, of explanations.
  void set_progress(Progress progress, ShareDone share_done);

  /// One answer per load vector, each with a bound of its own. Missing the tolerance is no error, see tolerance_miss(),
  /// and a vector on which the engine breaks down leaves the others as they are, see Answer::is_finite(). Errors: those
  /// of System::check(), before anything is solved.
  std::vector<Answer> solve(const Loads& loads);
  /// Calls take(vector, answer) in order, from batch to batch, so that memory does not grow with the number of vectors.
  void solve(const Loads& loads, const std::function<void(int64_t, Answer)>& take);
  /// For the loads of the deck.
  Answer solve();

  /// For the injections of a Batch, such as those of a time step; `voltage` holds the guess, then the solution. What is
  /// to be done `meanwhile` runs once: on a second thread while a factorization, which keeps one busy, solves for one
  /// column, or an engine on a GPU solves; otherwise before the solve. Errors: InputError for another shape or memory,
  /// SolverError where the engine breaks down on any column; those of `meanwhile`.
  std::vector<Accuracy> solve(Block<const double> injection, Block<double> voltage, const Meanwhile& meanwhile = {});

  /// What tells a solution's accuracy from a pass over it, ready for certified(); null where that takes more: no
  /// barrier, weakly tied parts, or a relative residual asked for. Sets up and finds the barrier if need be.
  const QuickResidual* quick_residual();
  /// Solves problem() itself, unknowns × k in any memory the engine takes, as far as quick_residual() is to certify;
  /// `meanwhile` as in solve().
  SolveStats solve_unknowns(Block<const double> b, Block<double> x, const Meanwhile& meanwhile = {});
  /// Whether solve_unknowns() takes blocks in the memory of a GPU.
  bool takes_device_memory() const { return slot_.current()->engine->takes_device_memory(); }
  /// The accuracy of a solution with this residual, which took `seconds` to measure; none if it misses the tolerance.
  std::optional<Accuracy> certified(const ColumnStats& stats, const ResidualSums& residual, double seconds);

  /// Whether solve_ahead() may be called: a factorization solves, and quick_residual() tells how well.
  bool can_solve_ahead() { return quick_residual() != nullptr && is_direct(); }
  /// Solves for one injection, and leaves its accuracy to certified(), which may be called during the next solve.
  ColumnStats solve_ahead(Block<const double> injection, Block<double> voltage);
  std::optional<Accuracy> certified(const ColumnStats& stats, std::span<const double> injection,
                                    std::span<const double> voltage);

  /// Solves for unit currents into nodes: to a relative residual of 1e-10, and as far beyond that, but to 1e-12 at
  /// most, as a certified error of `error_ohm` takes. Errors: GridError for nodes that float, SolverError without
  /// convergence.
  std::vector<UnitResponse> respond(std::span<const NodeId> nodes, double error_ohm = INFINITY);

  /// Goes over to a system of the same design that was edited. After an error the solver still is for the system
  /// before, and sets up again when it next solves if need be. Errors: as the constructor's.
  void update(System system);

  /// Whether a factorization solves, to which a guess is of no use.
  bool is_direct() const { return slot_.current() && slot_.current()->is_direct(); }
  const System& system() const { return system_; }
  const SolverOptions& options() const { return options_; }
  /// The engine in use, for reports: where it was set up, and the threads of the last call.
  EngineRun engine_run() const { return slot_.run(); }
  /// Statistics of the last solve(), over all its vectors.
  const SolveStats& stats() const { return stats_; }
  /// What a user should know: that another engine took over, and why.
  const std::vector<Finding>& findings() const { return slot_.findings(); }
  using Work = SolverWork;
  const Work& work() const { return work_; }
  /// A number that differs for every system and barrier that there was.
  int64_t made_certifiers() const { return work_.setups + work_.updates + work_.barriers; }

  /// Memory held between solves, the engine's included, the system's not.
  int64_t bytes() const;
  /// Frees the vectors of the last solve; the next one allocates them anew.
  void release_vectors();
  /// Frees the engine, too, and returns its memory to the system; the next solve sets it up anew.
  void release();

 private:
  class OneCall;
  using MakeBatch = std::function<Batch()>;
  Solved solve_batch(const MakeBatch& make, Bounds bounds, Meanwhile meanwhile = {});
  Solved solve_once(const MakeBatch& make, bool is_first, Bounds bounds, Meanwhile& meanwhile);

  System system_;
  SolverOptions options_;
  Context context_;
  Work work_;
  EngineSlot slot_;
  Workspace workspace_;
  SolveStats stats_;
  bool is_busy_ = false;
};

}  // namespace gridiron
