// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/model/certificate.hpp"
#include "analysis/results/stress/stress_report.hpp"

namespace gridiron {

inline constexpr double kMostLifetimeYears = 1e12;

/// Whether stress can be followed until then.
bool is_lifetime(double time_s);

/// "10y", "3e8s", or a number of seconds; none: it is none of these, or no lifetime. SPICE's prefixes, of which m is
/// milli, are refused.
std::optional<double> parse_lifetime(std::string_view text);
inline constexpr std::string_view kLifetimeUnits = "units are s and y, without prefixes";

/// Takes the limits on lifetimes, lifetime=10y and lifetime@1%=10y, out of a list of limits. Errors: InputError.
std::vector<LifetimeLimit> take_lifetime_limits(std::vector<std::string>& texts);

/// Errors: InputError for limits beyond the horizon, and on percentiles where there are no samples.
void require_horizon(const std::vector<LifetimeLimit>& limits, double horizon_s, bool has_samples);

/// Judges StressReport::lifetime_limits by the lifetime, and by the cascade where there is one.
void judge_lifetime_limits(StressReport& stress, const Certificate& certificate);

/// "lifetime of 0.33 y to the first void, in tree 7, is below 10 y, as is that of 11 other trees".
std::string describe(const LifetimeLimit& limit);

/// "12.3 y"; of less than a day in seconds.
std::string lifetime_text(double time_s);

}  // namespace gridiron
