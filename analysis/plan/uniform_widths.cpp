// SPDX-License-Identifier: Apache-2.0
#include "analysis/plan/uniform_widths.hpp"

#include <algorithm>
#include <vector>

#include "analysis/plan/snap.hpp"

namespace gridiron {

Setting uniform_widths(const PlanGrid& grid, double factor) {
  Setting setting = grid.today();
  for (size_t s = 0; s < setting.factor.size(); ++s) setting.factor[s] = std::min(grid.straps()[s].most, factor);
  return has_widths(grid.means()) ? rounded_up(grid, std::move(setting)) : setting;
}

Setting rounded_up(const PlanGrid& grid, Setting setting) {
  constexpr double kRounding = 1e-9;
  for (size_t s = 0; s < setting.factor.size(); ++s) {
    const std::vector<double> widths = widths_on_grid(grid.straps()[s], grid.means());
    const auto at = std::ranges::lower_bound(widths, setting.factor[s] * (1 - kRounding));
    setting.factor[s] = at == widths.end() ? widths.back() : *at;
  }
  return setting;
}

std::optional<double> find_uniform_factor(PlanGrid& grid, const Trial& today,
                                          const std::function<void(const Trial&)>& kept) {
  constexpr int kMostTrials = 12;
  constexpr double kNarrow = 1e-3, kInside = 0.02;
  double most = 1;
  for (const Strap& strap : grid.straps()) most = std::max(most, strap.most);
  if (most == 1) return {};
  double low = 1, high = most, excess_low = today.excess(), excess_high = 0;
  for (int k = 0; k < kMostTrials && (k == 0 || high > low * (1 + kNarrow)); ++k) {
    const double share = std::clamp(excess_low / (excess_low - excess_high), kInside, 1 - kInside);
    const double factor = k == 0 ? most : 1 / (1 / low + (k % 3 == 2 ? 0.5 : share) * (1 / high - 1 / low));
    const Trial trial = grid.try_out(uniform_widths(grid, factor));
    const double excess = trial.excess();
    if (trial.is_kept()) {
      high = factor, excess_high = std::min(0.0, excess);
      kept(trial);
    } else if (k == 0) {
      return {};
    } else {
      low = factor, excess_low = excess;
    }
  }
  return high;
}

}  // namespace gridiron
