// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "engines/device/device.hpp"

namespace gridiron {

/// Gauss-Jordan elimination without pivoting, in fp64: stable for symmetric positive definite matrices and for
/// M-matrices, scaled by rows or not. A singular matrix leaves infinities, NaN or zeros in the place of an inverse:
/// compare A⁻¹ A x with x.
namespace gauss_jordan {

/// What a tile needs to invert a block of up to B rows: the block, column after column of pitch B, room for another,
/// and the inverses of the pivots.
template <class D, int B>
struct Scratch {
  View<D, double> block, other, inverse;

  static constexpr std::size_t kBytes = (2 * B * B + B) * sizeof(double) + 3 * 64;
  explicit GRIDIRON_HOST_DEVICE Scratch(typename D::Tile& tile)
      : block(tile.template shared<double>(B * B)),
        other(tile.template shared<double>(B * B)),
        inverse(tile.template shared<double>(B)) {}
};

/// Inverts the leading size × size part of scratch.block in its place. Calls see(pivot) for every pivot. The cells meet
/// once per pivot: each step goes from one block to the other, and the cell that finds the next pivot inverts it.
template <class D, int B, class See>
GRIDIRON_HOST_DEVICE void invert_block(typename D::Tile& tile, const Scratch<D, B>& scratch, int size, See see) {
  const View<D, double> inverse = scratch.inverse;
  const auto take_pivot = [&](int p, double pivot) {
    see(pivot);
    inverse[p] = 1 / pivot;
  };
  tile.each(1, [&](std::int64_t) {
    if (size > 0) take_pivot(0, scratch.block[0]);
  });
  for (int p = 0; p < size; ++p) {
    const View<D, double> from = p % 2 == 0 ? scratch.block : scratch.other;
    const View<D, double> to = p % 2 == 0 ? scratch.other : scratch.block;
    tile.each(B * size, [&](std::int64_t at) {
      const int i = static_cast<int>(at) % B, j = static_cast<int>(at) / B;
      if (i >= size) return;
      const double in_row = j == p ? inverse[p] : from[j * B + p] * inverse[p];
      const double value = i == p ? in_row : (j == p ? 0.0 : from[at]) - from[p * B + i] * in_row;
      to[at] = value;
      if (i == p + 1 && j == p + 1) take_pivot(p + 1, value);
    });
  }
  if (size % 2 == 0) return;
  tile.each(B * size, [&](std::int64_t at) {
    if (at % B < size) scratch.block[at] = scratch.other[at];
  });
}

/// A_ij; outside A lies the identity.
template <class D>
GRIDIRON_HOST_DEVICE double padded(std::int64_t n, const View<D, double>& a, std::int64_t i, std::int64_t j) {
  return i < n && j < n ? a[i * n + j] : i == j ? 1.0 : 0.0;
}

/// A⁻¹ in the place of A, n × n, row after row. For each block k of pivots, with P = A_kk⁻¹: A_kj ← P A_kj, A_ij ← A_ij
/// − A_ik A_kj, A_ik ← −A_ik P and A_kk ← P. Two kernels per block, panels of 64 n numbers as scratch; 2 n³ operations,
/// but for tiles that A_ik = 0 or A_kj = 0 leaves as they are, many where A is sparse.
template <class D>
void invert(std::int64_t n, View<D, double> a) {
  constexpr int kPivots = 32, kSide = 64, kEach = 4;  // rows of a block, side of a tile, of what one of its cells sums
  constexpr int kCells = kSide / kEach, kPitch = kSide + 1;
  const std::int64_t tiles = (n + kSide - 1) / kSide, pitch = tiles * kSide;
  Array<D, double> row_panel(kPivots * pitch), column_panel(kPivots * pitch);
  const View<D, double> rows = row_panel.view(), columns = column_panel.view();  // P A_kj and A_ik, each row after row
  Array<D, std::int32_t> rows_count_array(tiles), columns_count_array(tiles);    // whether that of a tile is not zero
  const View<D, std::int32_t> rows_count = rows_count_array.view(), columns_count = columns_count_array.view();
  for (std::int64_t k0 = 0; k0 < n; k0 += kPivots) {
    // Every tile forms P for itself, which takes less time than a kernel of its own.
    D::for_each_tile(
        tiles, 512, Scratch<D, kPivots>::kBytes + kPivots * kSide * sizeof(double) + 128,
        GRIDIRON_KERNEL(typename D::Tile & tile) {
          const std::int64_t t = tile.index(), j0 = t * kSide;
          const Scratch<D, kPivots> scratch(tile);
          const View<D, double> pivots = scratch.block, right = tile.template shared<double>(kPivots * kSide);
          const View<D, std::int32_t> count = tile.template shared<std::int32_t>(2);
          tile.each(kPivots * kPivots, [&](std::int64_t at) {
            pivots[at] = padded<D>(n, a, k0 + at % kPivots, k0 + at / kPivots);
            if (at < 2) count[at] = 0;
          });
          tile.each(kPivots * kSide, [&](std::int64_t at) {
            const double in_row = padded<D>(n, a, k0 + at / kSide, j0 + at % kSide),
                         in_column = padded<D>(n, a, j0 + at / kPivots, k0 + at % kPivots);
            right[at] = in_row;
            columns[j0 * kPivots + at] = in_column;
            if (in_row != 0) count[0] = 1;
            if (in_column != 0) count[1] = 1;
          });
          invert_block<D, kPivots>(tile, scratch, kPivots, [](double) {});
          tile.each(kPivots * kSide, [&](std::int64_t at) {
            const std::int64_t m = at / kSide, c = at % kSide, j = j0 + c - k0;
            double sum = 0;
            for (std::int64_t l = 0; l < kPivots; ++l) sum += pivots[l * kPivots + m] * right[l * kSide + c];
            rows[m * pitch + j0 + c] = j >= 0 && j < kPivots ? pivots[j * kPivots + m] : sum;
            if (at == 0) {
              rows_count[t] = count[0];
              columns_count[t] = count[1];
            }
          });
        });
    D::for_each_tile(
        tiles * tiles, kCells * kCells, kPivots * (kPitch + kSide) * sizeof(double) + 128,
        GRIDIRON_KERNEL(typename D::Tile & tile) {
          const std::int64_t down = tile.index() / tiles, across = tile.index() % tiles;
          if (rows_count[across] == 0 || columns_count[down] == 0) return;
          const std::int64_t i0 = down * kSide, j0 = across * kSide;
          const View<D, double> left = tile.template shared<double>(kPivots * kPitch),
                                right = tile.template shared<double>(kPivots * kSide);
          tile.each(kPivots * kSide, [&](std::int64_t at) {
            left[at % kPivots * kPitch + at / kPivots] = columns[i0 * kPivots + at];
            right[at] = rows[at / kSide * pitch + j0 + at % kSide];
          });
          tile.each(kCells * kCells, [&](std::int64_t cell) {
            const std::int64_t r = cell / kCells, c = cell % kCells;
            double sum[kEach][kEach] = {}, before[kEach][kEach];
            for (int p = 0; p < kEach; ++p)
              for (int q = 0; q < kEach; ++q) {
                const std::int64_t i = i0 + r + p * kCells, j = j0 + c + q * kCells;
                const bool in_columns = j >= k0 && j < k0 + kPivots;
                before[p][q] = i < n && j < n && !in_columns ? a[i * n + j] : 0.0;
              }
            for (std::int64_t m = 0; m < kPivots; ++m) {
              double x[kEach], y[kEach];
              for (int q = 0; q < kEach; ++q) x[q] = left[m * kPitch + r + q * kCells];
              for (int q = 0; q < kEach; ++q) y[q] = right[m * kSide + c + q * kCells];
              for (int p = 0; p < kEach; ++p)
                for (int q = 0; q < kEach; ++q) sum[p][q] += x[p] * y[q];
            }
            for (int p = 0; p < kEach; ++p)
              for (int q = 0; q < kEach; ++q) {
                const std::int64_t i = i0 + r + p * kCells, j = j0 + c + q * kCells;
                if (i >= n || j >= n) continue;
                const bool in_rows = i >= k0 && i < k0 + kPivots;
                a[i * n + j] = in_rows ? right[(i - k0) * kSide + j - j0] : before[p][q] - sum[p][q];
              }
          });
        });
  }
}

}  // namespace gauss_jordan
}  // namespace gridiron
