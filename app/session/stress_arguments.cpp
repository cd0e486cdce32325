// SPDX-License-Identifier: Apache-2.0
#include "app/session/stress_arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/results/stress/lifetime_limit.hpp"
#include "app/session/analysis_options.hpp"
#include "netlist/tables/metal_tables.hpp"
#include "support/error_text.hpp"

namespace gridiron {
namespace {

constexpr std::string_view kUsualMetal = "default", kStress = kStressLimits[0];

std::optional<LifetimeOptions> lifetime_options(const StressArguments& arguments) {
  const bool has_samples = arguments.em_samples || arguments.em_sigma || arguments.seed;
  const char* of_samples = arguments.em_samples ? "em_samples" : arguments.em_sigma ? "em_sigma" : "seed";
  if (arguments.em_lifetime.empty()) {
    if (has_samples) throw input_error("{}: there is no {} that it is for", field(of_samples), field("em_lifetime"));
    return std::nullopt;
  }
  if (arguments.em_stress.empty())
    throw field_error("em_lifetime", "{}: there is no {} that it is for", arguments.em_lifetime, field("em_stress"));
  if (has_samples && !(arguments.em_samples && arguments.em_sigma))
    throw input_error("{}: give both {} and {}", field(of_samples), field("em_samples"), field("em_sigma"));
  LifetimeOptions options;
  const std::optional<double> horizon_s = parse_lifetime(arguments.em_lifetime);
  if (!horizon_s)
    throw field_error("em_lifetime", "{}: not a time above 0, of at most {:g} years; write e.g. 10y or 3e8s; {}",
                      arguments.em_lifetime, kMostLifetimeYears, kLifetimeUnits);
  options.horizon_s = *horizon_s;
  options.samples = arguments.em_samples.value_or(0);
  options.sigma = arguments.em_sigma.value_or(0);
  options.seed = arguments.seed.value_or(1);
  return options;
}

std::optional<CascadeOptions> cascade_options(const StressArguments& arguments) {
  if (!arguments.em_cascade) {
    if (arguments.em_void || arguments.em_liner)
      throw input_error("{}: there is no {} that it is for", field(arguments.em_void ? "em_void" : "em_liner"),
                        field("em_cascade"));
    return std::nullopt;
  }
  if (arguments.em_stress.empty() || arguments.em_lifetime.empty())
    throw input_error("{}: there is no {} that it goes on from", field("em_cascade"),
                      field(arguments.em_stress.empty() ? "em_stress" : "em_lifetime"));
  if (!arguments.em_void)
    throw input_error("{}: give {}, too, the length of a void at which its segment fails, such as 0.1",
                      field("em_cascade"), field("em_void"));
  return CascadeOptions{*arguments.em_cascade, *arguments.em_void, arguments.em_liner};
}

}  // namespace

std::vector<std::string> StressArguments::stress_tables() const {
  std::vector<std::string> tables;
  if (!em_layers.empty()) tables.push_back(em_layers);
  if (!em_stress.empty() && em_stress != kUsualMetal) tables.push_back(em_stress);
  return tables;
}

namespace {

void take_lifetimes(std::vector<LifetimeLimit> lifetimes, std::optional<StressOptions>& options) {
  if (lifetimes.empty()) return;
  if (!options || !options->lifetime)
    throw field_error("limit", "lifetime: there is no {} that it is for", field("em_lifetime"));
  require_horizon(lifetimes, options->lifetime->horizon_s, options->lifetime->samples > 0);
  for (const LifetimeLimit& limit : lifetimes)
    if (limit.percent) options->lifetime->percents.push_back(*limit.percent);
  options->lifetime_limits = std::move(lifetimes);
}

}  // namespace

std::optional<StressOptions> stress_options(const StressArguments& arguments, std::vector<LimitRequest>& limits,
                                            std::vector<LifetimeLimit> lifetimes) {
  std::optional<StressOptions> options;
  if (!arguments.em_stress.empty()) options.emplace();
  if (!options && !arguments.em_layers.empty())
    throw field_error("em_layers", "{}: there is no {} that it is for", arguments.em_layers, field("em_stress"));
  const std::optional<LifetimeOptions> lifetime = lifetime_options(arguments);
  const std::optional<CascadeOptions> cascade = cascade_options(arguments);
  if (options) options->lifetime = lifetime;
  if (options) options->cascade = cascade;
  if (options) require_ranges(*options);
  take_lifetimes(std::move(lifetimes), options);
  const auto limit = std::ranges::find(limits, kStress, &LimitRequest::quantity);
  if (limit == limits.end()) return options;
  if (!options) throw field_error("limit", "stress: there is no {} that it is for", field("em_stress"));
  if (!limit->is_share || !limit->net.empty() || !(limit->value > 0) ||
      std::ranges::count(limits, kStress, &LimitRequest::quantity) > 1)
    throw field_error("limit", "stress: expected one share of the critical stress, of all nets, like stress=80%");
  options->limit = limit->value;
  limits.erase(limit);
  return options;
}

void read_stress_tables(const StressArguments& arguments, StressOptions& options) {
  const bool is_usual = arguments.em_stress == kUsualMetal;
  options.metal = is_usual ? usual_metal() : read_metal_parameters(arguments.em_stress);
  if (options.lifetime) require_course_parameters(options.metal, arguments.em_stress);
  if (!arguments.em_layers.empty()) options.layers = read_metal_layers(arguments.em_layers);
}

void list_stress_options(const StressArguments& arguments, RunFacts& run) {
  add_option(run, "em-stress", arguments.em_stress);
  add_option(run, "em-layers", arguments.em_layers);
  add_option(run, "em-lifetime", arguments.em_lifetime);
  if (arguments.em_samples) add_option(run, "em-samples", std::to_string(*arguments.em_samples));
  if (arguments.em_sigma) add_option(run, "em-sigma", fmt::format("{:g}", *arguments.em_sigma));
  if (arguments.seed) add_option(run, "seed", std::to_string(*arguments.seed));
  if (arguments.em_cascade) add_option(run, "em-cascade", std::to_string(*arguments.em_cascade));
  if (arguments.em_void) add_option(run, "em-void", fmt::format("{:g}", *arguments.em_void));
  if (arguments.em_liner) add_option(run, "em-liner", fmt::format("{:g}", *arguments.em_liner));
}

}  // namespace gridiron
