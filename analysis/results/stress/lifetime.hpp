// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "analysis/results/ir_report.hpp"
#include "analysis/results/stress/metal.hpp"
#include "analysis/results/stress/stress_report.hpp"

namespace gridiron {

/// Until when trees are followed, and how often with random diffusivities.
struct LifetimeOptions {
  static constexpr int64_t kMostSamples = 10'000'000, kMostSeed = std::numeric_limits<int32_t>::max();
  double horizon_s = 0;
  int64_t samples = 0;  ///< 0: none
  double sigma = 0;     ///< of the logarithm of a tree's diffusivity
  int64_t seed = 1;
  std::vector<double> percents = {};  ///< of samples, besides the usual ones
};

/// κ = D B Ω / kT with D = D₀ exp(−Ea/kT), m²/s.
double stress_diffusivity(const MetalParameters& metal);

/// When voids nucleate in the trees of `stress`, which are of `metal`. Those whose stress could not become critical are
/// not followed, nor those of unknown geometry.
LifetimeReport find_lifetime(const IrReport& report, const Metal& metal, const StressReport& stress,
                             const LifetimeOptions& options);

}  // namespace gridiron
