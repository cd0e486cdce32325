// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/results/limits.hpp"
#include "analysis/results/stress/stress.hpp"
#include "analysis/run/run_facts.hpp"

namespace gridiron {

/// Options of the stress of metal by electromigration.
struct StressArguments {
  std::string em_stress, em_layers, em_lifetime;
  std::optional<int> em_samples, seed, em_cascade;
  std::optional<double> em_sigma, em_void, em_liner;

  std::vector<std::string> stress_tables() const;
};

/// What limits may be on besides drops.
inline constexpr std::string_view kStressLimits[] = {"stress", "lifetime"};

/// What words say; takes the limit on stress out of `limits`. Limits on lifetimes are taken out of words before these
/// are parsed: `lifetimes`. Errors: InputError.
std::optional<StressOptions> stress_options(const StressArguments& arguments, std::vector<LimitRequest>& limits,
                                            std::vector<LifetimeLimit> lifetimes);

/// Errors: InputError.
void read_stress_tables(const StressArguments& arguments, StressOptions& options);

void list_stress_options(const StressArguments& arguments, RunFacts& run);

}  // namespace gridiron
