// SPDX-License-Identifier: Apache-2.0
#include "reports/tables/solution.hpp"

#include <cmath>

#include "reports/lookup.hpp"
#include "reports/tables/row_writer.hpp"
#include "reports/text/numbers.hpp"
#include "reports/text/voltage_digits.hpp"

namespace gridiron {

void write_solution(const IrReport& result, const OutputPath& path) {
  const NodeTable& nodes = result.nodes;
  const int digits = voltage_digits(result);
  OutputFile file(path);
  write_rows(file, result.circuit->nodes.size(), [&](int64_t row, std::string& out) {
    const size_t n = row;
    out += node_name(result, static_cast<NodeId>(row));
    out += ' ';
    if (nodes.state[n] == NodeState::floating)
      out += "floating";
    else if (!std::isfinite(nodes.voltage_v[n]))
      out += "unlisted";
    else
      append_volts(out, nodes.voltage_v[n], digits);
    out += '\n';
  });
  file.commit();
}

}  // namespace gridiron
