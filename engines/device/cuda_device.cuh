// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>
#include <thrust/binary_search.h>
#include <thrust/execution_policy.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform_reduce.h>

#include <source_location>
#include <string>
#include <vector>

#include "engines/device/device.hpp"
#include "support/error.hpp"

namespace gridiron {

/// Throws what a CUDA status stands for, with the place of the call. (No fmt: nvcc cannot read its compile-time
/// checks.)
inline void check(cudaError_t status, std::source_location where = std::source_location::current()) {
  if (status == cudaSuccess) return;
  throw ResourceError(std::string("CUDA: ") + cudaGetErrorString(status) + " (" + where.file_name() + ":" +
                      std::to_string(where.line()) + ")");
}

namespace cuda_kernels {

constexpr int kThreads = 256;

template <class F>
__global__ void __launch_bounds__(kThreads) for_each_kernel(std::int64_t n, F f) {
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += stride) f(i);
}

/// A block of threads works on one tile.
class CudaTile {
 public:
  __device__ CudaTile(std::int64_t index, unsigned char* scratch) : index_(index), next_(scratch) {}
  __device__ std::int64_t index() const { return index_; }
  template <class T>
  __device__ PlainView<T> shared(std::int64_t count) {
    T* data = reinterpret_cast<T*>(next_);
    next_ += (count * sizeof(T) + 63) / 64 * 64;
    return {data, count};
  }
  template <class G>
  __device__ void each(std::int64_t count, G g) {
    for (std::int64_t cell = threadIdx.x; cell < count; cell += blockDim.x) g(cell);
    __syncthreads();
  }

 private:
  std::int64_t index_;
  unsigned char* next_;
};

template <class F>
__global__ void tile_kernel(std::int64_t tiles, F f) {
  extern __shared__ __align__(64) unsigned char scratch[];
  for (std::int64_t t = blockIdx.x; t < tiles; t += gridDim.x) {
    CudaTile tile(t, scratch);
    f(tile);
    __syncthreads();
  }
}

/// One partial sum per block of threads, formed as a tree: the order is fixed.
template <int K, class F>
__global__ void __launch_bounds__(kThreads) sum_kernel(std::int64_t n, F f, Sums<K>* partial) {
  __shared__ Sums<K> shared[kThreads];
  Sums<K> s;
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * kThreads;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x; i < n; i += stride) s += f(i);
  shared[threadIdx.x] = s;
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (static_cast<int>(threadIdx.x) < half) shared[threadIdx.x] += shared[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = shared[0];
}

}  // namespace cuda_kernels

/// Loops on an NVIDIA GPU, in order on the default stream.
struct CudaDevice {
  static constexpr std::string_view name = "cuda";
  template <class T>
  using View = PlainView<T>;
  using Tile = cuda_kernels::CudaTile;

  template <class T>
  static T* allocate(std::int64_t size) {
    void* data = nullptr;
    check(cudaMalloc(&data, static_cast<std::size_t>(size) * sizeof(T)));
    return static_cast<T*>(data);
  }
  template <class T>
  static void release(T* data, std::int64_t) {
    cudaFree(data);
  }
  template <class T>
  static View<T> view(T* data, std::int64_t size) {
    return {data, size};
  }
  template <class T>
  static void copy_to_device(T* device, const T* host, std::int64_t size) {
    check(cudaMemcpy(device, host, static_cast<std::size_t>(size) * sizeof(T), cudaMemcpyHostToDevice));
  }
  template <class T>
  static void copy_to_host(T* host, const T* device, std::int64_t size) {
    check(cudaMemcpy(host, device, static_cast<std::size_t>(size) * sizeof(T), cudaMemcpyDeviceToHost));
  }
  static void synchronize() { check(cudaDeviceSynchronize()); }

  template <class F>
  static void for_each(std::int64_t n, F f) {
    if (n <= 0) return;  // an empty grid is a launch error
    cuda_kernels::for_each_kernel<<<blocks_for(n), cuda_kernels::kThreads>>>(n, f);
    launched();
  }
  template <class F>
  static void for_each_row(std::int64_t rows, F f) {
    for_each(rows, f);
  }
  template <class F>
  static void for_each_tile(std::int64_t tiles, int cells, std::size_t scratch_bytes, F f) {
    if (tiles <= 0) return;
    const int threads = cells >= 512 ? 512 : cells <= 32 ? 32 : (cells + 31) / 32 * 32;
    const unsigned grid = static_cast<unsigned>(tiles < (1 << 20) ? tiles : 1 << 20);
    check(cudaFuncSetAttribute(cuda_kernels::tile_kernel<F>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(scratch_bytes)));
    cuda_kernels::tile_kernel<<<grid, threads, scratch_bytes>>>(tiles, f);
    launched();
  }

  template <int K, class F>
  static Sums<K> sum(std::int64_t n, F f) {
    Sums<K> total;
    if (n <= 0) return total;
    constexpr int kBlocks = 512;
    static Array<CudaDevice, Sums<K>> partial(kBlocks);
    const int blocks =
        static_cast<int>(std::min<std::int64_t>(kBlocks, (n + cuda_kernels::kThreads - 1) / cuda_kernels::kThreads));
    cuda_kernels::sum_kernel<K><<<blocks, cuda_kernels::kThreads>>>(n, f, partial.view().data());
    launched();
    std::vector<Sums<K>> host(static_cast<std::size_t>(blocks));
    copy_to_host(host.data(), partial.view().data(), blocks);
    for (const Sums<K>& s : host) total += s;
    return total;
  }
  template <class F>
  static double max(std::int64_t n, F f) {
    if (n <= 0) return 0;
    const auto value = [f] GRIDIRON_HOST_DEVICE(std::int64_t i) {
      const double v = f(i);
      return v == v ? v : static_cast<double>(INFINITY);
    };
    const auto larger = [] GRIDIRON_HOST_DEVICE(double a, double b) { return a > b ? a : b; };
    const thrust::counting_iterator<std::int64_t> first(0);
    return thrust::transform_reduce(thrust::device, first, first + n, value, 0.0, larger);
  }
  template <class In, class Out>
  static Out exclusive_scan(View<const In> in, View<Out> out) {
    const std::int64_t n = in.size();
    const Out zero = 0;
    copy_to_device(out.data(), &zero, 1);
    thrust::inclusive_scan(thrust::device, in.data(), in.data() + n, out.data() + 1,
                           [] GRIDIRON_HOST_DEVICE(Out a, Out b) { return a + b; });
    Out total = 0;
    copy_to_host(&total, out.data() + n, 1);
    return total;
  }
  static void group_by(View<const std::int32_t> key, std::int64_t groups, View<std::int64_t> begin,
                       View<std::int32_t> order) {
    const std::int64_t n = key.size();
    Array<CudaDevice, std::int32_t> sorted(n);
    std::int32_t* const keys = sorted.view().data();
    thrust::copy(thrust::device, key.data(), key.data() + n, keys);
    thrust::sequence(thrust::device, order.data(), order.data() + n);
    thrust::stable_sort_by_key(thrust::device, keys, keys + n, order.data());
    const thrust::counting_iterator<std::int32_t> first(0);
    thrust::lower_bound(thrust::device, keys, keys + n, first, first + groups + 1, begin.data());
  }

 private:
  static unsigned blocks_for(std::int64_t n) {
    const std::int64_t blocks = (n + cuda_kernels::kThreads - 1) / cuda_kernels::kThreads;
    return static_cast<unsigned>(std::min<std::int64_t>(blocks, 1 << 20));
  }
  static void launched() {
    check(cudaPeekAtLastError());
#ifndef NDEBUG
    check(cudaDeviceSynchronize());
#endif
  }
};

}  // namespace gridiron
