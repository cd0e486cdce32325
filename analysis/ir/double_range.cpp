// SPDX-License-Identifier: Apache-2.0
#include "analysis/ir/double_range.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "analysis/ir/findings.hpp"
#include "analysis/ir/solver.hpp"
#include "support/error.hpp"

namespace gridiron {
namespace {

double most_of(const Pulse& pulse) { return std::max(std::abs(pulse.initial), std::abs(pulse.pulsed)); }
double most_of(const Exp& exp) { return std::max(std::abs(exp.initial), std::abs(exp.pulsed)); }
double most_of(const Sin& sin) { return std::max(std::abs(sin.offset), std::abs(sin.amplitude)); }
double most_of(const Pwl& pwl) {
  double most = 0;
  for (const auto& [time, value] : pwl.points) most = std::max(most, std::abs(value));
  return most;
}

/// The value of an element, of a source over time the largest.
double size_of(const Circuit& circuit, Kind kind, std::int64_t i) {
  const double value = std::abs(circuit.elements(kind).value[i]);
  const Sources* const sources = kind == kVoltageSource   ? &circuit.voltage_sources
                                 : kind == kCurrentSource ? &circuit.current_sources
                                                          : nullptr;
  if (!sources || sources->waveform.empty() || sources->waveform[i] < 0) return value;
  const auto most = [](const auto& waveform) { return most_of(waveform); };
  return std::max(value, std::visit(most, circuit.waveforms[sources->waveform[i]]));
}

}  // namespace

std::string beyond_doubles(const Circuit& circuit) {
  Kind kind = kResistor;
  std::int64_t element = -1;
  double most = 0, extreme = 0;
  for (const Kind k : {kResistor, kVoltageSource, kCurrentSource})
    for (std::int64_t i = 0; i < circuit.elements(k).size(); ++i) {
      const double value = size_of(circuit, k, i), decades = value > 0 ? std::abs(std::log10(value)) : 0;
      if (!(decades > most)) continue;
      most = decades;
      extreme = value;
      kind = k;
      element = i;
    }
  if (element < 0) return kNotFinite;
  const Elements& of_kind = circuit.elements(kind);
  return fmt::format("{}; the most extreme one is {} {} of '{}' ({})", kNotFinite, extreme, kUnits[kind],
                     shown(circuit.element_name(kind, element)), circuit.place(of_kind.origin[element]));
}

void require_doubles(const Circuit& circuit, const std::vector<NetResult>& nets, const std::vector<PadCurrent>& pads,
                     const PowerBalance& power, const Certificate& certificate) {
  const auto finite = [](std::initializer_list<double> values) {
    return std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
  };
  const auto net_is_finite = [&](const NetResult& net) {
    return finite({net.average_voltage_v, net.worst_voltage_v, net.average_drop_v, net.worst_drop_v, net.load_current_a,
                   net.pad_current_a, net.total_power_w});
  };
  const auto pad_is_finite = [&](const PadCurrent& pad) { return finite({pad.current_a}); };
  if (std::all_of(nets.begin(), nets.end(), net_is_finite) && std::all_of(pads.begin(), pads.end(), pad_is_finite) &&
      finite({power.sources_w, power.loads_w, power.dissipated_w}) &&
      (!certificate.valid || finite({certificate.max_error_v, certificate.rounding_v, certificate.max_residual_a})))
    return;
  throw SolverError(beyond_doubles(circuit));
}

}  // namespace gridiron
