// SPDX-License-Identifier: Apache-2.0
#include "engines/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engines/changes.hpp"
#include "support/error.hpp"

namespace gridiron {
namespace {

bool same_structure(const Problem& p, const Problem& q) {
  return p.structure.index() == q.structure.index() && p.symmetric_positive_definite == q.symmetric_positive_definite &&
         p.matrix.rows == q.matrix.rows && same_bytes(p.matrix.row_ptr, q.matrix.row_ptr) &&
         same_bytes(p.matrix.col, q.matrix.col);
}

/// NaN is the worst of all.
bool is_worse(double value, double than) { return !std::isnan(than) && !(value <= than); }

}  // namespace

SolveStats summed_up(std::vector<ColumnStats> columns) {
  SolveStats worst;
  worst.converged = true;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    const ColumnStats& stats = columns[j];
    worst.converged = worst.converged && stats.converged;
    worst.iterations = std::max(worst.iterations, stats.iterations);
    if (is_worse(stats.max_residual, worst.max_residual)) worst.max_residual = stats.max_residual;
    if (j > 0 && !is_worse(stats.relative_residual, worst.relative_residual)) continue;
    worst.relative_residual = stats.relative_residual;
    worst.history = stats.history;
  }
  worst.columns = std::move(columns);
  return worst;
}

void require_a_finite_column(const SolveStats& stats, std::string_view engine) {
  if (std::ranges::any_of(stats.columns, [](const ColumnStats& c) { return std::isfinite(c.relative_residual); }))
    return;
  throw SolverError(fmt::format(
      "{}: the iteration broke down; is the matrix singular, not positive definite, or not finite?", engine));
}

void Engine::run(const char*, const std::function<void()>& work) { work(); }

void Engine::setup(std::shared_ptr<const Problem> problem) {
  const ThreadCount threads(context_.threads);
  problem_.reset();
  set_up_for_.reset();
  incoming_ = std::move(problem);
  run("setup", [&] { do_setup(*incoming_); });
  problem_ = incoming_;
  if (adapts_to_values()) set_up_for_ = problem_;
}

void Engine::update(std::shared_ptr<const Problem> problem) {
  if (!problem_ || !same_structure(*problem_, *problem) ||
      (adapts_to_values() && is_far(set_up_for_->matrix, problem->matrix)))
    return setup(std::move(problem));
  const ThreadCount threads(context_.threads);
  incoming_ = std::move(problem);
  try {
    run("update", [&] { do_update(*incoming_); });
  } catch (...) {
    problem_.reset();
    throw;
  }
  problem_ = incoming_;
}

SolveStats Engine::solve(Block<const double> b, Block<double> x, const StopRule& stop) {
  const ThreadCount threads(context_.threads);
  StopRule rule = stop;
  rule.stop = context_.stop;
  rule.throw_if_stopped();
  if (!problem_) throw SolverError("solve() needs a setup() or update() that succeeded");
  const std::int64_t n = problem_->matrix.rows;
  if (b.rows != n || x.rows != n || b.columns != x.columns)
    throw InputError(fmt::format("blocks of {} x {} and {} x {} do not fit a system of {} unknowns", b.rows, b.columns,
                                 x.rows, x.columns, n));
  if (b.memory != x.memory) throw InputError("right-hand sides and solutions must lie in the same memory");
  if (b.memory == Memory::device && !takes_device_memory())
    throw InputError("this engine takes right-hand sides in host memory only");
  if (n == 0 || b.columns == 0)
    return summed_up(
        std::vector<ColumnStats>(static_cast<std::size_t>(b.columns), {.converged = true, .history = {0.0}}));
  SolveStats stats;
  run("solve", [&] { stats = do_solve(b, x, rule); });
  return stats;
}

}  // namespace gridiron
