// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <time.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "analysis/papers/stokes_kernels.hpp"

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

inline constexpr int kStudyRounds = 7;

/// Seconds of each kernel in the order of StokesKernels::all(): after one run, the median of rounds of several runs. No
/// times without rounds.
template <class D>
std::vector<double> stokes_kernel_seconds(int64_t n, int rounds_of_each = kStudyRounds) {
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
  constexpr int64_t kElements = int64_t{1} << 20;
  constexpr int kChains = 8, kSteps = 256;
  Array<D, float> array(kElements);
  fill<D, float>(array.view(), 1.0f);
  const View<D, float> x = array.view();
  double best = 0;
  for (int round = 0; round < 4; ++round) {
    D::synchronize();
    StudyClock watch(!D::shares_host_memory);
    D::for_each(
        kElements, GRIDIRON_KERNEL(int64_t i) {
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

std::vector<double> stokes_kernel_seconds_on_cuda(int64_t n, int rounds_of_each = kStudyRounds);
double flop_rate_of_cuda();

}  // namespace gridiron
