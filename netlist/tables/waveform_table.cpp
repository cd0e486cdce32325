// SPDX-License-Identifier: Apache-2.0
#include "netlist/tables/waveform_table.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "netlist/names/name_table.hpp"
#include "netlist/packed/npz_file.hpp"

namespace gridiron {
namespace {

/// Names of an array, none of them empty or twice.
std::vector<std::string> unique_names(NpyReader& array) {
  std::vector<std::string> names = array.strings();
  NameTable seen;
  for (size_t i = 0; i < names.size(); ++i) {
    if (names[i].empty()) array.fail(fmt::format("holds an empty name at item {}", i));
    if (const int32_t id = seen.intern(names[i]); id != static_cast<int32_t>(i))
      array.fail(fmt::format("names {:?} twice, at items {} and {}; keep one", names[i], id, i));
  }
  return names;
}

std::vector<double> finite_numbers(NpyReader& array) {
  std::vector<double> values = array.numbers();
  for (size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i])) array.fail(fmt::format("holds {} as value {}; expected finite ones", values[i], i));
  return values;
}

void read_time(NpyReader& array, WaveformTable& table) {
  if (array.shape().size() != 1 || array.shape()[0] == 0)
    array.fail(fmt::format("has the shape {}; expected one axis of times in seconds", array.shape_text()));
  table.time_s = finite_numbers(array);
  for (size_t k = 1; k < table.time_s.size(); ++k)
    if (!(table.time_s[k] > table.time_s[k - 1]))
      array.fail(fmt::format("does not ascend: {} s, item {}, follows {} s", table.time_s[k], k, table.time_s[k - 1]));
}

void read_templates(NpyReader& array, WaveformTable& table) {
  const std::vector<int64_t>& shape = array.shape();
  const int64_t samples = std::ssize(table.time_s);
  if (shape.empty() || shape.size() > 2 || shape.back() != samples || shape[0] == 0)
    array.fail(fmt::format("has the shape {} for {} times; expected (number of templates, {})", array.shape_text(),
                           samples, samples));
  table.template_a = finite_numbers(array);
}

/// Transposed to scenario after scenario.
template <class T>
WaveformTable::Column<T> read_column(NpyReader& array, WaveformTable& table, std::optional<int64_t>& scenarios) {
  const std::vector<int64_t>& shape = array.shape();
  const int64_t n = std::ssize(table.sources), k = shape.size() == 2 ? shape[1] : 1;
  const bool is_one = shape.empty();
  if (!is_one && (shape.size() > 2 || shape[0] != n || k == 0))
    array.fail(fmt::format("has the shape {} for {} sources; expected ({},) or ({}, number of scenarios)",
                           array.shape_text(), n, n, n));
  if (shape.size() == 2) {
    if (scenarios && *scenarios != k)
      array.fail(fmt::format("has {} scenarios, but the arrays before it have {}", k, *scenarios));
    scenarios = k;
  }
  const std::vector<double> values = finite_numbers(array);
  WaveformTable::Column<T> column{std::vector<T>(static_cast<size_t>(n * k)), k > 1};
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < k; ++j) {
      const double value = values[is_one ? 0 : i * k + j];
      if constexpr (std::is_same_v<T, int32_t>)
        if (!(value >= 0 && value < static_cast<double>(table.templates()) && value == std::floor(value)))
          array.fail(fmt::format("is {} for source {:?}; expected the index of one of the templates, 0 to {}", value,
                                 table.sources[i], table.templates() - 1));
      column.values[j * n + i] = static_cast<T>(value);
    }
  return column;
}

}  // namespace

WaveformTable read_waveforms(const std::string& path) {
  NpzFile file(path, "time=…, templates=…, source=…, template=…, delay=…, scale=…");
  file.require_only({"time", "templates", "source", "template", "delay", "scale", "scenario"});
  WaveformTable table;
  table.path = path;
  file.array("time", [&](NpyReader& array) { read_time(array, table); });
  file.array("templates", [&](NpyReader& array) { read_templates(array, table); });
  file.array("source", [&](NpyReader& array) {
    table.sources = unique_names(array);
    if (table.sources.empty()) array.fail("is empty; name the current sources that follow a template");
  });
  std::optional<int64_t> scenarios;
  const auto column = [&](const char* name, auto& to, auto otherwise) {
    using T = decltype(otherwise);
    to.values.assign(table.sources.size(), otherwise);
    if (name == std::string_view("template") || file.has(name))
      file.array(name, [&](NpyReader& array) { to = read_column<T>(array, table, scenarios); });
  };
  column("template", table.shape, int32_t{0});
  column("delay", table.delay_s, 0.0);
  column("scale", table.scale, 1.0);
  table.scenarios = scenarios.value_or(1);
  if (file.has("scenario"))
    file.array("scenario", [&](NpyReader& array) {
      table.scenario_names = unique_names(array);
      if (std::ssize(table.scenario_names) != table.scenarios)
        array.fail(fmt::format("has {} names for {} scenarios", table.scenario_names.size(), table.scenarios));
    });
  return table;
}

}  // namespace gridiron
