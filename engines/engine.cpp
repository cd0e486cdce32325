// SPDX-License-Identifier: Apache-2.0
#include "engines/engine.hpp"

#include <algorithm>

#include "engines/changes.hpp"
#include "support/error.hpp"

namespace gridiron {
namespace {

bool same_structure(const Problem& p, const Problem& q) {
  return p.structure.index() == q.structure.index() && p.symmetric_positive_definite == q.symmetric_positive_definite &&
         p.matrix.rows == q.matrix.rows && same_bytes(p.matrix.row_ptr, q.matrix.row_ptr) &&
         same_bytes(p.matrix.col, q.matrix.col);
}

}  // namespace

SolveStats summed_up(std::vector<ColumnStats> columns) {
  SolveStats worst;
  worst.converged = true;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    const ColumnStats& stats = columns[j];
    worst.converged = worst.converged && stats.converged;
    worst.iterations = std::max(worst.iterations, stats.iterations);
    if (!(stats.max_residual <= worst.max_residual)) worst.max_residual = stats.max_residual;  // NaN stays
    if (j > 0 && stats.relative_residual <= worst.relative_residual) continue;
    worst.relative_residual = stats.relative_residual;
    worst.history = stats.history;
  }
  worst.columns = std::move(columns);
  return worst;
}

void Engine::run(const char*, const std::function<void()>& work) { work(); }

void Engine::setup(std::shared_ptr<const Problem> problem) {
  const ThreadCount threads(context_.threads);
  problem_.reset();
  run("setup", [&] { do_setup(*problem); });
  problem_ = std::move(problem);
}

void Engine::update(std::shared_ptr<const Problem> problem) {
  const ThreadCount threads(context_.threads);
  if (!problem_ || !same_structure(*problem_, *problem)) return setup(std::move(problem));
  take_update(*this, std::move(problem));
}

void Engine::take_update(Engine& engine, std::shared_ptr<const Problem> problem) {
  try {
    engine.run("update", [&] { engine.do_update(*problem); });
  } catch (...) {
    engine.problem_.reset();
    throw;
  }
  engine.problem_ = std::move(problem);
}

SolveStats Engine::solve(Block<const double> b, Block<double> x, const StopRule& stop) {
  const ThreadCount threads(context_.threads);
  StopRule rule = stop;
  rule.stop = context_.stop;
  rule.throw_if_stopped();
  if (b.memory != x.memory) throw InputError("right-hand sides and solutions must be in the same memory");
  if (b.memory == Memory::device && !takes_device_memory())
    throw InputError("this engine supports right-hand sides in host memory only");
  SolveStats stats;
  run("solve", [&] { stats = do_solve(b, x, rule); });
  return stats;
}

}  // namespace gridiron
