// SPDX-License-Identifier: Apache-2.0
#include "reports/folder/em_run.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "analysis/diff/lifetime_changes.hpp"
#include "reports/folder/run_json.hpp"

namespace gridiron {
namespace {

using Of = RunData::EmParameter::Of;

double known_number(const PlainJson& object, const char* name, double otherwise) {
  const PlainJson value = object.value(name, PlainJson());
  return value.is_number() ? value.get<double>() : otherwise;
}

PlainJson object_in(const PlainJson& object, const char* name) {
  PlainJson value = object.is_object() ? object.value(name, PlainJson()) : PlainJson();
  return value.is_object() ? value : PlainJson();
}

/// Objects of a list that may be missing.
std::vector<PlainJson> objects_in(const PlainJson& object, const char* name) {
  std::vector<PlainJson> list;
  if (!object.is_object()) return list;
  for (const PlainJson& value : object.value(name, PlainJson::array()))
    if (value.is_object()) list.push_back(value);
  return list;
}

RunData::EmTime time_in(const PlainJson& object, const char* time, const char* error) {
  return {known_number(object, time, HUGE_VAL), known_number(object, error, HUGE_VAL)};
}

void read_lifetimes(const PlainJson& stress, RunData& run) {
  const PlainJson lifetime = object_in(stress, "lifetime"), cascade = object_in(stress, "cascade");
  if (lifetime.is_null()) return;
  run.lifetimes = RunData::Lifetimes();
  run.lifetimes->horizon_s = known_number(lifetime, "horizon_s", 0);
  const std::vector<PlainJson> first = objects_in(lifetime, "first");
  if (!first.empty())
    run.lifetimes->first_void = time_in(first.front(), "time_s", "error_s");
  else
    run.lifetimes->first_void.is_open = known_number(lifetime, "undecided", 0) > 0;
  if (cascade.is_null()) return;
  RunData::EmTime& failure = run.lifetimes->failure.emplace(time_in(cascade, "failure_s", "failure_error_s"));
  failure.is_open = cascade.value("end", "") == "stages";
  failure.has_limit = cascade.value("has_limit", false);
}

}  // namespace

std::vector<RunLimit> limits_in(const PlainJson& report) {
  using Unit = RunLimit::Unit;
  std::vector<RunLimit> limits;
  const auto add = [&](const std::string& quantity, const PlainJson& of, Unit unit, const char* key) {
    const auto word = [&](const char* name) {
      const PlainJson value = of.value(name, PlainJson());
      return value.is_string() ? name_in(value) : std::string();
    };
    if (const double value = known_number(of, key, NAN); !std::isnan(value))
      add_limit(limits, {quantity, word("net"), word("layer"), unit, value});
  };
  for (const PlainJson& limit : objects_in(report, "limits")) {
    const PlainJson quantity = limit.value("quantity", PlainJson());
    const bool is_current = limit.contains("limit_a");
    if (quantity.is_string())
      add(name_in(quantity), limit, is_current ? Unit::amperes : Unit::volts, is_current ? "limit_a" : "limit_v");
  }
  const PlainJson stress = object_in(report, "stress");
  if (const PlainJson em = object_in(object_in(report, "em"), "limit"); !em.is_null())
    add("em", em, Unit::share, "limit");
  if (const PlainJson limit = object_in(stress, "limit"); !limit.is_null())
    add("stress", limit, Unit::pascals, "limit_pa");
  for (const PlainJson& limit : objects_in(stress, "lifetime_limits")) {
    const double percent = known_number(limit, "percent", NAN);
    add(lifetime_name(limit.value("of", ""), std::isnan(percent) ? std::nullopt : std::optional(percent)), limit,
        Unit::seconds, "limit_s");
  }
  return limits;
}

void read_em(const PlainJson& report, RunData& run) {
  const PlainJson stress = object_in(report, "stress"), em = object_in(report, "em");
  read_lifetimes(stress, run);
  const auto add = [&](Of of, const std::string& name, std::string value) {
    run.em_parameters.push_back({of, name, std::move(value)});
  };
  const auto add_number = [&](Of of, const PlainJson& object, const char* key, const std::string& name) {
    if (const double value = known_number(object, key, NAN); !std::isnan(value)) add(of, name, em_value(value));
  };
  const PlainJson parameters = object_in(stress, "parameters");
  for (const auto& [name, value] : parameters.items())
    if (value.is_number()) add(Of::stress, name, em_value(value.get<double>()));
  if (const PlainJson cascade = object_in(stress, "cascade"); !cascade.is_null()) {
    add_number(Of::cascade, cascade, "void_um", "void_um");
    add_number(Of::cascade, cascade, "liner_ohm_per_um", "liner_ohm_per_um");
    std::vector<std::string> limits;
    for (const PlainJson& limit : cascade.value("limits", PlainJson::array()))
      if (limit.is_string()) limits.push_back(limit.get<std::string>());
    add_cascade_limits(limits, run.em_parameters);
  }
  if (em.is_null()) return;
  add_number(Of::rules, em, "temperature_c", "temperature of rules, C");
  add_number(Of::rules, em, "frequency_hz", "frequency of rules, Hz");
  for (const PlainJson& rule : objects_in(em, "rules"))
    add_em_rule(rule.value("name", ""), known_number(rule, "least_limit", NAN), run.em_parameters);
}

}  // namespace gridiron
