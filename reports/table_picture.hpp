// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "analysis/ir/regular_tables.hpp"

namespace gridiron {

/// One kind of regular table: what files and pictures call it.
struct TableKind {
  std::string_view name, meaning, unit;
  std::vector<double> GridTables::*values;
};
std::span<const TableKind> table_kinds();

/// Values of one layer of a table of `net`.
std::span<const double> layer_of(const RegularNet& net, const TableKind& kind, std::int32_t layer);

/// The bytes of a PNG: sizes of the values of one layer on a logarithmic scale, which all layers of the table share;
/// grey where the value is 0. Of several cells in one pixel the largest counts.
std::string table_picture(const RegularNet& net, const TableKind& kind, std::int32_t layer);

}  // namespace gridiron
