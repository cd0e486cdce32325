// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cuda/loops.cuh"

namespace gridiron {
namespace cuda_kernels {

template <class Sum>
struct TwoSums {
  Sum first{}, second{};
};

/// The products of two rows of a sliced matrix without tails, with up to two entries of each under way at once.
template <class A, class X>
__device__ auto two_row_products(const A& a, int64_t i, int64_t j, const PlainView<const X>& x) {
  static_assert(!A::of_differences);
  using Value = std::remove_cvref_t<decltype(a.value[0])>;
  TwoSums<decltype(Value() * X())> sums;
  int64_t e = int64_t{32} * a.begin[i / 32] + i % 32, f = int64_t{32} * a.begin[j / 32] + j % 32;
  const int64_t e_end = int64_t{32} * a.begin[i / 32 + 1], f_end = int64_t{32} * a.begin[j / 32 + 1];
  for (; e < e_end || f < f_end; e += 64, f += 64) {
    const int64_t entry[4] = {e, e + 32, f, f + 32};
    const bool exists[4] = {e < e_end, e + 32 < e_end, f < f_end, f + 32 < f_end};
    int32_t col[4];
    Value value[4];
    X at[4];
    for (int q = 0; q < 4; ++q) col[q] = exists[q] ? a.col[entry[q]] : 0;
    for (int q = 0; q < 4; ++q) value[q] = exists[q] ? a.value[entry[q]] : Value(0);
    for (int q = 0; q < 4; ++q) at[q] = exists[q] ? x[col[q]] : X{};
    for (int q = 0; q < 2; ++q) sums.first += value[q] * at[q];
    for (int q = 2; q < 4; ++q) sums.second += value[q] * at[q];
  }
  return sums;
}

/// A block of threads works on one tile.
class CudaTile {
 public:
  static constexpr int kThreads = 512;  ///< at most

  __device__ CudaTile(int64_t index, unsigned char* scratch) : index_(index), next_(scratch) {}
  __device__ int64_t index() const { return index_; }
  template <class T>
  __device__ PlainView<T> shared(int64_t count) {
    T* data = reinterpret_cast<T*>(next_);
    next_ += (count * sizeof(T) + 63) / 64 * 64;
    return {data, count};
  }
  template <class G>
  __device__ void each(int64_t count, G g) {
    for (int64_t cell = threadIdx.x; cell < count; cell += blockDim.x) g(cell);
    __syncthreads();
  }
  template <class L, class G>
  __device__ void each(int64_t count, L load, G use) {
    using Loaded = decltype(load(int64_t{0}));
    constexpr int kAtOnce = sizeof(Loaded) <= 16 ? kAhead : 1;  // else they would not stay in registers
    for (int64_t first = threadIdx.x; first < count; first += kAtOnce * blockDim.x) {
      Loaded loaded[kAtOnce];
      for (int q = 0; q < kAtOnce; ++q)
        if (first + q * blockDim.x < count) loaded[q] = load(first + q * blockDim.x);
      for (int q = 0; q < kAtOnce; ++q)
        if (first + q * blockDim.x < count) use(first + q * blockDim.x, loaded[q]);
    }
    __syncthreads();
  }
  /// In registers: kMost / kThreads values of each kind per thread, as every index into them is known at compile time.
  template <class T, int kMost, int K>
  class Held {
   public:
    __device__ T& operator()(int turn, int k) { return values_[turn * K + k]; }

   private:
    T values_[(kMost + kThreads - 1) / kThreads * K];
  };
  template <class T, int kMost, int K>
  __device__ Held<T, kMost, K> held() {
    return {};
  }
  template <int kMost, class G>
  __device__ void each_held(int64_t count, G g) {
    const int cells = static_cast<int>(count);
#pragma unroll
    for (int turn = 0; turn < (kMost + kThreads - 1) / kThreads; ++turn) {
      const int cell = static_cast<int>(threadIdx.x + turn * blockDim.x);
      if (cell < cells) g(cell, turn);
    }
    __syncthreads();
  }
  /// One warp per line.
  template <class L, class G>
  __device__ void each_line(int64_t lines, int64_t length, L on_line, G g) {
    for (int64_t line = threadIdx.x / 32; line < lines; line += blockDim.x / 32) {
      const auto known = on_line(line);
      for (int64_t i = threadIdx.x % 32; i < length; i += 32) g(known, i);
    }
    __syncthreads();
  }
  template <class A, class X, class G>
  __device__ void each_product(const A& a, int64_t first, int64_t last, PlainView<const X> x, G g) {
    each_product(
        a, first, last, x, [](int64_t) { return 0; }, [&](int64_t i, const ProductOf<A, X>& sum, int) { g(i, sum); });
  }
  template <class A, class X, class L, class G>
  __device__ void each_product(const A& a, int64_t first, int64_t last, PlainView<const X> x, L load, G use) {
    const int64_t end = 32 * last < a.rows ? 32 * last : a.rows;
    int64_t i = 32 * first + threadIdx.x;
    if constexpr (kColumnsOf<X> == 1)
      if (!a.has_tails())
        for (int64_t j = i + blockDim.x; j < end; i += 2 * blockDim.x, j = i + blockDim.x) {
          const auto of_i = load(i), of_j = load(j);
          const auto sums = two_row_products(a, i, j, x);
          use(i, sums.first, of_i);
          use(j, sums.second, of_j);
        }
    for (; i < end; i += blockDim.x) {
      const auto loaded = load(i);
      use(i, a.template row_product<2>(i, x), loaded);
    }
    __syncthreads();
  }
  /// A thread for every column of a lane: neighbours in memory.
  template <class V, class F>
  __device__ void recur(int64_t steps, F f) {
    constexpr int K = kColumnsOf<V>;
    for (unsigned k = threadIdx.x; k < 32 * K; k += blockDim.x) {
      ColumnType<V> v{};
      for (int64_t step = 0; step < steps; ++step) v = f(step, static_cast<int64_t>(k / K), static_cast<int>(k % K), v);
    }
    __syncthreads();
  }

 private:
  int64_t index_;
  unsigned char* next_;
};

template <class F>
__global__ void __launch_bounds__(CudaTile::kThreads) tile_kernel(int64_t tiles, F f) {
  extern __shared__ __align__(64) unsigned char scratch[];
  for (int64_t t = blockIdx.x; t < tiles; t += gridDim.x) {
    CudaTile tile(t, scratch);
    f(tile);
    __syncthreads();
  }
}

}  // namespace cuda_kernels

/// Loops over tiles.
struct CudaTiles {
  using Tile = cuda_kernels::CudaTile;

  template <class T, int kMost, int K>
  static constexpr size_t held_bytes() {
    return 0;
  }
  template <class F>
  static void for_each_tile(int64_t tiles, int cells, size_t scratch_bytes, F f) {
    if (tiles <= 0) return;
    const int threads = cells >= Tile::kThreads ? Tile::kThreads : cells <= 32 ? 32 : (cells + 31) / 32 * 32;
    const unsigned grid = static_cast<unsigned>(tiles < (1 << 20) ? tiles : 1 << 20);
    check(cudaFuncSetAttribute(cuda_kernels::tile_kernel<F>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(scratch_bytes)));
    cuda_kernels::tile_kernel<<<grid, threads, scratch_bytes, CudaMemory::stream()>>>(tiles, f);
    check(cudaPeekAtLastError());
  }
};

}  // namespace gridiron
