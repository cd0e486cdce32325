// SPDX-License-Identifier: Apache-2.0
#include "analysis/distributed/shared_loads.hpp"

#include <fmt/format.h>

#include <cmath>

#include "support/error_text.hpp"

namespace gridiron::distributed {

void set_loads(const Communicator& all, const LoadTable& table, LocalCircuit& local) {
  const auto fail = [&table](size_t row, const std::string& message) {
    throw input_error("{}: load {}: {}", table.place(row), table.names[row], message);
  };
  together(all, [&] {
    if (table.vectors != 1)
      throw field_error("loads",
                        "{}: several processes take one load vector, and it has {}; start one process, or "
                        "once for each",
                        table.path, table.vectors);
    for (size_t row = 0; row < table.names.size(); ++row)
      if (!std::isfinite(table.amperes[row]))
        fail(row, fmt::format("{} A; a current must be finite", table.amperes[row]));
  });
  NameTable rows;
  for (const std::string& name : table.names) rows.intern(name);
  std::vector<double> sources(table.names.size(), 0);
  Sources& loads = local.circuit.current_sources;
  for (int64_t i = 0; i < loads.size(); ++i) {
    const int32_t row = rows.find(local.circuit.card_name(kCurrentSource, i));
    if (row < 0) continue;
    loads.value[i] = table.amperes[row];
    if (local.counts(loads.a[i], loads.b[i], all.rank())) ++sources[row];
  }
  all.sum(sources);
  together(all, [&] {
    for (size_t row = 0; row < sources.size(); ++row) {
      if (sources[row] == 0) fail(row, "the netlist has no current source of that name");
      if (sources[row] > 1) fail(row, "the netlist has several current sources of that name; tell them apart there");
    }
  });
}

}  // namespace gridiron::distributed
