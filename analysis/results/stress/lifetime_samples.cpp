// SPDX-License-Identifier: Apache-2.0
#include "analysis/results/stress/lifetime_samples.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "support/parallel_arrays.hpp"
#include "support/random_bits.hpp"

namespace gridiron {
namespace {

constexpr double kBeyondHorizon = std::numeric_limits<double>::infinity();
constexpr double kPercents[] = {0.1, 1, 10, 50};

/// Lognormal.
double factor(const LifetimeOptions& options, int32_t tree, int64_t sample) {
  const uint64_t bits =
      random_bits(static_cast<uint64_t>(options.seed), {static_cast<uint64_t>(tree), static_cast<uint64_t>(sample)});
  return std::exp(options.sigma * normal_of(bits));
}

/// Of values in order, of which the first is that of rank 1.
double at_rank(std::span<const double> values, int64_t rank) {
  if (rank < 1) return 0;
  return rank <= std::ssize(values) ? values[rank - 1] : kBeyondHorizon;
}

}  // namespace

double fastest(const LifetimeOptions& options, int32_t tree) {
  double fastest = options.samples > 0 ? 0 : 1;
  for (int64_t s = 0; s < options.samples; ++s) fastest = std::max(fastest, factor(options, tree, s));
  return fastest;
}

LifetimeSamples sample_lifetimes(const LifetimeOptions& options, std::span<const int32_t> trees,
                                 std::span<const double> time_s) {
  LifetimeSamples result;
  result.samples = options.samples;
  result.sigma = options.sigma;
  result.seed = options.seed;
  std::vector<double> least(options.samples, kBeyondHorizon);
  constexpr int64_t kGrain = 256;
  parallel_ranges(
      options.samples,
      [&](int64_t begin, int64_t end) {
        for (int64_t s = begin; s < end; ++s) {
          for (size_t k = 0; k < trees.size(); ++k)
            if (std::isfinite(time_s[k])) least[s] = std::min(least[s], time_s[k] / factor(options, trees[k], s));
          if (least[s] > options.horizon_s) least[s] = kBeyondHorizon;
        }
      },
      kGrain);
  std::ranges::sort(least);
  result.censored = std::ranges::count(least, kBeyondHorizon);
  std::vector<double> percents(std::begin(kPercents), std::end(kPercents));
  percents.insert(percents.end(), options.percents.begin(), options.percents.end());
  std::ranges::sort(percents);
  percents.erase(std::unique(percents.begin(), percents.end()), percents.end());
  for (const double percent : percents) {
    const double quantile = percent / 100;
    const RankInterval ranks = quantile_ranks(options.samples, quantile);
    const auto rank = static_cast<int64_t>(std::ceil(quantile * static_cast<double>(options.samples)));
    result.percentiles.push_back(
        {percent, at_rank(least, rank), at_rank(least, ranks.low), at_rank(least, ranks.high)});
  }
  return result;
}

RankInterval quantile_ranks(int64_t n, double quantile) {
  constexpr double kTail = 0.025;
  const double of_all = std::lgamma(static_cast<double>(n) + 1);
  double below = 0;  // the probability that at most k values lie below the quantile
  RankInterval ranks{0, n + 1};
  for (int64_t k = 0; k < n; ++k) {
    const auto in = static_cast<double>(k), out = static_cast<double>(n - k);
    below += std::exp(of_all - std::lgamma(in + 1) - std::lgamma(out + 1) + in * std::log(quantile) +
                      out * std::log1p(-quantile));
    if (below <= kTail) ranks.low = k + 1;
    if (below >= 1 - kTail) {
      ranks.high = k + 1;
      break;
    }
  }
  return ranks;
}

}  // namespace gridiron
