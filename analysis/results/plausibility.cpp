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

double overshoot_slack(const IrReport& report, const NetResult& net) {
  return (report.certificate.valid ? 2 * report.certificate.max_error_v : INFINITY) + 1e-9 * std::abs(net.nominal_v);
}

namespace {

std::string place_of(const Circuit& circuit) { return circuit.files.empty() ? "" : circuit.files[0]->path(); }

Finding warning(const Circuit& circuit, const char* code, std::string message) {
  return {Finding::Severity::warning, code, std::move(message), place_of(circuit)};
}

Finding no_load(const Circuit& circuit) {
  return warning(circuit, "no-load", "no current source draws anything; is the netlist complete?");
}

}  // namespace

std::vector<Finding> check_loads(const Circuit& circuit) {
  const std::vector<double>& amperes = circuit.current_sources.value;
  if (std::any_of(amperes.begin(), amperes.end(), [](double a) { return a != 0; })) return {};
  const auto draws = [&](std::int32_t waveform) { return waveform >= 0 && peak_of(circuit.waveforms[waveform]) != 0; };
  if (std::ranges::any_of(circuit.current_sources.waveform, draws)) return {};
  return {no_load(circuit)};
}

std::vector<Overshoot> find_overshoots(const IrReport& report) {
  std::vector<Overshoot> worst(report.nets.size());
  const auto overshoot_at = [&](std::int64_t n) {
    return overshoot(report.nets[report.nodes.net[n]], report.nodes.voltage_v[n]);
  };
  const auto above =
      parallel_list<NodeId>(static_cast<std::int64_t>(report.nodes.net.size()), [&](std::int64_t n, auto& list) {
        const std::int32_t k = report.nodes.net[n];
        if (k >= 0 && overshoot_at(n) > overshoot_slack(report, report.nets[k])) list.push_back(static_cast<NodeId>(n));
      });
  for (const NodeId n : above) {
    Overshoot& of_net = worst[report.nodes.net[n]];
    ++of_net.nodes;
    if (const double volts = overshoot_at(n); volts > of_net.volts) of_net = {volts, n, of_net.nodes};
  }
  return worst;
}

std::vector<Finding> check_plausibility(const IrReport& report) {
  return check_plausibility(report, find_overshoots(report));
}

std::optional<Finding> reversed_load(const Circuit& circuit, const NetResult& net) {
  if (net.reversed_loads == 0) return std::nullopt;
  const bool returns = net.is_ground || net.nominal_v < 0;
  return warning(circuit, "reversed-load",
                 fmt::format("loads drive {:.4g} A {} net {} instead of {} it, at {} of {}, most at {}; are the nodes "
                             "of their cards exchanged?",
                             net.reversed_current_a, returns ? "out of" : "into", shown(net.name),
                             returns ? "returning" : "drawing", net.reversed_loads, counted(net.loads, "loaded node"),
                             shown(circuit.node_name(net.reversed_node))));
}

std::optional<Finding> overvoltage(const Circuit& circuit, const NetResult& net, const Overshoot& worst) {
  if (worst.nodes == 0) return std::nullopt;
  return warning(circuit, "overvoltage",
                 fmt::format("{} of {} of net {} {} {} by more than the certified bound, most {} by {:.4g} V",
                             worst.nodes, counted(net.nodes, "node"), shown(net.name), worst.nodes == 1 ? "is" : "are",
                             net.is_ground ? "below 0 V" : "beyond its nominal voltage",
                             shown(circuit.node_name(worst.node)), worst.volts));
}

std::vector<Finding> check_plausibility(const IrReport& report, const std::vector<Overshoot>& worst) {
  std::vector<Finding> findings;
  const auto add = [&](const std::optional<Finding>& finding) {
    if (finding) findings.push_back(*finding);
  };
  const bool has_load =
      std::any_of(report.nets.begin(), report.nets.end(), [](const NetResult& n) { return n.loads > 0; });
  if (!has_load) findings.push_back(no_load(*report.circuit));
  for (std::size_t k = 0; k < worst.size(); ++k) {
    add(reversed_load(*report.circuit, report.nets[k]));
    add(overvoltage(*report.circuit, report.nets[k], worst[k]));
  }
  return findings;
}

}  // namespace gridiron
