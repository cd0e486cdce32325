// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "engines/sgml/faithful.hpp"
#include "support/stopwatch.hpp"

namespace gridiron {

/// Cost and convergence of a cycle of SGML with all vectors on the device. A step of the engine is a cycle, x += its
/// result, and the residual in fp64.
struct CycleRates {
  double cycle_seconds = 0, step_seconds = 0;
  double cycle_bytes = 0, step_bytes = 0;  ///< each array counted once per pass over it
  double reduction = 0;                    ///< of ‖b − A x‖₂ per cycle, geometric mean
  int cycles = 0;                          ///< until ‖b − A x‖₂ ≤ 1e-8 ‖b‖₂, at most 100
};

/// Seconds per call: the median of seven runs of as many calls as take 20 ms, after a warm-up call.
template <class D, class F>
double median_seconds(F&& call) {
  const auto seconds_of = [&](int calls) {
    D::synchronize();
    Stopwatch watch;
    for (int k = 0; k < calls; ++k) call();
    D::synchronize();
    return watch.seconds() / calls;
  };
  seconds_of(1);
  const int calls = std::clamp(static_cast<int>(0.02 / seconds_of(1)), 1, 1000);
  std::vector<double> seconds(7);
  for (double& s : seconds) s = seconds_of(calls);
  std::sort(seconds.begin(), seconds.end());
  return seconds[seconds.size() / 2];
}

/// `right_side`: one value per unknown. Not for boxes with Neumann conditions on all faces.
template <class D, class T>
CycleRates measure_cycles(const Problem& problem, const std::vector<double>& right_side, const SgmlParams& params) {
  std::unique_ptr<sgml::Cycle<D, T>> cycle;
  sgml::Stencil<D, double> matrix;
  {
    const std::vector<sgml::LevelPlan> plan = sgml::plan_levels(problem);
    matrix = sgml::Stencil<D, double>(plan[0].stencil);
    if (params.schedule == "faithful")
      cycle = std::make_unique<sgml::FaithfulCycle<D, T>>(plan, params);
    else
      cycle = std::make_unique<sgml::Cycle<D, T>>(plan, params);
  }
  const sgml::Lattice& lattice = cycle->lattice();
  std::vector<double> field(static_cast<size_t>(lattice.size()), 0.0);
  for (int64_t line = 0, nx = lattice.unknowns(0); line < lattice.lines(); ++line)
    std::copy_n(right_side.begin() + line * nx, nx, field.begin() + lattice.at(line, 0));
  const Array<D, double> b(field);
  std::fill(field.begin(), field.end(), 0.0);
  Array<D, double> x(field);

  const auto residual = [&](double scale) {
    sgml::Residual<D, T> kernel{std::as_const(x).view(), b.view(), cycle->rhs(), scale};
    matrix.visit(kernel);
    return std::sqrt(kernel.squares);
  };
  const auto step = [&](double scale, double next_scale) {
    sgml::add_scaled<D, T>(lattice, 1 / scale, cycle->apply(), 0, x.view());
    return residual(next_scale);
  };

  CycleRates rates;
  const double norm_b = residual(1);
  double norm = norm_b, scale = 1;
  for (; norm > 1e-8 * norm_b && rates.cycles < 100; ++rates.cycles) {
    norm = step(scale, 1 / norm_b);
    scale = 1 / norm_b;
  }
  rates.reduction = std::pow(norm_b / norm, 1.0 / std::max(rates.cycles, 1));

  x.copy_from(field);
  residual(1 / norm_b);
  rates.cycle_seconds = median_seconds<D>([&] { cycle->apply(); });
  rates.step_seconds = median_seconds<D>([&] { step(1, 1); });
  rates.cycle_bytes = cycle->bytes_per_cycle();
  rates.step_bytes = rates.cycle_bytes + 4 * static_cast<double>(x.bytes()) + static_cast<double>(matrix.bytes()) +
                     2 * static_cast<double>(cycle->levels()[0].rhs.bytes());
  return rates;
}

/// measure_cycles() in the precision of the parameters.
template <class D>
CycleRates measure_cycles_on(const Problem& problem, const std::vector<double>& right_side, const SgmlParams& params) {
  return params.precision == "double" ? measure_cycles<D, double>(problem, right_side, params)
                                      : measure_cycles<D, float>(problem, right_side, params);
}

CycleRates measure_cycles_on_cuda(const Problem& problem, const std::vector<double>& right_side,
                                  const SgmlParams& params);

}  // namespace gridiron
