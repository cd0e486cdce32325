// SPDX-License-Identifier: Apache-2.0
#include "engines/psc/dense.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "linalg/blas.hpp"
#include "linalg/one_thread.hpp"
#include "support/error_text.hpp"
#include "support/parallel.hpp"

namespace gridiron::psc {
namespace {

constexpr int64_t kTile = 384;

/// A square matrix in tiles.
struct Tiled {
  int64_t n;
  double* a;

  int64_t tiles() const { return (n + kTile - 1) / kTile; }
  int size(int64_t t) const { return std::min(kTile, n - t * kTile); }
  double* at(int64_t i, int64_t j) const { return a + j * kTile * n + i * kTile; }
  int pitch() const { return n; }
};

/// C += alpha op(A) op(B), on the calling thread.
void gemm(char transpose_a, char transpose_b, int m, int n, int k, double alpha, const double* a, int lda,
          const double* b, int ldb, double* c, int ldc) {
  dgemm_(&transpose_a, &transpose_b, &m, &n, &k, &alpha, a, &lda, b, &ldb, &blas::kOne, c, &ldc);
}

/// Calls f(i, j) for the tiles first ≤ j ≤ i < tiles, in parallel.
void for_lower_tiles(int64_t first, int64_t tiles, auto f) {
  const int64_t count = tiles - first;
  parallel_tasks(count * (count + 1) / 2, [&](int64_t task) {
    int64_t i = (std::sqrt(8.0 * task + 1) - 1) / 2;
    while (i * (i + 1) / 2 > task) --i;
    while ((i + 1) * (i + 2) / 2 <= task) ++i;
    f(first + i, first + task - i * (i + 1) / 2);
  });
}

void clear_upper(int64_t n, double* a) {
  for (int64_t j = 1; j < n; ++j) std::fill_n(a + j * n, j, 0.0);
}

}  // namespace

void throw_not_definite(const std::string& what) {
  throw solver_error("psc: {} is not positive definite; is part of the system not tied to any fixed value?", what);
}

void factor_spd(int64_t n, double* a, const std::string& what) {
  const OneBlasThread one_thread_per_call;
  const Tiled t{n, a};
  const int pitch = t.pitch();
  for (int64_t k = 0; k < t.tiles(); ++k) {
    int info = 0;
    const int size = t.size(k);
    dpotrf_("L", &size, t.at(k, k), &pitch, &info);
    if (info != 0) throw_not_definite(what);
    parallel_tasks(t.tiles() - k - 1, [&](int64_t r) {
      const int rows = t.size(k + 1 + r);
      dtrsm_("R", "L", "T", "N", &rows, &size, &blas::kOne, t.at(k, k), &pitch, t.at(k + 1 + r, k), &pitch);
    });
    for_lower_tiles(k + 1, t.tiles(), [&](int64_t i, int64_t j) {
      gemm('N', 'T', t.size(i), t.size(j), size, -1, t.at(i, k), pitch, t.at(j, k), pitch, t.at(i, j), pitch);
    });
  }
  clear_upper(n, a);
}

/// Column of tiles by column, from the last: L⁻¹ below the diagonal is −(L⁻¹)₂₂ L₂₁ L₁₁⁻¹.
void invert_lower(int64_t n, double* l) {
  const OneBlasThread one_thread_per_call;
  const Tiled t{n, l};
  const int pitch = t.pitch();
  std::vector<double> column;
  for (int64_t k = t.tiles() - 1; k >= 0; --k) {
    int info = 0;
    const int size = t.size(k);
    parallel_tasks(t.tiles() - k - 1, [&](int64_t r) {
      const int rows = t.size(k + 1 + r);
      dtrsm_("R", "L", "N", "N", &rows, &size, &blas::kMinusOne, t.at(k, k), &pitch, t.at(k + 1 + r, k), &pitch);
    });
    dtrtri_("L", "N", &size, t.at(k, k), &pitch, &info);
    const int64_t below = n - (k + 1) * kTile;
    if (below <= 0) continue;
    column.assign(below * size, 0.0);
    parallel_tasks(t.tiles() - k - 1, [&](int64_t r) {
      const int64_t i = k + 1 + r;
      for (int64_t p = k + 1; p <= i; ++p)
        gemm('N', 'N', t.size(i), size, t.size(p), 1, t.at(i, p), pitch, t.at(p, k), pitch, column.data() + r * kTile,
             static_cast<int>(below));
    });
    for (int64_t j = 0; j < size; ++j)
      std::copy_n(column.data() + j * below, below, l + (k * kTile + j) * n + (k + 1) * kTile);
  }
}

/// A⁻¹ = L⁻ᵀ L⁻¹. Tile (i, j) of it needs rows of L⁻¹ from i on only, so rows of tiles are overwritten from the first.
void invert_spd(int64_t n, double* a, const std::string& what) {
  factor_spd(n, a, what);
  invert_lower(n, a);
  const OneBlasThread one_thread_per_call;
  const Tiled t{n, a};
  const int pitch = t.pitch();
  for (int64_t i = 0; i < t.tiles(); ++i) {
    const int size = t.size(i);
    parallel_tasks(i + 1, [&](int64_t j) {
      if (j < i) {  // tile (i, j) ← Lᵢᵢᵀ Lᵢⱼ + Σ_{p > i} Lₚᵢᵀ Lₚⱼ
        const int columns = t.size(j);
        dtrmm_("L", "L", "T", "N", &size, &columns, &blas::kOne, t.at(i, i), &pitch, t.at(i, j), &pitch);
        for (int64_t p = i + 1; p < t.tiles(); ++p)
          gemm('T', 'N', size, columns, t.size(p), 1, t.at(p, i), pitch, t.at(p, j), pitch, t.at(i, j), pitch);
      }
    });
    int info = 0;
    dlauum_("L", &size, t.at(i, i), &pitch, &info);
    std::vector<double> rest(static_cast<size_t>(size) * static_cast<size_t>(size), 0.0);
    for (int64_t p = i + 1; p < t.tiles(); ++p)
      gemm('T', 'N', size, size, t.size(p), 1, t.at(p, i), pitch, t.at(p, i), pitch, rest.data(), size);
    for (int column = 0; column < size; ++column)
      for (int row = column; row < size; ++row)
        t.at(i, i)[column * n + row] += rest[static_cast<size_t>(column) * size + row];
  }
  parallel_each(
      n,
      [&](int64_t j) {
        for (int64_t i = 0; i < j; ++i) a[j * n + i] = a[i * n + j];
      },
      256);
}

void add_product(const Product& shape, double alpha, const double* a, int64_t lda, const double* b, int64_t ldb,
                 double* c, int64_t ldc) {
  const OneBlasThread one_thread_per_call;
  const int64_t down = (shape.m + kTile - 1) / kTile, across = (shape.n + kTile - 1) / kTile;
  parallel_tasks(down * across, [&](int64_t task) {
    const int64_t i = task % down * kTile, j = task / down * kTile;
    gemm(shape.transpose_a ? 'T' : 'N', shape.transpose_b ? 'T' : 'N', static_cast<int>(std::min(kTile, shape.m - i)),
         static_cast<int>(std::min(kTile, shape.n - j)), static_cast<int>(shape.k), alpha,
         a + (shape.transpose_a ? i * lda : i), static_cast<int>(lda), b + (shape.transpose_b ? j : j * ldb),
         static_cast<int>(ldb), c + j * ldc + i, static_cast<int>(ldc));
  });
}

Extremes extreme_eigenvalues(int64_t n, const std::function<void(const double*, double*)>& apply, int most_steps) {
  if (n == 0) return {};
  constexpr int kPatience = 10;
  std::vector<std::vector<double>> basis;
  std::vector<double> diagonal, beside;
  std::mt19937 random(1);
  std::vector<double> v(n);
  for (double& x : v) x = random() / 4294967296.0 - 0.5;
  const auto norm = [&] {
    double sum = 0;
    for (const double x : v) sum += x * x;
    return std::sqrt(sum);
  };
  Extremes now;
  for (int step = 0, calm = 0; step < most_steps && step < n && calm < kPatience; ++step) {
    const double length = norm();
    if (step > 0 && length <= 1e-13 * std::abs(now.largest)) break;  // an invariant subspace
    if (step > 0) beside.push_back(length);
    for (double& x : v) x /= length;
    basis.push_back(v);
    apply(basis.back().data(), v.data());
    double along = 0;
    for (int64_t i = 0; i < n; ++i) along += v[i] * basis.back()[i];
    diagonal.push_back(along);
    for (int pass = 0; pass < 2; ++pass)
      for (const auto& q : basis) {
        double dot = 0;
        for (int64_t i = 0; i < n; ++i) dot += v[i] * q[i];
        for (int64_t i = 0; i < n; ++i) v[i] -= dot * q[i];
      }
    std::vector<double> d = diagonal, e = beside;
    e.push_back(0);
    const int size = static_cast<int>(d.size());
    int info = 0;
    dsterf_(&size, d.data(), e.data(), &info);
    const Extremes next{d.front(), d.back()};
    const auto is_close = [](double a, double b) { return std::abs(a - b) <= 1e-7 * std::abs(b); };
    calm = is_close(now.least, next.least) && is_close(now.largest, next.largest) ? calm + 1 : 0;
    now = next;
  }
  return now;
}

}  // namespace gridiron::psc
