// SPDX-License-Identifier: Apache-2.0
#include "reports/tables/shared_solution.hpp"

#include <algorithm>
#include <string>

#include "reports/tables/named_rows.hpp"
#include "reports/tables/shared_file.hpp"
#include "reports/text/numbers.hpp"
#include "reports/text/voltage_digits.hpp"

namespace gridiron {
namespace {

using distributed::LocalCircuit;

struct SolutionRow {
  int64_t serial;
  double volts;
  uint32_t name_bytes;
  bool floats;
};

}  // namespace

void write_shared_solution(const Communicator& all, const distributed::SharedIr& result, const OutputPath& path) {
  const LocalCircuit& local = *result.grid.local;
  const NodeTable& nodes = result.nodes;
  NamedRows<SolutionRow> sent(all);
  for (NodeId n = 1; n <= local.own; ++n) {
    const auto& first = local.first_of_part;
    sent.send(std::ranges::upper_bound(first, local.serial[n]) - first.begin() - 1,
              {local.serial[n], nodes.voltage_v[n], 0, nodes.state[n] == NodeState::floating},
              local.circuit.node_name(n));
  }
  const auto rows = sent.received();
  const int digits = voltage_digits(result.report);
  write_shared_file(all, path, [&](const TakeText& take) {
    std::string begin;
    if (all.rank() == 0) {
      begin = "0 ";
      append_volts(begin, 0);
      begin += '\n';
    }
    pass_lines(std::move(begin), rows, take, [&](const auto& named, std::string& text) {
      const auto& [row, name] = named;
      text += name;
      text += ' ';
      if (row.floats)
        text += "floating";
      else
        append_volts(text, row.volts, digits);
      text += '\n';
    });
  });
}

}  // namespace gridiron
