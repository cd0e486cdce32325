// SPDX-License-Identifier: Apache-2.0
#include "analysis/results/plausibility.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/model/findings.hpp"
#include "netlist/circuit.hpp"
#include "support/parallel_arrays.hpp"
#include "support/plural.hpp"

namespace gridiron {

double overshoot(const NetResult& net, double voltage) {
  if (net.is_ground) return -voltage;
  return net.nominal_v > 0 ? voltage - net.nominal_v : net.nominal_v - voltage;
}

double overshoot_slack(const Certificate& certificate, const NetResult& net) {
  return (certificate.valid || certificate.is_estimated ? 2 * certificate.max_error_v : INFINITY) +
         1e-9 * std::abs(net.nominal_v);
}

namespace {

Finding warning(const std::string& place, const char* code, std::string message) {
  return {Finding::Severity::warning, code, std::move(message), place};
}

Finding no_load(const std::string& place, const Circuit* circuit) {
  return warning(place, "no-load",
                 circuit && circuit->made_names ? "no instance draws anything; give the powers of instances"
                                                : "no current source draws anything; is the netlist complete?");
}

}  // namespace

std::vector<Finding> check_loads(const Circuit& circuit) {
  const std::vector<double>& amperes = circuit.current_sources.value;
  if (std::ranges::any_of(amperes, [](double a) { return a != 0; })) return {};
  const auto draws = [&](int32_t waveform) { return waveform >= 0 && peak_of(circuit.waveforms[waveform]) != 0; };
  if (std::ranges::any_of(circuit.current_sources.waveform, draws)) return {};
  return {no_load(circuit.files.empty() ? "" : circuit.files[0]->path(), &circuit)};
}

std::vector<Statistics> find_overshoots(const NodeTable& nodes, const std::vector<NetResult>& nets,
                                        const Certificate& certificate) {
  std::vector<Statistics> beyond(nets.size());
  const auto overshoot_at = [&](int64_t n) { return overshoot(nets[nodes.net[n]], nodes.voltage_v[n]); };
  const auto found = parallel_list<NodeId>(std::ssize(nodes.net), [&](int64_t n, auto& list) {
    const int32_t k = nodes.net[n];
    if (k >= 0 && overshoot_at(n) > overshoot_slack(certificate, nets[k])) list.push_back(static_cast<NodeId>(n));
  });
  for (const NodeId n : found) beyond[nodes.net[n]].add(overshoot_at(n), n);
  return beyond;
}

std::vector<Finding> check_plausibility(const IrReport& report) {
  return check_plausibility(report, find_overshoots(report.nodes, report.nets, report.certificate));
}

std::optional<Finding> reversed_load(const IrReport& report, const NetResult& net) {
  if (net.reversed_loads == 0) return std::nullopt;
  const bool returns = net.is_ground || net.nominal_v < 0;
  return warning(report.input_path, "reversed-load",
                 fmt::format("loads drive {:.4g} A {} net {} instead of {} it, at {} of {}, most at {}; are the nodes "
                             "of their cards exchanged?",
                             net.reversed_current_a, returns ? "out of" : "into", shown(net.name),
                             returns ? "returning" : "drawing", net.reversed_loads, counted(net.loads, "loaded node"),
                             shown(report.node_name(net.reversed_node))));
}

std::optional<Finding> overvoltage(const IrReport& report, const NetResult& net, const Statistics& overshoots) {
  const auto& [count, sum, least, largest] = overshoots;
  if (count == 0) return std::nullopt;
  return warning(report.input_path, "overvoltage",
                 fmt::format("{} of {} of net {} {} {} by more than the certified bound, most {} by {:.4g} V", count,
                             counted(net.nodes, "node"), shown(net.name), count == 1 ? "is" : "are",
                             net.is_ground ? "below 0 V" : "beyond its nominal voltage",
                             shown(report.node_name(static_cast<NodeId>(largest.at))), largest.value));
}

std::vector<Finding> check_plausibility(const IrReport& report, const std::vector<Statistics>& overshoots) {
  std::vector<Finding> findings;
  const auto add = [&](const std::optional<Finding>& finding) {
    if (finding) findings.push_back(*finding);
  };
  const bool has_load = std::ranges::any_of(report.nets, [](const NetResult& n) { return n.loads > 0; });
  if (!has_load) findings.push_back(no_load(report.input_path, report.circuit));
  for (size_t k = 0; k < overshoots.size(); ++k) {
    add(reversed_load(report, report.nets[k]));
    add(overvoltage(report, report.nets[k], overshoots[k]));
  }
  return findings;
}

}  // namespace gridiron
