// SPDX-License-Identifier: Apache-2.0
#include "netlist/tables/load_table.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <span>

#include "netlist/names/lower_case.hpp"
#include "netlist/names/name_table.hpp"
#include "netlist/packed/npz_file.hpp"
#include "netlist/tables/load_csv.hpp"
#include "support/error_text.hpp"

namespace gridiron {
namespace {

namespace fs = std::filesystem;

/// The extension in lower case; for a compressed file, the one before it.
std::string extension_of(const fs::path& path) {
  const auto lower = [](std::string text) {
    for (char& c : text)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
    return text;
  };
  std::string last = lower(path.extension().string());
  for (const char* packed : {".gz", ".bz2", ".xz", ".zst"})
    if (last == packed) return lower(path.stem().extension().string());
  return last;
}

LoadTable read_load_archive(const std::string& path) {
  NpzFile file(path, "loads=…, names=…");
  file.require_only({"loads", "names"});
  LoadTable table;
  table.path = path;
  file.array("names", [&](NpyReader& array) {
    table.names = array.strings();
    if (table.names.empty()) array.fail("is empty; give one name for each row of loads");
    NameTable seen;
    for (size_t i = 0; i < table.names.size(); ++i) {
      if (table.names[i].empty()) array.fail(fmt::format("holds an empty name at item {}", i));
      const int32_t id = seen.intern(table.names[i]);
      if (id != static_cast<int32_t>(i))
        array.fail(fmt::format("names {:?} twice, at items {} and {}; keep one", table.names[i], id, i));
    }
  });
  file.array("loads", [&](NpyReader& array) {
    const std::vector<int64_t>& shape = array.shape();
    const auto n = std::ssize(table.names);
    if (shape.empty() || shape.size() > 2 || shape[0] != n)
      array.fail(fmt::format("has the shape {} for {} names; expected ({}, number of load vectors)", array.shape_text(),
                             n, n));
    const int64_t k = shape.size() == 2 ? shape[1] : 1;
    if (k == 0) array.fail("has no load vector; give at least one column");
    const bool by_columns = array.is_fortran() || k == 1;
    int64_t at = 0;
    array.for_each_part([&](std::span<const double> part) {
      // NpyReader has checked the shape against the size of the member before it delivers the first part.
      if (table.amperes.empty()) table.amperes.resize(n * k);
      for (const double value : part) {
        const int64_t source = by_columns ? at % n : at / k, vector = by_columns ? at / n : at % k;
        if (!std::isfinite(value))
          array.fail(fmt::format("is {} at ({}, {}), source {:?}; expected finite amperes", value, source, vector,
                                 table.names[source]));
        table.amperes[vector * n + source] = value;
        ++at;
      }
    });
    table.vectors = k;
  });
  return table;
}

}  // namespace

std::string LoadTable::place(size_t i) const {
  if (i < rows.size()) return fmt::format("{}:{}:{}", path, rows[i].line, rows[i].column);
  return path.empty() ? fmt::format("item {} of names", i) : fmt::format("{}: array \"names\", item {}", path, i);
}

LoadTable read_loads(const std::string& path) {
  const std::string extension = extension_of(path);
  if (extension == ".npz") return read_load_archive(path);
  if (extension == ".csv") return read_load_csv(path);
  throw input_error("{}: load vectors are read from .npz and .csv files; rename or convert it", path);
}

}  // namespace gridiron
