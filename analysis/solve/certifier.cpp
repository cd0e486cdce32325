// SPDX-License-Identifier: Apache-2.0
#include "analysis/solve/certifier.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/certify/barrier.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron {
namespace {

/// Relative residual from which rows that fall short of a barrier are few enough to be raised.
constexpr double kRough = 0.3;
constexpr double kBarrierSlack = 0.1;  ///< largest |1 − (G w)ᵢ| where raising does not do
constexpr int kMostRefinements = 2;

/// Whether an engine suits the grid, by the residuals of the iterations that it was allowed. They may rise first: only
/// the error falls from the first iteration on. (A mesh over twelve decades, which then takes aggamg 89 iterations,
/// falls to 0.22 of its peak in four.)
bool is_falling(const std::vector<double>& history) {
  return history.empty() || history.back() <= 0.2 * *std::ranges::max_element(history);
}

}  // namespace

Certifier::Certifier(const System& system, int max_iterations)
    : system_(system), bound_(gridiron::error_bound(system_)), max_iterations_(max_iterations) {}

struct Certifier::Rough {
  std::vector<double> w;
  bool is_raised = false, is_given_up = false, has_converged = false;
};

/// A rough solution of G w = source(), whose entries are 1 but for a few; raised, where it converges.
Certifier::Rough Certifier::solve_roughly(Engine& engine, const Source& source, int patience) {
  Rough rough{source()};  // and the solution, in its place
  const int64_t nodes = system_.network().nodes;
  const double square = parallel_sum<double>(nodes, [&](int64_t i) { return rough.w[i] * rough.w[i]; });
  const double relative = kRough * std::sqrt(static_cast<double>(nodes) / square);
  System::Scratch scratch;
  const auto solve = [&](std::span<const double> from, int max_iterations) {
    return system_.solve(engine, {from.data(), nodes}, {rough.w.data(), nodes}, {relative, 0, max_iterations}, scratch,
                         [&](const SolveStats& stats, Block<const double> b, Block<double> x) {
                           if (stats.converged)
                             rough.is_raised = raise_to_barrier(system_.problem()->matrix, system_.shares().get(),
                                                                b.column(0), x.column(0));
                         });
  };
  SolveStats stats = solve(rough.w, std::min(max_iterations_, patience));
  if (!stats.converged && patience < max_iterations_) {
    rough.is_given_up = !is_falling(stats.history);
    if (!rough.is_given_up) stats = solve(source(), max_iterations_);
  }
  rough.has_converged = stats.converged;
  return rough;
}

void Certifier::find_barrier(Engine& engine, int patience) {
  if (has_barrier_) return;
  const int64_t nodes = system_.network().nodes;
  const auto ones = [nodes] {
    std::vector<double> source;
    assign_in_parallel(source, nodes, 1.0);
    return source;
  };
  Rough rough = solve_roughly(engine, ones, patience);
  if (rough.is_given_up) return;
  if (find_levels(engine, rough.w)) {
    has_barrier_ = true;
    return;
  }
  std::vector<double> rest, &w = rough.w;
  const StopRule stop{0, kBarrierSlack, max_iterations_};
  if (rough.has_converged && !rough.is_raised) system_.solve(engine, {ones().data(), nodes}, {w.data(), nodes}, stop);
  has_barrier_ = bound_.set_barrier(w);
  // Where pads are so weak that w in doubles is no barrier, its rounding is one more right-hand side.
  for (int step = 0; step < kMostRefinements && !*has_barrier_; ++step) {
    const std::vector<double> r = bound_.residual({w, rest}, ones());
    std::vector<double> correction;
    assign_in_parallel(correction, nodes);
    system_.solve(engine, {r.data(), nodes}, {correction.data(), nodes}, stop);
    rest.resize(nodes, 0.0);
    add_unrounded(correction, w, rest);
    has_barrier_ = bound_.set_barrier({w, rest});
  }
}

bool Certifier::find_levels(Engine& engine, std::span<const double> w) {
  std::optional<WeakLevels> levels = bound_.levels_for(w);
  if (!levels) return false;
  Rough held = solve_roughly(
      engine, [&] { return levels->source(); }, max_iterations_);
  if (!held.is_raised) return false;
  levels->lower(held.w);
  return bound_.set_barrier(held.w, std::move(*levels));
}

Certificate Certifier::certify(FineVoltages volts, const FineInjection& injection) const {
  return certificate_of(has_barrier() ? bound_.bound(volts, injection) : ErrorBound::Result{});
}

Certifier::Quick Certifier::certify_quickly(std::span<const double> volts, std::span<const double> injection) const {
  const ErrorBound::QuickResult bound = bound_.quick_bound(volts, injection);
  return {certificate_of(bound), bound.residual_norm_a, bound.injection_norm_a};
}

Certifier::Quick Certifier::certify_quickly(const ResidualSums& residual) const {
  const ErrorBound::QuickResult bound = bound_.quick_bound(quick_residual().size_of(residual));
  return {certificate_of(bound), bound.residual_norm_a, bound.injection_norm_a};
}

Certificate Certifier::certificate_of(const ErrorBound::Result& bound) const {
  Certificate certificate;
  certificate.valid = has_barrier();
  certificate.max_w_ohm = bound_.max_w();
  certificate.delta = bound_.delta();
  certificate.max_error_v = bound.max_error_v;
  certificate.rounding_v = bound.rounding_v;
  certificate.max_residual_a = bound.max_residual_a;
  return certificate;
}

void Certifier::sharpen(Engine& engine, FineVoltages volts, const FineInjection& injection,
                        Certificate& certificate) const {
  const std::vector<double> majorant = bound_.residual_majorant(volts, injection);
  const auto nodes = std::ssize(volts.value);
  std::vector<double> w;
  assign_in_parallel(w, nodes);
  // Loose, but fine enough where the majorant is smallest: a part of the grid may carry far smaller currents than
  // the rest.
  const double largest = bound_.largest_of_all(majorant.empty() ? 0.0 : *std::ranges::max_element(majorant));
  const StopRule stop{0, 0.4 * ErrorBound::kMajorantFloor * largest, max_iterations_};
  system_.solve(engine, {majorant.data(), nodes}, {w.data(), nodes}, stop);
  const double sharp = bound_.sharp_bound(w, majorant, volts);
  if (!std::isfinite(sharp) || (certificate.valid && sharp >= certificate.max_error_v)) return;
  certificate.valid = true;
  certificate.max_error_v = sharp;
  certificate.max_residual_a = largest;
}

}  // namespace gridiron
