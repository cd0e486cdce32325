// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>
#include <thrust/binary_search.h>
#include <thrust/execution_policy.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/system/cuda/execution_policy.h>
#include <thrust/transform_reduce.h>

#include <algorithm>
#include <cstring>
#include <source_location>
#include <string>
#include <utility>
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

/// How a block of kThreads lies on lines: 2^log2 threads along a line, the others on the next lines.
struct LineShape {
  int log2 = 5;

  /// `each`: points of a line that a thread takes, where lines are long enough.
  explicit LineShape(std::int64_t length, std::int64_t each) {
    while ((1 << log2) < kThreads && (each << log2) < length) ++log2;
  }
  __host__ __device__ int along() const { return 1 << log2; }
  __host__ __device__ int lines() const { return kThreads >> log2; }
  __device__ int first_point() const { return static_cast<int>(threadIdx.x) & (along() - 1); }
  __device__ int first_line() const { return static_cast<int>(threadIdx.x) >> log2; }
};

/// A thread takes every gridDim.x · along-th point of a line, and computes only once what is the same along it.
template <class L, class F>
__global__ void __launch_bounds__(kThreads)
    line_kernel(std::int64_t lines, std::int64_t length, LineShape shape, L on_line, F f) {
  const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * shape.along() + shape.first_point();
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * shape.along();
  if (first >= length) return;
  for (std::int64_t line = static_cast<std::int64_t>(blockIdx.y) * shape.lines() + shape.first_line(); line < lines;
       line += static_cast<std::int64_t>(gridDim.y) * shape.lines()) {
    const auto known = on_line(line);
#pragma unroll 1
    for (std::int64_t i = first; i < length; i += stride) f(known, i);
  }
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
  /// A warp takes a line.
  template <class L, class G>
  __device__ void each_line(std::int64_t lines, std::int64_t length, L on_line, G g) {
    for (std::int64_t line = threadIdx.x / 32; line < lines; line += blockDim.x / 32) {
      const auto known = on_line(line);
      for (std::int64_t i = threadIdx.x % 32; i < length; i += 32) g(known, i);
    }
    __syncthreads();
  }
  template <class A, class X, class G>
  __device__ void each_product(const A& a, std::int64_t first, std::int64_t last, PlainView<const X> x, G g) {
    const std::int64_t end = 32 * last < a.rows ? 32 * last : a.rows;
    for (std::int64_t i = 32 * first + threadIdx.x; i < end; i += blockDim.x) g(i, a.row_product(i, x));
    __syncthreads();
  }
  template <class T, class F>
  __device__ void recur(std::int64_t steps, F f) {
    if (threadIdx.x < 32) {
      T v = 0;
      for (std::int64_t step = 0; step < steps; ++step) v = f(step, static_cast<std::int64_t>(threadIdx.x), v);
    }
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

template <class A, class X, class F>
__global__ void __launch_bounds__(kThreads) product_kernel(A a, PlainView<const X> x, F f) {
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < a.rows; i += stride)
    f(i, a.row_product(i, x));
}

/// Products of a slice by eight warps, each with every eighth entry, for matrices of few or long rows; thread t < 32 of
/// the block gets that of row 32 s + t.
template <class A, class X>
__device__ auto product_of_slice(const A& a, const PlainView<const X>& x, std::int64_t s) {
  using Sum = std::common_type_t<typename A::Value, X>;
  constexpr int kWarps = kThreads / 32;
  __shared__ Sum shared[kThreads];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  Sum sum = 0;
  for (std::int64_t k = a.begin[s] + warp; k < a.begin[s + 1]; k += kWarps)
    sum += a.value[32 * k + lane] * x[a.col[32 * k + lane]];
  if (a.tail[s] >= 0)
    for (std::int64_t e = a.tail_begin[a.tail[s] + lane] + warp; e < a.tail_begin[a.tail[s] + lane + 1]; e += kWarps)
      sum += a.value[e] * x[a.col[e]];
  __syncthreads();  // the last slice's sums have been read
  shared[threadIdx.x] = sum;
  __syncthreads();
  if (warp == 0)
    for (int w = 1; w < kWarps; ++w) sum += shared[32 * w + lane];
  return sum;
}

template <class A, class X, class F>
__global__ void __launch_bounds__(kThreads) slice_kernel(A a, PlainView<const X> x, F f) {
  for (std::int64_t s = blockIdx.x; s < a.slices(); s += gridDim.x) {
    const auto sum = product_of_slice(a, x, s);
    const std::int64_t i = 32 * s + threadIdx.x;
    if (threadIdx.x < 32 && i < a.rows) f(i, sum);
  }
}

static __global__ void set_conditional(cudaGraphConditionalHandle handle, const double* flag) {
  cudaGraphSetConditional(handle, *flag > 0);
}

/// One warp per row: with one thread per row, 200 rows took 78 µs on an H200.
template <class T>
__global__ void __launch_bounds__(kThreads) dense_kernel(std::int64_t n, const T* a, const T* x, T* y) {
  const std::int64_t row = (static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x) / 32;
  if (row >= n) return;
  T sum = 0;
  for (std::int64_t j = threadIdx.x % 32; j < n; j += 32) sum += a[row * n + j] * x[j];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffffu, sum, step);
  if (threadIdx.x % 32 == 0) y[row] = sum;
}

/// Sums over the threads of a block as a tree; the result is in thread 0.
template <int K>
__device__ Sums<K> sum_of_block(Sums<K> s) {
  __shared__ Sums<K> shared[kThreads];
  shared[threadIdx.x] = s;
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (static_cast<int>(threadIdx.x) < half) shared[threadIdx.x] += shared[threadIdx.x + half];
    __syncthreads();
  }
  return shared[0];
}

/// What sums of all blocks pass through: partial sums, and how many blocks are done.
struct Reduction {
  static constexpr int kBlocks = 1024, kMostSums = 8;
  double partial[kBlocks * kMostSums];
  double total[kMostSums];
  unsigned done;
};

/// Every block leaves a partial sum; the last one to finish adds them up, always in the same order. `s` is that of a
/// thread.
template <int K>
__device__ void sum_of_grid(Sums<K> s, Reduction* reduction, double* out) {
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
  for (int k = 0; k < K; ++k) out[k] = total[k];
  reduction->done = 0;
}

template <int K, class F>
__global__ void __launch_bounds__(kThreads) sum_kernel(std::int64_t n, F f, Reduction* reduction, double* out) {
  Sums<K> s;
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * kThreads;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x; i < n; i += stride) s += f(i);
  sum_of_grid<K>(s, reduction, out);
}

/// Blocks take lines in turn; all points of a line are one block's.
template <int K, class L, class F>
__global__ void __launch_bounds__(kThreads) line_sum_kernel(std::int64_t lines, std::int64_t length, LineShape shape,
                                                            L on_line, F f, Reduction* reduction, double* out) {
  Sums<K> s;
  for (std::int64_t line = static_cast<std::int64_t>(blockIdx.x) * shape.lines() + shape.first_line(); line < lines;
       line += static_cast<std::int64_t>(gridDim.x) * shape.lines()) {
    const auto known = on_line(line);
#pragma unroll 1
    for (std::int64_t i = shape.first_point(); i < length; i += shape.along()) s += f(known, i);
  }
  sum_of_grid<K>(s, reduction, out);
}

template <int K, class A, class X, class F>
__global__ void __launch_bounds__(kThreads)
    slice_sum_kernel(A a, PlainView<const X> x, F f, Reduction* reduction, double* out) {
  Sums<K> s;
  for (std::int64_t slice = blockIdx.x; slice < a.slices(); slice += gridDim.x) {
    const auto sum = product_of_slice(a, x, slice);
    const std::int64_t i = 32 * slice + threadIdx.x;
    if (threadIdx.x < 32 && i < a.rows) s += f(i, sum);
  }
  sum_of_grid<K>(s, reduction, out);
}

inline void copy_in_parallel(char* to, const char* from, std::size_t bytes) {
  const std::size_t parts = bytes / (std::size_t{1} << 20) + 1;
#pragma omp parallel for schedule(static) if (parts > 2)
  for (std::size_t p = 0; p < parts; ++p)
    std::memcpy(to + p * bytes / parts, from + p * bytes / parts, (p + 1) * bytes / parts - p * bytes / parts);
}

/// Pinned memory in two halves: one is filled while the other is on its way to the device. The driver's own way from
/// pageable memory is one thread's.
class Staging {
 public:
  Staging() {
    for (Half& half : halves_) {
      check(cudaMallocHost(&half.data, kHalf));
      check(cudaEventCreateWithFlags(&half.sent, cudaEventDisableTiming));
    }
  }
  /// send(at, bytes, pinned) for consecutive parts of a whole of `bytes`; it fills `pinned` and enqueues the copy.
  template <class F>
  void through(std::size_t bytes, F send);

 private:
  static constexpr std::size_t kHalf = std::size_t{16} << 20;
  struct Half {
    char* data = nullptr;
    cudaEvent_t sent = nullptr;
  } halves_[2];
};

/// Temporary memory of Thrust's algorithms, from the pool.
struct PoolAllocator {
  using value_type = char;
  char* allocate(std::ptrdiff_t bytes);
  void deallocate(char* data, std::size_t);
};

}  // namespace cuda_kernels

/// Loops on an NVIDIA GPU, in order on one stream.
struct CudaDevice {
  static constexpr std::string_view name = "cuda";
  static constexpr bool shares_host_memory = false;
  template <class T>
  using View = PlainView<T>;
  using Tile = cuda_kernels::CudaTile;

  /// All work of the process, but for what is being recorded; memory comes from the device's pool in the same order and
  /// goes back to it.
  static cudaStream_t stream() { return current(); }
  static cudaStream_t& current() {
    static cudaStream_t created = [] {
      cudaStream_t s;
      check(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
      int device = 0;
      check(cudaGetDevice(&device));
      cudaMemPool_t pool;
      check(cudaDeviceGetDefaultMemPool(&pool, device));
      std::uint64_t keep_all = UINT64_MAX;
      check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep_all));
      return s;
    }();
    return created;
  }

  /// How Thrust's algorithms run.
  static auto policy() {
    static cuda_kernels::PoolAllocator allocator;
    return thrust::cuda::par_nosync(allocator).on(stream());
  }

  template <class T>
  static T* allocate(std::int64_t size) {
    void* data = nullptr;
    check(cudaMallocAsync(&data, static_cast<std::size_t>(size) * sizeof(T), stream()));
    return static_cast<T*>(data);
  }
  template <class T>
  static void release(T* data, std::int64_t) {
    cudaFreeAsync(data, stream());
  }
  template <class T>
  static View<T> view(T* data, std::int64_t size) {
    return {data, size};
  }
  template <class T>
  static void copy_to_device(T* device, const T* host, std::int64_t size) {
    const std::size_t bytes = static_cast<std::size_t>(size) * sizeof(T);
    staging().through(bytes, [=](std::size_t at, std::size_t part, char* pinned) {
      cuda_kernels::copy_in_parallel(pinned, reinterpret_cast<const char*>(host) + at, part);
      check(cudaMemcpyAsync(reinterpret_cast<char*>(device) + at, pinned, part, cudaMemcpyHostToDevice, stream()));
    });
    synchronize();
  }
  template <class T>
  static void copy_to_host(T* host, const T* device, std::int64_t size) {
    check(cudaMemcpyAsync(host, device, static_cast<std::size_t>(size) * sizeof(T), cudaMemcpyDeviceToHost, stream()));
    synchronize();
  }
  static void synchronize() { check(cudaStreamSynchronize(stream())); }

  template <class F>
  static void for_each(std::int64_t n, F f) {
    if (n <= 0) return;  // an empty grid is a launch error
    cuda_kernels::for_each_kernel<<<blocks_for(n), cuda_kernels::kThreads, 0, stream()>>>(n, f);
    launched();
  }
  template <class F>
  static void for_each_row(std::int64_t rows, F f) {
    for_each(rows, f);
  }
  template <class L, class F>
  static void for_each_line(std::int64_t lines, std::int64_t length, L on_line, F f) {
    if (lines <= 0 || length <= 0) return;
    const std::int64_t each = std::clamp<std::int64_t>(lines * length / kThreadsThatFill, 1, 16);
    const cuda_kernels::LineShape shape(length, each);
    const std::int64_t across = (length + each * shape.along() - 1) / (each * shape.along()),
                       down = (lines + shape.lines() - 1) / shape.lines();
    const dim3 grid(static_cast<unsigned>(across), static_cast<unsigned>(std::min<std::int64_t>(down, 65535)));
    cuda_kernels::line_kernel<<<grid, cuda_kernels::kThreads, 0, stream()>>>(lines, length, shape, on_line, f);
    launched();
  }
  template <class A, class X, class F>
  static void for_each_product(const A& a, View<const X> x, F f) {
    if (a.rows <= 0) return;
    if (a.rows <= kFewRows || a.has_tails())
      cuda_kernels::slice_kernel<<<static_cast<unsigned>(a.slices()), cuda_kernels::kThreads, 0, stream()>>>(a, x, f);
    else
      cuda_kernels::product_kernel<<<blocks_for(a.rows), cuda_kernels::kThreads, 0, stream()>>>(a, x, f);
    launched();
  }
  template <class F>
  static void for_each_tile(std::int64_t tiles, int cells, std::size_t scratch_bytes, F f) {
    if (tiles <= 0) return;
    const int threads = cells >= 512 ? 512 : cells <= 32 ? 32 : (cells + 31) / 32 * 32;
    const unsigned grid = static_cast<unsigned>(tiles < (1 << 20) ? tiles : 1 << 20);
    check(cudaFuncSetAttribute(cuda_kernels::tile_kernel<F>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(scratch_bytes)));
    cuda_kernels::tile_kernel<<<grid, threads, scratch_bytes, stream()>>>(tiles, f);
    launched();
  }

  template <class T>
  static void dense_product(View<const T> a, View<const T> x, View<T> y) {
    if (x.size() == 0) return;
    cuda_kernels::dense_kernel<<<blocks_for(32 * x.size()), cuda_kernels::kThreads, 0, stream()>>>(x.size(), a.data(),
                                                                                                   x.data(), y.data());
    launched();
  }

  template <int K, class F>
  static Sums<K> sum(std::int64_t n, F f) {
    double* const total = reduction()->total;
    sum_to<K>(total, n, f);
    Sums<K> host;
    copy_to_host(host.value, total, K);
    return host;
  }
  template <int K, class L, class F>
  static Sums<K> sum_of_lines(std::int64_t lines, std::int64_t length, L on_line, F f) {
    double* const total = reduction()->total;
    const cuda_kernels::LineShape shape(length, 1);
    const std::int64_t blocks = (lines + shape.lines() - 1) / shape.lines();
    const unsigned grid = static_cast<unsigned>(std::clamp<std::int64_t>(blocks, 1, cuda_kernels::Reduction::kBlocks));
    cuda_kernels::line_sum_kernel<K>
        <<<grid, cuda_kernels::kThreads, 0, stream()>>>(lines, length, shape, on_line, f, reduction(), total);
    launched();
    Sums<K> host;
    copy_to_host(host.value, total, K);
    return host;
  }
  template <int K, class A, class X, class F>
  static Sums<K> product_sum(const A& a, View<const X> x, F f) {
    double* const total = reduction()->total;
    product_sum_into<K>(View<double>(total, K), a, x, f);
    Sums<K> host;
    copy_to_host(host.value, total, K);
    return host;
  }
  template <int K, class F>
  static void sum_into(View<double> out, std::int64_t n, F f) {
    sum_to<K>(out.data(), n, f);
  }
  template <int K, class A, class X, class F>
  static void product_sum_into(View<double> out, const A& a, View<const X> x, F f) {
    if (a.rows > kFewRows && !a.has_tails())
      return sum_to<K>(out.data(), a.rows,
                       [=] GRIDIRON_HOST_DEVICE(std::int64_t i) { return f(i, a.row_product(i, x)); });
    const auto grid = static_cast<unsigned>(std::clamp<std::int64_t>(a.slices(), 1, cuda_kernels::Reduction::kBlocks));
    cuda_kernels::slice_sum_kernel<K><<<grid, cuda_kernels::kThreads, 0, stream()>>>(a, x, f, reduction(), out.data());
    launched();
  }

  /// While one lives, kernels go into the graph that `stream` captures. Ends the capture even when recording throws.
  class Capture {
   public:
    explicit Capture(cudaStream_t inner, cudaGraph_t* recorded = nullptr)
        : recorded_(recorded), outer_(std::exchange(current(), inner)) {}
    Capture(const Capture&) = delete;
    Capture& operator=(const Capture&) = delete;
    ~Capture() {
      const cudaStream_t inner = std::exchange(current(), outer_);
      cudaGraph_t part = nullptr;
      cudaStreamEndCapture(inner, recorded_ ? recorded_ : &part);
      if (inner != outer_) cudaStreamDestroy(inner);
    }

   private:
    cudaGraph_t* recorded_;
    cudaStream_t outer_;
  };

  /// A point in the work of the stream, recorded graphs included, whose time is taken.
  class Mark {
   public:
    Mark() { check(cudaEventCreate(&event_)); }
    Mark(const Mark&) = delete;
    Mark& operator=(const Mark&) = delete;
    ~Mark() { cudaEventDestroy(event_); }

    void set() {
      cudaStreamCaptureStatus status;
      check(cudaStreamIsCapturing(stream(), &status));
      const bool is_recorded = status != cudaStreamCaptureStatusNone;
      check(cudaEventRecordWithFlags(event_, stream(), is_recorded ? cudaEventRecordExternal : cudaEventRecordDefault));
    }
    /// Waits until the stream has come here.
    double seconds_since(const Mark& earlier) const {
      float milliseconds = 0;
      check(cudaEventSynchronize(event_));
      check(cudaEventElapsedTime(&milliseconds, earlier.event_, event_));
      return 1e-3 * milliseconds;
    }

   private:
    cudaEvent_t event_ = nullptr;
  };

  /// PlainRecording as a CUDA graph; marks inside take the time.
  class Recording {
   public:
    Recording() = default;
    Recording(const Recording&) = delete;
    Recording& operator=(const Recording&) = delete;
    ~Recording() {
      if (graph_) cudaGraphExecDestroy(graph_);
    }
    template <class F>
    void run(F kernels) {
      collect_time();
      if (!graph_) {
        check(cudaStreamBeginCapture(stream(), cudaStreamCaptureModeThreadLocal));
        cudaGraph_t recorded = nullptr;
        {
          const Capture capture(stream(), &recorded);
          kernels();
        }
        const cudaError_t instantiated = cudaGraphInstantiate(&graph_, recorded, 0);
        cudaGraphDestroy(recorded);
        check(instantiated);
      }
      check(cudaGraphLaunch(graph_, stream()));
      has_new_time_ = is_timed_;
    }
    template <class F>
    void timed(F part) {
      begin_.set();
      part();
      end_.set();
      is_timed_ = true;
    }
    double seconds() {
      collect_time();
      return seconds_;
    }

   private:
    /// Marks hold the time of the last run only.
    void collect_time() {
      if (std::exchange(has_new_time_, false)) seconds_ += end_.seconds_since(begin_);
    }

    cudaGraphExec_t graph_ = nullptr;
    Mark begin_, end_;
    bool is_timed_ = false, has_new_time_ = false;
    double seconds_ = 0;
  };

  /// Runs the kernels of `body` if flag[0] > 0. In a recording that is decided on the device: the body becomes a
  /// conditional node of the graph.
  template <class F>
  static void when(View<const double> flag, F body) {
    cudaStreamCaptureStatus status;
    cudaGraph_t graph = nullptr;
    const cudaGraphNode_t* before = nullptr;
    std::size_t count = 0;
    check(cudaStreamGetCaptureInfo(stream(), &status, nullptr, &graph));
    if (status == cudaStreamCaptureStatusNone) {
      double value = 0;
      copy_to_host(&value, flag.data(), 1);
      if (value > 0) body();
      return;
    }
    cudaGraphConditionalHandle handle;
    check(cudaGraphConditionalHandleCreate(&handle, graph, 0, cudaGraphCondAssignDefault));
    cuda_kernels::set_conditional<<<1, 1, 0, stream()>>>(handle, flag.data());
    check(cudaPeekAtLastError());
    check(cudaStreamGetCaptureInfo(stream(), &status, nullptr, &graph, &before, nullptr, &count));
    cudaGraphNodeParams node = {};
    node.type = cudaGraphNodeTypeConditional;
    node.conditional.handle = handle;
    node.conditional.type = cudaGraphCondTypeIf;
    node.conditional.size = 1;
    cudaGraphNode_t added;
    check(cudaGraphAddNode(&added, graph, before, nullptr, count, &node));
    check(cudaStreamUpdateCaptureDependencies(stream(), &added, nullptr, 1, cudaStreamSetCaptureDependencies));

    cudaStream_t inner;
    check(cudaStreamCreateWithFlags(&inner, cudaStreamNonBlocking));
    check(cudaStreamBeginCaptureToGraph(inner, node.conditional.phGraph_out[0], nullptr, nullptr, 0,
                                        cudaStreamCaptureModeThreadLocal));
    const Capture capture(inner);
    body();
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
    return thrust::transform_reduce(policy(), first, first + n, value, 0.0, larger);
  }
  template <class L, class F>
  static double max_of_lines(std::int64_t lines, std::int64_t length, L on_line, F f) {
    return max(lines * length, [=] GRIDIRON_HOST_DEVICE(std::int64_t k) { return f(on_line(k / length), k % length); });
  }
  template <class In, class Out>
  static Out exclusive_scan(View<const In> in, View<Out> out) {
    const std::int64_t n = in.size();
    const Out zero = 0;
    copy_to_device(out.data(), &zero, 1);
    thrust::inclusive_scan(policy(), in.data(), in.data() + n, out.data() + 1,
                           [] GRIDIRON_HOST_DEVICE(Out a, Out b) { return a + b; });
    Out total = 0;
    copy_to_host(&total, out.data() + n, 1);
    return total;
  }
  static void group_by(View<const std::int32_t> key, std::int64_t groups, View<std::int32_t> begin,
                       View<std::int32_t> order) {
    const std::int64_t n = key.size();
    Array<CudaDevice, std::int32_t> sorted(n);
    std::int32_t* const keys = sorted.view().data();
    thrust::copy(policy(), key.data(), key.data() + n, keys);
    thrust::sequence(policy(), order.data(), order.data() + n);
    thrust::stable_sort_by_key(policy(), keys, keys + n, order.data());
    const thrust::counting_iterator<std::int32_t> first(0);
    thrust::lower_bound(policy(), keys, keys + n, first, first + groups + 1, begin.data());
  }

  template <int K, class F>
  static void sum_to(double* out, std::int64_t n, F f) {
    const std::int64_t blocks = (n + cuda_kernels::kThreads - 1) / cuda_kernels::kThreads;
    const unsigned grid = static_cast<unsigned>(std::clamp<std::int64_t>(blocks, 1, cuda_kernels::Reduction::kBlocks));
    cuda_kernels::sum_kernel<K><<<grid, cuda_kernels::kThreads, 0, stream()>>>(n, f, reduction(), out);
    launched();
  }

 private:
  /// Below this, a thread per row leaves the device idle; with hubs, one thread would walk through a whole hub.
  static constexpr std::int64_t kFewRows = 1 << 17;
  /// From here on threads take several points of a line each: what is the same along it costs as much as a few points.
  static constexpr std::int64_t kThreadsThatFill = 1 << 18;

  static cuda_kernels::Staging& staging() {
    static auto* const memory = new cuda_kernels::Staging;  // outlives what is destroyed at exit, as the driver may not
    return *memory;
  }
  static cuda_kernels::Reduction* reduction() {
    static cuda_kernels::Reduction* const memory = [] {
      auto* const fresh = allocate<cuda_kernels::Reduction>(1);
      check(cudaMemsetAsync(fresh, 0, sizeof(cuda_kernels::Reduction), stream()));
      return fresh;
    }();
    return memory;
  }
  static unsigned blocks_for(std::int64_t n) {
    const std::int64_t blocks = (n + cuda_kernels::kThreads - 1) / cuda_kernels::kThreads;
    return static_cast<unsigned>(std::min<std::int64_t>(blocks, 1 << 20));
  }
  static void launched() { check(cudaPeekAtLastError()); }
};

template <class F>
void cuda_kernels::Staging::through(std::size_t bytes, F send) {
  int turn = 0;
  for (std::size_t at = 0; at < bytes; at += kHalf, turn ^= 1) {
    check(cudaEventSynchronize(halves_[turn].sent));
    send(at, std::min(kHalf, bytes - at), halves_[turn].data);
    check(cudaEventRecord(halves_[turn].sent, CudaDevice::stream()));
  }
}
inline char* cuda_kernels::PoolAllocator::allocate(std::ptrdiff_t bytes) {
  return CudaDevice::allocate<char>(bytes > 0 ? bytes : 1);
}
inline void cuda_kernels::PoolAllocator::deallocate(char* data, std::size_t) { CudaDevice::release(data, 0); }

}  // namespace gridiron
