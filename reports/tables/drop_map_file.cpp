// SPDX-License-Identifier: Apache-2.0
#include "reports/tables/drop_map_file.hpp"

#include <fmt/format.h>

#include <iterator>

#include "reports/tables/npy.hpp"
#include "reports/tables/row_writer.hpp"
#include "reports/tables/unique_names.hpp"
#include "reports/text/escape.hpp"

namespace gridiron {

void write_drop_map_csv(const DropMap& map, const OutputPath& path) {
  OutputFile file(path);
  write_rows(file, map.nx, [&](int64_t x, std::string& out) {
    for (int64_t y = 0; y < map.ny; ++y)
      fmt::format_to(std::back_inserter(out), "{}{:.5e}", y > 0 ? "," : "", map(x, y));
    out += '\n';
  });
  file.commit();
}

void write_drop_map_npy(const DropMap& map, const OutputPath& path) {
  const int64_t shape[] = {map.nx, map.ny};
  write_npy(path, shape, map.drop_v);
}

std::vector<std::pair<std::string, std::string>> drop_map_names(const IrReport& result) {
  if (result.nets.size() == 1) return {{"ir_drop_map", "ir_drop_map_worst"}};
  std::vector<std::pair<std::string, std::string>> names;
  UniqueNames unique;
  for (const NetResult& net : result.nets) {
    const std::string part = file_name_part(net.name);
    std::string interpolated = unique.take("ir_drop_map_" + part, "");
    names.emplace_back(std::move(interpolated), unique.take("ir_drop_map_worst_" + part, ""));
  }
  return names;
}

}  // namespace gridiron
