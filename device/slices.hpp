// SPDX-License-Identifier: Apache-2.0
#pragma once

// How CPU devices traverse rows: sums and products in an order that depends only on the size.

#include <algorithm>
#include <type_traits>

#include "device/device.hpp"

namespace gridiron {

/// Adds up sums formed side by side.
template <class Sum, size_t N>
Sum folded(Sum (&side)[N]) {
  for (size_t half = N / 2; half > 0; half /= 2)
    for (size_t lane = 0; lane < half; ++lane) side[lane] += side[lane + half];
  return side[0];
}

/// Sum of f(i) over [begin, end), as eight sums side by side. With small K, terms are stored first and added in
/// separate loops, which compilers vectorise; with large K they are vectors already.
template <int K, class F>
Sums<K> block_sum(int64_t begin, int64_t end, F&& f) {
  if constexpr (K >= 4) {
    Sums<K> side[8];
    for (int64_t i = begin; i < end; i += 8)
      for (int64_t lane = 0; lane < std::min<int64_t>(8, end - i); ++lane) side[lane] += f(i + lane);
    return folded(side);
  }
  constexpr int64_t kTerms = 128, kSides = 8;
  double term[K][kTerms], side[K][kSides] = {};
  for (; begin < end; begin += kTerms) {
    const int64_t n = std::min(kTerms, end - begin);
#pragma GCC ivdep
    for (int64_t i = 0; i < n; ++i) {
      const Sums<K> s = f(begin + i);
      for (int k = 0; k < K; ++k) term[k][i] = s[k];
    }
    for (int k = 0; k < K; ++k) {
      int64_t i = 0;
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
template <class A, class V>
auto dot(const A& a, int64_t first, const V& x, int64_t n) {
  using Sum = Product<std::remove_cvref_t<decltype(a[0])>, std::remove_cvref_t<decltype(x[0])>>;
  Sum side[16] = {};
  const int64_t whole = n / 16 * 16;
  if constexpr (kColumnsOf<Sum> == 1) {
    for (int64_t j = 0; j < whole; j += 16)
      for (int lane = 0; lane < 16; ++lane) side[lane] += a[first + j + lane] * x[j + lane];
  } else {
    constexpr int kInRegisters = 4;
    for (int group = 0; group < 16; group += kInRegisters) {
      Sum sum[kInRegisters] = {};
      for (int64_t j = group; j < whole; j += 16)
        for (int lane = 0; lane < kInRegisters; ++lane) sum[lane] += a[first + j + lane] * x[j + lane];
      for (int lane = 0; lane < kInRegisters; ++lane) side[group + lane] = sum[lane];
    }
  }
  for (int64_t j = whole; j < n; ++j) side[j - whole] += a[first + j] * x[j];
  return folded(side);
}

/// The largest f(i) over [begin, end), at least 0, of eight side by side. NaN counts as infinite.
template <class F>
auto block_max(int64_t begin, int64_t end, F&& f) {
  constexpr int64_t kSides = 8;
  std::remove_cvref_t<decltype(f(begin))> side[kSides] = {};
  for (; begin + kSides <= end; begin += kSides)
    for (int64_t lane = 0; lane < kSides; ++lane) raise_to(side[lane], f(begin + lane));
  for (; begin < end; ++begin) raise_to(side[0], f(begin));
  for (int64_t lane = 1; lane < kSides; ++lane) raise_to(side[0], side[lane]);
  return side[0];
}

/// The products of the rows of slice s at once, the same sums in the same order as its row_product, side by
/// side. Entries of x that are far apart and not in the nearest caches are prefetched: 1.2 to 1.5 times as fast for the
/// rows of lines (hybrid/line_layout.hpp) of an IBM-style deck of a million nodes.
template <class A, class V, class Sum>
void slice_product(const A& a, int64_t s, const V& x, Sum (&sum)[32]) {
  constexpr int64_t kAhead = 128, kNear = int64_t{1} << 18;
  const int64_t x_bytes = x.size() * static_cast<int64_t>(sizeof(x[0]));
  const int64_t prefetched = a.is_scattered && x_bytes > kNear ? a.stored() - kAhead : 0;
  const int64_t first = 32 * s;
  std::remove_cvref_t<decltype(x[0])> own[32] = {};
  if constexpr (A::of_differences)
    for (int64_t i = first; i < std::min(first + 32, a.rows); ++i) own[i - first] = x[i];
  for (Sum& v : sum) v = Sum{};
  for (int64_t e = int64_t{32} * a.begin[s]; e < int64_t{32} * a.begin[s + 1]; e += 32) {
    if (e + 32 <= prefetched)
      for (int lane = 0; lane < 32; ++lane) __builtin_prefetch(&x[a.at(e + kAhead + lane).col]);
#pragma GCC ivdep
    for (int lane = 0; lane < 32; ++lane) {
      const auto entry = a.at(e + lane);
      sum[lane] += entry.value * a.factor(x[entry.col], own[lane]);
    }
  }
  if (!a.has_tails() || a.tail[s] < 0) return;
  for (int lane = 0; lane < 32; ++lane) a.add_tail(a.tail[s] + lane, 0, 1, x, own[lane], sum[lane]);
}

/// f(i, product of row i) for the rows of slice s. Packs are processed row by row, so that the sum stays in registers;
/// each access may miss the cache, so the packs of the next slice are prefetched.
template <class A, class V, class F>
void for_each_in_slice(const A& a, int64_t s, const V& x, F&& f) {
  const int64_t first = 32 * s;
  if constexpr (kColumnsOf < std::remove_cvref_t < decltype(x[0]) >>> 1) {
    if (s + 1 < a.slices())
      for (int64_t e = int64_t{32} * a.begin[s + 1]; e < int64_t{32} * a.begin[s + 2]; ++e)
        __builtin_prefetch(&x[a.at(e).col]);
    for (int64_t i = first; i < std::min(first + 32, a.rows); ++i) f(i, a.row_product(i, x));
  } else {
    Product<typename A::Value, std::remove_cvref_t<decltype(x[0])>> product[32];
    slice_product(a, s, x, product);
    if (first + 32 <= a.rows) {
#pragma GCC ivdep
      for (int lane = 0; lane < 32; ++lane) f(first + lane, product[lane]);
    } else {
      for (int lane = 0; first + lane < a.rows; ++lane) f(first + lane, product[lane]);
    }
  }
}

/// Sum of f(i, product of row i) over rows [begin, end), in the order of block_sum; `begin` is a multiple of 32, and so
/// is `end` unless it is the number of rows.
template <int K, class A, class V, class F>
Sums<K> block_product_sum(const A& a, const V& x, int64_t begin, int64_t end, F&& f) {
  Sums<K> side[8];
  for (int64_t s = begin / 32; 32 * s < end; ++s)
    for_each_in_slice(a, s, x, [&](int64_t i, const auto& product) { side[i % 8] += f(i, product); });
  return folded(side);
}

}  // namespace gridiron
