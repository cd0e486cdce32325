// SPDX-License-Identifier: Apache-2.0
#include "analysis/solve/certification.hpp"

#include <cmath>

#include "analysis/solve/fine_batch.hpp"
#include "analysis/solve/refinement.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron {
namespace {

/// False where the quick bound of a column misses the tolerance.
bool find_quickly(const FineBatch& batch, const Certifier& certifier, int64_t v, const ColumnStats& stats,
                  double tolerance_v, Accuracy& accuracy) {
  const auto quick = certifier.certify_quickly(batch.voltage(v).value, batch.injection(v).value);
  std::optional<Accuracy> found = quick_accuracy(stats, quick, tolerance_v);
  if (found) accuracy = std::move(*found);
  return found.has_value();
}

/// `is_judged`: the engine has found the relative residual itself.
void find_closely(FineBatch& batch, int64_t v, bool is_judged, Accuracy& accuracy) {
  if (batch.is_finite(v)) {
    batch.settle(v);
    accuracy.certificate = batch.certificate(v);
    if (!is_judged) accuracy.stats.relative_residual = batch.relative_residual(v);
  } else {
    accuracy.stats.converged = false;
    accuracy.stats.relative_residual = NAN;
  }
}

void complete(Accuracy& accuracy, const SolverOptions& options) {
  Certificate& certificate = accuracy.certificate;
  certificate.tolerance_v = options.rtol ? 0.0 : options.tolerance_v;
  if (!options.rtol && certificate.valid && certificate.max_error_v <= options.tolerance_v)
    accuracy.stats.converged = true;
  if (!certificate.valid) certificate.max_residual_a = accuracy.stats.max_residual;
}

double most_residual_norm(const Certificate& certificate, bool has_levels, int64_t nodes) {
  return has_levels || !certificate.valid ? INFINITY
                                          : std::sqrt(static_cast<double>(nodes)) * certificate.max_residual_a;
}

}  // namespace

std::optional<Accuracy> quick_accuracy(const ColumnStats& stats, const Certifier::Quick& quick, double tolerance_v) {
  if (!(quick.certificate.max_error_v <= tolerance_v)) return std::nullopt;
  Accuracy accuracy{stats, quick.certificate, quick.residual_norm_a};
  accuracy.certificate.tolerance_v = tolerance_v;
  accuracy.stats.max_residual = quick.certificate.max_residual_a;
  accuracy.stats.relative_residual =
      quick.injection_norm_a > 0 ? quick.residual_norm_a / quick.injection_norm_a : quick.residual_norm_a;
  accuracy.stats.converged = true;
  return accuracy;
}

Solved certify(const Batch& batch, SolveStats stats, Bounds bounds, std::span<const FineResidual> measured,
               ReadyEngine& ready, System::Scratch& scratch) {
  const SolverOptions& options = *ready.options;
  const Certifier& certifier = ready.certifier;
  FineBatch solved(certifier, batch);
  std::vector<Accuracy> all(solved.columns());
  const bool is_quick = bounds == Bounds::quick, is_judged = !is_quick || !ready.is_direct();
  parallel_tasks(solved.columns(), [&](int64_t v) {
    if (is_quick && find_quickly(solved, certifier, v, stats.columns[v], options.tolerance_v, all[v])) return;
    all[v].stats = stats.columns[v];
    if (!measured.empty() && measured[v].is_finite())
      all[v].certificate = certifier.certify(measured[v]);
    else
      find_closely(solved, v, is_judged, all[v]);
  });
  refine(solved, all, ready, scratch);
  for (int64_t v = 0; v < solved.columns(); ++v) {
    Accuracy& accuracy = all[v];
    if (!options.rtol && can_improve(accuracy, options) && (accuracy.certificate.valid || accuracy.stats.converged))
      certifier.sharpen(*ready.engine, solved.voltage(v), solved.injection(v), accuracy.certificate);
    complete(accuracy, options);
    if (is_quick && accuracy.residual_norm_a == 0)
      accuracy.residual_norm_a = most_residual_norm(accuracy.certificate, certifier.has_levels(), solved.nodes());
  }
  if (!is_judged) {
    for (size_t v = 0; v < all.size(); ++v) stats.columns[v] = all[v].stats;
    stats = summed_up(std::move(stats.columns));
  }
  return {std::move(all), std::move(stats)};
}

}  // namespace gridiron
