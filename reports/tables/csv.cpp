// SPDX-License-Identifier: Apache-2.0
#include "reports/tables/csv.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "analysis/results/instances.hpp"
#include "netlist/names/sink_comment.hpp"
#include "reports/lookup.hpp"
#include "reports/tables/csv_line.hpp"
#include "reports/tables/shared_file.hpp"
#include "reports/text/ranking.hpp"
#include "reports/text/voltage_digits.hpp"

namespace gridiron {
namespace {

/// Empty at kGround, where an instance has no node.
SpelledName pin_name(const IrReport& result, NodeId node) {
  return node == kGround ? SpelledName("") : node_name(result, node);
}

constexpr const char* kNodesHeader = "node,net,layer,x_um,y_um,voltage_v,drop_v";

void fill_node_line(const IrReport& result, NodeId node, CsvLine&& line) {
  const NodeTable& nodes = result.nodes;
  line.text(node_name(result, node)).text(net_name(result, nodes.net[node]));
  line.text(layer_name(result, nodes.layer[node])).place(nodes, node);
  line.volts(nodes.voltage_v[node]).volts(nodes.drop_v[node]);
  if (!nodes.vector.empty()) line.count(nodes.vector[node]);
}

/// Of OpenROAD's table of voltages.
struct OpenRoadRow {
  int64_t source;
  const InstanceResult* instance;  ///< null: the source has its own name
  NodeId pin;
};

std::vector<OpenRoadRow> rows_of_instances(const IrReport& result) {
  std::vector<OpenRoadRow> rows;
  for (const InstanceResult& instance : result.instances)
    for (const NodeId pin : {instance.power, instance.ground})
      if (pin != kGround) rows.push_back({instance.source, &instance, pin});
  std::ranges::stable_sort(rows, {}, &OpenRoadRow::source);
  return rows;
}

/// Of a layout, whose current sources are its terminals.
std::vector<OpenRoadRow> rows_of_sinks(const IrReport& result) {
  std::vector<OpenRoadRow> rows;
  const Sources& sinks = result.circuit->current_sources;
  for (int64_t i = 0; i < sinks.size(); ++i)
    if (has_drop(result.nodes, static_cast<size_t>(sinks.a[i]))) rows.push_back({i, nullptr, sinks.a[i]});
  return rows;
}

/// Each vector has a bound of its own, which may be far below that of the worst one.
int digits_of_vectors(const IrReport& result) {
  int digits = voltage_digits(result);
  for (const VectorResult& vector : result.vectors)
    for (const DropSummary& net : vector.nets)
      if (vector.bounded) digits = std::max(digits, voltage_digits(std::abs(net.worst_drop_v), vector.bound_v));
  return digits;
}

}  // namespace

void write_nodes_csv(const IrReport& result, const OutputPath& path) {
  const std::vector<NodeId> order = rank_nodes(result);
  const std::string header = std::string(kNodesHeader) + (result.nodes.vector.empty() ? "" : ",vector");
  write_table(
      path, header, order.size(),
      [&](size_t row, CsvLine&& line) { fill_node_line(result, order[row], std::move(line)); }, voltage_digits(result));
}

void pass_nodes_csv(const IrReport& result, bool with_header, const std::function<void(std::string_view)>& take) {
  const int digits = voltage_digits(result);
  pass_lines(with_header ? std::string(kNodesHeader) + "\n" : "", rank_nodes(result), take,
             [&](NodeId node, std::string& text) { fill_node_line(result, node, CsvLine(text, digits)); });
}

void write_vectors_csv(const IrReport& result, const OutputPath& path) {
  const size_t nets = result.nets.size();
  write_table(
      path, "vector,net,worst_drop_v,worst_node,average_drop_v,bound_v", result.vectors.size() * nets,
      [&](size_t row, CsvLine&& line) {
        const VectorResult& vector = result.vectors[row / nets];
        const DropSummary& net = vector.nets[row % nets];
        line.count(row / nets).text(result.nets[row % nets].name).volts(net.worst_drop_v);
        line.text(node_name(result, net.worst_node)).volts(net.average_drop_v);
        line.number(vector.bounded ? vector.bound_v : NAN);
      },
      digits_of_vectors(result));
}

void write_layers_csv(const IrReport& result, const OutputPath& path, std::span<const double> time_s) {
  std::vector<std::pair<const NetResult*, const LayerResult*>> rows;
  for (const NetResult& net : result.nets)
    for (const LayerResult& layer : net.layers) rows.emplace_back(&net, &layer);
  write_table(
      path, with_worst_time("net,layer,nodes,worst_drop_v,average_drop_v,least_drop_v,worst_node,x_um,y_um", time_s),
      rows.size(),
      [&](size_t row, CsvLine&& line) {
        const auto& [net, layer] = rows[row];
        line.text(net->name).text(layer_name(result, layer->layer)).count(layer->nodes).volts(layer->worst_drop_v);
        line.volts(layer->average_drop_v).volts(layer->least_drop_v).text(node_name(result, layer->worst_node));
        line.place(result.nodes, layer->worst_node);
        if (!time_s.empty()) line.number(time_s[layer->worst_node]);
      },
      voltage_digits(result));
}

void write_sources_csv(const IrReport& result, const OutputPath& path) {
  write_table(
      path, "name,node,net,layer,x_um,y_um,voltage_v,current_a,place,share", result.pads.size(),
      [&](size_t row, CsvLine&& line) {
        const PadResult& pad = result.pads[row];
        const int32_t layer = result.nodes.layer[pad.node];
        line.text(pad.name).text(node_name(result, pad.node)).text(net_name(result, pad.net));
        line.text(layer_name(result, layer)).place(result.nodes, pad.node).volts(pad.voltage_v);
        line.volts(pad.current_a).text(pad.place).volts(pad.share);
      },
      voltage_digits(result));
}

void write_instances_csv(const IrReport& result, const OutputPath& path, std::span<const double> time_s) {
  std::string header = with_worst_time(
      "name,power_node,ground_node,x_um,y_um,vdd_drop_v,gnd_bounce_v,combined_v,current_a,terminal", time_s);
  const bool has_cells = result.circuit && result.circuit->made_names;
  if (has_cells) header += ",cell";
  write_table(
      path, header, result.instances.size(),
      [&](size_t row, CsvLine&& line) {
        const InstanceResult& instance = result.instances[row];
        const SinkName name = instance_name(*result.circuit, instance);
        line.text(name.instance).text(pin_name(result, instance.power)).text(pin_name(result, instance.ground));
        line.place(result.nodes, instance.node()).volts(instance.vdd_drop_v).volts(instance.gnd_bounce_v);
        line.volts(instance.combined_v).volts(instance.current_a).text(name.terminal);
        if (!time_s.empty()) line.number(time_s[row]);
        if (has_cells) line.text(instance_cell(*result.circuit, instance));
      },
      voltage_digits(result));
}

void write_openroad_instances_csv(const IrReport& result, const OutputPath& path) {
  const Circuit& circuit = *result.circuit;
  const NodeTable& nodes = result.nodes;
  std::vector<OpenRoadRow> rows = circuit.made_names ? rows_of_sinks(result) : rows_of_instances(result);
  write_table(path, "Instance,Terminal,Layer,X location,Y location,Voltage", rows.size(),
              [&](size_t row, CsvLine&& line) {
                const auto& [source, instance, pin] = rows[row];
                const SinkName name = instance ? instance_name(circuit, *instance) : sink_name(circuit, source);
                line.text(name.instance)
                    .text(name.terminal.empty() ? net_name(result, nodes.net[pin]) : std::string_view(name.terminal));
                line.text(layer_name(result, nodes.layer[pin])).fixed(nodes.x_um[pin], 4).fixed(nodes.y_um[pin], 4);
                line.fixed(nodes.voltage_v[pin], 6);
              });
}

}  // namespace gridiron
