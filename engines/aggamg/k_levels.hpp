// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <utility>
#include <variant>

#include "device/pack.hpp"
#include "engines/problem.hpp"

// On how many levels an adaptive cycle is a K-cycle.

namespace gridiron::aggamg {

/// Tells from the norms of residuals, one call per iteration, where convergence is slow. A norm that comes twice counts
/// once: the second time it stands for one that is not known yet.
template <int K>
class SlowProgress {
 public:
  /// Whether the residual of some column has kept more than kSlow of its norm per iteration in the last kWatched. They
  /// begin anew where it grows: by a first step, which often makes it larger, or as another column takes the place.
  bool seen(const Columns<double, K>& norms) {
    bool is_slow = false;
    for (int c = 0; c < K; ++c) {
      Column& of = columns_[c];
      const double norm = column(norms, c);
      if (norm == of.last) continue;
      const double kept = norm / std::exchange(of.last, norm);
      if (!(kept < 1)) {
        of = {norm};
        continue;
      }
      of.kept *= kept;
      if (++of.watched < kWatched) continue;
      is_slow = is_slow || of.kept > std::pow(kSlow, kWatched);
      of = {norm};
    }
    return is_slow;
  }

 private:
  static constexpr int kWatched = 4;
  static constexpr double kSlow = 0.6;

  struct Column {
    double last = 0, kept = 1;
    int watched = 0;
  };
  Column columns_[K];
};

/// How many K-levels an adaptive cycle begins with: fewer for power grids, whose pads are all over and leave coarse
/// grids little to do, and more for large problems, whose third grid is large, too.
inline int first_k_levels(const Problem& problem) {
  constexpr int64_t kLarge = 3'000'000;
  const int few = std::holds_alternative<PowerGrid>(problem.structure) ? 1 : 2;
  return problem.matrix.rows < kLarge ? few : few + 1;
}

}  // namespace gridiron::aggamg
