// SPDX-License-Identifier: Apache-2.0
#include "analysis/ir/solver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "support/error.hpp"
#include "support/parallel.hpp"
#include "support/stopwatch.hpp"

namespace gridiron {
namespace {

/// Vectors solved together: enough to share the passes over the matrix, few enough for their memory.
std::int64_t block_size(std::int64_t nodes) {
  constexpr std::int64_t kEntries = 1 << 23;
  return std::clamp<std::int64_t>(kEntries / std::max<std::int64_t>(nodes, 1), 8, 32);
}

/// The first engine that supports the problem regardless of its size, unless that is `tried`.
const EngineInfo* another_engine(const EngineInfo& tried, const Problem& problem) {
  for (const EngineInfo& info : engines())
    if (!info.declines(problem)) return &info == &tried ? nullptr : &info;
  return nullptr;
}

void add(const std::optional<HybridSeconds>& block, std::optional<HybridSeconds>& total) {
  if (!block) return;
  if (!total) total.emplace();
  total->original_grid += block->original_grid;
  total->regular_grid += block->regular_grid;
  total->transfers += block->transfers;
}

bool is_finite(std::span<const double> volts) {
  return std::all_of(volts.begin(), volts.end(), [](double v) { return std::isfinite(v); });
}

}  // namespace

bool Answer::is_finite() const { return gridiron::is_finite(voltage_v); }

Solver::Solver(System system, SolverOptions options, Context context)
    : system_(std::move(system)),
      options_(std::move(options)),
      context_(std::move(context)),
      info_(&choose_engine(options_.engine, *system_.problem())),
      certifier_(system_, options_.max_iterations) {
  set_up(*info_);
}

void Solver::set_up(const EngineInfo& info) {
  Stopwatch watch;
  context_.progress("set up");
  std::unique_ptr<Engine> engine = make_engine(info, context_, options_.settings);
  engine->setup(system_.problem());
  info_ = &info;
  engine_ = std::move(engine);
  certifier_ = Certifier(system_, options_.max_iterations);
  ++work_.setups;
  work_.setup_s += watch.seconds();
}

void Solver::update(System system) {
  const ThreadCount threads(context_.threads);
  Stopwatch watch;
  context_.progress("set up");
  if (const auto reason = info_->declines(*system.problem()))
    throw InputError(fmt::format("engine {}: {}", info_->name, *reason));
  engine_->set_context(context_);
  try {
    engine_->update(system.problem());
  } catch (...) {
    engine_->setup(system_.problem());
    throw;
  }
  system_ = std::move(system);
  certifier_ = Certifier(system_, options_.max_iterations);
  ++work_.updates;
  work_.setup_s += watch.seconds();
}

/// The barrier is computed before the solve: it determines the residual needed for a tolerance in volts.
void Solver::find_barrier() {
  if (certifier_.has_looked()) return;
  const Stopwatch watch;
  context_.progress("certify");
  certifier_.find_barrier(*engine_);
  ++work_.barriers;
  work_.certify_s += watch.seconds();
}

std::vector<Answer> Solver::solve_block(const Loads& loads, std::int64_t first, std::int64_t vectors) {
  engine_->set_context(context_);
  find_barrier();
  Stopwatch watch;
  context_.progress("solve");
  StopRule stop;
  stop.max_iterations = options_.max_iterations;
  if (options_.rtol)
    stop.relative_residual = *options_.rtol;
  else if (certifier_.has_barrier())
    stop.absolute_max = 0.5 * certifier_.residual_for(options_.tolerance_v), stop.relative_residual = 0;
  const std::int64_t nodes = system_.network().nodes;
  const auto entries = static_cast<std::size_t>(nodes * vectors);
  for (std::vector<double>* block : {&injection_, &volts_}) block->resize(std::max(block->size(), entries));
  std::fill_n(volts_.begin(), entries, 0.0);
  parallel_tasks(vectors, [&](std::int64_t v) {
    const std::vector<double> of_vector = system_.injection(loads, first + v);
    std::copy(of_vector.begin(), of_vector.end(), injection_.begin() + v * nodes);
  });
  stats_ =
      system_.solve(*engine_, {injection_.data(), nodes, vectors}, {volts_.data(), nodes, vectors}, stop, scratch_);
  work_.solve_s += watch.lap();
  if (!is_finite(std::span(volts_).first(entries))) throw SolverError(kNotFinite);

  context_.progress("certify");
  const auto column = [nodes](const std::vector<double>& block, std::int64_t v) {
    return std::span(block).subspan(static_cast<std::size_t>(v * nodes), static_cast<std::size_t>(nodes));
  };
  std::vector<Answer> answers(vectors);
  parallel_tasks(vectors, [&](std::int64_t v) {
    Answer& answer = answers[v];
    answer.stats = stats_.columns[v];
    answer.certificate = certifier_.certify(column(volts_, v), column(injection_, v));
    answer.certificate.tolerance_v = options_.rtol ? 0.0 : options_.tolerance_v;
    if (!answer.certificate.valid) answer.certificate.max_residual_a = answer.stats.max_residual;
    const std::span<const double> amperes = loads.vector(first + v);
    answer.load_a.assign(amperes.begin(), amperes.end());
    answer.voltage_v = system_.node_voltages(column(volts_, v));
  });
  for (std::int64_t v = 0; v < vectors; ++v) {
    Certificate& certificate = answers[v].certificate;
    const bool is_enough = certificate.valid && (options_.rtol || certificate.max_error_v <= options_.tolerance_v);
    if (!is_enough) certifier_.sharpen(*engine_, column(volts_, v), column(injection_, v), certificate);
  }
  work_.vectors += vectors;
  work_.certify_s += watch.lap();
  return answers;
}

std::vector<Answer> Solver::solve(const Loads& loads) {
  std::vector<Answer> answers;
  answers.reserve(static_cast<std::size_t>(loads.vectors()));
  solve(loads, [&](std::int64_t, Answer answer) { answers.push_back(std::move(answer)); });
  return answers;
}

Answer Solver::solve() { return std::move(solve(Loads(system_.design())).front()); }

void Solver::solve(const Loads& loads, const std::function<void(std::int64_t, Answer)>& take) {
  system_.check(loads);
  const ThreadCount threads(context_.threads);
  const std::int64_t together = block_size(system_.network().nodes);
  std::vector<ColumnStats> columns;
  std::optional<HybridSeconds> seconds;
  for (std::int64_t first = 0; first < loads.vectors(); first += together) {
    const std::int64_t count = std::min(together, loads.vectors() - first);
    std::vector<Answer> answers = solve_block(loads, first, count);
    // `auto` promises an answer: where multigrid misses the tolerance, a factorization takes over for good.
    const auto missed = std::find_if(answers.begin(), answers.end(), [&](const Answer& a) {
      return !tolerance_miss(a.stats, a.certificate, std::string(info_->name), options_).empty();
    });
    if (missed != answers.end() && options_.engine == "auto")
      if (const EngineInfo* direct = another_engine(*info_, *system_.problem())) {
        findings_.push_back(
            {Finding::Severity::warning, "engine-changed",
             fmt::format("engine {} took over from {}: {}", direct->name, info_->name,
                         tolerance_miss(missed->stats, missed->certificate, std::string(info_->name), options_)),
             ""});
        set_up(*direct);
        answers = solve_block(loads, first, count);
      }
    columns.insert(columns.end(), stats_.columns.begin(), stats_.columns.end());
    add(stats_.seconds, seconds);
    for (std::size_t k = 0; k < answers.size(); ++k) take(first + static_cast<std::int64_t>(k), std::move(answers[k]));
  }
  stats_ = summed_up(std::move(columns));
  stats_.seconds = seconds;
}

EngineRun Solver::engine_run() const {
  return describe(*info_, *engine_, choose_device(*info_, context_.device), context_.device);
}

std::string tolerance_miss(const ColumnStats& stats, const Certificate& certificate, const std::string& engine,
                           const SolverOptions& options) {
  if (options.rtol)
    return stats.converged
               ? ""
               : fmt::format(
                     "engine {} stopped after {} iterations at a relative residual of {:.2e}, asked for {:.2e}; raise "
                     "{} or try another {}",
                     engine, stats.iterations, stats.relative_residual, *options.rtol, field("max_iterations"),
                     field("engine"));
  if (!certificate.valid && !stats.converged)
    return fmt::format(
        "engine {} stopped after {} iterations at a relative residual of {:.2e}, too early for any error bound; raise "
        "{} or try {} cholmod",
        engine, stats.iterations, stats.relative_residual, field("max_iterations"), field("engine"));
  if (!certificate.valid)
    return "the error of the voltages could not be bounded; conductances are too far apart for double precision";
  if (certificate.max_error_v <= options.tolerance_v) return "";
  return fmt::format(
      "the certified error bound is {:.2e} V, above the tolerance of {:.2e} V; raise {} or try another {}",
      certificate.max_error_v, options.tolerance_v, field("tolerance"), field("engine"));
}

}  // namespace gridiron
