// SPDX-License-Identifier: Apache-2.0
#include "netlist/tables/pad_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "netlist/names/name_table.hpp"
#include "netlist/tables/csv_rows.hpp"
#include "netlist/values/quantity.hpp"
#include "support/error_text.hpp"

namespace gridiron {
namespace {

constexpr std::string_view kPadHeader = "the first row tells the columns: name,ohm,volts or x,y,layer,ohm,volts";

class CsvPads {
 public:
  explicit CsvPads(std::shared_ptr<const SourceText> source) : rows_(*source) { table_.text = std::move(source); }

  PadTable read() {
    if (!rows_.next()) throw input_error("{}: no pad in this file; {}", table_.text->path(), kPadHeader);
    take_header();
    while (rows_.next()) add_row();
    if (table_.pads.empty()) throw input_error("{}: no pad in this file; give a row per pad", table_.text->path());
    return std::move(table_);
  }

 private:
  using Column = std::optional<size_t>;

  void take_header() {
    const std::vector<CsvRows::Field>& fields = rows_.fields();
    const std::pair<std::string_view, Column*> known[] = {{"name", &name_},   {"x", &x_},     {"y", &y_},
                                                          {"layer", &layer_}, {"net", &net_}, {"ohm", &ohm_},
                                                          {"volts", &volts_}};
    for (size_t f = 0; f < fields.size(); ++f) {
      const auto found =
          std::ranges::find_if(known, [&](const auto& column) { return same_name(column.first, fields[f].text); });
      if (found == std::end(known))
        rows_.fail(fields[f].where, fmt::format("no column of pads is called {:?}; {}", fields[f].text, kPadHeader));
      if (*found->second)
        rows_.fail(fields[f].where, fmt::format("the column {} stands there twice; keep one", found->first));
      *found->second = f;
    }
    const bool has_place = x_ && y_ && layer_, has_some = x_ || y_ || layer_ || net_;
    if (!ohm_ || !volts_ || (name_ ? has_some : !has_place))
      rows_.fail(fields[0].where, fmt::format("not the columns of pads; {}", kPadHeader));
    columns_ = fields.size();
  }

  void add_row() {
    const std::vector<CsvRows::Field>& fields = rows_.fields();
    if (fields.size() != columns_)
      rows_.fail(fields[0].where, fmt::format("{} fields, but the header has {}", fields.size(), columns_));
    PadTable::Pad pad;
    const char* const text = table_.text->text().data();
    pad.offset = static_cast<uint64_t>(fields[0].where - text);
    pad.after_first = pad.offset + (*fields[0].where == '"' ? 0 : fields[0].text.size());
    if (name_) {
      pad.node = word(*name_, "a node");
    } else {
      pad.x_um = number(*x_, Quantity::pure, "µm");
      pad.y_um = number(*y_, Quantity::pure, "µm");
      pad.layer = word(*layer_, "a layer");
      if (net_) pad.net = fields[*net_].text;
    }
    pad.ohm = number(*ohm_, Quantity::resistance, "ohm, 0 or above");
    if (pad.ohm < 0 || (pad.ohm > 0 && !std::isfinite(1 / pad.ohm))) fail_number(*ohm_, "ohm, 0 or above");
    pad.volts = number(*volts_, Quantity::voltage, "volts");
    table_.pads.push_back(std::move(pad));
  }

  std::string word(size_t column, std::string_view what) {
    const CsvRows::Field& field = rows_.fields()[column];
    if (field.text.empty()) rows_.fail(field.where, fmt::format("expected the name of {} here", what));
    return std::string(field.text);
  }

  double number(size_t column, Quantity quantity, std::string_view unit) {
    const std::optional<Scaled> number = scaled_quantity(rows_.fields()[column].text, quantity);
    if (!number || !std::isfinite(number->value)) fail_number(column, unit);
    return number->value;
  }

  [[noreturn]] void fail_number(size_t column, std::string_view unit) {
    const CsvRows::Field& field = rows_.fields()[column];
    rows_.fail(field.where, fmt::format("expected a number of {}, not {:?}", unit, field.text));
  }

  CsvRows rows_;
  Column name_, x_, y_, layer_, net_, ohm_, volts_;
  size_t columns_ = 0;
  PadTable table_;
};

}  // namespace

PadTable read_pads(const std::string& path) { return CsvPads(SourceText::open(path)).read(); }

}  // namespace gridiron
