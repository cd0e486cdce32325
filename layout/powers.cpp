// SPDX-License-Identifier: Apache-2.0
#include "layout/powers.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <utility>

#include "layout/power_json.hpp"
#include "layout/tokens.hpp"
#include "netlist/names/name_table.hpp"
#include "netlist/source_text.hpp"
#include "netlist/tables/csv_rows.hpp"
#include "netlist/values/quantity.hpp"
#include "support/byte_order_mark.hpp"
#include "support/error.hpp"
#include "support/field.hpp"
#include "support/nearest_names.hpp"

namespace gridiron::layout {
namespace {

constexpr size_t kFirst = 3;

[[noreturn]] void fail(const SourceText& source, size_t offset, const std::string& message) {
  throw InputError(fmt::format("{}: {}", source.describe(offset), message));
}

void require_finite(const char* option, const std::string& name, double watts) {
  if (!std::isfinite(watts))
    throw InputError(fmt::format("{} {}: expected a finite number of watts, not {}", field(option), name, watts));
}

std::string_view first_line(std::string_view text) { return text.substr(0, text.find('\n')); }

/// Behind blanks and lines of comments, as CSV may have them; npos: there is nothing else.
size_t first_of_content(std::string_view text) {
  size_t at = text.find_first_not_of(" \t\r\n");
  while (at != std::string_view::npos && text[at] == '#')
    at = text.find_first_not_of(" \t\r\n", std::min(text.size(), text.find('\n', at)));
  return at;
}

/// "mW" of the heading "Power Power Power Power (mW)"; empty of watts and of other lines.
std::string_view other_unit_of_heading(std::string_view line) {
  const size_t open = line.find('('), close = line.find(')', std::min(open, line.size()));
  if (close == std::string_view::npos || line.find("Power") > open) return {};
  const std::string_view unit = line.substr(open + 1, close - open - 1);
  const bool is_other = (unit.ends_with('W') && unit != "W") || (unit.ends_with("atts") && !same_name(unit, "watts"));
  return is_other ? unit : std::string_view();
}

/// What the second column of a table of powers holds.
enum class Column { none, watts, amperes };

Column column_named(std::string_view name) {
  for (const char* watts : {"power_w", "power", "watts", "w"})
    if (same_name(name, watts)) return Column::watts;
  for (const char* amperes : {"current_a", "current", "amperes", "a"})
    if (same_name(name, amperes)) return Column::amperes;
  return Column::none;
}

/// Rows of two fields below a header. f(name, value, where, column)
template <class F>
void for_each_row(const SourceText& source, std::string_view key, bool may_be_amperes, F&& f) {
  CsvRows rows(source);
  const auto expected = [&] {
    return fmt::format("expected a header {0},power_w{1}", key,
                       may_be_amperes ? fmt::format(" or {},current_a", key) : "");
  };
  Column column = Column::none;
  while (rows.next()) {
    const std::vector<CsvRows::Field>& fields = rows.fields();
    if (column == Column::none) {
      if (fields.size() == 2 && same_name(fields[0].text, key)) column = column_named(fields[1].text);
      if (column == Column::none || (column == Column::amperes && !may_be_amperes))
        rows.fail(fields[0].where, expected());
      continue;
    }
    if (fields.size() != 2) rows.fail(fields[0].where, "expected two fields");
    const std::optional<double> value = column == Column::watts ? watts(fields[1].text) : amperes(fields[1].text);
    if (!value || !std::isfinite(*value))
      rows.fail(fields[1].where, fmt::format("expected a finite number of {}, not {:?}",
                                             column == Column::watts ? "watts" : "amperes", fields[1].text));
    f(fields[0].text, *value, static_cast<size_t>(fields[0].where - source.text().data()), column);
  }
  if (column == Column::none) throw InputError(fmt::format("{}: {}", source.path(), expected()));
}

}  // namespace

Powers::Powers(const Chip& chip) : chip_(chip), index_(chip.components.name) {
  const auto n = static_cast<size_t>(chip.components.size());
  watts_.assign(n, 0);
  amperes_.assign(n, 0);
  known_.assign(n, 0);
  last_file_.assign(n, 0);
}

void Powers::read(const std::string& path) {
  const auto source = SourceText::open(path);
  const std::string_view text = without_byte_order_mark(source->text());
  const size_t first = first_of_content(text);
  ++file_;
  if (first != std::string_view::npos && (text[first] == '[' || text[first] == '{'))
    read_json(*source);
  else if (first != std::string_view::npos && first_line(text.substr(first)).find(',') != std::string_view::npos)
    read_csv(*source);
  else
    read_report(*source);
}

void Powers::read_csv(const SourceText& source) {
  for_each_row(source, "instance", true, [&](std::string_view name, double value, size_t offset, Column column) {
    const bool is_watts = column == Column::watts;
    give(name, is_watts ? value : 0, is_watts ? 0 : value, source, offset);
  });
}

/// Lines of four numbers, of which the last is the total, and a name. All others are headings, or of groups.
void Powers::read_report(const SourceText& source) {
  const std::string_view text = source.text();
  int64_t instances = 0;
  for (size_t at = 0; at < text.size();) {
    const std::string_view line = first_line(text.substr(at));
    size_t next = 0;
    const auto word = [&] {
      next = std::min(line.size(), line.find_first_not_of(" \t\r", next));
      const size_t end = std::min(line.size(), line.find_first_of(" \t\r", next));
      return line.substr(std::exchange(next, end), end - next);
    };
    if (const std::string_view unit = other_unit_of_heading(line); !unit.empty())
      fail(source, at, fmt::format("powers in {}; write the report in watts", unit));
    double total = 0;
    int numbers = 0;
    size_t name_at = 0;
    std::string_view name;
    for (; numbers < 4; ++numbers) {
      const std::string_view field = word();
      const bool is_nan = same_name(field, "nan");
      const std::optional<double> value = quantity(field, Quantity::pure);
      if (!value && !is_nan) break;
      total = is_nan ? std::nan("") : *value;
    }
    if (numbers == 4) {
      name = word();
      name_at = at + static_cast<size_t>(name.data() - line.data());
    }
    if (numbers == 4 && !name.empty() && name.back() != '%') {
      if (!std::isfinite(total)) fail(source, at, fmt::format("the power of {} is no number", name));
      give(name, total, 0, source, name_at);
      ++instances;
    }
    at += line.size() + 1;
  }
  if (instances == 0)
    throw InputError(
        fmt::format("{}: no power of an instance in this file; write it by report_power -instances [get_cells *], or "
                    "give CSV: instance,power_w",
                    source.path()));
}

void Powers::read_json(const SourceText& source) {
  const int64_t instances = read_power_json(
      source, [&](std::string_view name, double watts, size_t offset) { give(name, watts, 0, source, offset); });
  if (instances == 0)
    throw InputError(fmt::format(
        "{}: no power of an instance in this file; write it by report_power -format json -instances [get_cells *]",
        source.path()));
}

void Powers::read_by_cell(const std::string& path, const Library& library) {
  const auto source = SourceText::open(path);
  std::vector<double> of_macro(library.macros.size(), std::nan(""));
  for_each_row(*source, "cell", false, [&](std::string_view name, double value, size_t offset, Column) {
    const int32_t macro = library.macro(name);
    if (macro >= 0) {
      of_macro[macro] = value;
      return;
    }
    count_unknown(name, [&] { return source->describe(offset); });
  });
  put_by_macro(of_macro);
}

void Powers::set_watts(const std::string& instance, double watts) {
  require_finite("power", instance, watts);
  const int64_t component = find(instance);
  component >= 0 ? put(component, watts, 0) : count_unknown(instance, [] { return ""; });
}

void Powers::set_watts_by_cell(const std::map<std::string, double>& watts, const Library& library) {
  std::vector<double> of_macro(library.macros.size(), std::nan(""));
  for (const auto& [cell, value] : watts) {
    require_finite("power_by_cell", cell, value);
    const int32_t macro = library.macro(cell);
    macro >= 0 ? void(of_macro[macro] = value) : count_unknown(cell, [] { return ""; });
  }
  put_by_macro(of_macro);
}

int64_t Powers::find(std::string_view name) {
  const int32_t component = index_.find(name);
  if (component >= 0 || name.find('\\') == std::string_view::npos) return component;
  return index_.find(plain_name(name));
}

void Powers::give(std::string_view name, double watts, double amperes, const SourceText& source, size_t offset) {
  const int64_t component = find(name);
  if (component < 0) return count_unknown(name, [&] { return source.describe(offset); });
  if (last_file_[component] == file_) {
    if (repeated_++ == 0) repeated_place_ = source.describe(offset);
    if (first_repeated_.size() < kFirst) first_repeated_.emplace_back(name);
  }
  last_file_[component] = file_;
  put(component, watts, amperes);
}

template <class Place>
void Powers::count_unknown(std::string_view name, Place&& place) {
  if (unknown_++ == 0) unknown_place_ = place();
  if (first_unknown_.size() < kFirst) first_unknown_.emplace_back(name);
}

void Powers::put_by_macro(const std::vector<double>& watts) {
  for (int64_t i = 0; i < chip_.components.size(); ++i)
    if (const double value = watts[chip_.components.macro[i]]; !std::isnan(value)) put(i, value, 0);
}

void Powers::put(int64_t component, double watts, double amperes) {
  watts_[component] = watts;
  amperes_[component] = amperes;
  known_[component] = 1;
  any_ = true;
  has_watts_ = has_watts_ || watts != 0;
}

}  // namespace gridiron::layout
