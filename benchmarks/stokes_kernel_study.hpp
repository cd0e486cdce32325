// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <time.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engines/stokes/multigrid.hpp"

namespace gridiron {

/// Seconds: of the processor that this process has used, for one thread on a CPU that others use too, or of the clock
/// on the wall for a GPU.
class StudyClock {
 public:
  explicit StudyClock(bool on_wall) : on_wall_(on_wall) { lap(); }
  double lap() {
    timespec now{};
    clock_gettime(on_wall_ ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID, &now);
    const double seconds = static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
    return seconds - std::exchange(last_, seconds);
  }

 private:
  bool on_wall_;
  double last_ = 0;
};

/// The kernels of the Stokes engine on the finest level of n × n elements, as the paper's section 6 lists them.
template <class D, class T>
class StokesKernels {
 public:
  struct Kernel {
    std::string name;
    double in_schur, in_vanka, in_stencil;  ///< calls on a level in V(1,2) with Braess-Sarazin of three sweeps, with
                                            ///< tuned Vanka, and with Vanka as a stencil
    std::function<void()> run;
  };

  explicit StokesKernels(std::int64_t n) {
    StokesGrid grid, coarse;
    grid.elements = {n, n};
    coarse.elements = {n / 2, n / 2};
    grid.spacing = coarse.spacing = {1, 1};
    const stokes::Stencil<double> stencil(1, 1, 1, 0);
    level_ = stokes::LevelGrid<D, T>(grid, stokes::Stencil<T>(1, 1, 1, 0));
    coarse_ = stokes::LevelGrid<D, T>(coarse, stokes::Stencil<T>(1, 1, 1, 0));
    const std::int64_t size = level_.layout.size(), plane = level_.layout.plane;
    for (auto* vector : {&f_, &x_, &r_}) *vector = stokes::zero_array<D, T>(size);
    coarse_vector_ = stokes::zero_array<D, T>(coarse_.layout.size());
    for (auto* vector : {&s_, &dp_, &other_dp_}) *vector = stokes::zero_array<D, T>(plane);
    schur_ = stokes::SchurComplement<D, T>(level_, stencil);
    const std::vector<double> inverses = stokes::vanka_table(stencil, n, n, 0.8);
    vanka_ = stokes::Vanka<D, T>(level_.layout, shared(inverses), true);
    const std::vector<double> rows = stokes::vanka_stencil_table(inverses, n, n);
    stencil_ = stokes::VankaStencil<D, T>(level_.layout, shared(rows), stokes::middle_vanka_row<T>(rows, n, n));
  }

  std::vector<Kernel> all() {
    const auto in = [](Array<D, T>& array) { return std::as_const(array).view(); };
    return {
        {"residual", 3, 3, 3, [=, this] { stokes::form_residual<true, D, T>(level_, in(f_), in(x_), r_.view()); }},
        {"Schur right-hand side", 3, 0, 0,
         [=, this] {
           stokes::begin_schur<D, T>(level_, T(1), T(1), schur_.inverse_diagonal(), in(r_), s_.view(), dp_.view());
         }},
        {"Schur Jacobi sweep", 6, 0, 0, [=, this] { schur_.sweep(T(1), in(s_), in(dp_), other_dp_.view()); }},
        {"Braess-Sarazin update", 3, 0, 0,
         [=, this] { stokes::end_schur<true, false, D, T>(level_, T(1), T(1), in(r_), in(dp_), x_.view()); }},
        {"Vanka: apply inverses", 0, 3, 0, [=, this] { vanka_.solve_patches(in(r_)); }},
        {"Vanka: update solution", 0, 3, 0, [=, this] { vanka_.add_corrections(level_, false, x_.view()); }},
        {"Vanka as a stencil", 0, 0, 3, [=, this] { stencil_.relax(level_, false, in(r_), x_.view()); }},
        {"restriction", 1, 1, 1,
         [=, this] {
           stokes::restrict_to<D, T>(coarse_, level_.layout, stokes::Transfer(), in(r_), coarse_vector_.view());
         }},
        {"interpolation", 1, 1, 1,
         [=, this] {
           stokes::interpolate_from<D, T>(coarse_, level_.layout, stokes::Transfer(), in(coarse_vector_), x_.view());
         }},
    };
  }

 private:
  static std::shared_ptr<const Array<D, T>> shared(const std::vector<double>& values) {
    return std::make_shared<const Array<D, T>>(std::vector<T>(values.begin(), values.end()));
  }

  stokes::LevelGrid<D, T> level_, coarse_;
  Array<D, T> f_, x_, r_, coarse_vector_, s_, dp_, other_dp_;
  stokes::SchurComplement<D, T> schur_;
  stokes::Vanka<D, T> vanka_;
  stokes::VankaStencil<D, T> stencil_;
};

inline constexpr int kStudyRounds = 7;

/// Seconds of each kernel in the order of StokesKernels::all(): after one run, the median of rounds of several runs. No
/// times without rounds.
template <class D>
std::vector<double> stokes_kernel_seconds(std::int64_t n, int rounds_of_each = kStudyRounds) {
  StokesKernels<D, float> kernels(n);
  std::vector<double> seconds;
  for (const auto& kernel : kernels.all()) {
    std::vector<double> rounds;
    kernel.run();
    for (int round = 0; round < rounds_of_each; ++round) {
      constexpr int kRuns = 5;
      D::synchronize();
      StudyClock watch(!D::shares_host_memory);
      for (int run = 0; run < kRuns; ++run) kernel.run();
      D::synchronize();
      rounds.push_back(watch.lap() / kRuns);
    }
    D::synchronize();
    if (rounds.empty()) continue;
    std::sort(rounds.begin(), rounds.end());
    seconds.push_back(rounds[rounds.size() / 2]);
  }
  return seconds;
}

/// Additions and multiplications per second in fp32 that long chains of both reach.
template <class D>
double flop_rate() {
  constexpr std::int64_t kElements = std::int64_t{1} << 20;
  constexpr int kChains = 8, kSteps = 256;
  Array<D, float> array(kElements);
  fill<D, float>(array.view(), 1.0f);
  const View<D, float> x = array.view();
  double best = 0;
  for (int round = 0; round < 4; ++round) {
    D::synchronize();
    StudyClock watch(!D::shares_host_memory);
    D::for_each(
        kElements, GRIDIRON_KERNEL(std::int64_t i) {
          float chain[kChains];
          for (int c = 0; c < kChains; ++c) chain[c] = x[i] + static_cast<float>(c);
          for (int step = 0; step < kSteps; ++step)
            for (int c = 0; c < kChains; ++c) chain[c] = chain[c] * 0.999f + 0.001f;
          float sum = 0;
          for (int c = 0; c < kChains; ++c) sum += chain[c];
          x[i] = sum * 0.1f;
        });
    D::synchronize();
    best = std::max(best, 2.0 * kChains * kSteps * static_cast<double>(kElements) / watch.lap());
  }
  return best;
}

std::vector<double> stokes_kernel_seconds_on_cuda(std::int64_t n, int rounds_of_each = kStudyRounds);
double flop_rate_of_cuda();

}  // namespace gridiron
