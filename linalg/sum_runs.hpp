// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "device/device.hpp"

namespace gridiron {

/// The sum of elements of one key that lie side by side, or none (key −1).
template <class V>
struct KeyedSum {
  int32_t key = -1;
  V sum{};
};

template <class D, class V>
struct StoredSums {
  View<D, const KeyedSum<V>> run;
  GRIDIRON_HOST_DEVICE KeyedSum<V> operator()(int64_t p) const { return run[p]; }
};

/// Adds element p of n to sum[key], where element(p) is a KeyedSum and the runs of a key lie side by side. By pieces:
/// the one in which the elements of a key begin adds its share of them, and what the next ones begin with are the
/// elements of another round. The order of additions depends on the keys alone.
template <class D, class V, class F>
void add_runs(int64_t n, F element, View<D, V> sum) {
  constexpr int64_t kPiece = 32;
  if (n == 0) return;
  const int64_t pieces = (n + kPiece - 1) / kPiece;
  Array<D, KeyedSum<V>> begun_array(pieces);
  const auto begun = begun_array.view();
  D::for_each(
      pieces, GRIDIRON_KERNEL(int64_t piece) {
        const int64_t first = piece * kPiece, end = first + kPiece < n ? first + kPiece : n;
        const int32_t before = first > 0 ? element(first - 1).key : -1;
        KeyedSum<V> head, run;
        const auto finish = [&] {
          if (run.key < 0) return;
          if (run.key == before)
            head = run;
          else
            sum[run.key] += run.sum;
        };
        for (int64_t p = first; p < end; ++p) {
          const KeyedSum<V> next = element(p);
          if (next.key == run.key) {
            run.sum += next.sum;
            continue;
          }
          finish();
          run = next;
        }
        finish();
        begun[piece] = head;
      });
  if (pieces > 1) add_runs<D, V>(pieces, StoredSums<D, V>{begun_array.view()}, sum);
}

}  // namespace gridiron
