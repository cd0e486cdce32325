// SPDX-License-Identifier: Apache-2.0
#include "analysis/ir/plausibility.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "netlist/circuit.hpp"

namespace gridiron {
namespace {

/// How far the node lies beyond what loads of the right sign can do, V: above a power net's supply, below a ground net.
double overshoot(const NetResult& net, double voltage) {
  if (net.is_ground) return -voltage;
  return net.nominal_v > 0 ? voltage - net.nominal_v : net.nominal_v - voltage;
}

}  // namespace

std::vector<Finding> check_plausibility(const IrReport& report) {
  std::vector<Finding> findings;
  const std::string place = report.circuit->files.empty() ? "" : report.circuit->files[0]->path();
  const auto warn = [&](const char* code, std::string message) {
    findings.push_back({Finding::Severity::warning, code, std::move(message), place});
  };
  const bool has_load =
      std::any_of(report.nets.begin(), report.nets.end(), [](const NetResult& n) { return n.loads > 0; });
  if (!has_load) warn("no-load", "no current source draws anything, so nothing drops; is the netlist complete?");

  const double slack = report.certificate.valid ? 2 * report.certificate.max_error_v : INFINITY;
  struct Worst {
    double volts = 0;
    NodeId node = kGround;
    std::int64_t nodes = 0;
  };
  std::vector<Worst> worst(report.nets.size());
  for (std::size_t n = 0; n < report.nodes.net.size(); ++n) {
    const std::int32_t k = report.nodes.net[n];
    if (k < 0) continue;
    const double volts = overshoot(report.nets[k], report.nodes.voltage_v[n]);
    if (!(volts > slack + 1e-9 * std::abs(report.nets[k].nominal_v))) continue;
    ++worst[k].nodes;
    if (volts > worst[k].volts) worst[k] = {volts, static_cast<NodeId>(n), worst[k].nodes};
  }
  for (std::size_t k = 0; k < worst.size(); ++k) {
    const NetResult& net = report.nets[k];
    if (net.load_current_a < 0)
      warn("reversed-load", fmt::format("the loads of net {} drive {:.4g} A into it instead of drawing current; are "
                                        "their nodes exchanged?",
                                        net.name, -net.load_current_a));
    if (worst[k].nodes > 0)
      warn("overvoltage",
           fmt::format("{} of {} nodes of net {} are {} by more than the certified bound, most {} by {:.4g} V",
                       worst[k].nodes, net.nodes, net.name, net.is_ground ? "below 0 V" : "above its nominal voltage",
                       report.circuit->node_name(worst[k].node), worst[k].volts));
  }
  return findings;
}

}  // namespace gridiron
