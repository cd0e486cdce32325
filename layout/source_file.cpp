// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <tuple>

#include "layout/sources.hpp"
#include "netlist/source_text.hpp"
#include "netlist/tables/csv_rows.hpp"
#include "netlist/values/quantity.hpp"
#include "support/error.hpp"

namespace gridiron::layout {

SourceFile read_source_file(const std::string& path, double dbu_per_um) {
  const auto source = SourceText::open(path);
  CsvRows rows(*source);
  SourceFile out;
  bool has_volts = false;
  while (rows.next()) {
    const std::vector<CsvRows::Field>& fields = rows.fields();
    if (fields.size() != 4) rows.fail(fields[0].where, "expected four values: x, y, edge in um, volts");
    std::array<double, 3> um;
    for (size_t i = 0; i < um.size(); ++i) {
      const std::optional<double> number = quantity(fields[i].text, Quantity::pure);
      if (!number || !(std::abs(*number) * dbu_per_um < static_cast<double>(kFarthest)))
        rows.fail(fields[i].where, fmt::format("expected um, not {:?}", fields[i].text));
      um[i] = *number;
    }
    const std::optional<double> number = volts(fields[3].text);
    if (!number || !std::isfinite(*number))
      rows.fail(fields[3].where, fmt::format("expected volts, not {:?}", fields[3].text));
    if (has_volts && *number != out.volts)
      rows.fail(fields[3].where,
                fmt::format("sources of one net differ in volts: {} here, {} before", *number, out.volts));
    out.volts = *number;
    has_volts = true;
    if (um[2] < 0) rows.fail(fields[2].where, fmt::format("an edge of {} um", um[2]));
    const auto x = static_cast<Dbu>(dbu_per_um * um[0]), y = static_cast<Dbu>(dbu_per_um * um[1]),
               half = static_cast<Dbu>(dbu_per_um * um[2]) / 2;
    out.boxes.push_back({x - half, y - half, x + half, y + half});
  }
  if (out.boxes.empty())
    throw InputError(
        fmt::format("{}: no source in this file; lines read like 50,50,20,1.1: x, y, edge in um, volts", path));
  const auto less = [](const Box& a, const Box& b) {
    return std::tie(a.x0, a.y0, a.x1, a.y1) < std::tie(b.x0, b.y0, b.x1, b.y1);
  };
  std::sort(out.boxes.begin(), out.boxes.end(), less);
  out.boxes.erase(std::unique(out.boxes.begin(), out.boxes.end()), out.boxes.end());
  return out;
}

}  // namespace gridiron::layout
