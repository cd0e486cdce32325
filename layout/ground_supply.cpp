// SPDX-License-Identifier: Apache-2.0
#include "layout/ground_supply.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include "support/error.hpp"
#include "support/field.hpp"

namespace gridiron::layout {
namespace {

/// f(component) for each that the net connects.
template <class F>
void for_each_connected(const Library& library, const Chip& chip, const SpecialNet& net, F&& f) {
  std::vector<std::string_view> everywhere;
  for (const Connection& c : net.connections) {
    if (c.instance == "*") everywhere.push_back(c.pin);
    if (c.instance == "*" || c.instance == "PIN") continue;
    if (const int32_t component = chip.component(c.instance); component >= 0) f(int64_t{component});
  }
  std::vector<uint8_t> has_pin;  // by macro
  for (const Macro& macro : library.macros)
    has_pin.push_back(std::ranges::any_of(
        macro.pins, [&](const MacroPin& pin) { return std::ranges::find(everywhere, pin.name) != everywhere.end(); }));
  for (int64_t c = 0; c < chip.components.size(); ++c)
    if (has_pin[chip.components.macro[c]]) f(c);
}

struct Supply {
  int32_t net;
  double volts;  ///< NaN: nothing tells
};

/// Of each power net its own, or else `chosen`.
std::vector<Supply> supplies(const NetVoltages& voltages, std::optional<double> chosen) {
  std::vector<Supply> all;
  for (const int32_t net : voltages.power_nets()) {
    const std::optional<double> own = voltages.of_power_if_known(net);
    all.push_back({net, own ? *own : chosen.value_or(NAN)});
  }
  return all;
}

/// By absolute value; a voltage that nothing tells is lower than any.
bool is_lower(double a, double b) { return std::isnan(a) ? !std::isnan(b) : std::abs(a) < std::abs(b); }

/// Of each component the lowest of its power nets, 0 of one on none.
std::vector<double> supplies_of_components(const Library& library, const Chip& chip, const std::vector<Supply>& all) {
  std::vector<double> of_component(static_cast<size_t>(chip.components.size()), 0);
  for (const Supply& supply : all)
    for_each_connected(library, chip, chip.nets[supply.net], [&](int64_t c) {
      if (of_component[c] == 0 || is_lower(supply.volts, of_component[c])) of_component[c] = supply.volts;
    });
  return of_component;
}

}  // namespace

GroundSupply ground_supply(const Library& library, const Chip& chip, const NetVoltages& voltages, int32_t ground,
                           const Powers& powers) {
  const std::optional<double> chosen = voltages.of_power_if_known(ground);
  const std::vector<Supply> all = supplies(voltages, chosen);
  for (const Supply& s : all)
    if (s.volts < 0 && powers.has_watts())
      throw InputError(
          fmt::format("{}: net {} returns the currents of {} at {} V, against the currents of loads; that is not read: "
                      "analyse {} alone",
                      chip.describe(chip.nets[ground].place), chip.nets[ground].name, chip.nets[s.net].name, s.volts,
                      chip.nets[s.net].name));
  const auto differs = [&](const Supply& s) { return s.volts != all.front().volts; };
  if (all.empty()) return {powers.has_watts() ? voltages.of_power(ground) : chosen.value_or(0)};
  if (std::ranges::none_of(all, differs)) return {all.front().volts};

  GroundSupply supply{0, supplies_of_components(library, chip, all)};
  const auto keep_lowest = [&](double volts) {
    if (volts != 0 && !std::isnan(volts) && (supply.volts == 0 || is_lower(volts, supply.volts))) supply.volts = volts;
  };
  for (const double volts : supply.of_component) keep_lowest(volts);
  if (supply.volts == 0)  // no component is on a power net of known voltage
    for (const Supply& s : all) keep_lowest(s.volts);
  const double usual = chosen.value_or(supply.volts != 0 ? supply.volts : 1);
  for (int64_t c = 0; c < chip.components.size(); ++c) {
    double& volts = supply.of_component[c];
    if (std::isnan(volts) && powers.draws_watts(c)) voltages.of_power(ground);  // which tells what is missing
    if (std::isnan(volts) || volts == 0) volts = usual;
  }
  return supply;
}

}  // namespace gridiron::layout
