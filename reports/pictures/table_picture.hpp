// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "analysis/run/regular_tables.hpp"

namespace gridiron {

/// One kind of regular table, with its names in files and pictures.
struct TableKind {
  std::string_view name, meaning, unit;
  std::vector<double> GridTables::*values;
};
std::span<const TableKind> table_kinds();

/// Values of one layer of a table of `net`.
std::span<const double> layer_of(const RegularNet& net, const TableKind& kind, int32_t layer);

/// The bytes of a PNG: magnitudes of the values of one layer on a logarithmic scale shared by all layers of the table;
/// grey where the value is 0. Of several cells in one pixel the largest is shown.
std::string table_picture(const RegularNet& net, const TableKind& kind, int32_t layer);

}  // namespace gridiron
