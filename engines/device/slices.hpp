// SPDX-License-Identifier: Apache-2.0
#pragma once

// How devices that are CPUs go over rows: sums and products in an order that depends on nothing but the size.

#include <algorithm>
#include <type_traits>

#include "engines/device/device.hpp"

namespace gridiron {

/// Sum of f(i) over [begin, end), as eight sums side by side. Terms are kept before they are added, in loops of their
/// own that a compiler vectorises.
template <int K, class F>
Sums<K> block_sum(std::int64_t begin, std::int64_t end, F&& f) {
  constexpr std::int64_t kTerms = 128, kSides = 8;
  double term[K][kTerms], side[K][kSides] = {};
  for (; begin < end; begin += kTerms) {
    const std::int64_t n = std::min(kTerms, end - begin);
#pragma GCC ivdep
    for (std::int64_t i = 0; i < n; ++i) {
      const Sums<K> s = f(begin + i);
      for (int k = 0; k < K; ++k) term[k][i] = s[k];
    }
    for (int k = 0; k < K; ++k) {
      std::int64_t i = 0;
      for (; i + kSides <= n; i += kSides)
        for (int lane = 0; lane < kSides; ++lane) side[k][lane] += term[k][i + lane];
      for (int lane = 0; i < n; ++i, ++lane) side[k][lane] += term[k][i];
    }
  }
  Sums<K> sum;
  for (int k = 0; k < K; ++k) {
    for (int half = kSides / 2; half > 0; half /= 2)
      for (int lane = 0; lane < half; ++lane) side[k][lane] += side[k][lane + half];
    sum[k] = side[k][0];
  }
  return sum;
}

/// Σ_j a_j x_j over [0, n), as sixteen sums side by side.
template <class T, class V>
T dot(const V& a, std::int64_t first, const V& x, std::int64_t n) {
  T side[16] = {};
  std::int64_t j = 0;
  for (; j + 16 <= n; j += 16)
    for (int lane = 0; lane < 16; ++lane) side[lane] += a[first + j + lane] * x[j + lane];
  for (int lane = 0; j < n; ++j, ++lane) side[lane] += a[first + j] * x[j];
  for (int half = 8; half > 0; half /= 2)
    for (int lane = 0; lane < half; ++lane) side[lane] += side[lane + half];
  return side[0];
}

/// The products of the rows of slice s at once, the same sums in the same order as its row_product, side by
/// side.
template <class A, class V, class Sum>
void slice_product(const A& a, std::int64_t s, const V& x, Sum (&sum)[32]) {
  for (Sum& v : sum) v = 0;
  for (std::int64_t e = std::int64_t{32} * a.begin[s]; e < std::int64_t{32} * a.begin[s + 1]; e += 32) {
#pragma GCC ivdep
    for (int lane = 0; lane < 32; ++lane) sum[lane] += a.value[e + lane] * x[a.col[e + lane]];
  }
  if (a.tail[s] < 0) return;
  for (int lane = 0; lane < 32; ++lane)
    for (std::int64_t e = a.tail_begin[a.tail[s] + lane]; e < a.tail_begin[a.tail[s] + lane + 1]; ++e)
      sum[lane] += a.value[e] * x[a.col[e]];
}

/// Sum of f(i, product of row i) over rows [begin, end), in the order of block_sum; `begin` is a multiple of 32.
template <int K, class A, class V, class F>
Sums<K> block_product_sum(const A& a, const V& x, std::int64_t begin, std::int64_t end, F&& f) {
  Sums<K> side[8];
  for (std::int64_t s = begin / 32; 32 * s < end; ++s) {
    std::common_type_t<typename A::Value, std::remove_cvref_t<decltype(x[0])>> product[32];
    slice_product(a, s, x, product);
    const int lanes = static_cast<int>(std::min<std::int64_t>(32, end - 32 * s));
    for (int lane = 0; lane < lanes; ++lane) side[lane % 8] += f(32 * s + lane, product[lane]);
  }
  for (int half = 4; half > 0; half /= 2)
    for (int lane = 0; lane < half; ++lane) side[lane] += side[lane + half];
  return side[0];
}

}  // namespace gridiron
