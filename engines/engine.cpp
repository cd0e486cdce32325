// SPDX-License-Identifier: Apache-2.0
#include "engines/engine.hpp"

#include <algorithm>
#include <cmath>

#include "engines/changes.hpp"
#include "support/error_text.hpp"
#include "support/parallel.hpp"
#include "support/short_waits.hpp"

namespace gridiron {
namespace {

bool same_structure(const Problem& p, const Problem& q) {
  return p.structure.index() == q.structure.index() && p.symmetric_positive_definite == q.symmetric_positive_definite &&
         p.matrix.rows == q.matrix.rows && same_bytes(p.matrix.row_ptr, q.matrix.row_ptr) &&
         same_bytes(p.matrix.col, q.matrix.col);
}

/// The power of two that brings entries near one if they are out of the range of single precision, or else 0. Looks at
/// a few thousand rows: units are wrong everywhere or nowhere.
int exponent_for(const CsrMatrix& matrix) {
  constexpr int kFar = 60;
  if (std::ssize(matrix.value) < matrix.nonzeros()) return 0;  // not a matrix; engines will tell
  double largest = 0;
  const int64_t stride = matrix.rows / 4096 + 1;
  for (int64_t i = 0; i < matrix.rows; i += stride)
    for (int64_t k = matrix.row_ptr[i]; k < matrix.row_ptr[i + 1]; ++k)
      largest = std::max(largest, std::abs(matrix.value[k]));
  if (!(largest > 0) || !std::isfinite(largest)) return 0;
  const int exponent = std::ilogb(largest);
  return std::abs(exponent) > kFar ? -exponent : 0;
}

std::shared_ptr<const Problem> scaled(const Problem& problem, int exponent) {
  const auto scale = [exponent](std::vector<double>& values) {
    for (double& v : values) v = std::ldexp(v, exponent);
  };
  auto copy = std::make_shared<Problem>(problem);
  scale(copy->matrix.value);
  if (auto* grid = std::get_if<PowerGrid>(&copy->structure)) {
    auto network = std::make_shared<MergedNetwork>(*grid->network);
    for (auto* values : {&network->conductance, &network->pad, &network->injection}) scale(*values);
    grid->network = std::move(network);
  }
  return copy;
}

}  // namespace

void Engine::run(const char*, const std::function<void()>& work) { work(); }

void Engine::setup(std::shared_ptr<const Problem> problem) {
  const ThreadCount threads(context_.threads);
  const ShortWaits waits(problem->matrix.rows);
  problem_.reset();
  set_up_for_.reset();
  exponent_ = exponent_for(problem->matrix);
  take(std::move(problem));
  run("setup", [&] { do_setup(*incoming_); });
  problem_ = incoming_;
  if (adapts_to_values()) set_up_for_ = problem_;
}

void Engine::take(std::shared_ptr<const Problem> problem) {
  incoming_ = exponent_ == 0 ? std::move(problem) : scaled(*problem, exponent_);
}

void Engine::update(std::shared_ptr<const Problem> problem) {
  if (exponent_ != 0 || exponent_for(problem->matrix) != 0) return setup(std::move(problem));
  if (!problem_ || !same_structure(*problem_, *problem) ||
      (adapts_to_values() && is_far(set_up_for_->matrix, problem->matrix)))
    return setup(std::move(problem));
  const ThreadCount threads(context_.threads);
  const ShortWaits waits(problem->matrix.rows);
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
  const ShortWaits waits(b.rows * b.columns);
  StopRule rule = stop;
  rule.stop = context_.stop;
  double done = 0;  // columns
  rule.advanced = [&](double added) {
    done += added;
    context_.share_done(std::min(done / b.columns, 1.0));
  };
  rule.throw_if_stopped();
  if (!problem_) throw SolverError("solve() needs a setup() or update() that succeeded");
  const int64_t n = problem_->matrix.rows;
  if (b.rows != n || x.rows != n || b.columns != x.columns)
    throw input_error("blocks of {} x {} and {} x {} do not fit a system of {} unknowns", b.rows, b.columns, x.rows,
                      x.columns, n);
  if (b.memory != x.memory) throw InputError("right-hand sides and solutions must lie in the same memory");
  if (b.memory == Memory::device && !takes_device_memory())
    throw InputError("this engine takes right-hand sides in host memory only");
  if (n == 0 || b.columns == 0)
    return summed_up(std::vector<ColumnStats>(b.columns, {.converged = true, .history = {0.0}}));
  if (exponent_ != 0 && x.memory == Memory::device)
    throw InputError(
        "entries of the matrix are out of the range of single precision; scale it, or solve in host memory");
  const auto scale = [&x](int exponent) {
    if (exponent != 0)
      for (int64_t i = 0; i < x.rows * x.columns; ++i) x.data[i] = std::ldexp(x.data[i], exponent);
  };
  if (rule.from_zero && !begins_at_zero())
    parallel_ranges(x.rows * x.columns,
                    [&](int64_t first, int64_t last) { std::fill(x.data + first, x.data + last, 0.0); });
  SolveStats stats;
  if (!rule.from_zero) scale(-exponent_);
  run("solve", [&] { stats = do_solve(b, x, rule); });
  scale(exponent_);
  return stats;
}

}  // namespace gridiron
