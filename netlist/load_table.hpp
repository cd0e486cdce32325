// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace gridiron {

/// Load vectors: the currents of named current sources for several states of a chip. Names are unique; as in netlists,
/// ASCII case is ignored.
struct LoadTable {
  std::vector<std::string> names;  ///< n current sources, UTF-8, in the order of the file
  std::int64_t vectors = 0;        ///< k
  std::vector<double> amperes;     ///< n × k, column after column: one column is one load vector

  /// `count` load vectors from `first` on, as n × count.
  std::span<const double> block(std::int64_t first, std::int64_t count) const {
    const auto n = static_cast<std::int64_t>(names.size());
    return std::span(amperes).subspan(static_cast<std::size_t>(first * n), static_cast<std::size_t>(count * n));
  }
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
