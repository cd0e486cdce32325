// SPDX-License-Identifier: Apache-2.0
#include "analysis/tran/run/pads_by_peak.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

namespace gridiron {

void report_pads(const PadsOverTime& measured, std::span<const PadCurrent> at_rest, TranReport& report) {
  report.charge = measured.charge();
  report.pads = measured.take_pads();
  const auto order_by = [&](auto current) {
    std::vector<size_t> order(report.pads.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::ranges::stable_sort(order, [&](size_t a, size_t b) { return std::abs(current(a)) > std::abs(current(b)); });
    return order;
  };
  const std::vector<size_t> by_rest = order_by([&](size_t k) { return at_rest[k].current_a; }),
                            by_peak = order_by([&](size_t k) { return report.pads[k].peak_a; });
  std::vector<PadResult*> named(by_rest.size());
  for (size_t place = 0; place < by_rest.size(); ++place) named[by_rest[place]] = &report.worst.pads[place];
  std::vector<double> of_net(report.worst.nets.size(), 0.0);
  for (size_t k = 0; k < named.size(); ++k) of_net[named[k]->net] += named[k]->current_a = report.pads[k].peak_a;
  std::vector<PadResult> pads;
  std::vector<PadOverTime> over_time;
  for (const size_t k : by_peak) {
    pads.push_back(std::move(*named[k]));
    const double all = of_net[pads.back().net];
    pads.back().share = all != 0 ? pads.back().current_a / all : 0.0;
    over_time.push_back(report.pads[k]);
  }
  report.worst.pads = std::move(pads);
  report.pads = std::move(over_time);
}

}  // namespace gridiron
