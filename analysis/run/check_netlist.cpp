// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "analysis/model/static_sources.hpp"
#include "analysis/model/tran_cards.hpp"
#include "analysis/results/inverted_parts.hpp"
#include "analysis/results/net_statistics.hpp"
#include "analysis/results/plausibility.hpp"
#include "analysis/run/any_ir.hpp"
#include "analysis/run/ir_drop.hpp"
#include "analysis/solve/any_matrix/any_design.hpp"
#include "support/lists.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron {
namespace {

/// What each source draws, or at most draws over time.
std::vector<double> amperes_of(const Circuit& circuit, bool over_time) {
  const Sources& sources = circuit.current_sources;
  std::vector<double> amperes = sources.value;
  for (int64_t i = 0; over_time && i < sources.size(); ++i)
    if (sources.waveform[i] >= 0) amperes[i] = peak_of(circuit.waveforms[sources.waveform[i]]);
  return amperes;
}

/// The net of each node as far as it is known before anything is solved: not where resistors join several supplies
/// that names do not tell apart.
NodeTable nets_of_nodes(const Design& design) {
  const Topology& topology = *design.topology;
  const Nets& nets = topology.nets;
  NodeTable nodes;
  const auto count = std::ssize(topology.parts.part);
  assign_in_parallel(nodes.net, count, int32_t{-1});
  assign_in_parallel(nodes.voltage_v, count, 0.0);
  parallel_each(count, [&](int64_t n) {
    const int32_t part = topology.parts.part[n], label = design.places.net[n];
    if (n == kGround || topology.branches.has(static_cast<NodeId>(n))) return;
    const int32_t first = nets.first_of_part[part], last = nets.first_of_part[part + 1];
    const auto has_label = [&](int32_t k) { return label >= 0 && nets.labels[k] == label; };
    bool is_known = last - first == 1;
    for (int32_t k = first; k < last; ++k) is_known |= has_label(k);
    if (is_known) nodes.net[n] = nets.net_of(part, label, 0);
  });
  return nodes;
}

/// Loads that do nothing, or drive current the wrong way, as a run tells them after it has solved.
std::vector<Finding> check_signs(const Design& design, bool over_time) {
  const Circuit& circuit = *design.circuit;
  const Topology& topology = *design.topology;
  NodeTable nodes = nets_of_nodes(design);
  std::vector<double> injection = node_injection(circuit, amperes_of(circuit, over_time));
  std::vector<PadCurrent> no_pads;
  turn_inverted_parts(topology, nodes, injection, no_pads);
  IrReport report;
  report.circuit = &circuit;
  report.input_path = circuit.files.empty() ? "" : circuit.files.front()->path();
  for (const Net& net : topology.nets.nets) {
    NetResult& result = report.nets.emplace_back();
    result.name = net.name;
    result.nominal_v = net.nominal_v;
    result.is_ground = net.is_ground();
  }
  add_statistics(current_statistics(nodes, injection, {}, report.nets), nodes.voltage_v, report.nets);
  std::vector<Finding> findings = check_plausibility(report, std::vector<Statistics>(report.nets.size()));
  // What is drawn where the net is not known is drawn, too.
  const bool is_anywhere = parallel_sum<int64_t>(std::ssize(injection), [&](int64_t n) -> int64_t {
                             const int32_t part = n == kGround ? -1 : topology.parts.part[n];
                             return part >= 0 && topology.parts.anchored[part] && nodes.net[n] < 0 &&
                                            !topology.branches.has(static_cast<NodeId>(n)) && injection[n] != 0
                                        ? 1
                                        : 0;
                           }) > 0;
  if (is_anywhere) std::erase_if(findings, [](const Finding& finding) { return finding.code == "no-load"; });
  return findings;
}

}  // namespace

CheckResult check_netlist(const Circuit& circuit, const DesignOptions& options) {
  std::shared_ptr<const Design> design = first_design(circuit, options);
  CheckResult result;
  if (is_estimate_only(*design)) {
    append(result.findings, estimate_findings(*design));
    design = solved_design(*design, options);
    design->throw_first_error();
  }
  append(result.findings, design->findings());
  result.nodes = circuit.node_count();
  if (!design->topology) return result;
  const bool over_time = circuit.tran.stop > 0;
  // A grid with errors is not analysed, and so is not asked for more than whether there are loads.
  append(result.findings, design->has_errors() ? check_loads(circuit) : check_signs(*design, over_time));
  append(result.findings, over_time ? check_tran_cards(*design) : check_start_values(circuit, {}));
  const Parts& parts = design->topology->parts;
  result.parts = parts.count();
  result.floating_parts = std::ranges::count(parts.anchored, 0);
  for (const Net& net : design->topology->nets.nets)
    result.nets.push_back(fmt::format("{} {:g} V", net.name, net.nominal_v));
  return result;
}

}  // namespace gridiron
