// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "analysis/results/stress/lifetime.hpp"
#include "analysis/results/stress/lifetime_report.hpp"

namespace gridiron {

/// Of all samples the largest factor on the diffusivity of this tree; 1 without samples.
double fastest(const LifetimeOptions& options, int32_t tree);

/// The least time of all trees, which are numbered so, in every sample: a factor on a tree's diffusivity divides its
/// time. Infinite times stand for those beyond the horizon with the fastest() diffusion.
LifetimeSamples sample_lifetimes(const LifetimeOptions& options, std::span<const int32_t> trees,
                                 std::span<const double> time_s);

/// Ranks, from 1, of the order statistics of n values between which the quantile lies with 95 % probability, whatever
/// the distribution is: 0 and n + 1 where there are too few.
struct RankInterval {
  int64_t low, high;
};
RankInterval quantile_ranks(int64_t n, double quantile);

}  // namespace gridiron
