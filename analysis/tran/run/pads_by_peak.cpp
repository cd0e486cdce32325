// SPDX-License-Identifier: Apache-2.0
#include "analysis/tran/run/pads_by_peak.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace gridiron {

void report_pads(const PadsOverTime& measured, std::span<const PadCurrent> at_rest, TranReport& report) {
  report.charge = measured.charge();
  const std::vector<PadOverTime> all_pads = measured.take_pads();
  const auto order_by = [&](auto current) {
    std::vector<size_t> order;
    for (size_t k = 0; k < all_pads.size(); ++k)
      if (at_rest[k].net >= 0) order.push_back(k);
    std::ranges::stable_sort(order, [&](size_t a, size_t b) { return std::abs(current(a)) > std::abs(current(b)); });
    return order;
  };
  const std::vector<size_t> by_rest = order_by([&](size_t k) { return at_rest[k].current_a; }),
                            by_peak = order_by([&](size_t k) { return all_pads[k].peak_a; });
  std::vector<PadResult*> named(all_pads.size());
  for (size_t place = 0; place < by_rest.size(); ++place) named[by_rest[place]] = &report.worst.pads[place];
  std::vector<double> of_net(report.worst.nets.size(), 0.0);
  for (const size_t k : by_rest) of_net[named[k]->net] += named[k]->current_a = all_pads[k].peak_a;
  std::vector<PadResult> pads;
  std::vector<PadOverTime> over_time;
  for (const size_t k : by_peak) {
    pads.push_back(std::move(*named[k]));
    const double all = of_net[pads.back().net];
    pads.back().share = all != 0 ? pads.back().current_a / all : 0.0;
    over_time.push_back(all_pads[k]);
  }
  report.worst.pads = std::move(pads);
  report.pads = std::move(over_time);
}

}  // namespace gridiron
