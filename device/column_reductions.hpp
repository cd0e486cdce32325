// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "device/device.hpp"

namespace gridiron {

/// How the terms of a column are put together, from 0 on.
struct Largest {
  GRIDIRON_HOST_DEVICE static void take(double& so_far, double term) { raise_to(so_far, term); }
};
struct Total {
  GRIDIRON_HOST_DEVICE static void take(double& so_far, double term) { so_far += term; }
};

/// Parts of a column that are reduced one by one: scratch of columns · chunks numbers.
inline int64_t reduction_chunks(int64_t rows) { return std::clamp<int64_t>(rows / 8192, 1, 64); }

/// then(j, Σ_i term(i, j)), or the largest one, for each column j < k of a block, whose number is not known when the
/// code is compiled (D::sum_of_columns serves that case), and without a result on the host. The order of the sums is
/// fixed by `rows` and the size of `partial`.
template <class D, class Reduction, class Term, class Then>
void reduce_columns(int64_t rows, int64_t k, View<D, double> partial, Term term, Then then) {
  constexpr int64_t kLanes = 256, kGroups = 16, kAtOnce = 4;
  if (k <= 0) return;
  const int64_t chunks = partial.size() / k, length = (rows + chunks - 1) / chunks;
  D::for_each_tile(
      chunks * k, kLanes, (kLanes + kGroups) * sizeof(double), GRIDIRON_KERNEL(typename D::Tile & tile) {
        const int64_t j = tile.index() / chunks, first = tile.index() % chunks * length;
        const int64_t last = first + length < rows ? first + length : rows;
        const View<D, double> of_lane = tile.template shared<double>(kLanes);
        const View<D, double> of_group = tile.template shared<double>(kGroups);
        tile.each(kLanes, [&](int64_t lane) {
          double value[kAtOnce] = {};
          int64_t i = first + lane;
          for (; i + (kAtOnce - 1) * kLanes < last; i += kAtOnce * kLanes)
            for (int u = 0; u < kAtOnce; ++u) Reduction::take(value[u], term(i + u * kLanes, j));
          for (; i < last; i += kLanes) Reduction::take(value[0], term(i, j));
          for (int u = 1; u < kAtOnce; ++u) Reduction::take(value[0], value[u]);
          of_lane[lane] = value[0];
        });
        tile.each(kGroups, [&](int64_t group) {
          double value = 0;
          for (int64_t lane = group; lane < kLanes; lane += kGroups) Reduction::take(value, of_lane[lane]);
          of_group[group] = value;
        });
        tile.each(1, [&](int64_t) {
          double value = 0;
          for (int64_t group = 0; group < kGroups; ++group) Reduction::take(value, of_group[group]);
          partial[tile.index()] = value;
        });
      });
  D::for_each(
      k, GRIDIRON_KERNEL(int64_t j) {
        double value = 0;
        for (int64_t c = 0; c < chunks; ++c) Reduction::take(value, partial[j * chunks + c]);
        then(j, value);
      });
}

}  // namespace gridiron
