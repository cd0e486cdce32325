// SPDX-License-Identifier: Apache-2.0
#include "analysis/solve/solver.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>

#include "analysis/model/double_range.hpp"
#include "analysis/solve/solver_call.hpp"
#include "engines/direct/direct_engine.hpp"
#include "support/error.hpp"
#include "support/freed_memory.hpp"
#include "support/parallel_arrays.hpp"
#include "support/side_by_side.hpp"
#include "support/stopwatch.hpp"

namespace gridiron {
namespace {

/// Relative residual that no iteration in double precision gets much below; what the tolerance needs beyond that is the
/// business of refinement.
constexpr double kRoundingOfSolve = 1e-14;
/// What a quick certificate leaves to rounding is less than what Certifier::residual_for() does: it may be a fiftieth.
constexpr double kMostOfTolerance = 0.98 / 0.75;
constexpr double kRefinement = 1e-3;  ///< of its right-hand side, that a step of refinement leaves

/// Vectors solved together: enough to share the passes over the matrix, few enough for their memory.
std::int64_t block_size(std::int64_t nodes) {
  constexpr std::int64_t kEntries = 1 << 24;
  return std::clamp<std::int64_t>(kEntries / std::max<std::int64_t>(nodes, 1), 1, 32);
}

template <class... Vectors>
std::int64_t bytes_of(const Vectors&... vectors) {
  return static_cast<std::int64_t>((... + (vectors.capacity() * sizeof(vectors[0]))));
}

void add(const std::optional<HybridSeconds>& block, std::optional<HybridSeconds>& total) {
  if (!block) return;
  if (!total) total.emplace();
  total->original_grid += block->original_grid;
  total->regular_grid += block->regular_grid;
  total->transfers += block->transfers;
}

/// Of all processes, if these share it.
bool is_finite(std::span<const double> volts, const Shares* shares) {
  double is_not =
      holds_for_all(static_cast<std::int64_t>(volts.size()), [&](std::int64_t i) { return std::isfinite(volts[i]); })
          ? 0.0
          : 1.0;
  if (shares) shares->largest({&is_not, 1});
  return is_not == 0;
}

}  // namespace

StopRule Solver::stop_rule() const {
  StopRule stop;
  stop.max_iterations = options_.max_iterations;
  if (options_.rtol) {
    stop.relative_residual = *options_.rtol;
  } else if (certifier_->has_barrier()) {
    stop.absolute_max = certifier_->residual_for(options_.tolerance_v);
    stop.relative_residual = kRoundingOfSolve;
  }
  return stop;
}

/// Where a quick certificate follows, a factorization need not judge its solutions itself.
StopRule Solver::stop_rule(Judge judge) const {
  StopRule stop = stop_rule();
  if (judge == Judge::quickly)
    stop.absolute_max = is_direct() ? std::numeric_limits<double>::infinity() : kMostOfTolerance * stop.absolute_max;
  return stop;
}

/// Sets up what a solution takes, and how it can be judged.
void Solver::prepare(Judge& judge) {
  if (!is_set_up_) set_up(*info_, system_);
  engine_->set_context(engine_context());
  threads_ = omp_get_max_threads();
  find_barrier();
  while (!certifier_->has_barrier() && take_over("it converges too slowly for an error bound", system_)) find_barrier();
  find_barrier();  // with all patience, where it was given up and no other engine could be set up
  if (options_.rtol || !certifier_->has_barrier()) judge = Judge::finely;
  if (judge == Judge::quickly) certifier_->prepare_quick();
}

/// Beside a solve that leaves other threads idle, or before it.
template <class Solve>
void Solver::run(Solve solve, std::int64_t columns, const Meanwhile& meanwhile) const {
  if (meanwhile && ((is_direct() && columns == 1) || device_ == "cuda")) return side_by_side(solve, meanwhile);
  if (meanwhile) meanwhile();
  solve();
}

std::vector<Accuracy> Solver::solve_block(const GiveBlock& give, Judge judge, const Meanwhile& meanwhile) {
  prepare(judge);
  const Stopwatch watch;
  context_.progress("solve");
  give();
  Context of_block = engine_context();
  of_block.share_done = [tell = context_.share_done, before = vectors_done_, columns = injected_.columns,
                         all = all_vectors_](double share) {
    tell((static_cast<double>(before) + share * static_cast<double>(columns)) / static_cast<double>(all));
  };
  engine_->set_context(std::move(of_block));
  StopRule stop = stop_rule(judge);
  stop.from_zero = from_zero_;
  const bool begins_there = prepare_there(judge);
  std::optional<SolveStats> there;
  const auto solve = [&] {
    if (begins_there) there = solve_there([&] { return there_->reduce(injected_); }, solved_, stop);
    stats_ = there ? std::move(*there) : system_.solve(*engine_, injected_, solved_, stop, scratch_);
  };
  run(solve, injected_.columns, meanwhile);
  work_.vectors += injected_.columns;
  solved_for_ = made_certifiers();
  work_.solve_s += watch.seconds();
  return certified(judge, there.has_value());
}

template <class Action>
bool Solver::fits(Action action) {
  try {
    action();
    return true;
  } catch (const ResourceError&) {
  } catch (const std::bad_alloc&) {
  }
  there_->release();
  has_room_there_ = false;
  return false;
}

bool Solver::prepare_there(Judge judge) {
  const bool is_repeated = all_vectors_ > 1 || solved_for_ == made_certifiers();
  if (!there_ || !has_room_there_ || judge != Judge::finely || !from_zero_ || !is_repeated) return false;
  if (!engine_->takes_device_memory() && there_->is_on_gpu()) return false;
  if (!certifier_->has_barrier() || certifier_->has_levels() || system_.shares()) return false;
  if (there_for_ == made_certifiers()) return true;
  if (!fits([&] { there_->take(system_.elimination(), system_.network(), certifier_->error_bound()); })) return false;
  there_for_ = made_certifiers();
  return true;
}

template <class Reduce>
std::optional<SolveStats> Solver::solve_there(Reduce reduce, Block<double> voltage, const StopRule& stop) {
  DeviceVectors::Blocks blocks;
  if (!fits([&] { blocks = reduce(); })) return std::nullopt;
  std::optional<SolveStats> stats;
  const auto solve = [&] {  // beside these vectors those of the engine may have no room either
    try {
      stats = engine_->solve(blocks.b, blocks.x, stop);
    } catch (const InputError&) {  // entries that the engine scales, which it does on the host
      throw ResourceError("entries are scaled on the host");
    }
  };
  if (!fits(solve) || !fits([&] { there_->recover(voltage); })) return std::nullopt;
  return stats;
}

std::optional<SolveStats> Solver::solve_units_there(std::span<const std::int32_t> merged, Block<double> voltage,
                                                    const StopRule& stop) {
  from_zero_ = true;
  all_vectors_ = std::ssize(merged);
  if (!prepare_there(Judge::finely)) return std::nullopt;
  return solve_there([&] { return there_->reduce_units(merged); }, voltage, stop);
}

/// None where there is no memory for it.
std::vector<FineResidual> Solver::measured_there() {
  std::vector<FineResidual> measured;
  if (!fits([&] { measured = there_->residuals(); })) return {};
  return measured;
}

std::vector<Accuracy> Solver::certified(Judge judge, bool are_there) {
  const Stopwatch watch;
  context_.progress("certify");
  const std::int64_t columns = injected_.columns;
  std::vector<Accuracy> solutions(columns);
  rest_.clear();
  if (certifier_->has_levels()) rest_.resize(static_cast<std::size_t>(solved_.rows * columns), 0.0);
  const bool is_unjudged = judge == Judge::quickly && is_direct();
  const std::vector<FineResidual> measured = are_there ? measured_there() : std::vector<FineResidual>();
  parallel_tasks(columns, [&](std::int64_t v) {
    Accuracy& solution = solutions[v];
    solution.stats = stats_.columns[v];
    if (judge == Judge::quickly && certify_quickly(v, solution)) return;
    if (!measured.empty() && measured[v].is_finite()) {
      solution.certificate = certifier_->certify(measured[v]);
      return;
    }
    if (is_finite(volts(v).value, system_.shares().get())) {
      settle(v);
      solution.certificate = certifier_->certify(volts(v), injection(v));
      if (is_unjudged) solution.stats.relative_residual = relative_residual(v);
    } else {
      solution.stats.converged = false;
      solution.stats.relative_residual = std::numeric_limits<double>::quiet_NaN();
    }
  });
  refine(solutions);
  for (std::int64_t v = 0; v < columns; ++v)
    if (is_open(solutions[v]) && !options_.rtol && (solutions[v].certificate.valid || solutions[v].stats.converged))
      certifier_->sharpen(*engine_, volts(v), injection(v), solutions[v].certificate);
  for (Accuracy& solution : solutions) {
    Certificate& certificate = solution.certificate;
    certificate.tolerance_v = options_.rtol ? 0.0 : options_.tolerance_v;
    if (!options_.rtol && certificate.valid && certificate.max_error_v <= options_.tolerance_v)
      solution.stats.converged = true;
    if (!certificate.valid) certificate.max_residual_a = solution.stats.max_residual;
    if (judge == Judge::quickly && solution.residual_norm_a == 0)
      solution.residual_norm_a = certifier_->has_levels() || !certificate.valid
                                     ? std::numeric_limits<double>::infinity()
                                     : std::sqrt(static_cast<double>(solved_.rows)) * certificate.max_residual_a;
  }
  if (is_unjudged) {
    for (std::int64_t v = 0; v < columns; ++v) stats_.columns[v] = solutions[v].stats;
    stats_ = summed_up(std::move(stats_.columns));
  }
  work_.certify_s += watch.seconds();
  return solutions;
}

bool Solver::certify_quickly(std::int64_t v, Accuracy& solution) const {
  return take(certifier_->certify_quickly(volts(v).value, injection(v)), solution);
}

bool Solver::take(const Certifier::Quick& quick, Accuracy& solution) const {
  if (!(quick.certificate.max_error_v <= options_.tolerance_v)) return false;
  solution.certificate = quick.certificate;
  solution.residual_norm_a = quick.residual_norm_a;
  solution.stats.max_residual = quick.certificate.max_residual_a;
  solution.stats.relative_residual =
      quick.injection_norm_a > 0 ? quick.residual_norm_a / quick.injection_norm_a : quick.residual_norm_a;
  return true;
}

bool Solver::takes_device_memory() const { return engine_->takes_device_memory(); }

const QuickResidual* Solver::quick_residual() {
  const OneCall call(*this);
  const ThreadCount threads(context_.threads);
  Judge judge = Judge::quickly;
  prepare(judge);
  return judge == Judge::quickly && !certifier_->has_levels() ? &certifier_->quick_residual() : nullptr;
}

SolveStats Solver::solve_unknowns(Block<const double> b, Block<double> x, const Meanwhile& meanwhile) {
  const OneCall call(*this);
  const ThreadCount threads(context_.threads);
  const Stopwatch watch;
  engine_->set_context(engine_context());
  run([&] { stats_ = engine_->solve(b, x, stop_rule(Judge::quickly)); }, b.columns, meanwhile);
  work_.vectors += b.columns;
  work_.solve_s += watch.seconds();
  return stats_;
}

std::optional<Accuracy> Solver::certified(const ColumnStats& stats, const Certifier::Quick& quick) const {
  Accuracy accuracy{stats, {}, 0};
  if (!take(quick, accuracy)) return std::nullopt;
  accuracy.certificate.tolerance_v = options_.tolerance_v;
  accuracy.stats.converged = true;
  return accuracy;
}

std::optional<Accuracy> Solver::certified(const ColumnStats& stats, const ResidualSums& residual, double seconds) {
  work_.certify_s += seconds;
  return certified(stats, certifier_->certify_quickly(residual));
}

bool Solver::can_solve_ahead() { return quick_residual() != nullptr && is_direct(); }

ColumnStats Solver::solve_ahead(Block<const double> injection, Block<double> voltage) {
  const OneCall call(*this);
  const Stopwatch watch;
  engine_->set_context(engine_context());
  stats_ = system_.solve(*engine_, injection, voltage, stop_rule(Judge::quickly), scratch_);
  ++work_.vectors;
  work_.solve_s += watch.seconds();
  return stats_.columns.front();
}

std::optional<Accuracy> Solver::certified(const ColumnStats& stats, std::span<const double> injection,
                                          std::span<const double> voltage) {
  const Stopwatch watch;
  const Certifier::Quick quick = certifier_->certify_quickly(voltage, injection);
  work_.certify_s += watch.seconds();
  return certified(stats, quick);
}

bool Solver::is_direct() const { return dynamic_cast<const DirectEngine*>(engine_.get()) != nullptr; }

FineVoltages Solver::volts(std::int64_t v) const {
  const auto nodes = static_cast<std::size_t>(solved_.rows), at = static_cast<std::size_t>(v) * nodes;
  return {solved_.column(v), rest_.empty() ? std::span<const double>() : std::span(rest_).subspan(at, nodes)};
}

void Solver::settle(std::int64_t v) {
  if (!certifier_->has_levels()) return;
  const auto nodes = static_cast<std::size_t>(solved_.rows), at = static_cast<std::size_t>(v) * nodes;
  certifier_->settle(injection(v), solved_.column(v), std::span(rest_).subspan(at, nodes));
}

std::span<const double> Solver::injection(std::int64_t v) const { return injected_.column(v); }

bool Solver::is_open(const Accuracy& accuracy) const {
  if (std::isnan(accuracy.stats.relative_residual)) return false;
  const Certificate& certificate = accuracy.certificate;
  return options_.rtol ? !accuracy.stats.converged
                       : !certificate.valid || certificate.max_error_v > options_.tolerance_v;
}

double Solver::relative_residual(std::int64_t v) const {
  double sums[] = {0, 0}, &squares = sums[0], &of_injection = sums[1];
  const std::span<const double> currents = injection(v);
  const std::vector<double> residual = certifier_->residual(volts(v), currents);
  for (const double r : residual) squares += r * r;
  for (std::size_t i = 0; i < currents.size(); ++i)
    if (!system_.shares() || system_.connected_system()[i] >= 0) of_injection += currents[i] * currents[i];
  if (system_.shares()) system_.shares()->sum(sums);
  return of_injection > 0 ? std::sqrt(squares / of_injection) : std::sqrt(squares);
}

void Solver::refine(std::span<Accuracy> solutions) {
  constexpr int kMostSteps = 5;
  const std::int64_t nodes = system_.network().nodes;
  std::vector<std::int64_t> open;
  for (std::size_t v = 0; v < solutions.size(); ++v)
    if (is_open(solutions[v]) && solutions[v].certificate.valid) open.push_back(static_cast<std::int64_t>(v));
  for (int step = 0; step < kMostSteps && !open.empty(); ++step) {
    rest_.resize(static_cast<std::size_t>(nodes * solved_.columns), 0.0);
    const auto count = static_cast<std::int64_t>(open.size());
    std::vector<double> residual(static_cast<std::size_t>(count * nodes)), correction(residual.size(), 0.0);
    parallel_tasks(count, [&](std::int64_t k) {
      const std::vector<double> r = certifier_->residual(volts(open[k]), injection(open[k]));
      std::copy(r.begin(), r.end(), residual.begin() + k * nodes);
    });
    StopRule stop = stop_rule();
    stop.relative_residual = kRefinement;
    stop.from_zero = true;
    const SolveStats stats =
        system_.solve(*engine_, {residual.data(), nodes, count}, {correction.data(), nodes, count}, stop, scratch_);
    std::vector<std::int64_t> still_open;
    for (std::int64_t k = 0; k < count; ++k) {
      const std::int64_t v = open[k];
      Accuracy& solution = solutions[v];
      const std::span<double> value = solved_.column(v), rest = std::span(rest_).subspan(v * nodes, nodes);
      const std::vector<double> value_before(value.begin(), value.end()), rest_before(rest.begin(), rest.end());
      add_unrounded(std::span(correction).subspan(k * nodes, nodes), value, rest);
      settle(v);
      const Certificate now =
          is_finite(value, system_.shares().get()) ? certifier_->certify(volts(v), injection(v)) : Certificate{};
      const double before = solution.certificate.max_error_v;
      if (!(now.valid && now.max_error_v <= before)) {
        std::copy(value_before.begin(), value_before.end(), value.begin());
        std::copy(rest_before.begin(), rest_before.end(), rest.begin());
        continue;
      }
      solution.certificate = now;
      solution.stats.iterations += stats.columns[k].iterations;
      solution.stats.max_residual = now.max_residual_a;
      solution.stats.relative_residual = relative_residual(v);
      solution.stats.converged =
          options_.rtol ? solution.stats.relative_residual <= *options_.rtol : now.max_error_v <= options_.tolerance_v;
      if (is_open(solution) && now.max_error_v < 0.5 * before) still_open.push_back(v);
    }
    open = std::move(still_open);
  }
}

std::string Solver::miss_of(std::span<const Accuracy> solutions) const {
  for (const Accuracy& solution : solutions) {
    std::string miss = tolerance_miss(solution.stats, solution.certificate, std::string(info_->name), options_);
    if (!miss.empty()) return miss;
  }
  return "";
}

/// `auto` promises an answer: where multigrid misses the tolerance or breaks down, another engine takes over for good,
/// in the end a factorization.
std::vector<Accuracy> Solver::solve_columns(const GiveBlock& give, Judge judge, const Meanwhile& meanwhile) {
  const ThreadCount threads(context_.threads);
  const auto give_from_zero = [&] {
    give();
    from_zero_ = true;
  };
  for (bool is_first = true;; is_first = false) {
    try {
      std::vector<Accuracy> solutions =
          is_first ? solve_block(give, judge, meanwhile) : solve_block(give_from_zero, judge);
      const std::string miss = miss_of(solutions);
      if (miss.empty() || !take_over(miss, system_)) return solutions;
    } catch (const Stopped&) {
      throw;
    } catch (const SolverError& e) {
      if (!take_over(e.message(), system_)) throw;
    }
  }
}

std::vector<Answer> Solver::solve(const Loads& loads) {
  std::vector<Answer> answers;
  answers.reserve(static_cast<std::size_t>(loads.vectors()));
  solve(loads, [&](std::int64_t, Answer answer) { answers.push_back(std::move(answer)); });
  return answers;
}

Answer Solver::solve() { return std::move(solve(Loads(system_.design())).front()); }

void Solver::solve(const Loads& loads, const std::function<void(std::int64_t, Answer)>& take) {
  const OneCall call(*this);
  system_.check(loads);
  const std::int64_t nodes = system_.network().nodes, together = block_size(nodes);
  std::vector<ColumnStats> columns;
  std::optional<HybridSeconds> seconds;
  for (std::int64_t first = 0; first < loads.vectors(); first += together) {
    const std::int64_t vectors = std::min(together, loads.vectors() - first);
    vectors_done_ = first;
    all_vectors_ = loads.vectors();
    const auto give = [&] {
      make_room_in_parallel(injection_, nodes * vectors);
      resize_untouched(volts_, static_cast<std::size_t>(nodes * vectors));
      parallel_tasks(vectors, [&](std::int64_t v) {
        system_.injection(loads, first + v, std::span(injection_).subspan(v * nodes, nodes));
      });
      injected_ = {injection_.data(), nodes, vectors};
      solved_ = {volts_.data(), nodes, vectors};
      from_zero_ = true;
    };
    std::vector<Accuracy> solutions = solve_columns(give, Judge::finely);
    add(stats_.seconds, seconds);
    std::vector<Answer> answers(vectors);
    parallel_tasks(vectors, [&](std::int64_t v) {
      answers[v] = {system_.node_voltages(volts(v).value), parallel_copy(loads.vector(first + v)),
                    std::move(solutions[v].stats), solutions[v].certificate};
    });
    for (std::int64_t v = 0; v < vectors; ++v) {
      columns.push_back(answers[v].stats);
      take(first + v, std::move(answers[v]));
    }
    context_.share_done(static_cast<double>(first + vectors) / static_cast<double>(loads.vectors()));
  }
  stats_ = summed_up(std::move(columns));
  stats_.seconds = seconds;
}

std::vector<Accuracy> Solver::solve(Block<const double> injection, Block<double> voltage, const Meanwhile& meanwhile) {
  const OneCall call(*this);
  system_.check(injection, injection.columns);
  system_.check(Block<const double>(voltage), injection.columns);
  vectors_done_ = 0;
  all_vectors_ = injection.columns;
  const auto give = [&] {
    injected_ = injection;
    solved_ = voltage;
    from_zero_ = false;
  };
  std::vector<Accuracy> solutions = solve_columns(give, Judge::quickly, meanwhile);
  for (const Accuracy& solution : solutions)
    if (std::isnan(solution.stats.relative_residual)) throw SolverError(beyond_doubles(*system_.design()->circuit));
  return solutions;
}

std::int64_t Solver::bytes() const {
  return (engine_ ? engine_->bytes() : 0) + (there_ ? there_->bytes() : 0) +
         bytes_of(injection_, volts_, scratch_.arrived, scratch_.b, scratch_.x);
}

void Solver::release_vectors() {
  injected_ = {};
  solved_ = {};
  scratch_ = {};
  if (there_) there_->release_vectors();
  free_memory(injection_, volts_, rest_);
}

void Solver::release() {
  if (engine_) last_run_ = engine_run();
  engine_.reset();
  there_.reset();
  is_set_up_ = false;
  release_vectors();
  if (options_.sets_up_once) system_.free_equations();
  if (device_ == "cpu") return_freed_memory();
}

}  // namespace gridiron
