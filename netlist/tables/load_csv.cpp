// SPDX-License-Identifier: Apache-2.0
#include "netlist/tables/load_csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "netlist/names/name_table.hpp"
#include "netlist/source_text.hpp"
#include "netlist/tables/csv_rows.hpp"
#include "netlist/values/quantity.hpp"
#include "support/error_text.hpp"

namespace gridiron {
namespace {

class CsvLoads {
 public:
  explicit CsvLoads(const SourceText& source) : rows_(source) { table_.path = source.path(); }

  LoadTable read() {
    bool is_first = true;
    while (rows_.next()) {
      const bool is_header = is_first && reads_as_header();
      is_first = false;
      if (is_header)
        take_header();
      else
        add_row();
    }
    if (table_.names.empty())
      throw input_error("{}: no load in this file; give a row per current source: its name, then its amperes",
                        table_.path);
    transpose();
    return std::move(table_);
  }

 private:
  bool reads_as_header() const {
    const std::vector<CsvRows::Field>& fields = rows_.fields();
    const std::string_view name = fields[0].text;
    for (const char* word : {"", "name", "names", "source", "sources", "instance", "instances"})
      if (same_name(name, word)) return true;
    const char initial = static_cast<char>(name[0] | 0x20);
    return initial != 'i' && initial != 'x' &&
           std::none_of(fields.begin() + 1, fields.end(),
                        [](const CsvRows::Field& f) { return begins_with_number(f.text); });
  }

  void take_header() {
    rows_.require_amperes("the values of load vectors");
    if (rows_.fields().size() > 1) vectors_of_header_ = std::ssize(rows_.fields()) - 1;
  }

  void add_row() {
    const std::vector<CsvRows::Field>& fields = rows_.fields();
    const CsvRows::Field& name = fields[0];
    if (name.text.empty()) rows_.fail(name.where, "a row without a name; begin it with the name of a current source");
    const auto values = std::ssize(fields) - 1;
    if (values == 0) rows_.fail(name.where, fmt::format("no value after {:?}; a row reads like i1,1m,2m", name.text));
    if (table_.names.empty()) table_.vectors = values;
    if (vectors_of_header_ && *vectors_of_header_ != values)
      rows_.fail(name.where, fmt::format("{} values for {:?}, but the header names {}; is the table cut off?", values,
                                         name.text, *vectors_of_header_));
    if (values != table_.vectors)
      rows_.fail(name.where,
                 fmt::format("{} values for {:?}, but {} in the first row; give every source one value per load "
                             "vector",
                             values, name.text, table_.vectors));
    const int32_t id = seen_.intern(name.text);
    if (id != static_cast<int32_t>(table_.names.size()))
      rows_.fail(name.where, fmt::format("{:?} is named twice; keep one of its rows", name.text));
    table_.names.emplace_back(name.text);
    const CsvRows::Place place = rows_.place(name.where);
    table_.rows.push_back({place.line, place.column});
    for (size_t f = 1; f < fields.size(); ++f) {
      const std::optional<Scaled> number = scaled_quantity(fields[f].text, Quantity::current);
      if (!number || !std::isfinite(number->value))
        rows_.fail(fields[f].where,
                   fmt::format("expected a finite number of amperes, like 1.5m, not {:?}", fields[f].text));
      rows_.note(number->reading, fields[f].where, table_.atto);
      by_rows_.push_back(number->value);
    }
  }

  void transpose() {
    const size_t n = table_.names.size(), k = static_cast<size_t>(table_.vectors);
    table_.amperes.resize(n * k);
    for (size_t i = 0; i < n; ++i)
      for (size_t j = 0; j < k; ++j) table_.amperes[j * n + i] = by_rows_[i * k + j];
  }

  CsvRows rows_;
  std::optional<int64_t> vectors_of_header_;
  NameTable seen_;
  std::vector<double> by_rows_;
  LoadTable table_;
};

}  // namespace

LoadTable read_load_csv(const std::string& path) { return CsvLoads(*SourceText::open(path)).read(); }

}  // namespace gridiron
