// SPDX-License-Identifier: Apache-2.0
#include "netlist/tables/em_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "netlist/names/layer_pair.hpp"
#include "netlist/names/name_table.hpp"
#include "netlist/source_text.hpp"
#include "netlist/tables/csv_rows.hpp"
#include "netlist/tables/temperatures.hpp"
#include "netlist/values/quantity.hpp"
#include "support/error_text.hpp"

namespace gridiron {
namespace {

constexpr std::string_view kColumns[] = {"layer",         "kind",          "width_min_um", "width_max_um",
                                         "length_min_um", "length_max_um", "cut_class",    "frequency_mhz",
                                         "a_per_um",      "a_per_cut",     "a_per_um2",    "temperature_c"};

class RuleFile {
 public:
  explicit RuleFile(const std::string& path) : source_(SourceText::open(path)), rows_(*source_) {
    if (!rows_.next()) throw input_error("{}: the file is empty; give a row per rule below a header", path);
    read_header();
  }

  std::vector<EmRule> read() {
    std::vector<EmRule> rules;
    while (rows_.next()) {
      if (rows_.fields().size() != columns_)
        rows_.fail(rows_.fields()[0].where,
                   fmt::format("{} fields, but the header has {}", rows_.fields().size(), columns_));
      add(rule_of_row(), rules);
    }
    if (rules.empty()) throw input_error("{}: the table has no rows; give one per rule", source_->path());
    return rules;
  }

 private:
  void read_header() {
    const std::vector<CsvRows::Field>& header = rows_.fields();
    columns_ = header.size();
    for (size_t k = 0; k < header.size(); ++k) {
      const auto column =
          std::ranges::find_if(kColumns, [&](std::string_view name) { return same_name(name, header[k].text); });
      if (column == std::end(kColumns))
        rows_.fail(header[k].where,
                   fmt::format("no column is called {:?}; there are {}", header[k].text, fmt::join(kColumns, ", ")));
      int& at = at_[column - std::begin(kColumns)];
      if (at >= 0) rows_.fail(header[k].where, fmt::format("the column {} stands there twice", *column));
      at = static_cast<int>(k);
    }
    for (const std::string_view name : {"layer", "kind"})
      if (!has(name)) rows_.fail(header[0].where, fmt::format("the header lacks the column {}", name));
    if (std::ranges::none_of(kEmUnits, [&](std::string_view unit) { return has(unit); }))
      rows_.fail(header[0].where, fmt::format("the header names no unit of limits; add one of the columns {}",
                                              fmt::join(kEmUnits, ", ")));
  }

  EmRule rule_of_row() {
    EmRule rule;
    rule.layer = text("layer");
    if (rule.layer.empty()) rows_.fail(field("layer").where, "expected the name of a layer here");
    const auto kind =
        std::ranges::find_if(kEmKinds, [&](std::string_view name) { return same_name(name, text("kind")); });
    if (kind == kEmKinds.end())
      rows_.fail(field("kind").where,
                 fmt::format("unknown kind {:?}; there are {}", text("kind"), fmt::join(kEmKinds, ", ")));
    rule.kind = static_cast<EmKind>(kind - kEmKinds.begin());
    rule.width_um = range("width_min_um", "width_max_um");
    rule.length_um = range("length_min_um", "length_max_um");
    rule.cut_class = text("cut_class");
    if (!text("frequency_mhz").empty()) rule.frequencies_hz = {1e6 * above_0("frequency_mhz", "a frequency in MHz")};
    read_limit(rule);
    if (!text("temperature_c").empty()) {
      rule.temperature_c = number("temperature_c");
      if (!(*rule.temperature_c > kColdestC && *rule.temperature_c <= kHottestC))
        rows_.fail(field("temperature_c").where,
                   fmt::format("expected a temperature above {} °C, of at most {:g} °C, not {:?}", kColdestC, kHottestC,
                               text("temperature_c")));
    }
    const CsvRows::Place at = rows_.place(rows_.fields()[0].where);
    rule.place = fmt::format("{}:{}:{}", source_->path(), at.line, at.column);
    return rule;
  }

  void read_limit(EmRule& rule) {
    for (size_t unit = 0; unit < kEmUnits.size(); ++unit) {
      if (text(kEmUnits[unit]).empty()) continue;
      if (rule.unit) rows_.fail(field(kEmUnits[unit]).where, "this row has two limits; give each a row of its own");
      rule.unit = static_cast<EmUnit>(unit);
      rule.limits = {above_0(kEmUnits[unit], "a limit in A")};
    }
    if (!rule.unit) rows_.fail(rows_.fields()[0].where, "this row has no limit");
    const bool is_wire = *rule.unit == EmUnit::per_um;
    if (is_wire && !rule.cut_class.empty())
      rows_.fail(field("cut_class").where, "a limit per µm of width is of wires, which have no cuts");
    if (!is_wire && !(rule.width_um.is_all() && rule.length_um.is_all()))
      rows_.fail(rows_.fields()[0].where, "widths and lengths are of wires, not of cuts; leave them out");
  }

  /// Puts a rule beside the others; at another frequency it is a part of one that is there.
  void add(EmRule rule, std::vector<EmRule>& rules) const {
    for (EmRule& other : rules) {
      if (!are_rivals(rule, other)) continue;
      const bool is_alike = rule.width_um == other.width_um && rule.length_um == other.length_um;
      const bool has_frequencies = !rule.frequencies_hz.empty() && !other.frequencies_hz.empty();
      if (is_alike && has_frequencies && std::ranges::count(other.frequencies_hz, rule.frequencies_hz[0]) == 0) {
        const auto at = std::ranges::lower_bound(other.frequencies_hz, rule.frequencies_hz[0]);
        other.limits.insert(other.limits.begin() + (at - other.frequencies_hz.begin()), rule.limits[0]);
        other.frequencies_hz.insert(at, rule.frequencies_hz[0]);
        return;
      }
      rows_.fail(rows_.fields()[0].where,
                 fmt::format("layer {} has two {} rules for one {}, the other at {}; keep one", rule.layer,
                             name_of(rule.kind), *rule.unit == EmUnit::per_um ? "width" : "cut", other.place));
    }
    rules.push_back(std::move(rule));
  }

  bool has(std::string_view column) const { return index(column) >= 0; }
  int index(std::string_view column) const { return at_[std::ranges::find(kColumns, column) - std::begin(kColumns)]; }
  const CsvRows::Field& field(std::string_view column) const { return rows_.fields()[index(column)]; }
  /// Empty where there is no such column.
  std::string_view text(std::string_view column) const { return has(column) ? field(column).text : std::string_view(); }

  /// Without suffix or unit, as the column tells it.
  double number(std::string_view column) const {
    const std::optional<double> value = quantity(text(column), Quantity::pure);
    if (!value || !std::isfinite(*value) || has_letters(text(column)))
      rows_.fail(field(column).where, fmt::format("expected a number without suffix, not {:?}", text(column)));
    return *value;
  }
  double above_0(std::string_view column, std::string_view what) const {
    const double value = number(column);
    if (!(value > 0)) rows_.fail(field(column).where, fmt::format("expected {} above 0, not {:?}", what, text(column)));
    return value;
  }
  EmRange range(std::string_view low, std::string_view high) const {
    EmRange range;
    if (!text(low).empty() && number(low) != 0) range.low = above_0(low, "µm");
    if (!text(high).empty()) range.high = above_0(high, "µm");
    if (!(range.low < range.high)) rows_.fail(field(high).where, fmt::format("{} is not above {}", high, low));
    return range;
  }

  std::shared_ptr<const SourceText> source_;
  CsvRows rows_;
  size_t columns_ = 0;
  std::vector<int> at_ = std::vector<int>(std::size(kColumns), -1);  ///< of kColumns, where the header has them
};

}  // namespace

bool are_rivals(const EmRule& a, const EmRule& b) {
  return a.kind == b.kind && a.temperature_c == b.temperature_c && a.width_um.meets(b.width_um) &&
         a.length_um.meets(b.length_um) && a.statement == b.statement && are_same_layers(a.layer, b.layer) &&
         same_name(a.cut_class, b.cut_class);
}

std::vector<EmRule> read_em_rules(const std::string& path) { return RuleFile(path).read(); }

}  // namespace gridiron
