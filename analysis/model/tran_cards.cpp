// SPDX-License-Identifier: Apache-2.0
#include "analysis/model/tran_cards.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "analysis/model/findings.hpp"
#include "support/error.hpp"
#include "support/plural.hpp"

namespace gridiron {
namespace {

Finding warning(std::string code, std::string message, std::string place) {
  return {Finding::Severity::warning, std::move(code), std::move(message), std::move(place)};
}

void find_unknown_probes(const Design& design, std::vector<Finding>& findings) {
  const Circuit& circuit = *design.circuit;
  const Parts& parts = design.topology->parts;
  for (size_t k = 0; k < circuit.print_nodes.size(); ++k) {
    const NodeId n = design.find_node(circuit.print_nodes[k]);
    if (n == kGround || (n > kGround && parts.anchored[parts.part[n]])) continue;
    findings.push_back(
        warning("unknown-probe",
                fmt::format(".print of v({}): {}", shown(circuit.print_nodes[k]),
                            n < 0 ? "the netlist has no node of that name" : "no path leads from it to a source"),
                k < circuit.print_origins.size() ? circuit.place(circuit.print_origins[k]) : ""));
  }
}

void find_initial_conditions(const Circuit& circuit, std::vector<Finding>& findings) {
  const int64_t given = std::ssize(circuit.initial_conditions);
  if (circuit.tran.uic || given == 0) return;
  findings.push_back(warning("initial-conditions",
                             fmt::format("IC= of {} has no effect: the simulation starts from the operating point; "
                                         "write uic on the .tran card to start from initial conditions",
                                         counted(given, "element")),
                             ""));
}

/// Whether the user said what the nominal voltage of a node's net is.
bool is_decided(const Design& design, NodeId n) {
  if (n == kGround) return false;
  const Nets& nets = design.topology->nets;
  const int32_t part = design.topology->parts.part[n];
  for (int32_t k = nets.first_of_part[part]; k < nets.first_of_part[part + 1]; ++k)
    for (const auto& [net, volts] : design.options.nominal_v)
      if (same_name(net, nets.nets[nets.candidates[k]].name)) return true;
  return false;
}

/// Drops are counted from the voltages of time 0.
void find_moving_supplies(const Design& design, std::vector<Finding>& findings) {
  constexpr double kSameVolts = 1e-6;
  constexpr double kSupply = 0.1;  ///< a rise by less may be a ripple
  const Circuit& circuit = *design.circuit;
  const Sources& sources = circuit.voltage_sources;
  for (int64_t i = 0; i < sources.size(); ++i) {
    if (sources.waveform[i] < 0 || is_decided(design, sources.a[i]) || is_decided(design, sources.b[i])) continue;
    const Waveform& waveform = circuit.waveforms[sources.waveform[i]];
    const double start = value_at_start(waveform, circuit.tran.frame()), peak = peak_of(waveform),
                 dc = circuit.dc_v.empty() ? sources.value[i] : circuit.dc_v[i];
    const bool is_other = std::abs(dc - start) > kSameVolts * std::max(std::abs(dc), std::abs(start)),
               does_rise = std::abs(peak) > (1 + kSupply) * std::abs(start);
    if (!is_other && !does_rise) continue;
    const std::string name = circuit.element_name(kVoltageSource, i), place = circuit.place(sources.origin[i]);
    if (start == 0)
      findings.push_back(
          warning("supply-starts-at-zero",
                  fmt::format("{} is 0 V at time 0, so what it feeds is taken for a ground net; give {} NET=VOLTS if "
                              "it is a supply",
                              name, field("nominal")),
                  place));
    else
      findings.push_back(warning(
          "supply-starts-elsewhere",
          fmt::format("{} is {:g} V at time 0, from which drops are counted, but {}; decide with {} NET=VOLTS", name,
                      start,
                      is_other ? fmt::format("has a DC value of {:g} V", dc) : fmt::format("reaches {:g} V", peak),
                      field("nominal")),
          place));
    return;
  }
}

}  // namespace

std::vector<Finding> check_tran_cards(const Design& design) {
  std::vector<Finding> findings;
  for (const ReadFinding& found : design.circuit->tran_findings)
    findings.push_back(warning(found.code, found.message, found.place));
  find_unknown_probes(design, findings);
  find_moving_supplies(design, findings);
  find_initial_conditions(*design.circuit, findings);
  return findings;
}

}  // namespace gridiron
