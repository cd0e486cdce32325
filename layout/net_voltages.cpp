// SPDX-License-Identifier: Apache-2.0
#include "layout/net_voltages.hpp"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "support/error.hpp"
#include "support/field.hpp"
#include "support/nearest_names.hpp"

namespace gridiron::layout {

NetVoltages::NetVoltages(const Chip& chip, const std::map<std::string, double>& nominal) : chip_(chip) {
  for (const auto& [name, volts] : nominal) {
    const int32_t net = chip.net(name);
    if (net < 0) {
      std::vector<std::string> names;
      for (const SpecialNet& n : chip.nets) names.push_back(n.name);
      throw InputError(fmt::format("{} {}: the layout has no such net; it has {}", field("nominal"), name,
                                   names_near(name, names) + did_you_mean(name, names)));
    }
    if (!std::isfinite(volts)) throw InputError(fmt::format("{} {}: {} is no voltage", field("nominal"), name, volts));
    nominal_[net] = volts;
  }
}

std::optional<double> NetVoltages::nominal(int32_t net) const {
  const auto at = nominal_.find(net);
  return at == nominal_.end() ? std::nullopt : std::optional(at->second);
}

bool NetVoltages::is_ground(int32_t net) const {
  if (chip_.nets[net].use == Use::ground) return true;
  return chip_.nets[net].use != Use::power && nominal(net) == 0.0;
}

std::optional<double> NetVoltages::known(int32_t net) const {
  if (const auto volts = nominal(net)) return volts;
  if (const auto at = of_file_.find(net); at != of_file_.end()) return at->second;
  if (chip_.nets[net].volts != 0) return chip_.nets[net].volts;
  return std::nullopt;
}

double NetVoltages::of_sources(int32_t net) const {
  if (const auto at = of_file_.find(net); at != of_file_.end()) return at->second;
  if (const auto volts = known(net)) return *volts;
  if (is_ground(net)) return 0;
  const SpecialNet& n = chip_.nets[net];
  throw InputError(fmt::format("{}: nothing tells the voltage of net {}; give {} {}=VOLTS, or a file of sources",
                               chip_.describe(n.place), n.name, field("nominal"), n.name));
}

std::vector<int32_t> NetVoltages::power_nets() const {
  std::vector<int32_t> nets;
  for (size_t n = 0; n < chip_.nets.size(); ++n)
    if (chip_.nets[n].use == Use::power) nets.push_back(static_cast<int32_t>(n));
  return nets;
}

std::optional<double> NetVoltages::of_power_if_known(int32_t net) const {
  const auto unless_0 = [](std::optional<double> volts) { return volts == 0.0 ? std::nullopt : volts; };
  if (!is_ground(net)) return unless_0(known(net));
  std::optional<double> chosen;
  bool differ = false;
  for (const auto& [other, volts] : nominal_) {
    if (is_ground(other) || volts == 0) continue;
    differ = differ || (chosen && *chosen != volts);
    chosen = volts;
  }
  if (chosen && !differ) return chosen;
  const std::vector<int32_t> power = power_nets();
  return power.size() == 1 ? unless_0(known(power[0])) : std::nullopt;
}

double NetVoltages::of_power(int32_t net) const {
  if (const auto volts = of_power_if_known(net)) return *volts;
  const std::vector<int32_t> power = is_ground(net) ? power_nets() : std::vector{net};
  if (power.size() == 1) {
    const std::string& name = chip_.nets[power[0]].name;
    throw InputError(
        fmt::format("{} {}: powers are given, but no voltage of this power net by which they become "
                    "currents of net {}; give {}=VOLTS",
                    field("nominal"), name, chip_.nets[net].name, name));
  }
  std::vector<std::string> missing;
  for (const int32_t of : power)
    if (!of_power_if_known(of)) missing.push_back(chip_.nets[of].name);
  throw InputError(
      fmt::format("{}: powers become currents of ground net {} by the voltages of the power nets that instances are "
                  "on, and nothing "
                  "tells those of {}; give {} NET=VOLTS",
                  chip_.describe(chip_.nets[net].place), chip_.nets[net].name,
                  missing.empty() ? "any" : first_names(missing), field("nominal")));
}

}  // namespace gridiron::layout
