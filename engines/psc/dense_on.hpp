// SPDX-License-Identifier: Apache-2.0
#pragma once

// Dense matrices on device D in fp64, column after column.

#include <algorithm>

#include "engines/psc/cell_matrices.hpp"
#include "engines/psc/dense.hpp"
#include "engines/psc/gemm.hpp"
#include "linalg/gauss_jordan.hpp"

namespace gridiron::psc {

/// A⁻¹ of a symmetric positive definite matrix in its place, made of products of large blocks:
///
///   A = [A₁ B; Bᵀ A₂],  T = A₁⁻¹ B,  Σ = A₂ − Bᵀ T,  A⁻¹ = [A₁⁻¹ + T Σ⁻¹ Tᵀ, −T Σ⁻¹; −Σ⁻¹ Tᵀ, Σ⁻¹]
///
/// with A₁⁻¹ and Σ⁻¹ in the same way, and blocks of at most kBase rows by Gauss-Jordan elimination without pivoting,
/// which is stable for such matrices. 4/3 n³ multiplications and additions each count as one; a quarter of A as
/// scratch.
template <class D>
class SpdInverse {
 public:
  /// Both triangles are read and written. Errors: SolverError that names `what` if A is not positive definite.
  void operator()(int64_t n, View<D, double> a, const char* what) {
    if (n == 0) return;
    n_ = n;
    work_ = Array<D, double>(scratch(n));
    fill<D, double>(is_indefinite_.view(), 0.0);
    invert(a, 0, n);
    work_ = {};
    if (is_indefinite_.to_host().front() != 0) throw_not_definite(what);
  }

  // Public, as nvcc takes no kernels from private functions.

  /// Gauss-Jordan elimination of rows [first, first + n) of A.
  void invert_small(View<D, double> a, int64_t first, int64_t n) {
    const auto is_indefinite = is_indefinite_.view();
    const int64_t ld = n_, origin = first * ld + first;
    const int size = static_cast<int>(n);
    D::for_each_tile(
        1, 512, gauss_jordan::Scratch<D, kBase>::kBytes, GRIDIRON_KERNEL(typename D::Tile & tile) {
          const gauss_jordan::Scratch<D, kBase> scratch(tile);
          const View<D, double> v = scratch.block;
          tile.each(kBase * size, [&](int64_t at) {
            if (at % kBase < size) v[at] = a[origin + at / kBase * ld + at % kBase];
          });
          gauss_jordan::invert_block<D, kBase>(tile, scratch, size, [&](double pivot) {
            if (!(pivot > 0)) is_indefinite[0] = 1;
          });
          tile.each(kBase * size, [&](int64_t at) {
            if (at % kBase < size) a[origin + at / kBase * ld + at % kBase] = v[at];
          });
        });
  }

  /// B ← Aᵀ for A of rows × columns, by tiles.
  static void transpose(int64_t rows, int64_t columns, View<D, const double> a, int64_t lda, View<D, double> b,
                        int64_t ldb) {
    constexpr int kSide = 32, kPitch = kSide + 1;
    const int64_t down = (rows + kSide - 1) / kSide, across = (columns + kSide - 1) / kSide;
    D::for_each_tile(
        down * across, 256, kSide * kPitch * sizeof(double) + 64, GRIDIRON_KERNEL(typename D::Tile & tile) {
          const int64_t i0 = tile.index() % down * kSide, j0 = tile.index() / down * kSide;
          const View<D, double> v = tile.template shared<double>(kSide * kPitch);
          tile.each(kSide * kSide, [&](int64_t at) {
            const int64_t i = at % kSide, j = at / kSide;
            if (i0 + i < rows && j0 + j < columns) v[j * kPitch + i] = a[(j0 + j) * lda + i0 + i];
          });
          tile.each(kSide * kSide, [&](int64_t at) {
            const int64_t j = at % kSide, i = at / kSide;
            if (i0 + i < rows && j0 + j < columns) b[(i0 + i) * ldb + j0 + j] = v[j * kPitch + i];
          });
        });
  }

 private:
  static constexpr int kBase = 64;

  /// About half, in multiples of kBase: then all blocks begin at multiples of it.
  static int64_t first_part(int64_t n) { return (n / 2 + kBase - 1) / kBase * kBase; }

  /// Entries of T, at most: the first part of a part may need more than the whole.
  static int64_t scratch(int64_t n) {
    if (n <= kBase) return 0;
    const int64_t n1 = first_part(n), n2 = n - n1;
    return std::max({n1 * n2, scratch(n1), scratch(n2)});
  }

  void invert(View<D, double> a, int64_t first, int64_t n) {
    if (n <= kBase) return invert_small(a, first, n);
    const int64_t ld = n_, n1 = first_part(n), n2 = n - n1;
    const auto block = [&](int64_t row, int64_t column) { return from<D>(a, (first + column) * ld + first + row); };
    invert(a, first, n1);
    multiply({n1, n2, n1, false, ld, ld, n1}, 1, block(0, 0), block(0, n1), 0, work_.view());
    multiply({n2, n2, n1, true, ld, n1, ld}, -1, block(0, n1), work_.view(), 1, block(n1, n1));
    transpose(n1, n2, work_.view(), n1, block(n1, 0), ld);
    // The recursion needs the scratch memory; T comes back from where its transpose lies.
    invert(a, first + n1, n2);
    transpose(n2, n1, block(n1, 0), ld, work_.view(), n1);
    multiply({n1, n2, n2, false, n1, ld, ld}, -1, work_.view(), block(n1, n1), 0, block(0, n1));
    multiply({n1, n1, n2, false, ld, ld, ld}, -1, block(0, n1), block(n1, 0), 1, block(0, 0));
    transpose(n1, n2, block(0, n1), ld, block(n1, 0), ld);
  }
  void multiply(const GemmShape& shape, double alpha, View<D, const double> a, View<D, const double> b, double beta,
                View<D, double> c) {
    gemm_.template operator()<double>(shape, alpha, a, b, beta, c);
  }

  int64_t n_ = 0;
  Gemm<D> gemm_;
  Array<D, double> work_, is_indefinite_{1};
};

/// The inverse where it is fastest: on the CPU by LAPACK.
template <class D>
void invert_on(int64_t n, Array<D, double>& a, const char* what) {
  if constexpr (D::shares_host_memory)
    invert_spd(n, a.view().data(), what);
  else
    SpdInverse<D>()(n, a.view(), what);
}

/// eliminate_on_host(), with its products on D.
template <class D>
void eliminate_on(int64_t ni, int64_t ne, CondensedCell& cell) {
  cell.transfer.assign(ni * ne, 0.0);
  if (ni == 0) return;
  Array<D, double> c(cell.inverse), schur(cell.schur), transfer(ni * ne);
  const Array<D, double> coupling(cell.coupling);
  SpdInverse<D>()(ni, c.view(), kCellMatrix);
  Gemm<D> gemm;
  gemm.template operator()<double>({ni, ne, ni, false, ni, ni, ni}, 1, c.view(), coupling.view(), 0, transfer.view());
  gemm.template operator()<double>({ne, ne, ni, true, ni, ni, ne}, -1, coupling.view(), transfer.view(), 1,
                                   schur.view());
  c.copy_to(cell.inverse);
  transfer.copy_to(cell.transfer);
  schur.copy_to(cell.schur);
}

/// What condenses the cells for device D.
template <class D>
Eliminate eliminate_for() {
  if constexpr (D::shares_host_memory)
    return eliminate_on_host;
  else
    return eliminate_on<D>;
}

}  // namespace gridiron::psc
