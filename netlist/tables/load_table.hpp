// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "netlist/values/quantity.hpp"

namespace gridiron {

/// Load vectors: the currents of named current sources for several states of a chip. Names are unique; as in netlists,
/// ASCII case is ignored.
struct LoadTable {
  std::vector<std::string> names;  ///< n current sources, UTF-8, in the order of the file
  int64_t vectors = 0;             ///< k
  std::vector<double> amperes;     ///< n × k, column after column: one column is one load vector

  /// Where a name stands in a CSV file, from 1.
  struct Row {
    int64_t line, column;
  };
  std::string path;       ///< of the file; empty for a table made by hand
  std::vector<Row> rows;  ///< per name; none for an archive
  AttoNumbers atto = {};

  /// Where name i comes from, as messages begin: "loads.csv:2:1", or the item of an archive's array.
  std::string place(size_t i) const;
};

/// Reads a whole load table into memory. By the extension of `path`:
///
/// .npz  the arrays `loads`, n × k or n values of float64 or float32 in either order, and `names`, n strings, as
///       numpy.savez() and savez_compressed() write them;
/// .csv (also compressed: .csv.gz, .bz2, .xz, .zst) a row per source: its name, then k currents, which may carry SPICE
///       suffixes. Rows that are empty or begin with # are comments. A field between quotes may hold commas, and a
///       quote as "". The first row is a header if its name is empty, name(s), source(s) or instance(s), or if it holds
///       no number at all and its name begins with neither i nor x, as those of current sources do.
///
/// Errors: InputError that says where (file:line:column, or file and array), what is wrong, and what to do.
LoadTable read_loads(const std::string& path);

}  // namespace gridiron
