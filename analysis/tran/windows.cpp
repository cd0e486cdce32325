// SPDX-License-Identifier: Apache-2.0
#include "analysis/tran/windows.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/tran/time_steps.hpp"

namespace gridiron {

WindowResult worst_in_window(const TranReport& report, int32_t net, double begin, double end) {
  const auto& times = report.row_time_s;
  const double nearly = kOneTime * report.step_s;
  const auto after = std::ranges::upper_bound(times, begin + nearly) - times.begin(),
             past = std::ranges::lower_bound(times, end - nearly) - times.begin();
  const ptrdiff_t first = std::max<ptrdiff_t>(after - 1, 0), last = std::min(past, std::ssize(times) - 1);
  const NetOverTime& of = report.nets[net];
  WindowResult worst{begin, end, net, of.drop_v[first], times[first], of.node[first]};
  for (ptrdiff_t row = first + 1; row <= last; ++row)
    if (of.worst_drop_v[row] > worst.worst_drop_v) {
      worst.worst_drop_v = of.worst_drop_v[row];
      worst.time_s = times[row];
      worst.worst_node = of.worst_node[row];
    }
  worst.time_s = std::clamp(worst.time_s, begin, end);
  return worst;
}

std::vector<WindowResult> windows_of(const TranReport& report, double window_s) {
  std::vector<WindowResult> windows;
  if (!(window_s > 0)) return windows;
  constexpr double kNearly = 1e-9;  ///< of a window
  const double start = report.start_s, stop = report.stop_s;
  const auto count = std::max<int64_t>(1, std::llround(std::ceil((stop - start) / window_s - kNearly)));
  for (int64_t w = 0; w < count; ++w) {
    const double begin = start + w * window_s, end = std::min(stop, start + (w + 1) * window_s);
    for (int32_t net = 0; net < std::ssize(report.nets); ++net)
      windows.push_back(worst_in_window(report, net, begin, end));
  }
  return windows;
}

}  // namespace gridiron
