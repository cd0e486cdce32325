// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "analysis/ir/instances.hpp"
#include "reports/engine_lines.hpp"
#include "reports/escape.hpp"
#include "reports/lookup.hpp"
#include "reports/numbers.hpp"
#include "reports/ranking.hpp"
#include "reports/text_parts.hpp"
#include "reports/text_table.hpp"
#include "reports/tran_report.hpp"

namespace gridiron {
namespace {

constexpr std::size_t kWorstNodesPerNet = 5, kRows = 10, kWindows = 40;

template <class... Args>
void print(std::string& out, fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
}

std::string volts(double v) { return with_unit(v, "V"); }
std::string amperes(double a) { return with_unit(a, "A"); }
std::string seconds(double s) { return with_unit(s, "s"); }
std::string percent(const NetResult& net, double v) {
  return net.supply_v > 0 ? fmt::format("{:.2f} %", percent_of_supply(net, v)) : "n/a";
}

void print_run(std::string& out, const TranReport& report) {
  const IrReport& worst = report.worst;
  const Circuit& circuit = *worst.circuit;
  print(out, "Gridiron {}\n", GRIDIRON_VERSION);
  print(out, "Input        {}: {}, {}, {}, {}, {}, {}, {}\n", printable(worst.input_path),
        byte_count(worst.input_bytes), count_of(circuit.node_count(), "node"),
        count_of(circuit.resistors.size(), "resistor"), count_of(report.capacitors, "capacitor"),
        count_of(report.inductors, "inductor"), count_of(circuit.current_sources.size(), "current source"),
        count_of(circuit.voltage_sources.size(), "voltage source"));
  print(out, "Simulation   {} to {}, {} of {}{}, {}\n", name_of(report.method), seconds(report.stop_s),
        count_of(report.steps, "step"), seconds(report.step_s),
        report.sizes > 1 ? fmt::format(" and less ({} sizes)", report.sizes) : "",
        count_of(report.scenarios, "scenario"));
  print(out, "Reduction    {}, {} at the operating point\n", count_of(worst.reduced.unknowns, "unknown"),
        count_of(worst.reduced.nonzeros, "nonzero"));
  out += engine_lines(worst.engine, worst.solve);
  print(out, "             all steps: {}, at most {} in one\n", count_of(report.iterations, "iteration"),
        report.most_iterations);
}

void print_accuracy(std::string& out, const TranReport& report) {
  const auto& accuracy = report.accuracy;
  if (!accuracy.is_bounded)
    print(out, "Certificate  NONE: the error of some solution could not be bounded\n");
  else
    print(out,
          "Certificate  operating point within {}, every step within {} of the exact solution of its equations;\n"
          "             all steps together within {} ({})\n",
          volts(accuracy.operating_point_v), volts(accuracy.step_v), volts(accuracy.accumulated_v),
          accuracy.is_guaranteed ? "guaranteed" : "the sum, an estimate");
  print(out, "Time error   {} in a single step, estimated from the steps before\n", volts(accuracy.local_time_error_v));
  print(out, "Charge       supplied minus drawn minus stored: {}\n", with_unit(report.charge.imbalance_c(), "C"));
}

void print_nets(std::string& out, const TranReport& report) {
  const IrReport& worst = report.worst;
  TextTable table({"net", "", "worst>", "of supply>", "at>", "node", "p50>", "p99>", "nodes>", "pads>"});
  for (const NetResult& net : worst.nets)
    table.add({printable(net.name), net.is_ground ? "bounce" : "drop", volts(net.worst_drop_v),
               percent(net, net.worst_drop_v), seconds(report.worst_time_s[net.worst_node]),
               printable(node_name(worst, net.worst_node)), volts(net.percentiles_v.p50), volts(net.percentiles_v.p99),
               grouped(net.nodes), grouped(net.pads)});
  print(out, "\nNets, every node at its worst moment\n{}", table.str());
}

void print_nodes(std::string& out, const TranReport& report) {
  const IrReport& worst = report.worst;
  const std::vector<std::vector<NodeId>> nodes = worst_nodes(worst, kWorstNodesPerNet);
  for (std::size_t net = 0; net < nodes.size(); ++net) {
    if (nodes[net].empty()) continue;
    TextTable table({"node", "worst>", "at>", "scenario>", "average>", "rms>"});
    for (const NodeId n : nodes[net])
      table.add({printable(node_name(worst, n)), volts(worst.nodes.drop_v[n]), seconds(report.worst_time_s[n]),
                 std::to_string(report.worst_scenario[n]), volts(report.average_drop_v[n]),
                 volts(report.rms_drop_v[n])});
    print(out, "\nWorst nodes of {} ({})\n{}", printable(worst.nets[net].name),
          worst.nets[net].is_ground ? "bounce" : "drop", table.str());
  }
}

void print_windows(std::string& out, const TranReport& report) {
  if (report.windows.empty()) return;
  TextTable table({"from>", "to>", "net", "worst>", "at>", "node"});
  for (std::size_t k = 0; k < std::min(kWindows, report.windows.size()); ++k) {
    const WindowResult& window = report.windows[k];
    table.add({seconds(window.begin_s), seconds(window.end_s), printable(net_name(report.worst, window.net)),
               volts(window.worst_drop_v), seconds(window.time_s),
               printable(node_name(report.worst, window.worst_node))});
  }
  print(out, "\nWindows{}\n{}",
        report.windows.size() > kWindows ? fmt::format(", the first {} of {}", kWindows, report.windows.size()) : "",
        table.str());
}

void print_pads(std::string& out, const TranReport& report) {
  TextTable table({"pad", "net", "peak>", "at>", "rms>", "average>"});
  for (std::size_t k = 0; k < std::min(kRows, report.pads.size()); ++k) {
    const PadOverTime& pad = report.pads[k];
    table.add({printable(report.worst.pads[k].name), printable(net_name(report.worst, report.worst.pads[k].net)),
               amperes(pad.peak_a), seconds(pad.peak_time_s), amperes(pad.rms_a), amperes(pad.average_a)});
  }
  if (!report.pads.empty())
    print(out, "\nPads of largest peak current, of {}\n{}", grouped(std::ssize(report.pads)), table.str());
}

void print_instances(std::string& out, const IrReport& worst) {
  if (worst.instances.empty()) return;
  TextTable table({"instance", "drop>", "bounce>", "combined>"});
  for (std::size_t k = 0; k < std::min(kRows, worst.instances.size()); ++k) {
    const InstanceResult& instance = worst.instances[k];
    table.add({printable(instance_name(*worst.circuit, instance).text()), volts(instance.vdd_drop_v),
               volts(instance.gnd_bounce_v), volts(instance.combined_v)});
  }
  print(out, "\nWorst instances of {}, at one moment\n{}", grouped(std::ssize(worst.instances)), table.str());
}

}  // namespace

std::string tran_text(const TranReport& report) {
  std::string out;
  print_run(out, report);
  print_accuracy(out, report);
  print_nets(out, report);
  out += limits_text(report.worst);
  print_windows(out, report);
  print_nodes(out, report);
  print_pads(out, report);
  print_instances(out, report.worst);
  out += findings_text(report.worst);
  out += cost_text(report.worst);
  return out;
}

}  // namespace gridiron
