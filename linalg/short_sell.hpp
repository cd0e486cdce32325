// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <utility>

#include "linalg/bfloat.hpp"
#include "linalg/sell.hpp"

namespace gridiron {

/// What kernels see of a ShortSell: a matrix for products, like SellView.
template <class D>
struct ShortSellView {
  using Value = float;
  static constexpr bool of_differences = true;
  static constexpr bool is_scattered = false;

  int64_t rows = 0;
  View<D, const int32_t> begin, base;
  View<D, const uint32_t> word;
  View<D, const int32_t> tail;        ///< empty
  View<D, const int64_t> tail_begin;  ///< empty

  GRIDIRON_HOST_DEVICE int64_t slices() const { return begin.size() - 1; }
  GRIDIRON_HOST_DEVICE int64_t stored() const { return word.size(); }
  GRIDIRON_HOST_DEVICE bool has_tails() const { return false; }
  template <class X, class Sum>
  GRIDIRON_HOST_DEVICE void add_tail(int64_t, int64_t, int64_t, const View<D, const X>&, const X&, Sum&) const {}
  GRIDIRON_HOST_DEVICE SellEntry<float> at(int64_t e) const { return entry(word[e], base[e / 32]); }
  template <class X>
  GRIDIRON_HOST_DEVICE static X factor(const X& other, const X& own) {
    return other - own;
  }

  /// Σ_j a_ij (x_j − x_i); the loads of kAtOnce entries overlap.
  template <class X>
  GRIDIRON_HOST_DEVICE auto row_product(int64_t i, const View<D, const X>& x) const {
    constexpr int kAtOnce = kColumnsOf<X> == 1 ? 6 : 2;
    const int64_t slice = i / 32, lane = i % 32, end = begin[slice + 1];
    const X own = x[i];
    Product<float, X> sum{};
    int64_t k = begin[slice];
    for (; k + kAtOnce <= end; k += kAtOnce) {
      SellEntry<float> entries[kAtOnce];
      X at[kAtOnce];
      for (int q = 0; q < kAtOnce; ++q) entries[q] = entry(word[32 * (k + q) + lane], base[k + q]);
      for (int q = 0; q < kAtOnce; ++q) at[q] = x[entries[q].col];
      for (int q = 0; q < kAtOnce; ++q) sum += entries[q].value * factor(at[q], own);
    }
    SellEntry<float> entries[kAtOnce - 1];
    X at[kAtOnce - 1];
    for (int q = 0; q + 1 < kAtOnce; ++q) {
      entries[q] = {};
      if (k + q < end) entries[q] = entry(word[32 * (k + q) + lane], base[k + q]);
    }
    for (int q = 0; q + 1 < kAtOnce; ++q) at[q] = k + q < end ? x[entries[q].col] : own;
    for (int q = 0; q + 1 < kAtOnce; ++q) sum += entries[q].value * factor(at[q], own);
    return sum;
  }

 private:
  static GRIDIRON_HOST_DEVICE SellEntry<float> entry(uint32_t word, int32_t base) {
    return {base + static_cast<int32_t>(word & 0xffff), high_of(word)};
  }
};

/// The off-diagonal entries of a sliced matrix in half the space, for smoothers: each is a word, whose upper half is
/// the value in bf16 and whose lower half the distance of its column from the least one among the 32 words that lie
/// side by side. An entry too far from that waits for the next 32, with a word of zero in its place. Products are of
/// differences: with rounded couplings and row sums of their own the matrix of a grid stays within some 0.4 % of what
/// it was in its energy norm, however small the row sums are. For GPUs: on a CPU decoding costs more than it saves.
///
/// On an H200, a sweep over 9.6 million rows of 4 entries takes 92 us instead of the 112 of a SellView, over 13.8
/// million rows of 6 161 instead of 205, over 2.6 million rows of 14 57 instead of 82. With values as floats beside
/// 16 bits for columns they would be 102, 198 and 74.
template <class D>
class ShortSell {
 public:
  ShortSell() = default;
  /// Is empty if the matrix has tails or too many distant columns. Values come by fill().
  explicit ShortSell(const SellPatternView<D>& a) {
    if (a.rows > 0 && !a.has_tails()) lay_out(a);
  }

  bool is_empty() const { return word_.empty(); }
  int64_t stored() const { return word_.size(); }
  int64_t bytes() const { return bytes_of(begin_, base_, word_); }
  ShortSellView<D> view() const { return {rows_, begin_.view(), base_.view(), word_.view(), {}, {}}; }

  // Public, as nvcc takes no kernels from private functions.

  void lay_out(const SellPatternView<D>& a) {
    const int64_t slices = a.slices();
    Array<D, int32_t> width_array(slices), begin_array(slices + 1);
    const auto width = width_array.view();
    D::for_each_tile(
        slices, 32, kScratch, GRIDIRON_KERNEL(typename D::Tile & tile) {
          const int32_t count = visit_bases(tile, a, [](int32_t, int32_t) {});
          tile.each(1, [&](int64_t) { width[tile.index()] = count; });
        });
    const int32_t total = D::exclusive_scan(width, begin_array.view());
    if (total == 0 || total > kMostLonger * (a.col.size() / 32)) return;
    rows_ = a.rows;
    begin_ = std::move(begin_array);
    base_ = Array<D, int32_t>(total);
    word_ = Array<D, uint32_t>(int64_t{32} * total);
    const View<D, const int32_t> begin = begin_.view();
    const auto base = base_.view();
    D::for_each_tile(
        slices, 32, kScratch, GRIDIRON_KERNEL(typename D::Tile & tile) {
          const int32_t first = begin[tile.index()];
          visit_bases(tile, a, [&](int32_t k, int32_t least) { base[first + k] = least; });
        });
  }

  /// The values weight_i · a_ij, from the matrix it was made for.
  template <class T>
  void fill(const SellView<D, T>& a, View<D, const T> weight) {
    if (is_empty()) return;
    const View<D, const int32_t> begin = begin_.view(), base = base_.view();
    const auto word = word_.view();
    D::for_each(
        32 * a.slices(), GRIDIRON_KERNEL(int64_t i) {
          const int64_t s = i / 32;
          int32_t next = 0;
          for (int64_t k = begin[s]; k < begin[s + 1]; ++k) {
            const int64_t e = entry_from(a, i, next);
            uint32_t mine = 0;
            if (e >= 0 && a.col[e] - base[k] < kReach) {
              const uint32_t value = rounded(static_cast<float>(weight[i] * a.value[e]));
              mine = value | static_cast<uint32_t>(a.col[e] - base[k]);
              ++next;
            }
            word[32 * k + i % 32] = mine;
          }
        });
  }

  /// A value in bf16, in the upper half of a word: the nearest one, or nearly so. Halfway between two lie numbers of
  /// nine bits, as conductances may be, which come with different last bits from either side of a coupling; so the
  /// border is elsewhere, and both sides get the same value.
  static GRIDIRON_HOST_DEVICE uint32_t rounded(float value) {
    constexpr uint32_t kNearlyHalf = 0x7a37;
    return (std::bit_cast<uint32_t>(value) + kNearlyHalf) & 0xffff0000u;
  }

 private:
  static constexpr int32_t kReach = 1 << 16;
  /// Than the matrix; where a copy was 1.24 times as long, sweeps gained nothing.
  static constexpr double kMostLonger = 1.15;
  static constexpr int32_t kNone = std::numeric_limits<int32_t>::max();
  static constexpr size_t kScratch = 3 * 32 * sizeof(int32_t) + 3 * 64;

  /// The first entry of row i from number `next` on, which skips padding; −1: none.
  static GRIDIRON_HOST_DEVICE int64_t entry_from(const SellPatternView<D>& a, int64_t i, int32_t& next) {
    for (; i < a.rows && next < a.width(i); ++next)
      if (const int64_t e = 32 * (a.begin[i / 32] + int64_t{next}) + i % 32; a.col[e] != i) return e;
    return -1;
  }

  /// found(k, least column) in one cell for the k-th 32 words of the slice of a tile: the least among the next entries
  /// of its rows, of which those within reach are taken. Returns how many.
  template <class Found>
  static GRIDIRON_HOST_DEVICE int32_t visit_bases(typename D::Tile& tile, const SellPatternView<D>& a, Found found) {
    const View<D, int32_t> next = tile.template shared<int32_t>(32), column = tile.template shared<int32_t>(32),
                           least = tile.template shared<int32_t>(32);
    const int64_t first = 32 * tile.index();
    tile.each(32, [&](int64_t lane) { next[lane] = 0; });
    for (int32_t k = 0;; ++k) {
      tile.each(32, [&](int64_t lane) {
        int32_t number = next[lane];
        const int64_t e = entry_from(a, first + lane, number);
        next[lane] = number;
        column[lane] = least[lane] = e >= 0 ? a.col[e] : kNone;
      });
      for (int half = 16; half > 0; half /= 2)
        tile.each(half, [&](int64_t lane) {
          if (least[lane + half] < least[lane]) least[lane] = least[lane + half];
        });
      const int32_t base = least[0];
      if (base == kNone) return k;
      tile.each(32, [&](int64_t lane) {
        if (lane == 0) found(k, base);
        if (column[lane] != kNone && column[lane] - base < kReach) ++next[lane];
      });
    }
  }

  int64_t rows_ = 0;
  Array<D, int32_t> begin_;  ///< slices + 1: as in SellPattern
  Array<D, int32_t> base_;   ///< per 32 words: the column of distance zero
  Array<D, uint32_t> word_;
};

}  // namespace gridiron
