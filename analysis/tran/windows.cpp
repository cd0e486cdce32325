// SPDX-License-Identifier: Apache-2.0
#include "analysis/tran/windows.hpp"

#include <algorithm>
#include <cmath>

namespace gridiron {

std::vector<WindowResult> windows_of(const TranReport& report, double window_s) {
  std::vector<WindowResult> windows;
  if (!(window_s > 0)) return windows;
  constexpr double kNearly = 1e-9;  ///< of a window
  const double start = report.start_s, stop = report.stop_s;
  const auto last_before = [&](double t) {
    return static_cast<std::int64_t>(std::ceil((t - start) / window_s - kNearly));
  };
  const std::int64_t count = std::max<std::int64_t>(1, last_before(stop));
  for (std::int64_t w = 0; w < count; ++w)
    for (std::size_t k = 0; k < report.nets.size(); ++k)
      windows.push_back({start + static_cast<double>(w) * window_s,
                         std::min(stop, start + static_cast<double>(w + 1) * window_s), static_cast<std::int32_t>(k),
                         -HUGE_VAL, 0, kGround});
  for (std::size_t row = 0; row < report.row_time_s.size(); ++row) {
    const double t = report.row_time_s[row];
    const std::int64_t w = std::clamp<std::int64_t>(last_before(t) - 1, 0, count - 1);
    for (std::size_t k = 0; k < report.nets.size(); ++k) {
      WindowResult& window = windows[static_cast<std::size_t>(w) * report.nets.size() + k];
      if (report.nets[k].worst_drop_v[row] <= window.worst_drop_v) continue;
      window.worst_drop_v = report.nets[k].worst_drop_v[row];
      window.time_s = t;
      window.worst_node = report.nets[k].worst_node[row];
    }
  }
  for (WindowResult& window : windows)
    if (window.worst_node == kGround) window.worst_drop_v = 0;
  return windows;
}

}  // namespace gridiron
