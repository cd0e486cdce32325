// SPDX-License-Identifier: Apache-2.0
#include "analysis/model/double_range.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/model/findings.hpp"
#include "netlist/waves/waveform.hpp"

namespace gridiron {
namespace {

/// The value of an element, of a source over time the largest.
double size_of(const Circuit& circuit, Kind kind, int64_t i) {
  const double value = std::abs(circuit.elements(kind).value[i]);
  const Sources* const sources = kind == kVoltageSource   ? &circuit.voltage_sources
                                 : kind == kCurrentSource ? &circuit.current_sources
                                                          : nullptr;
  if (!sources || sources->waveform.empty() || sources->waveform[i] < 0) return value;
  return std::max(value, std::abs(peak_of(circuit.waveforms[sources->waveform[i]])));
}

}  // namespace

std::string beyond_doubles(const Circuit& circuit) {
  Kind kind = kResistor;
  int64_t element = -1;
  double most = 0, extreme = 0;
  for (const Kind k : {kResistor, kVoltageSource, kCurrentSource})
    for (int64_t i = 0; i < circuit.elements(k).size(); ++i) {
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

}  // namespace gridiron
