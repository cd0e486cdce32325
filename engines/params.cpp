// SPDX-License-Identifier: Apache-2.0
#include "engines/params.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "support/error_text.hpp"
#include "support/nearest_names.hpp"
#include "support/number_of.hpp"

namespace gridiron {
namespace {

[[noreturn]] void throw_bad_value(std::string_view owner, std::string_view name, const std::string& value,
                                  std::string_view expected) {
  throw input_error("{}: {} cannot be {:?}; expected {}", owner, name, value, expected);
}

}  // namespace

const std::string* ParamReader::find(std::string_view name) {
  known_.emplace_back(name);
  const auto found = settings_.find(known_.back());
  return found == settings_.end() ? nullptr : &found->second;
}

void ParamReader::bad_value(std::string_view name, std::string_view expected) const {
  throw_bad_value(owner_, name, settings_.at(std::string(name)), expected);
}

void ParamReader::operator()(std::string_view name, double& value, std::string_view, std::string_view) {
  const std::string* const text = find(name);
  if (!text) return;
  const auto number = number_of<double>(*text);
  if (!number || !std::isfinite(*number)) bad_value(name, "a number");
  value = *number;
}

void ParamReader::operator()(std::string_view name, int& value, std::string_view, std::string_view) {
  const std::string* const text = find(name);
  if (!text) return;
  const auto number = number_of<int>(*text);
  if (!number) bad_value(name, "a whole number");
  value = *number;
}

void ParamReader::operator()(std::string_view name, bool& value, std::string_view, std::string_view) {
  const std::string* const text = find(name);
  if (!text) return;
  if (*text != "true" && *text != "false") bad_value(name, "true or false");
  value = *text == "true";
}

void ParamReader::operator()(std::string_view name, std::string& value, std::string_view, std::string_view) {
  if (const std::string* const text = find(name)) value = *text;
}

void ParamReader::finish() const {
  for (const auto& [key, value] : settings_) {
    if (std::ranges::find(known_, key) != known_.end()) continue;
    throw input_error("{} has no parameter {:?}; it has: {}{}", owner_, key,
                      known_.empty() ? "none" : fmt::format("{}", fmt::join(known_, ", ")), did_you_mean(key, known_));
  }
}

void require_choice(std::string_view owner, std::string_view name, const std::string& value,
                    std::initializer_list<std::string_view> choices) {
  if (std::ranges::find(choices, value) != choices.end()) return;
  throw_bad_value(owner, name, value,
                  fmt::format("one of {}{}", fmt::join(choices, ", "), did_you_mean(value, choices)));
}

Settings with_preset(std::string_view owner, const Settings& settings, const std::vector<Preset>& presets) {
  const auto named = settings.find("preset");
  if (named == settings.end() || named->second == "default") return settings;
  Settings all = settings;
  std::vector<std::string_view> names{"default"};
  for (const Preset& preset : presets) {
    names.push_back(preset.name);
    if (preset.name != named->second) continue;
    all.insert(preset.settings.begin(), preset.settings.end());
    return all;
  }
  throw_bad_value(owner, "preset", named->second, fmt::format("one of {}", fmt::join(names, ", ")));
}

void require_range(std::string_view owner, std::string_view name, double value, double least, double most) {
  if (value >= least && value <= most) return;
  throw input_error("{}: {}={} must be from {} to {}", owner, name, value, least, most);
}

void ParamLister::operator()(std::string_view name, const std::variant<double, int, bool, std::string>& value,
                             std::string_view unit, std::string_view meaning) {
  const std::string text = std::visit([](const auto& known) { return fmt::format("{}", known); }, value);
  list.push_back({std::string(name), text, std::string(unit), std::string(meaning)});
}

}  // namespace gridiron
