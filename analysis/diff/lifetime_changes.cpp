// SPDX-License-Identifier: Apache-2.0
#include "analysis/diff/lifetime_changes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "analysis/results/stress/cascade_report.hpp"
#include "analysis/results/stress/lifetime_report.hpp"
#include "netlist/names/lower_case.hpp"
#include "netlist/names/name_table.hpp"
#include "netlist/tables/metal_tables.hpp"

namespace gridiron {
namespace {

using Parameter = RunData::EmParameter;

const Parameter* find(const std::vector<Parameter>& list, const std::string& name) {
  const auto found = std::ranges::find_if(list, [&](const Parameter& other) { return same_name(other.name, name); });
  return found == list.end() ? nullptr : &*found;
}

}  // namespace

std::string em_value(double value) { return fmt::format("{:.6g}", value); }

void add_em_rule(const std::string& name, double least_limit, std::vector<Parameter>& parameters) {
  const std::string parameter = "rule " + name;
  const auto same =
      std::ranges::find_if(parameters, [&](const Parameter& other) { return same_name(other.name, parameter); });
  if (same == parameters.end())
    parameters.push_back({Parameter::Of::rules, parameter, em_value(least_limit)});
  else
    same->value += ", " + em_value(least_limit);
}

void add_cascade_limits(std::vector<std::string> limits, std::vector<Parameter>& parameters) {
  std::ranges::sort(limits, {}, [](const std::string& limit) { return lower(limit); });
  if (!limits.empty())
    parameters.push_back({Parameter::Of::cascade, "limits on drops", fmt::format("{}", fmt::join(limits, ", "))});
}

std::vector<EmParameterChange> em_parameter_changes(const RunData& before, const RunData& after) {
  std::vector<EmParameterChange> changes;
  const auto has = [](const RunData& run, const Parameter& parameter) {
    return std::ranges::any_of(run.em_parameters, [&](const Parameter& other) { return other.of == parameter.of; });
  };
  for (const Parameter& parameter : before.em_parameters) {
    if (!has(after, parameter)) continue;
    const Parameter* other = find(after.em_parameters, parameter.name);
    if (!other || !same_name(other->value, parameter.value))
      changes.push_back({parameter.name, parameter.value, other ? other->value : ""});
  }
  for (const Parameter& parameter : after.em_parameters)
    if (has(before, parameter) && !find(before.em_parameters, parameter.name))
      changes.push_back({parameter.name, "", parameter.value});
  return changes;
}

std::optional<LifetimesChange> lifetimes_change(const RunData& before, const RunData& after) {
  if (!before.lifetimes || !after.lifetimes) return std::nullopt;
  const RunData::Lifetimes &a = *before.lifetimes, &b = *after.lifetimes;
  LifetimesChange change{a.horizon_s, b.horizon_s, {a.first_void, b.first_void, a.horizon_s, b.horizon_s}, {}};
  if (a.failure && b.failure) change.failure = LifetimeChange{*a.failure, *b.failure, a.horizon_s, b.horizon_s};
  return change;
}

/// Times are at least those of horizons where nothing happens until then; what ends before for want of stages has none.
bool LifetimeChange::is_change() const {
  const auto least = [](const RunData::EmTime& time, double horizon_s) {
    return time.is_known() ? time.time_s - time.error_s : horizon_s;
  };
  const auto most = [](const RunData::EmTime& time) { return time.is_known() ? time.time_s + time.error_s : HUGE_VAL; };
  if (before.is_open || after.is_open) return false;
  return most(before) < least(after, after_horizon_s) || most(after) < least(before, before_horizon_s);
}

std::vector<OneSided> one_sided(const RunData& before, const RunData& after) {
  std::vector<OneSided> list;
  const auto tell = [&](const char* what, bool is_in_before, bool is_in_after) {
    if (is_in_before != is_in_after) list.push_back({what, is_in_before});
  };
  tell("the stress of metal (stress.csv)", before.metal.has_value(), after.metal.has_value());
  const bool have_stress = before.metal && after.metal;
  if (have_stress)
    tell("times of voids (nucleation.csv)", before.metal->horizon_s.has_value(), after.metal->horizon_s.has_value());
  tell("a cascade of failures (cascade.csv)", before.lifetimes && before.lifetimes->failure,
       after.lifetimes && after.lifetimes->failure);
  tell("rules of electromigration (em.csv)", before.violations.has_value(), after.violations.has_value());
  return list;
}

std::optional<RunData::Lifetimes> lifetimes_of(const IrReport& report) {
  if (!report.stress || !report.stress->lifetime) return std::nullopt;
  const LifetimeReport& lifetime = *report.stress->lifetime;
  RunData::Lifetimes made;
  made.horizon_s = lifetime.horizon_s;
  if (!lifetime.first.empty()) {
    const TreeLifetime& first = lifetime.trees[lifetime.first.front()];
    made.first_void = {first.time_s, first.error_s};
  } else {
    made.first_void.is_open = lifetime.undecided > 0;
  }
  if (const std::optional<CascadeReport>& cascade = report.stress->cascade)
    made.failure = RunData::EmTime{cascade->failure_s(), cascade->failure_error_s(), cascade->end == CascadeEnd::stages,
                                   cascade->has_limit};
  return made;
}

std::vector<Parameter> em_parameters_of(const IrReport& report) {
  std::vector<Parameter> list;
  if (report.stress) {
    const StressReport& stress = *report.stress;
    const auto add = [&](std::string name, std::string value) {
      list.push_back({Parameter::Of::stress, std::move(name), std::move(value)});
    };
    for (const MetalParameter& parameter : metal_parameters()) {
      const double value = stress.metal.*parameter.member;
      const bool is_given = parameter.is_needed || (std::isfinite(value) && (value != 0 || parameter.least < 0));
      if (is_given) add(std::string(parameter.name), em_value(value));
    }
    if (const std::optional<CascadeReport>& cascade = stress.cascade) {
      list.push_back({Parameter::Of::cascade, "void_um", em_value(cascade->options.void_um)});
      if (const std::optional<double>& liner = cascade->options.liner_ohm_per_um)
        list.push_back({Parameter::Of::cascade, "liner_ohm_per_um", em_value(*liner)});
      add_cascade_limits(cascade->limits, list);
    }
  }
  if (report.em) {
    const EmReport& em = *report.em;
    if (em.temperature_c)
      list.push_back({Parameter::Of::rules, "temperature of rules, C", em_value(*em.temperature_c)});
    if (em.frequency_hz) list.push_back({Parameter::Of::rules, "frequency of rules, Hz", em_value(*em.frequency_hz)});
    for (const ActiveEmRule& rule : em.rules) add_em_rule(rule.name, rule.least(), list);
  }
  return list;
}

}  // namespace gridiron
