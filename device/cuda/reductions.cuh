// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "device/cuda/loops.cuh"

namespace gridiron {
namespace cuda_kernels {

/// Sums over the threads of a block, in trees of a warp and then over the warps; the result is in thread 0.
template <int K>
__device__ Sums<K> sum_of_block(Sums<K> s) {
  constexpr int kWarps = kThreads / 32;
  __shared__ double of_warp[K][kWarps];
  for (int k = 0; k < K; ++k) {
    for (int step = 16; step > 0; step /= 2) s[k] += __shfl_down_sync(0xffffffffu, s[k], step);
    if (threadIdx.x % 32 == 0) of_warp[k][threadIdx.x / 32] = s[k];
  }
  __syncthreads();
  for (int k = static_cast<int>(threadIdx.x); k < K; k += kThreads)
    for (int w = 1; w < kWarps; ++w) of_warp[k][0] += of_warp[k][w];
  __syncthreads();
  if (threadIdx.x == 0)
    for (int k = 0; k < K; ++k) s[k] = of_warp[k][0];
  return s;
}

/// Puts sums where the host finds them: into pinned memory, which kernels write to themselves.
template <int K>
struct Keep {
  double* out;
  __device__ void operator()(const Sums<K>& sums) const {
    for (int k = 0; k < K; ++k) out[k] = sums[k];
  }
};

/// Every block writes a partial sum; the last one to finish adds them up, always in the same order, and calls
/// then(sums). `s`: the thread's sums.
template <int K, class G>
__device__ void sum_of_grid(Sums<K> s, Reduction* reduction, G then) {
  static_assert(K <= Reduction::kMostSums);
  __shared__ bool is_last;
  s = sum_of_block<K>(s);
  if (threadIdx.x == 0) {
    for (int k = 0; k < K; ++k) reduction->partial[blockIdx.x * K + k] = s[k];
    __threadfence();
    is_last = atomicAdd(&reduction->done, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last) return;
  __threadfence();
  Sums<K> total;
  for (unsigned b = threadIdx.x; b < gridDim.x; b += kThreads)
    for (int k = 0; k < K; ++k) total[k] += reduction->partial[b * K + k];
  total = sum_of_block<K>(total);
  if (threadIdx.x > 0) return;
  then(total);
  reduction->done = 0;
}

/// The largest of the threads of a block.
template <class Value>
__device__ Value max_of_block(const Value& mine) {
  __shared__ alignas(Value) unsigned char scratch[kThreads * sizeof(Value)];
  Value* const of_thread = reinterpret_cast<Value*>(scratch);
  of_thread[threadIdx.x] = mine;
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (static_cast<int>(threadIdx.x) < half) raise_to(of_thread[threadIdx.x], of_thread[threadIdx.x + half]);
    __syncthreads();
  }
  return of_thread[0];
}

/// The largest f(i), at least 0, to `out`: like sum_of_grid.
template <class Value, class F>
__global__ void __launch_bounds__(kThreads) max_kernel(int64_t n, F f, Reduction* reduction, Value* out) {
  static_assert(sizeof(Value) <= Reduction::kMostSums * sizeof(double));
  __shared__ bool is_last;
  Value* const partial = reinterpret_cast<Value*>(reduction->partial);
  Value largest{};
  const int64_t stride = static_cast<int64_t>(gridDim.x) * kThreads;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x; i < n; i += stride)
    raise_to(largest, f(i));
  largest = max_of_block(largest);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = largest;
    __threadfence();
    is_last = atomicAdd(&reduction->done, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last) return;
  __threadfence();
  for (unsigned b = threadIdx.x; b < gridDim.x; b += kThreads) raise_to(largest, partial[b]);
  largest = max_of_block(largest);
  if (threadIdx.x > 0) return;
  *out = largest;
  reduction->done = 0;
}

template <int K, class F, class G>
__global__ void __launch_bounds__(kThreads) sum_kernel(int64_t n, F f, Reduction* reduction, G then) {
  Sums<K> s;
  const int64_t stride = static_cast<int64_t>(gridDim.x) * kThreads;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x; i < n; i += stride) s += f(i);
  sum_of_grid<K>(s, reduction, then);
}

/// sum_of_grid() of sums over columns, of which the thread has that of column `mine`.
template <int K, class G>
__device__ void sum_of_grid_columns(double sum, int mine, Reduction* reduction, G then) {
  Sums<K> s;
  for (int k = 0; k < K; ++k) s[k] = k == mine ? sum : 0.0;
  sum_of_grid<K>(s, reduction, then);
}

/// A thread for every column of an entry, so that a warp's loads and stores are contiguous; each thread keeps to one.
template <int K, class F, class G>
__global__ void __launch_bounds__(kThreads) column_sum_kernel(int64_t n, F f, Reduction* reduction, G then) {
  static_assert(kThreads % K == 0);
  const int mine = static_cast<int>(threadIdx.x % K);
  const int64_t stride = static_cast<int64_t>(gridDim.x) * (kThreads / K);
  double sum = 0;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * (kThreads / K) + threadIdx.x / K; i < n; i += stride)
    sum += f(i, mine);
  sum_of_grid_columns<K>(sum, mine, reduction, then);
}

/// column_sum_kernel() of use(i, c, load(i, c)); each thread loads for kAhead elements before it uses any.
template <int K, class L, class F, class G>
__global__ void __launch_bounds__(kThreads)
    column_sum_kernel_ahead(int64_t n, L load, F use, Reduction* reduction, G then) {
  static_assert(kThreads % K == 0);
  using Loaded = decltype(load(int64_t{0}, 0));
  const int mine = static_cast<int>(threadIdx.x % K);
  const int64_t stride = static_cast<int64_t>(gridDim.x) * (kThreads / K);
  double sum = 0;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * (kThreads / K) + threadIdx.x / K; i < n; i += stride * kAhead) {
    Loaded loaded[kAhead];
    for (int q = 0; q < kAhead; ++q)
      if (i + q * stride < n) loaded[q] = load(i + q * stride, mine);
    for (int q = 0; q < kAhead; ++q)
      if (i + q * stride < n) sum += use(i + q * stride, mine, loaded[q]);
  }
  sum_of_grid_columns<K>(sum, mine, reduction, then);
}

/// Lines are dealt out to blocks in turn; a block handles all points of its lines.
template <int K, class L, class F, class G>
__global__ void __launch_bounds__(kThreads)
    line_sum_kernel(int64_t lines, int64_t length, LineShape shape, L on_line, F f, Reduction* reduction, G then) {
  Sums<K> s;
  for (int64_t line = static_cast<int64_t>(blockIdx.x) * shape.lines() + shape.first_line(); line < lines;
       line += static_cast<int64_t>(gridDim.x) * shape.lines()) {
    const auto known = on_line(line);
#pragma unroll 1
    for (int64_t i = shape.first_point(); i < length; i += shape.along()) s += f(known, i);
  }
  sum_of_grid<K>(s, reduction, then);
}

template <int K, class A, class X, class F, class G>
__global__ void __launch_bounds__(kThreads)
    slice_sum_kernel(A a, PlainView<const X> x, F f, Reduction* reduction, G then) {
  Sums<K> s;
  for (int64_t slice = blockIdx.x; slice < a.slices(); slice += gridDim.x) {
    const auto sum = product_of_slice(a, x, slice);
    const int64_t i = 32 * slice + threadIdx.x;
    if (threadIdx.x < 32 && i < a.rows) s += f(i, sum);
  }
  sum_of_grid<K>(s, reduction, then);
}

}  // namespace cuda_kernels

/// Sums with a fixed order, and maxima.
struct CudaReductions {
  template <int K, class F>
  static Sums<K> sum(int64_t n, F f) {
    sum_then<K>(n, f, cuda_kernels::Keep<K>{results()});
    return kept<K>();
  }
  template <int K, class F>
  static Sums<K> sum_of_columns(int64_t n, F f) {
    sum_of_columns_then<K>(n, f, cuda_kernels::Keep<K>{results()});
    return kept<K>();
  }
  template <int K, class L, class F>
  static Sums<K> sum_of_lines(int64_t lines, int64_t length, L on_line, F f) {
    sum_of_lines_then<K>(lines, length, on_line, f, cuda_kernels::Keep<K>{results()});
    return kept<K>();
  }
  template <int K, class A, class X, class F>
  static Sums<K> product_sum(const A& a, PlainView<const X> x, F f) {
    product_sum_then<K>(a, x, f, cuda_kernels::Keep<K>{results()});
    return kept<K>();
  }
  template <int K, class F, class G>
  static void sum_of_columns_then(int64_t n, F f, G then) {
    reduce(cuda_kernels::column_sum_kernel<K, F, G>, blocks_for_each(n * K), n, f, reduction(), then);
  }
  template <int K, class L, class F, class G>
  static void sum_of_columns_then(int64_t n, L load, F use, G then) {
    reduce(cuda_kernels::column_sum_kernel_ahead<K, L, F, G>, blocks_for_each(n * K), n, load, use, reduction(), then);
  }
  template <int K, class L, class F, class G>
  static void sum_of_lines_then(int64_t lines, int64_t length, L on_line, F f, G then) {
    const cuda_kernels::LineShape shape(length, 1);
    reduce(cuda_kernels::line_sum_kernel<K, L, F, G>, (lines + shape.lines() - 1) / shape.lines(), lines, length, shape,
           on_line, f, reduction(), then);
  }
  template <int K, class F, class G>
  static void sum_then(int64_t n, F f, G then) {
    reduce(cuda_kernels::sum_kernel<K, F, G>, blocks_for_each(n), n, f, reduction(), then);
  }
  template <int K, class A, class X, class F, class G>
  static void product_sum_then(const A& a, PlainView<const X> x, F f, G then) {
    if (!cuda_kernels::is_for_slices<X>(a))
      return sum_then<K>(
          a.rows, [=] __device__(int64_t i) { return f(i, a.row_product(i, x)); }, then);
    reduce(cuda_kernels::slice_sum_kernel<K, A, X, F, G>, a.slices(), a, x, f, reduction(), then);
  }
  template <int K, class A, class X, class L, class F, class G>
  static void product_sum_then(const A& a, PlainView<const X> x, L load, F use, G then) {
    if (cuda_kernels::is_for_slices<X>(a))
      return product_sum_then<K>(
          a, x, [=] __device__(int64_t i, const cuda_kernels::ProductOf<A, X>& sum) { return use(i, sum, load(i)); },
          then);
    sum_then<K>(
        a.rows,
        [=] __device__(int64_t i) {
          const auto loaded = load(i);
          return use(i, a.row_product(i, x), loaded);
        },
        then);
  }

  template <class Value = double, class F>
  static Value max(int64_t n, F f) {
    Value* const result = reinterpret_cast<Value*>(CudaQueue::current().pinned());
    reduce(cuda_kernels::max_kernel<Value, F>, blocks_for_each(n), n, f, reduction(), result);
    CudaMemory::synchronize();
    return *result;
  }
  template <class L, class F>
  static double max_of_lines(int64_t lines, int64_t length, L on_line, F f) {
    return max(lines * length, [=] __device__(int64_t k) { return f(on_line(k / length), k % length); });
  }

 private:
  static cuda_kernels::Reduction* reduction() { return CudaQueue::current().reduction(); }
  static int64_t blocks_for_each(int64_t n) { return (n + cuda_kernels::kThreads - 1) / cuda_kernels::kThreads; }

  /// Launches a kernel whose blocks deal out the work among themselves, with at most `useful` of them and no more than
  /// the GPU holds at once: of 1024 blocks of a product, an H200 held 792, and the rest ran on a mostly idle device.
  template <class... Parameters, class... Arguments>
  static void reduce(void (*kernel)(Parameters...), int64_t useful, Arguments... arguments) {
    static const int held_at_once = [kernel] {  // the parameters differ between any two kernels
      int device = 0, processors = 0, blocks = 0;
      check(cudaGetDevice(&device));
      check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
      check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, cuda_kernels::kThreads, 0));
      return std::clamp(blocks * processors, 1, cuda_kernels::Reduction::kBlocks);
    }();
    cuda_kernels::launch(kernel, static_cast<unsigned>(std::clamp<int64_t>(useful, 1, held_at_once)), arguments...);
  }

  static double* results() { return reinterpret_cast<double*>(CudaQueue::current().pinned()); }
  template <int K>
  static Sums<K> kept() {
    static_assert(sizeof(Sums<K>) <= CudaQueue::kPinned);
    CudaMemory::synchronize();
    Sums<K> host;
    std::copy_n(results(), K, host.value);
    return host;
  }
};

}  // namespace gridiron
