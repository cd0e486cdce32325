// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "device/device.hpp"

namespace gridiron {

/// Gauss-Jordan elimination without pivoting, in fp64: stable for symmetric positive definite matrices and for
/// M-matrices, scaled by rows or not. A singular matrix leaves infinities, NaN or zeros in the place of an inverse:
/// compare A⁻¹ A x with x.
namespace gauss_jordan {

/// What a tile needs to invert a block of up to B rows: the block, column after column of pitch B, room for another,
/// and the inverses of two pairs of pivots.
template <class D, int B>
struct Scratch {
  View<D, double> block, other, inverse;

  static constexpr int64_t kInverse = 8;
  static constexpr size_t kBytes = (2 * B * B + kInverse) * sizeof(double) + 3 * 64;
  explicit GRIDIRON_HOST_DEVICE Scratch(typename D::Tile& tile)
      : block(tile.template shared<double>(B * B)),
        other(tile.template shared<double>(B * B)),
        inverse(tile.template shared<double>(kInverse)) {}
  /// In the place of two arrays that are free: one of B * B + kInverse entries at least, one of B * B.
  GRIDIRON_HOST_DEVICE Scratch(const View<D, double>& free, const View<D, double>& other_free)
      : block(free.data(), B * B), other(other_free.data(), B * B), inverse(free.data() + B * B, kInverse) {}
};

/// A step of invert_block(): pivots p and p + 1 of the leading size × size part, from one block to another.
template <class D, int B, class See>
struct PivotPair {
  static constexpr int kAtOnce = 4;  ///< columns of a cell

  int p, size;
  View<D, double> from, to, inverse, next_inverse;  ///< inverse: of the pair
  See see;

  /// Behind the last of an odd number of pivots lies the identity.
  GRIDIRON_HOST_DEVICE double entry(int i, int j) const {
    return i < size && j < size ? from[j * B + i] : i == j ? 1.0 : 0.0;
  }

  /// Takes [a b; c d], the pair that begins with pivot `first`, into its inverse.
  GRIDIRON_HOST_DEVICE void take(int first, double a, double b, double c, double d, const View<D, double>& out) const {
    const double determinant = a * d - b * c, factor = 1 / determinant;
    see(a);
    if (first + 1 < size) see(determinant / a);
    out[0] = factor * d;
    out[1] = -factor * b;
    out[2] = -factor * c;
    out[3] = factor * a;
  }

  /// Two entries of a column in the rows of the pivots, before the step and after it.
  GRIDIRON_HOST_DEVICE void multiply(double first, double second, double& row, double& next_row) const {
    row = inverse[0] * first + inverse[1] * second;
    next_row = inverse[2] * first + inverse[3] * second;
  }

  /// Finds the next pair and inverts it.
  GRIDIRON_HOST_DEVICE void take_next() const {
    const int q = p + 2;
    if (q >= size) return;
    double pair[2][2];
    for (int c = 0; c < 2; ++c) {
      double row, next_row;
      multiply(entry(p, q + c), entry(p + 1, q + c), row, next_row);
      for (int r = 0; r < 2; ++r)
        pair[r][c] = entry(q + r, q + c) - entry(q + r, p) * row - entry(q + r, p + 1) * next_row;
    }
    take(q, pair[0][0], pair[0][1], pair[1][0], pair[1][1], next_inverse);
  }

  /// kAtOnce entries of row i, from column j0 on.
  GRIDIRON_HOST_DEVICE void step(int i, int j0) const {
    if (i >= size) return;
    const double left = entry(i, p), next_left = entry(i, p + 1);
    double own[kAtOnce], first[kAtOnce], second[kAtOnce];
    for (int c = 0; c < kAtOnce; ++c) {
      const int j = j0 + c;
      const bool in_pair = j == p || j == p + 1;
      own[c] = in_pair ? 0.0 : entry(i, j);
      first[c] = in_pair ? (j == p ? 1.0 : 0.0) : entry(p, j);
      second[c] = in_pair ? (j == p ? 0.0 : 1.0) : entry(p + 1, j);
    }
    for (int c = 0; c < kAtOnce; ++c) {
      double row, next_row;
      multiply(first[c], second[c], row, next_row);
      if (j0 + c < size)
        to[(j0 + c) * B + i] = i == p ? row : i == p + 1 ? next_row : own[c] - left * row - next_left * next_row;
    }
  }
};

/// Inverts the leading size × size part of scratch.block in its place, two pivots at a time. Calls see(pivot) for every
/// pivot. The cells meet once per pair: each step goes from one block to the other, and one more cell finds the next
/// pair and inverts it meanwhile.
template <class D, int B, class See>
GRIDIRON_HOST_DEVICE void invert_block(typename D::Tile& tile, const Scratch<D, B>& scratch, int size, See see) {
  using Pair = PivotPair<D, B, See>;
  const int cells = B * ((size + Pair::kAtOnce - 1) / Pair::kAtOnce);
  const auto pair_at = [&](int p) {
    const bool is_even = p % 4 == 0;
    const View<D, double> even(scratch.inverse.data(), 4), odd(scratch.inverse.data() + 4, 4);
    return Pair{p,
                size,
                is_even ? scratch.block : scratch.other,
                is_even ? scratch.other : scratch.block,
                is_even ? even : odd,
                is_even ? odd : even,
                see};
  };
  tile.each(1, [&](int64_t) {
    const Pair pair = pair_at(0);
    if (size > 0) pair.take(0, pair.from[0], pair.entry(0, 1), pair.entry(1, 0), pair.entry(1, 1), pair.inverse);
  });
  for (int p = 0; p < size; p += 2) {
    const Pair pair = pair_at(p);
    tile.each(cells + 1, [&](int64_t cell) {
      if (cell == cells)
        pair.take_next();
      else
        pair.step(static_cast<int>(cell) % B, static_cast<int>(cell) / B * Pair::kAtOnce);
    });
  }
  if ((size + 1) / 2 % 2 == 0) return;
  tile.each(B * size, [&](int64_t at) {
    if (at % B < size) scratch.block[at] = scratch.other[at];
  });
}

/// A_ij; outside A lies the identity.
template <class D>
GRIDIRON_HOST_DEVICE double padded(int64_t n, const View<D, double>& a, int64_t i, int64_t j) {
  return i < n && j < n ? a[i * n + j] : i == j ? 1.0 : 0.0;
}

/// P = A_kk⁻¹, column after column, of the block of B pivots that begins with k0.
template <class D, int B>
GRIDIRON_HOST_DEVICE void invert_pivots(typename D::Tile& tile, const Scratch<D, B>& scratch, int64_t n,
                                        const View<D, double>& a, int64_t k0, const View<D, double>& p) {
  tile.each(B * B, [&](int64_t at) { scratch.block[at] = padded<D>(n, a, k0 + at % B, k0 + at / B); });
  invert_block<D, B>(tile, scratch, B, [](double) {});
  tile.each(B * B, [&](int64_t at) { p[at] = scratch.block[at]; });
}

inline constexpr int kPivots = 32, kSide = 64;           // rows of a block of pivots, side of a tile
inline constexpr int kEach = 4, kCells = kSide / kEach;  // side of what a cell of a tile sums, cells along a side
inline constexpr int kPitch = kSide + 1, kThreads = kCells * kCells;

/// What invert() keeps of a block of pivots: P A_kj and A_ik, each row after row, and P, column after column.
template <class D>
struct Panels {
  int64_t n, tiles = (n + kSide - 1) / kSide, pitch = tiles * kSide;
  Array<D, double> rows{kPivots * pitch}, columns{kPivots * pitch}, pivot{kPivots * kPivots};
  Array<D, int32_t> rows_count{tiles}, columns_count{tiles};  ///< whether that of a tile is not zero
};

/// The panels of the block of pivots that begins with k0.
template <class D>
void form_panels(View<D, double> a, int64_t k0, Panels<D>& panels) {
  const int64_t n = panels.n, pitch = panels.pitch;
  const auto rows = panels.rows.view(), columns = panels.columns.view(), pivot = panels.pivot.view();
  const auto rows_count = panels.rows_count.view(), columns_count = panels.columns_count.view();
  D::for_each_tile(
      panels.tiles, 512, kPivots * (kPivots + kSide) * sizeof(double) + 3 * 64,
      GRIDIRON_KERNEL(typename D::Tile & tile) {
        const int64_t t = tile.index(), j0 = t * kSide;
        const View<D, double> pivots = tile.template shared<double>(kPivots * kPivots),
                              right = tile.template shared<double>(kPivots * kSide);
        const View<D, int32_t> count = tile.template shared<int32_t>(2);
        tile.each(kPivots * kPivots, [&](int64_t at) {
          pivots[at] = pivot[at];
          if (at < 2) count[at] = 0;
        });
        tile.each(kPivots * kSide, [&](int64_t at) {
          const double in_row = padded<D>(n, a, k0 + at / kSide, j0 + at % kSide),
                       in_column = padded<D>(n, a, j0 + at / kPivots, k0 + at % kPivots);
          right[at] = in_row;
          columns[j0 * kPivots + at] = in_column;
          if (in_row != 0) count[0] = 1;
          if (in_column != 0) count[1] = 1;
        });
        tile.each(kPivots * kSide, [&](int64_t at) {
          const int64_t m = at / kSide, c = at % kSide, j = j0 + c - k0;
          double sum = 0;
          for (int64_t l = 0; l < kPivots; ++l) sum += pivots[l * kPivots + m] * right[l * kSide + c];
          rows[m * pitch + j0 + c] = j >= 0 && j < kPivots ? pivots[j * kPivots + m] : sum;
          if (at == 0) {
            rows_count[t] = count[0];
            columns_count[t] = count[1];
          }
        });
      });
}

/// A cell's part of A_ij ← A_ij − A_ik A_kj in the tile whose first entry is (i0, j0), A_ik ← −A_ik P and A_kj ← P
/// A_kj.
template <class D>
GRIDIRON_HOST_DEVICE void update_cell(int64_t n, const View<D, double>& a, int64_t k0, int64_t i0, int64_t j0,
                                      const View<D, double>& left, const View<D, double>& right, int64_t cell) {
  const int64_t r = cell / kCells, c = cell % kCells;
  double sum[kEach][kEach] = {}, before[kEach][kEach];
  for (int p = 0; p < kEach; ++p)
    for (int q = 0; q < kEach; ++q) {
      const int64_t i = i0 + r + p * kCells, j = j0 + c + q * kCells;
      const bool in_columns = j >= k0 && j < k0 + kPivots;
      before[p][q] = i < n && j < n && !in_columns ? a[i * n + j] : 0.0;
    }
  for (int64_t m = 0; m < kPivots; ++m) {
    double x[kEach], y[kEach];
    for (int q = 0; q < kEach; ++q) x[q] = left[m * kPitch + r + q * kCells];
    for (int q = 0; q < kEach; ++q) y[q] = right[m * kSide + c + q * kCells];
    for (int p = 0; p < kEach; ++p)
      for (int q = 0; q < kEach; ++q) sum[p][q] += x[p] * y[q];
  }
  for (int p = 0; p < kEach; ++p)
    for (int q = 0; q < kEach; ++q) {
      const int64_t i = i0 + r + p * kCells, j = j0 + c + q * kCells;
      if (i >= n || j >= n) continue;
      const bool in_rows = i >= k0 && i < k0 + kPivots;
      a[i * n + j] = in_rows ? right[(i - k0) * kSide + j - j0] : before[p][q] - sum[p][q];
    }
}

/// A⁻¹ in the place of A, n × n, row after row. For each block k of pivots, with P = A_kk⁻¹: A_kj ← P A_kj, A_ij ← A_ij
/// − A_ik A_kj, A_ik ← −A_ik P and A_kk ← P. Two kernels per block, the second of which inverts the next block of
/// pivots beside what it updates; panels of 64 n numbers as scratch; 2 n³ operations, but for tiles that A_ik = 0 or
/// A_kj = 0 leaves as they are, many where A is sparse.
template <class D>
void invert(int64_t n, View<D, double> a) {
  using Pivots = Scratch<D, kPivots>;
  static_assert(kSide % kPivots == 0, "the next block of pivots lies in one tile");
  static_assert(kPivots * kPitch >= kPivots * kPivots + Pivots::kInverse,
                "which inverts it in the place of its panels");
  Panels<D> panels{n};
  const int64_t tiles = panels.tiles, pitch = panels.pitch;
  const auto rows = panels.rows.view(), columns = panels.columns.view(), pivot = panels.pivot.view();
  const auto rows_count = panels.rows_count.view(), columns_count = panels.columns_count.view();
  D::for_each_tile(
      1, kThreads, Pivots::kBytes,
      GRIDIRON_KERNEL(typename D::Tile & tile) { invert_pivots<D>(tile, Pivots(tile), n, a, 0, pivot); });
  for (int64_t k0 = 0; k0 < n; k0 += kPivots) {
    form_panels<D>(a, k0, panels);
    const int64_t next = k0 + kPivots, tile_of_next = next / kSide * (tiles + 1);
    D::for_each_tile(
        tiles * tiles, kThreads, kPivots * (kPitch + kSide) * sizeof(double) + 128,
        GRIDIRON_KERNEL(typename D::Tile & tile) {
          const bool has_next = next < n && tile.index() == 0;  // it takes longest, and so is the first
          const int64_t at_tile = (tile.index() + (next < n ? tile_of_next : 0)) % (tiles * tiles);
          const int64_t down = at_tile / tiles, across = at_tile % tiles;
          const bool changes = rows_count[across] != 0 && columns_count[down] != 0;
          if (!changes && !has_next) return;
          const int64_t i0 = down * kSide, j0 = across * kSide;
          const View<D, double> left = tile.template shared<double>(kPivots * kPitch),
                                right = tile.template shared<double>(kPivots * kSide);
          tile.each(changes ? kPivots * kSide : 0, [&](int64_t at) {
            left[at % kPivots * kPitch + at / kPivots] = columns[i0 * kPivots + at];
            right[at] = rows[at / kSide * pitch + j0 + at % kSide];
          });
          tile.each(changes ? kCells * kCells : 0,
                    [&](int64_t cell) { update_cell<D>(n, a, k0, i0, j0, left, right, cell); });
          if (has_next) invert_pivots<D>(tile, Pivots(left, right), n, a, next, pivot);
        });
  }
}

}  // namespace gauss_jordan
}  // namespace gridiron
