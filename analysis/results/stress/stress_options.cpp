// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "analysis/results/stress/lifetime_limit.hpp"
#include "analysis/results/stress/stress.hpp"
#include "support/error_text.hpp"

namespace gridiron {
namespace {

void require_count(const char* name, int64_t count, int64_t least, int64_t most) {
  if (count < least || count > most)
    throw field_error(name, "{}: expected a whole number from {} to {}", count, least, most);
}

void require_ranges(const LifetimeOptions& lifetime) {
  if (!is_lifetime(lifetime.horizon_s))
    throw field_error("em_lifetime", "{:g}: expected a time above 0, of at most {:g} years", lifetime.horizon_s,
                      kMostLifetimeYears);
  require_count("em_samples", lifetime.samples, 0, LifetimeOptions::kMostSamples);
  require_count("seed", lifetime.seed, 0, LifetimeOptions::kMostSeed);
  const bool has_samples = lifetime.samples > 0;
  if (!has_samples && lifetime.sigma != 0)
    throw input_error("{}: give both {} and {}", field("em_sigma"), field("em_samples"), field("em_sigma"));
  constexpr double kMostSigma = 10;
  if (has_samples && !(lifetime.sigma > 0 && lifetime.sigma <= kMostSigma))
    throw field_error("em_sigma", "{:g}: expected a number above 0, and at most {:g}", lifetime.sigma, kMostSigma);
}

void require_ranges(const CascadeOptions& cascade) {
  const auto require_above_0 = [](const char* name, double value, const char* what) {
    if (!(value > 0 && std::isfinite(value))) throw field_error(name, "{:g}: expected {} above 0", value, what);
  };
  require_count("em_cascade", cascade.stages, 1, CascadeOptions::kMostStages);
  require_above_0("em_void", cascade.void_um, "a length in µm");
  constexpr double kAtomUm = 2e-4;
  if (cascade.void_um < kAtomUm)
    throw field_error("em_void", "{:g}: a void of less than an atom; the length is in µm", cascade.void_um);
  if (cascade.liner_ohm_per_um) require_above_0("em_liner", *cascade.liner_ohm_per_um, "a resistance in ohm per µm");
}

}  // namespace

void require_ranges(const StressOptions& options) {
  if (options.lifetime) require_ranges(*options.lifetime);
  if (options.cascade) require_ranges(*options.cascade);
}

}  // namespace gridiron
