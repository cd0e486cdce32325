// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <type_traits>

#include "device/cuda/memory.cuh"

namespace gridiron {
namespace cuda_kernels {

constexpr int kThreads = 256;

template <class F>
__global__ void __launch_bounds__(kThreads) for_each_kernel(int64_t n, F f) {
  const int64_t stride = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += stride) f(i);
}

/// How a block of kThreads maps to lines: 2^log2 threads along a line, the others on the following lines.
struct LineShape {
  int log2 = 5;

  /// `each`: points of a line per thread, where lines are long enough.
  explicit LineShape(int64_t length, int64_t each) {
    while ((1 << log2) < kThreads && (each << log2) < length) ++log2;
  }
  __host__ __device__ int along() const { return 1 << log2; }
  __host__ __device__ int lines() const { return kThreads >> log2; }
  __device__ int first_point() const { return static_cast<int>(threadIdx.x) & (along() - 1); }
  __device__ int first_line() const { return static_cast<int>(threadIdx.x) >> log2; }
};

/// A thread handles every (gridDim.x · along)-th point of a line, and computes once what is constant along it.
template <class L, class F>
__global__ void __launch_bounds__(kThreads)
    line_kernel(int64_t lines, int64_t length, LineShape shape, L on_line, F f) {
  const int64_t first = static_cast<int64_t>(blockIdx.x) * shape.along() + shape.first_point();
  const int64_t stride = static_cast<int64_t>(gridDim.x) * shape.along();
  if (first >= length) return;
  for (int64_t line = static_cast<int64_t>(blockIdx.y) * shape.lines() + shape.first_line(); line < lines;
       line += static_cast<int64_t>(gridDim.y) * shape.lines()) {
    const auto known = on_line(line);
#pragma unroll 1
    for (int64_t i = first; i < length; i += stride) f(known, i);
  }
}

/// A thread for every column of an entry, so that a warp's loads and stores are contiguous.
template <int K, class F>
__global__ void __launch_bounds__(kThreads) column_kernel(int64_t n, F f) {
  const int64_t stride = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t k = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; k < n * K; k += stride)
    f(k / K, static_cast<int>(k % K));
}

/// column_kernel() of use(i, c, load(i, c)); each thread loads for kAhead elements before it uses any. (A thread per
/// element of 4 bytes reaches 3.1 TB/s on an H200 where this one reaches 3.8.)
constexpr int kAhead = 4;
template <int K, class L, class F>
__global__ void __launch_bounds__(kThreads) column_kernel_ahead(int64_t n, L load, F use) {
  using Loaded = decltype(load(int64_t{0}, 0));
  const int64_t first = static_cast<int64_t>(blockIdx.x) * kThreads * kAhead + threadIdx.x, size = n * K;
  Loaded loaded[kAhead];
  for (int q = 0; q < kAhead; ++q)
    if (const int64_t k = first + q * kThreads; k < size) loaded[q] = load(k / K, static_cast<int>(k % K));
  for (int q = 0; q < kAhead; ++q)
    if (const int64_t k = first + q * kThreads; k < size) use(k / K, static_cast<int>(k % K), loaded[q]);
}

template <class A, class X, class F>
__global__ void __launch_bounds__(kThreads) product_kernel(A a, PlainView<const X> x, F f) {
  const int64_t stride = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < a.rows; i += stride)
    f(i, a.row_product(i, x));
}

/// Products of a slice by eight warps, each with every eighth entry, for matrices of few or long rows; thread t < 32 of
/// the block gets that of row 32 s + t.
template <class A, class X>
__device__ auto product_of_slice(const A& a, const PlainView<const X>& x, int64_t s) {
  using Sum = Product<typename A::Value, X>;
  constexpr int kWarps = kThreads / 32;
  __shared__ Sum shared[kThreads];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  X own{};
  if constexpr (A::of_differences)
    if (32 * s + lane < a.rows) own = x[32 * s + lane];
  Sum sum{};
  const auto add = [&](const auto& entry) { sum += entry.value * a.factor(x[entry.col], own); };
  for (int64_t k = a.begin[s] + warp; k < a.begin[s + 1]; k += kWarps) add(a.at(32 * k + lane));
  if (a.has_tails() && a.tail[s] >= 0) a.add_tail(a.tail[s] + lane, warp, kWarps, x, own, sum);
  __syncthreads();  // the last slice's sums have been read
  shared[threadIdx.x] = sum;
  __syncthreads();
  if (warp == 0)
    for (int w = 1; w < kWarps; ++w) sum += shared[32 * w + lane];
  return sum;
}

template <class A, class X, class F>
__global__ void __launch_bounds__(kThreads) slice_kernel(A a, PlainView<const X> x, F f) {
  for (int64_t s = blockIdx.x; s < a.slices(); s += gridDim.x) {
    const auto sum = product_of_slice(a, x, s);
    const int64_t i = 32 * s + threadIdx.x;
    if (threadIdx.x < 32 && i < a.rows) f(i, sum);
  }
}

/// One warp per row: with one thread per row, 200 rows took 78 µs on an H200.
template <class T, class X>
__global__ void __launch_bounds__(kThreads) dense_kernel(int64_t n, const T* a, const X* x, X* y) {
  const int64_t row = (static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x) / 32;
  if (row >= n) return;
  X sum{};
  for (int64_t j = threadIdx.x % 32; j < n; j += 32) sum += a[row * n + j] * x[j];
  for (int step = 16; step > 0; step /= 2)
    for (int c = 0; c < kColumnsOf<X>; ++c) column(sum, c) += __shfl_down_sync(0xffffffffu, column(sum, c), step);
  if (threadIdx.x % 32 == 0) y[row] = sum;
}

/// What a product of a row is.
template <class A, class X>
using ProductOf = Product<typename A::Value, X>;

/// Launches a kernel on the current queue with that many blocks of kThreads.
template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), dim3 blocks, Arguments... arguments) {
  kernel<<<blocks, kThreads, 0, CudaMemory::stream()>>>(arguments...);
  check(cudaPeekAtLastError());
}

/// Number of blocks of kThreads with a thread for each of n elements.
inline unsigned blocks_for(int64_t n) {
  return static_cast<unsigned>(std::min<int64_t>((n + kThreads - 1) / kThreads, 1 << 20));
}

/// Whether a product takes less time with a block per slice than with a thread per row: one thread would walk through a
/// whole hub, or, with few long rows, leave most of the device idle. On an H200, a sweep over 42,000 rows of 6 entries
/// takes 3.1 us by slices and 1.9 by rows, over 20,000 rows of 39 entries 3.0 and 4.3, both with eight loads at once.
template <class X, class A>
bool is_for_slices(const A& a) {
  if (kColumnsOf<X> != 1) return a.has_tails() || a.rows <= 1 << 17;
  return a.has_tails() || (a.rows <= 1 << 15 && a.stored() > 12 * a.rows);
}
/// From this size on each thread handles several points of a line: what is constant along it costs as much as a few
/// points.
constexpr int64_t kThreadsThatFill = 1 << 18;

}  // namespace cuda_kernels

/// for_each, loops over lines and products.
struct CudaLoops {
  template <class F>
  static void for_each(int64_t n, F f) {
    if (n <= 0) return;  // an empty grid is a launch error
    cuda_kernels::launch(cuda_kernels::for_each_kernel<F>, cuda_kernels::blocks_for(n), n, f);
  }
  template <int K, class F>
  static void for_each_of_columns(int64_t n, F f) {
    if (n > 0) cuda_kernels::launch(cuda_kernels::column_kernel<K, F>, cuda_kernels::blocks_for(n * K), n, f);
  }
  template <int K, class L, class F>
  static void for_each_of_columns(int64_t n, L load, F use) {
    if (n <= 0) return;
    constexpr int64_t kBlock = int64_t{cuda_kernels::kThreads} * cuda_kernels::kAhead;
    cuda_kernels::launch(cuda_kernels::column_kernel_ahead<K, L, F>,
                         static_cast<unsigned>((n * K + kBlock - 1) / kBlock), n, load, use);
  }
  template <class L, class F>
  static void for_each_line(int64_t lines, int64_t length, L on_line, F f) {
    if (lines <= 0 || length <= 0) return;
    const int64_t each = std::clamp<int64_t>(lines * length / cuda_kernels::kThreadsThatFill, 1, 16);
    const cuda_kernels::LineShape shape(length, each);
    const int64_t across = (length + each * shape.along() - 1) / (each * shape.along()),
                  down = (lines + shape.lines() - 1) / shape.lines();
    const dim3 grid(static_cast<unsigned>(across), static_cast<unsigned>(std::min<int64_t>(down, 65535)));
    cuda_kernels::launch(cuda_kernels::line_kernel<L, F>, grid, lines, length, shape, on_line, f);
  }
  template <class A, class X, class F>
  static void for_each_product(const A& a, PlainView<const X> x, F f) {
    if (a.rows <= 0) return;
    if (cuda_kernels::is_for_slices<X>(a))
      cuda_kernels::launch(cuda_kernels::slice_kernel<A, X, F>, static_cast<unsigned>(a.slices()), a, x, f);
    else
      cuda_kernels::launch(cuda_kernels::product_kernel<A, X, F>, cuda_kernels::blocks_for(a.rows), a, x, f);
  }

  template <class A, class X, class L, class F>
  static void for_each_product(const A& a, PlainView<const X> x, L load, F use) {
    if (cuda_kernels::is_for_slices<X>(a))
      return for_each_product(
          a, x, [=] __device__(int64_t i, const cuda_kernels::ProductOf<A, X>& sum) { use(i, sum, load(i)); });
    for_each(a.rows, [=] __device__(int64_t i) {
      const auto loaded = load(i);
      use(i, a.row_product(i, x), loaded);
    });
  }

  template <class A, class X, class Y>
  static void dense_product(PlainView<A> a, PlainView<X> x, PlainView<Y> y) {
    const int64_t n = x.size();
    if (n > 0)
      cuda_kernels::launch(cuda_kernels::dense_kernel<std::remove_const_t<A>, Y>, cuda_kernels::blocks_for(32 * n), n,
                           a.data(), x.data(), y.data());
  }
};

}  // namespace gridiron
