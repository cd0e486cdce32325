// SPDX-License-Identifier: Apache-2.0
#include "analysis/results/supplies.hpp"

#include <algorithm>
#include <cmath>

namespace gridiron {
namespace {

/// The lowest of some voltages above 0; 0 as long as there is none.
class Lowest {
 public:
  void add(double volts) {
    if (volts > 0 && (volts_ == 0 || volts < volts_)) volts_ = volts;
  }
  double or_else(double other) const { return volts_ > 0 ? volts_ : other; }

 private:
  double volts_ = 0;
};

/// What the layout tells; 0 if there is none, or nothing told.
double told_supply(const Placement* placement, const std::string& net) {
  if (!placement) return 0;
  const auto found = std::ranges::find(placement->nets, net, &Placement::Net::name);
  return found == placement->nets.end() ? 0 : std::abs(found->supply_v);
}

}  // namespace

std::set<LoadedNets> loaded_nets(std::span<const InstancePins> pins, const NodeTable& nodes) {
  std::set<LoadedNets> loaded;
  LoadedNets last{-1, -1, false};  // neighbours are mostly on the same nets
  for (const InstancePins& pin : pins)
    if (const LoadedNets here{nodes.net[pin.power], nodes.net[pin.ground], pin.is_one_ended()}; here != last)
      loaded.insert(last = here);
  return loaded;
}

void find_supplies(const std::map<std::string, double>& nominal_v, const std::set<LoadedNets>& loaded,
                   const Placement* placement, std::vector<NetResult>& nets) {
  Lowest given, of_any, of_loads;
  for (const auto& [name, volts] : nominal_v) given.add(std::abs(volts));
  for (NetResult& net : nets) of_any.add(net.supply_v = std::abs(net.nominal_v));
  std::vector<Lowest> of_ground(nets.size());
  for (const auto& [a, b, is_one_ended] : loaded) {
    if (a >= 0 && is_one_ended) of_loads.add(nets[a].supply_v);
    if (a < 0 || b < 0 || nets[a].is_ground == nets[b].is_ground) continue;
    const auto [ground, power] = nets[a].is_ground ? std::pair(a, b) : std::pair(b, a);
    of_ground[ground].add(nets[power].supply_v);
  }
  for (size_t k = 0; k < nets.size(); ++k) {
    if (!nets[k].is_ground) continue;
    nets[k].supply_v = of_ground[k].or_else(of_loads.or_else(of_any.or_else(given.or_else(0))));
    if (const double told = told_supply(placement, nets[k].name); told > 0) nets[k].supply_v = told;
  }
}

}  // namespace gridiron
