// SPDX-License-Identifier: Apache-2.0
#include "analysis/solve/refinement.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "support/parallel_arrays.hpp"

namespace gridiron {
namespace {

constexpr int kMostSteps = 5;
constexpr double kReduction = 1e-3;  ///< of its right-hand side, that a step leaves

/// The residuals of some columns, side by side.
std::vector<double> residuals_of(const FineBatch& batch, std::span<const int64_t> columns) {
  std::vector<double> residuals(columns.size() * batch.nodes());
  parallel_tasks(std::ssize(columns), [&](int64_t k) {
    std::ranges::copy(batch.residual(columns[k]), residuals.begin() + k * batch.nodes());
  });
  return residuals;
}

/// Notes what a step has improved; whether another one is worth its time.
bool note(const Certificate& now, int iterations, double relative_residual, const SolverOptions& options,
          Accuracy& solution) {
  const double before = solution.certificate.max_error_v;
  solution.certificate = now;
  solution.stats.iterations += iterations;
  solution.stats.max_residual = now.max_residual_a;
  solution.stats.relative_residual = relative_residual;
  solution.stats.converged = options.rtol ? relative_residual <= *options.rtol : now.max_error_v <= options.tolerance_v;
  return can_improve(solution, options) && now.max_error_v < 0.5 * before;
}

}  // namespace

bool can_improve(const Accuracy& accuracy, const SolverOptions& options) {
  if (std::isnan(accuracy.stats.relative_residual)) return false;
  const Certificate& certificate = accuracy.certificate;
  return options.rtol ? !accuracy.stats.converged : !certificate.valid || certificate.max_error_v > options.tolerance_v;
}

void refine(FineBatch& batch, std::span<Accuracy> solutions, ReadyEngine& ready, System::Scratch& scratch) {
  const SolverOptions& options = *ready.options;
  const int64_t nodes = batch.nodes();
  std::vector<int64_t> open;
  for (int64_t v = 0; v < std::ssize(solutions); ++v)
    if (can_improve(solutions[v], options) && solutions[v].certificate.valid) open.push_back(v);
  StopRule stop = ready.stop_rule(Bounds::tight);
  stop.relative_residual = kReduction;
  stop.from_zero = true;
  for (int step = 0; step < kMostSteps && !open.empty(); ++step) {
    batch.make_room_for_rest();
    const std::vector<double> residual = residuals_of(batch, open);
    std::vector<double> correction(residual.size(), 0.0);
    const SolveStats stats = ready.system().solve(*ready.engine, {residual.data(), nodes, std::ssize(open)},
                                                  {correction.data(), nodes, std::ssize(open)}, stop, scratch);
    std::vector<int64_t> still_open;
    for (int64_t k = 0; k < std::ssize(open); ++k) {
      const int64_t v = open[k];
      Accuracy& solution = solutions[v];
      const Certificate now =
          batch.correct(v, std::span(correction).subspan(k * nodes, nodes), solution.certificate.max_error_v);
      if (now.valid && note(now, stats.columns[k].iterations, batch.relative_residual(v), options, solution))
        still_open.push_back(v);
    }
    open = std::move(still_open);
  }
}

}  // namespace gridiron
