// SPDX-License-Identifier: Apache-2.0
#include "netlist/tables/budget_table.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <optional>

#include "netlist/names/name_table.hpp"
#include "netlist/source_text.hpp"
#include "netlist/tables/csv_rows.hpp"
#include "support/error_text.hpp"

namespace gridiron {
namespace {

using Unit = BudgetAmount::Unit;

class BudgetReader {
 public:
  explicit BudgetReader(const SourceText& source) : rows_(source) { table_.path = source.path(); }

  BudgetTable read() {
    for (bool is_first = true; rows_.next(); is_first = false)
      if (is_first && same_name(rows_.fields()[0].text, "rule"))
        rows_.require_amperes("numbers without a unit");
      else
        add_row();
    if (table_.rows.empty())
      throw input_error("{}: no rule in this file; give rows like each,*,200% and sum,*,1.5A", table_.path);
    return std::move(table_);
  }

 private:
  using Field = CsvRows::Field;

  void add_row() {
    const std::vector<Field>& fields = rows_.fields();
    BudgetTable::Row row;
    row.is_sum = same_name(fields[0].text, "sum");
    if (!row.is_sum && !same_name(fields[0].text, "each"))
      rows_.fail(fields[0].where, fmt::format("a rule begins with 'each' or 'sum', not {:?}", fields[0].text));
    if (fields.size() < 3)
      rows_.fail(fields[0].where, "expected members and the most that they may draw, like each,i1,2mA or sum,*,1.5A");
    if (fields.size() > 4) rows_.fail(fields[4].where, "a rule has at most four fields: each,MEMBERS,MOST,LEAST");
    row.text = fields[1].text;
    row.members = terms(fields[1]);
    row.most = amount(fields[2]);
    if (fields.size() == 4 && !fields[3].text.empty()) {
      if (row.is_sum)
        rows_.fail(fields[3].where, "a sum has no lower bound; give those of its members: each,MEMBERS,MOST,LEAST");
      row.least = amount(fields[3]);
      if (row.least.unit == row.most.unit && row.least.value > row.most.value)
        rows_.fail(fields[3].where, fmt::format("the least, {}, is above the most, {}; exchange or correct them",
                                                fields[3].text, fields[2].text));
    }
    const CsvRows::Place place = rows_.place(fields[0].where);
    row.line = place.line;
    row.column = place.column;
    table_.rows.push_back(std::move(row));
  }

  std::vector<BudgetTable::Term> terms(const Field& field) const {
    std::vector<BudgetTable::Term> terms;
    for (std::string_view rest = field.text; !rest.empty();) {
      const size_t end = std::min(rest.find_first_of(" \t"), rest.size());
      if (end > 0) terms.push_back(term(rest.substr(0, end), field));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    if (terms.empty()) rows_.fail(field.where, "no members; '*' means all loads");
    return terms;
  }

  BudgetTable::Term term(std::string_view text, const Field& field) const {
    BudgetTable::Term term;
    if (text.size() >= 4 && same_name(text.substr(0, 4), "net:")) {
      term.kind = BudgetTable::Term::Kind::net;
      term.text = text.substr(4);
      if (term.text.empty()) rows_.fail(field.where, "net: without a name; write it like net:VDD");
    } else if (text.size() >= 5 && same_name(text.substr(0, 5), "area:")) {
      term.kind = BudgetTable::Term::Kind::area;
      term.text = text;
      read_area(text, term, field);
    } else {
      term.text = text;
    }
    return term;
  }

  void read_area(std::string_view text, BudgetTable::Term& term, const Field& field) const {
    const std::array<double*, 4> edges = {&term.x0_um, &term.y0_um, &term.x1_um, &term.y1_um};
    std::string_view rest = text.substr(5);
    for (size_t k = 0; k < edges.size(); ++k) {
      const size_t end = k + 1 < edges.size() ? rest.find(':') : rest.size();
      const std::string_view um = rest.substr(0, end);
      const std::optional<double> value =
          end == rest.npos || has_letters(um) ? std::nullopt : quantity(um, Quantity::pure);
      if (!value || !std::isfinite(*value))
        rows_.fail(field.where, fmt::format("{:?}: expected area:X0:Y0:X1:Y1 in um, like area:0:0:150:80", text));
      *edges[k] = *value;
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    if (!(term.x0_um <= term.x1_um && term.y0_um <= term.y1_um))
      rows_.fail(field.where, fmt::format("{:?}: the first corner is not left of and below the second", text));
  }

  BudgetAmount amount(const Field& field) {
    const std::string_view text = field.text;
    std::optional<Scaled> number;
    BudgetAmount amount;
    if (text.ends_with('%')) {
      amount.unit = Unit::share;
      number = scaled_quantity(text.substr(0, text.size() - 1), Quantity::pure);
      if (number) number->value /= 100;
    } else if (const auto power = amperes(text) ? std::nullopt : scaled_quantity(text, Quantity::power)) {
      amount.unit = Unit::watt;
      number = power;
    } else {
      number = scaled_quantity(text, Quantity::current);
    }
    if (!number || !std::isfinite(number->value))
      rows_.fail(field.where, fmt::format("expected a current like 2mA, a power like 1.5mW or a share of the deck's "
                                          "current like 150%, not {:?}",
                                          text));
    if (number->value < 0)
      rows_.fail(field.where, fmt::format("{}: a load draws 0 or more in the direction that the deck gives it", text));
    rows_.note(number->reading, field.where, table_.atto);
    amount.value = number->value;
    return amount;
  }

  CsvRows rows_;
  BudgetTable table_;
};

}  // namespace

std::string BudgetTable::place(const Row& row) const {
  return path.empty() ? fmt::format("rule {}", &row - rows.data() + 1)
                      : fmt::format("{}:{}:{}", path, row.line, row.column);
}

BudgetTable read_budget(const std::string& path) { return BudgetReader(*SourceText::open(path)).read(); }

BudgetTable read_budget_text(std::string text, const std::string& name) {
  return BudgetReader(*SourceText::from_string(std::move(text), name)).read();
}

}  // namespace gridiron
