// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "analysis/results/instances.hpp"
#include "reports/lookup.hpp"
#include "reports/report.hpp"
#include "reports/tables/budget_tables.hpp"
#include "reports/text/em_text.hpp"
#include "reports/text/engine_lines.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/insight_text.hpp"
#include "reports/text/ledger_lines.hpp"
#include "reports/text/length_unit.hpp"
#include "reports/text/numbers.hpp"
#include "reports/text/openroad_block.hpp"
#include "reports/text/ranking.hpp"
#include "reports/text/stress_text.hpp"
#include "reports/text/text_parts.hpp"
#include "reports/text/text_table.hpp"

namespace gridiron {
namespace {

void print_run(std::string& out, const IrReport& result) {
  const InputCounts& counts = result.input;
  print(out, "Gridiron {}\n", GRIDIRON_VERSION);
  print(out, "Input        {}: {}, {}, {}, {}, {}\n", printable(result.input_path), byte_count(result.input_bytes),
        count_of(counts.nodes, "node"), count_of(counts.resistors, "resistor"),
        count_of(counts.current_sources, "current source"), count_of(counts.voltage_sources, "voltage source"));
  out += ledger_lines(result.ledger, result.circuit && result.circuit->made_names ? "statement" : "card");
  print(out, "Reduction    {}, {} (merged {}, eliminated {}, left out {} floating)\n",
        count_of(result.reduced.unknowns, "unknown"), count_of(result.reduced.nonzeros, "nonzero"),
        count_of(result.reduced.merged_shorts, "short"), count_of(result.reduced.eliminated, "node"),
        grouped(result.reduced.floating_nodes));
  out += engine_lines(result.engine, result.solve);
}

void print_nets(std::string& out, const IrReport& result) {
  if (result.nets.empty()) {
    print(out, "\nNets: none with a source, nothing to report.\n");
    return;
  }
  TextTable table({"net", "", "worst>", "of supply>", "average>", "p50>", "p95>", "p99>", "p99.9>", "nodes>", "pads>",
                   "pad current>", "load current>"});
  for (const NetResult& net : result.nets) {
    const Percentiles& p = net.percentiles_v;
    table.add({printable(net.name), word_for(net), volts(net.worst_drop_v), percent(net, net.worst_drop_v),
               volts(net.average_drop_v), volts(p.p50), volts(p.p95), volts(p.p99), volts(p.p999), grouped(net.nodes),
               grouped(net.pads), amperes(net.pad_current_a), amperes(net.load_current_a)});
  }
  print(out, "\nNets\n{}", table.str());
}

void print_layers(std::string& out, const IrReport& result) {
  TextTable table({"net", "layer", "nodes>", "worst>", "average>", "least>", "worst node"});
  bool any = false;
  for (const NetResult& net : result.nets)
    for (const LayerResult& layer : net.layers) {
      any = true;
      table.add({printable(net.name), name_or_dash(layer_name(result, layer.layer)), grouped(layer.nodes),
                 volts(layer.worst_drop_v), volts(layer.average_drop_v), volts(layer.least_drop_v),
                 printable(node_name(result, layer.worst_node))});
    }
  if (any) print(out, "\nLayers\n{}", table.str());
}

void print_worst_nodes(std::string& out, const IrReport& result) {
  const std::vector<std::vector<NodeId>> worst = worst_nodes(result, kWorstNodesPerNet);
  const LengthUnit unit = length_unit(result);
  const std::string x_title = fmt::format("x {}>", unit.ascii), y_title = fmt::format("y {}>", unit.ascii);
  for (size_t net = 0; net < worst.size(); ++net) {
    if (worst[net].empty()) continue;
    const char* const word = word_for(result.nets[net]);
    TextTable table({"node", "layer", x_title, y_title, "voltage>", std::string(word) + ">", "of supply>"});
    for (const NodeId node : worst[net]) {
      table.add({printable(node_name(result, node)), name_or_dash(layer_name(result, result.nodes.layer[node])),
                 coordinate(unit, result.nodes.x_um[node]), coordinate(unit, result.nodes.y_um[node]),
                 fmt::format("{:.6f} V", result.nodes.voltage_v[node]), volts(result.nodes.drop_v[node]),
                 percent(result.nets[net], result.nodes.drop_v[node])});
    }
    print(out, "\nWorst nodes of {} ({})\n{}", printable(result.nets[net].name), word, table.str());
  }
}

}  // namespace

std::string text_summary(const IrReport& result) {
  std::string out = openroad_ir_blocks(result);
  if (!result.em_limits.empty()) out += openroad_em_block(result);
  if (!result.nets.empty()) out += '\n';
  print_run(out, result);
  out += certificate_text(result.certificate);
  print_nets(out, result);
  out += limits_text(result);
  out += vectors_text(result);
  print_layers(out, result);
  out += segment_lines(result);
  out += em_lines(result);
  out += stress_lines(result);
  out += power_lines(result);
  out += hot_spot_lines(result);
  out += drop_share_lines(result);
  out += pad_gain_lines(result);
  out += explanation_lines(result);
  out += budget_lines(result);
  print_worst_nodes(out, result);
  out += instances_text(result);
  out += golden_text(result);
  out += findings_text(result);
  out += cost_text(result);
  return out;
}

}  // namespace gridiron
