// SPDX-License-Identifier: Apache-2.0
#include "app/session/em_arguments.hpp"

#include <algorithm>

#include "analysis/run/run_facts.hpp"
#include "netlist/tables/em_rules.hpp"
#include "netlist/tables/metal_tables.hpp"
#include "support/error_text.hpp"

namespace gridiron {
namespace {

constexpr std::string_view kOfLef = "lef";

/// Options that say how rules hold, by name.
std::vector<std::pair<const char*, bool>> given(const EmArguments& arguments) {
  return {{"em_cut_unit", !arguments.em_cut_unit.empty()},
          {"em_temperature", arguments.em_temperature.has_value()},
          {"em_rule_temperature", arguments.em_rule_temperature.has_value()},
          {"em_frequency", arguments.em_frequency.has_value()},
          {"em_ea", arguments.em_ea.has_value()},
          {"em_n", arguments.em_n.has_value()},
          {"em_recovery", arguments.em_recovery.has_value()}};
}

/// Errors: InputError for what has no effect.
void require_effect(const EmArguments& arguments) {
  for (const auto& [name, is_given] : {std::pair("em_rule_temperature", arguments.em_rule_temperature.has_value()),
                                       {"em_ea", arguments.em_ea.has_value()},
                                       {"em_n", arguments.em_n.has_value()}})
    if (is_given && !arguments.em_temperature)
      throw input_error("{}: there is no {} that it is for", field(name), field("em_temperature"));
  if (!arguments.em_cut_unit.empty() && arguments.em_rules != kOfLef)
    throw input_error("{}: it is for the rules of LEF; columns of {} name their units", field("em_cut_unit"),
                      arguments.em_rules);
}

std::optional<EmUnit> cut_unit(const std::string& text) {
  if (text.empty()) return std::nullopt;
  if (text == "per-cut") return EmUnit::per_cut;
  if (text == "per-um2") return EmUnit::per_um2;
  throw field_error("em_cut_unit", "{}: expected per-cut or per-um2", text);
}

}  // namespace

std::vector<std::string> EmArguments::em_tables() const {
  std::vector<std::string> files;
  if (!em_rules.empty() && em_rules != kOfLef) files.push_back(em_rules);
  if (!em_widths.empty()) files.push_back(em_widths);
  return files;
}

void take_em_limit(std::vector<LimitRequest>& limits, std::optional<EmSettings>& settings) {
  const auto limit = std::ranges::find(limits, kEmQuantity, &LimitRequest::quantity);
  if (limit == limits.end()) return;
  if (!settings) throw field_error("limit", "em: there are no {} that it is for", field("em_rules"));
  if (!limit->is_share || !limit->net.empty() || !(limit->value > 0) ||
      std::ranges::count(limits, kEmQuantity, &LimitRequest::quantity) > 1)
    throw field_error("limit", "em: expected one share of the rules, of all nets, like em=100%");
  settings->limit = limit->value;
  limits.erase(limit);
}

std::optional<EmSettings> em_settings(const EmArguments& arguments, std::vector<LimitRequest>& limits) {
  std::optional<EmSettings> settings;
  if (arguments.em_rules.empty()) {
    for (const auto& [name, is_given] : given(arguments))
      if (is_given) throw input_error("{}: there are no {} that it is for", field(name), field("em_rules"));
  } else {
    settings.emplace();
    settings->of_layout = arguments.em_rules == kOfLef;
    settings->cut_unit = cut_unit(arguments.em_cut_unit);
    require_effect(arguments);
    settings->temperature_c = arguments.em_temperature;
    settings->of_rules_c = arguments.em_rule_temperature;
    settings->frequency_hz = arguments.em_frequency;
    settings->activation_ev = arguments.em_ea.value_or(settings->activation_ev);
    settings->exponent = arguments.em_n.value_or(settings->exponent);
    settings->recovery = arguments.em_recovery.value_or(settings->recovery);
    require_ranges(*settings);
  }
  take_em_limit(limits, settings);
  return settings;
}

void read_em_tables(const EmArguments& arguments, std::optional<EmSettings>& settings) {
  if (!settings) return;
  if (!settings->of_layout) settings->rules = read_em_rules(arguments.em_rules);
  if (!arguments.em_widths.empty()) settings->layers = read_metal_layers(arguments.em_widths);
}

void add_em_options(RunFacts& run, const EmArguments& arguments) {
  add_option(run, "em-rules", arguments.em_rules);
  add_option(run, "em-cut-unit", arguments.em_cut_unit);
  const auto add = [&](const char* name, const std::optional<double>& number) {
    if (number) add_option(run, name, fmt::format("{}", *number));
  };
  add("em-temperature", arguments.em_temperature);
  add("em-rule-temperature", arguments.em_rule_temperature);
  add("em-frequency", arguments.em_frequency);
  add("em-ea", arguments.em_ea);
  add("em-n", arguments.em_n);
  add("em-recovery", arguments.em_recovery);
}

}  // namespace gridiron
