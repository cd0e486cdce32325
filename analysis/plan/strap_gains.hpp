// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "analysis/plan/adjoints.hpp"
#include "analysis/plan/new_straps.hpp"
#include "analysis/plan/plan_grid.hpp"
#include "analysis/plan/watched.hpp"

namespace gridiron {

/// What a new strap does for watched quantities, before it is there: its wires and vias as a ladder between the nodes
/// nearest to its joints, each held at its potential behind the least resistance that adjoints allow it.
class StrapGains {
 public:
  StrapGains(const Trial& trial, std::span<const Watched> watched, std::span<const Adjoint> adjoints,
             std::span<const StrapPlace> places);

  /// By how much quantity k falls with a strap at place p.
  double gain(size_t p, size_t k) const { return gain_[p * watched_.size() + k]; }

  /// Places that lower what exceeds its limit most for their cost, best first, each counted beside those before it,
  /// until nothing would exceed a limit if straps did `yield` times what is expected of them. `fits`: whether a place
  /// may be chosen beside some.
  std::vector<int32_t> choose(double yield, const std::vector<double>& cost,
                              const std::function<bool(const std::vector<int32_t>&, int32_t)>& fits) const;

  /// The largest excess that is expected beside these straps.
  double excess(std::span<const int32_t> places) const;

 private:
  std::vector<Watched> watched_;
  size_t places_ = 0;
  std::vector<double> gain_;  ///< per place and quantity
};

}  // namespace gridiron
