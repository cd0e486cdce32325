// SPDX-License-Identifier: Apache-2.0
#include "engines/psc/gemm_cpu.hpp"

#include <algorithm>
#include <type_traits>
#include <vector>

#include "linalg/blas.hpp"
#include "linalg/one_thread.hpp"
#include "support/parallel.hpp"

namespace gridiron::psc {
namespace {

/// Blocks of C, and the length of sums between two additions to it where operands are converted.
constexpr int64_t kRows = 768, kColumns = 512, kDepth = 2048;

template <class S>
void gemm(char transpose_a, int64_t m, int64_t n, int64_t k, S alpha, const S* a, int64_t lda, const S* b, int64_t ldb,
          S beta, S* c, int64_t ldc) {
  const char as_it_is = 'N';
  const int mm = static_cast<int>(m), nn = static_cast<int>(n), kk = static_cast<int>(k);
  const int la = static_cast<int>(lda), lb = static_cast<int>(ldb), lc = static_cast<int>(ldc);
  if constexpr (std::is_same_v<S, double>)
    dgemm_(&transpose_a, &as_it_is, &mm, &nn, &kk, &alpha, a, &la, b, &lb, &beta, c, &lc);
  else
    sgemm_(&transpose_a, &as_it_is, &mm, &nn, &kk, &alpha, a, &la, b, &lb, &beta, c, &lc);
}

/// The floats of a rows × columns block.
template <class T>
void convert(const T* from, int64_t ld, int64_t rows, int64_t columns, std::vector<float>& to) {
  to.resize(rows * columns);
  for (int64_t j = 0; j < columns; ++j) {
    float* const out = to.data() + j * rows;
    const T* const in = from + j * ld;
    for (int64_t i = 0; i < rows; ++i) out[i] = static_cast<float>(in[i]);
  }
}

}  // namespace

template <class T>
void gemm_on_cpu(const GemmShape& s, double alpha, const T* a, const T* b, double beta, Sum<T>* c) {
  using S = Sum<T>;
  const OneBlasThread one_thread_per_call;
  const int64_t down = (s.m + kRows - 1) / kRows, across = (s.n + kColumns - 1) / kColumns;
  parallel_tasks(s.batch * down * across, [&](int64_t task) {
    const int64_t i = task % down * kRows, j = task / down % across * kColumns, g = task / (down * across);
    const int64_t m = std::min(kRows, s.m - i), n = std::min(kColumns, s.n - j);
    const T* const block_a = a + g * s.stride_a + (s.transpose_a ? i * s.lda : i);
    const T* const block_b = b + g * s.stride_b + j * s.ldb;
    S* const block_c = c + g * s.stride_c + j * s.ldc + i;
    const char transpose = s.transpose_a ? 'T' : 'N';
    if constexpr (std::is_same_v<T, S>) {
      gemm<S>(transpose, m, n, s.k, static_cast<S>(alpha), block_a, s.lda, block_b, s.ldb, static_cast<S>(beta),
              block_c, s.ldc);
    } else {
      static thread_local std::vector<float> floats_a, floats_b;
      for (int64_t p = 0; p < s.k; p += kDepth) {
        const int64_t k = std::min(kDepth, s.k - p);
        convert(block_a + (s.transpose_a ? p : p * s.lda), s.lda, s.transpose_a ? k : m, s.transpose_a ? m : k,
                floats_a);
        convert(block_b + p, s.ldb, k, n, floats_b);
        gemm<float>(transpose, m, n, k, static_cast<float>(alpha), floats_a.data(), s.transpose_a ? k : m,
                    floats_b.data(), k, p == 0 ? static_cast<float>(beta) : 1.0f, block_c, s.ldc);
      }
    }
  });
}

template void gemm_on_cpu(const GemmShape&, double, const double*, const double*, double, double*);
template void gemm_on_cpu(const GemmShape&, double, const float*, const float*, double, float*);
template void gemm_on_cpu(const GemmShape&, double, const TFloat*, const TFloat*, double, float*);
template void gemm_on_cpu(const GemmShape&, double, const Half*, const Half*, double, float*);
template void gemm_on_cpu(const GemmShape&, double, const BFloat*, const BFloat*, double, float*);

}  // namespace gridiron::psc
