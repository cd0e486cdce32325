// SPDX-License-Identifier: Apache-2.0
#include "analysis/solve/solver.hpp"

#include <algorithm>

#include "analysis/model/double_range.hpp"
#include "support/error.hpp"
#include "support/freed_memory.hpp"
#include "support/parallel_arrays.hpp"
#include "support/short_waits.hpp"
#include "support/side_by_side.hpp"
#include "support/stopwatch.hpp"

namespace gridiron {
namespace {

void add(const std::optional<HybridParts>& batch, std::optional<HybridParts>& total) {
  if (!batch) return;
  if (!total) total.emplace();
  total->original_grid_s += batch->original_grid_s;
  total->regular_grid_s += batch->regular_grid_s;
  total->transfers_s += batch->transfers_s;
  total->regular_grid_bytes = batch->regular_grid_bytes;
}

std::string miss_of(std::span<const Accuracy> all, const EngineInfo& engine, const SolverOptions& options) {
  for (const Accuracy& accuracy : all) {
    std::string miss = tolerance_miss(accuracy.stats, accuracy.certificate, std::string(engine.name), options);
    if (!miss.empty()) return miss;
  }
  return "";
}

/// At once with `meanwhile` where cores are idle, or after it.
template <class Solve>
void overlap(Solve solve, bool cores_are_idle, const Meanwhile& meanwhile) {
  if (meanwhile && cores_are_idle) return side_by_side(solve, meanwhile);
  if (meanwhile) meanwhile();
  solve();
}

/// With the share of a batch in all columns of the call.
Context context_for(const Batch& batch, Context context) {
  context.share_done = [report = context.share_done, before = static_cast<double>(batch.first),
                        columns = static_cast<double>(batch.injection.columns),
                        all = static_cast<double>(batch.of_columns)](double share) {
    report((before + share * columns) / all);
  };
  return context;
}

}  // namespace

/// A call from its beginning to its end, during which there is no other.
class Solver::OneCall {
 public:
  explicit OneCall(Solver& solver, int64_t columns = 1) : solver_(solver) {
    if (solver.is_busy_)
      throw InputError(
          "a solver can neither solve nor update while it gives out answers or progress; wait until "
          "solve() has returned");
    const ThreadCount threads(solver.context_.threads);
    waits_.emplace(solver.system_.network().nodes * columns);
    solver.is_busy_ = true;
  }
  ~OneCall() { solver_.is_busy_ = false; }
  OneCall(const OneCall&) = delete;
  OneCall& operator=(const OneCall&) = delete;

 private:
  Solver& solver_;
  std::optional<ShortWaits> waits_;
};

Solver::Solver(System system, SolverOptions options, Context context, MakeVectors make_vectors)
    : system_(std::move(system)),
      options_(std::move(options)),
      context_(std::move(context)),
      slot_(system_, options_, context_, work_, std::move(make_vectors)) {
  const OneCall call(*this);
  const ThreadCount threads(context_.threads);
  slot_.set_up(system_);
}

void Solver::set_progress(Progress progress, ShareDone share_done) {
  context_.progress = std::move(progress);
  context_.share_done = std::move(share_done);
}

Solved Solver::solve_once(const MakeBatch& make, bool is_first, Bounds bounds, Meanwhile& meanwhile) {
  ReadyEngine& ready = slot_.ready_with_barrier(system_);
  if (bounds == Bounds::quick && !ready.prepare_quick()) bounds = Bounds::tight;
  Stopwatch watch;
  context_.progress("solve");
  Batch batch = make();
  batch.from_zero = batch.from_zero || !is_first;
  ready.set_context(context_for(batch, context_));
  StopRule stop = ready.stop_rule(bounds);
  stop.from_zero = batch.from_zero || ready.is_direct();
  const bool is_repeated = batch.of_columns > 1 || ready.has_solved;
  const bool begins_on_device = bounds == Bounds::tight && batch.from_zero && is_repeated &&
                                ready.on_device.prepare(*ready.engine, system_, ready.certifier);
  std::optional<SolveStats> on_device;
  SolveStats stats;
  const auto solve = [&] {
    if (begins_on_device) on_device = ready.on_device.solve(*ready.engine, batch.injection, batch.voltage, stop);
    stats = on_device ? std::move(*on_device)
                      : system_.solve(*ready.engine, batch.injection, batch.voltage, stop, workspace_.scratch);
  };
  overlap(solve, ready.leaves_cores_idle(batch.injection.columns), std::exchange(meanwhile, {}));
  work_.vectors += batch.injection.columns;
  ready.has_solved = true;
  work_.solve_s += watch.lap();
  context_.progress("certify");
  const std::vector<FineResidual> measured = on_device ? ready.on_device.residuals() : std::vector<FineResidual>();
  Solved solved = certify(batch, std::move(stats), bounds, measured, ready, workspace_.scratch);
  work_.certify_s += watch.lap();
  return solved;
}

/// Makes the batch once there is a barrier, which takes vectors of its own, and again when another engine takes over.
/// No other comes closer to a tolerance that a factorization misses: what is left is rounding.
Solved Solver::solve_batch(const MakeBatch& make, Bounds bounds, Meanwhile meanwhile) {
  const ThreadCount threads(context_.threads);
  for (bool is_first = true;; is_first = false) {
    try {
      Solved solved = solve_once(make, is_first, bounds, meanwhile);
      const std::string miss = miss_of(solved.accuracy, slot_.info(), options_);
      if (miss.empty() || slot_.info().is_direct() || !slot_.replace(miss, system_)) return solved;
    } catch (const Stopped&) {
      throw;
    } catch (const SolverError& e) {
      if (!slot_.replace(e.message(), system_)) throw;
    }
  }
}

std::vector<Answer> Solver::solve(const Loads& loads) {
  std::vector<Answer> answers;
  answers.reserve(loads.vectors());
  solve(loads, [&](int64_t, Answer answer) { answers.push_back(std::move(answer)); });
  return answers;
}

Answer Solver::solve() { return std::move(solve(Loads(system_.design())).front()); }

void Solver::solve(const Loads& loads, const std::function<void(int64_t, Answer)>& take) {
  const OneCall call(*this, loads.vectors());
  system_.check(loads);
  const int64_t together = columns_of_batch(system_.network().nodes);
  std::vector<ColumnStats> columns;
  std::optional<HybridParts> hybrid;
  for (int64_t first = 0; first < loads.vectors(); first += together) {
    const int64_t vectors = std::min(together, loads.vectors() - first);
    Batch batch;
    const auto make = [&] {
      const bool has_levels = slot_.current()->certifier.has_levels();
      return batch = workspace_.batch(system_, loads, first, vectors, has_levels);
    };
    Solved solved = solve_batch(make, Bounds::tight);
    add(solved.stats.hybrid, hybrid);
    std::vector<Answer> answers(vectors);
    parallel_tasks(vectors, [&](int64_t v) {
      answers[v] = {system_.node_voltages(batch.voltage.column(v)), parallel_copy(loads.vector(first + v)),
                    std::move(solved.accuracy[v].stats), solved.accuracy[v].certificate};
    });
    for (int64_t v = 0; v < vectors; ++v) {
      columns.push_back(answers[v].stats);
      take(first + v, std::move(answers[v]));
    }
    context_.share_done(static_cast<double>(first + vectors) / static_cast<double>(loads.vectors()));
  }
  stats_ = summed_up(std::move(columns));
  stats_.hybrid = hybrid;
}

std::vector<Accuracy> Solver::solve(Block<const double> injection, Block<double> voltage, const Meanwhile& meanwhile) {
  const OneCall call(*this, injection.columns);
  system_.check(injection, injection.columns);
  system_.check(Block<const double>(voltage), injection.columns);
  const Batch batch{injection, voltage, false, 0, injection.columns};
  Solved solved = solve_batch([&] { return batch; }, Bounds::quick, meanwhile);
  stats_ = std::move(solved.stats);
  for (const Accuracy& accuracy : solved.accuracy)
    if (std::isnan(accuracy.stats.relative_residual)) throw SolverError(beyond_doubles(*system_.design()->circuit));
  return std::move(solved.accuracy);
}

const QuickResidual* Solver::quick_residual() {
  const OneCall call(*this);
  const ThreadCount threads(context_.threads);
  ReadyEngine& ready = slot_.ready_with_barrier(system_);
  return ready.prepare_quick() && ready.certifier.error_bound().is_plain() ? &ready.certifier.quick_residual()
                                                                           : nullptr;
}

SolveStats Solver::solve_unknowns(Block<const double> b, Block<double> x, const Meanwhile& meanwhile) {
  const OneCall call(*this, b.columns);
  const ThreadCount threads(context_.threads);
  const Stopwatch watch;
  const ReadyEngine& ready = slot_.ready(system_);
  overlap([&] { stats_ = ready.engine->solve(b, x, ready.stop_rule(Bounds::quick)); },
          ready.leaves_cores_idle(b.columns), meanwhile);
  work_.vectors += b.columns;
  work_.solve_s += watch.seconds();
  return stats_;
}

std::optional<Accuracy> Solver::certified(const ColumnStats& stats, const ResidualSums& residual, double seconds) {
  work_.certify_s += seconds;
  return quick_accuracy(stats, slot_.current()->certifier.certify_quickly(residual), options_.tolerance_v);
}

ColumnStats Solver::solve_ahead(Block<const double> injection, Block<double> voltage) {
  const OneCall call(*this);
  const Stopwatch watch;
  const ReadyEngine& ready = slot_.ready(system_);
  stats_ = system_.solve(*ready.engine, injection, voltage, ready.stop_rule(Bounds::quick), workspace_.scratch);
  ++work_.vectors;
  work_.solve_s += watch.seconds();
  return stats_.columns.front();
}

std::optional<Accuracy> Solver::certified(const ColumnStats& stats, std::span<const double> injection,
                                          std::span<const double> voltage) {
  const Stopwatch watch;
  const Certifier::Quick quick = slot_.current()->certifier.certify_quickly(voltage, injection);
  work_.certify_s += watch.seconds();
  return quick_accuracy(stats, quick, options_.tolerance_v);
}

std::vector<UnitResponse> Solver::respond(std::span<const NodeId> nodes, double error_ohm) {
  const OneCall call(*this);
  const ThreadCount threads(context_.threads);
  return unit_responses(slot_, system_, nodes, error_ohm, workspace_.scratch);
}

void Solver::update(System system) {
  const OneCall call(*this);
  const ThreadCount threads(context_.threads);
  if (system.design() != system_.design()) throw InputError("an update stays with the design of the solver");
  slot_.update(system_, system);
  system_ = std::move(system);
}

int64_t Solver::bytes() const { return workspace_.bytes() + (slot_.current() ? slot_.current()->bytes() : 0); }

void Solver::release_vectors() {
  slot_.release_vectors();
  workspace_.release();
}

void Solver::release() {
  slot_.release();
  workspace_.release();
  if (options_.sets_up_once) system_.free_equations();
  if (engine_run().device == "cpu") return_freed_memory();
}

}  // namespace gridiron
