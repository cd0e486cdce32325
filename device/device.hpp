// SPDX-License-Identifier: Apache-2.0
#pragma once

// The device seam: algorithms are written once, as templates over a device type D, and compiled for every device. A
// device is a struct of static functions:
//
//   CpuDevice       OpenMP threads                     cpu_device.hpp
//   CheckingDevice  the CPU, with checks               checking_device.hpp   (tests)
//   CudaDevice      an NVIDIA GPU                      cuda_device.cuh       (compiled by nvcc only)
//
// A kernel body is a lambda marked GRIDIRON_KERNEL that captures views by value:
//
//   D::for_each(n, GRIDIRON_KERNEL(int64_t i) { y[i] += a * x[i]; });
//
// nvcc accepts kernels only in public functions. What it compiles them for is the GPU alone: nothing on the host calls
// them, or asks what they return. (Of __host__ __device__ lambdas nvcc keeps pointers to host functions, once per
// translation unit, while the linker merges the functions that hand them on: a launch called through a null pointer.)
// The iterations of one for_each run in any order, and none may read what another one writes.
//
// Loops with a load() and a use() say apart what they read and what they do with it. A compiler cannot move a load
// above a store that may alias it, and one entry per thread keeps too few bytes on their way from a GPU's memory: so
// a thread loads for several entries, or for a row before its product, and uses all of it then.
//
// Work goes in order into the current queue of the calling thread: that of the innermost D::Scope, which an engine
// enters for each of its operations (EngineOn). Two threads with separate queues work concurrently. DeviceSeam, below,
// lists all that a device offers; the comments of CpuDevice document each function.

#include <concepts>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "device/host_device.hpp"
#include "device/pack.hpp"
#include "support/bytes_of.hpp"
#include "support/stopwatch.hpp"

#if defined(__CUDACC__)
#define GRIDIRON_KERNEL [=] __device__
#else
#define GRIDIRON_KERNEL [=]
#endif

namespace gridiron {

/// Pointer and length as kernels see an array. Element access is unchecked here; CheckingDevice has its own view type.
template <class T>
class PlainView {
 public:
  PlainView() = default;
  GRIDIRON_HOST_DEVICE PlainView(T* data, int64_t size) : data_(data), size_(size) {}
  template <class U>
  GRIDIRON_HOST_DEVICE PlainView(const PlainView<U>& other) : data_(other.data()), size_(other.size()) {}
  GRIDIRON_HOST_DEVICE T& operator[](int64_t i) const { return data_[i]; }
  GRIDIRON_HOST_DEVICE T* data() const { return data_; }
  GRIDIRON_HOST_DEVICE int64_t size() const { return size_; }

 private:
  T* data_ = nullptr;
  int64_t size_ = 0;
};

template <class D, class T>
using View = typename D::template View<T>;

/// An array in the memory of device D. It belongs to the queue that is current at construction, and may be destroyed
/// anywhere. New elements are indeterminate. Errors: std::bad_alloc on the CPU and ResourceError on a GPU when memory
/// runs out.
template <class D, class T>
class Array {
 public:
  Array() = default;
  explicit Array(int64_t size) : size_(size) {
    if (size == 0) return;
    queue_ = D::Queue::current();
    data_ = D::template allocate<T>(size);
  }
  explicit Array(std::span<const T> host) : Array(std::ssize(host)) { copy_from(host); }
  explicit Array(const std::vector<T>& host) : Array(std::span<const T>(host)) {}
  Array(Array&& other) noexcept { swap(other); }
  Array& operator=(Array&& other) noexcept {
    swap(other);
    return *this;
  }
  ~Array() {
    if (data_) D::release(data_, size_, queue_);
  }

  int64_t size() const { return size_; }
  int64_t bytes() const { return size_ * static_cast<int64_t>(sizeof(T)); }
  bool empty() const { return size_ == 0; }

  View<D, T> view() { return D::view(data_, size_); }
  View<D, const T> view() const { return D::view(static_cast<const T*>(data_), size_); }

  void copy_from(std::span<const T> host) {
    if (size_ > 0) D::copy_to_device(data_, host.data(), size_);
  }
  void copy_to(std::span<T> host) const {
    if (size_ > 0) D::copy_to_host(host.data(), data_, size_);
  }
  std::vector<T> to_host() const {
    std::vector<T> host(size_);
    copy_to(host);
    return host;
  }

 private:
  void swap(Array& other) noexcept {
    std::swap(size_, other.size_);
    std::swap(data_, other.data_);
    std::swap(queue_, other.queue_);
  }

  int64_t size_ = 0;
  T* data_ = nullptr;
  typename D::Queue queue_;  ///< where it is allocated and released
};

/// Host data for kernels to read; must outlive this. Nothing is copied where device and host share memory.
template <class D, class T>
class Upload {
 public:
  explicit Upload(std::span<const T> host) : host_(host) {
    if constexpr (D::shares_host_memory) return;
    copy_ = Array<D, T>(std::ssize(host));
    if (!copy_.empty()) D::send_to_device(copy_.view().data(), host.data(), copy_.size());
  }
  View<D, const T> view() const {
    if constexpr (D::shares_host_memory)
      return D::view(host_.data(), std::ssize(host_));
    else
      return copy_.view();
  }

 private:
  std::span<const T> host_;
  Array<D, T> copy_;
};

/// A value that earlier kernels compute, for kernels to read: on a GPU when they run; on a CPU, where it is known by
/// now, from a copy that loops keep in registers.
template <class D, class T>
class Computed {
 public:
  explicit Computed(const Array<D, T>& value) {
    if constexpr (D::shares_host_memory)
      value.copy_to({&held_, 1});
    else
      held_ = value.view();
  }
  GRIDIRON_HOST_DEVICE const T* operator->() const {
    if constexpr (D::shares_host_memory)
      return &held_;
    else
      return &held_[0];
  }

 private:
  std::conditional_t<D::shares_host_memory, T, View<D, const T>> held_;
};

/// What a kernel tells the host, which may enqueue more before it waits for that; on devices that finish each loop
/// before they return.
template <class D, class T>
class PlainReport {
 public:
  PlainReport() = default;
  PlainReport(const PlainReport&) = delete;
  PlainReport& operator=(const PlainReport&) = delete;
  /// For kernels to write element 0.
  View<D, T> view() { return D::view(&value_, 1); }
  /// Call when the kernels that write it are enqueued.
  void send() {}
  /// Waits for them.
  T read() const { return value_; }

 private:
  T value_{};
};

/// K sums computed in one pass.
template <int K>
struct Sums {
  double value[K] = {};
  GRIDIRON_HOST_DEVICE double& operator[](int k) { return value[k]; }
  GRIDIRON_HOST_DEVICE double operator[](int k) const { return value[k]; }
  GRIDIRON_HOST_DEVICE Sums& operator+=(const Sums& other) {
    for (int k = 0; k < K; ++k) value[k] += other.value[k];
    return *this;
  }
};

/// The terms of sums over K columns: the first term of every column, then the second, and so on.
template <class Term, class... Terms>
GRIDIRON_HOST_DEVICE auto sums_of(const Term& first, const Terms&... rest) {
  constexpr int K = kColumnsOf<Term>;
  const Term terms[] = {first, rest...};
  Sums<K*(1 + sizeof...(Terms))> sums;
  for (int t = 0; t < 1 + static_cast<int>(sizeof...(Terms)); ++t)
    for (int c = 0; c < K; ++c) sums[t * K + c] = column(terms[t], c);
  return sums;
}
/// Term t of such sums.
template <int K, int N>
GRIDIRON_HOST_DEVICE Columns<double, K> columns_of(const Sums<N>& sums, int t) {
  Columns<double, K> term{};
  for (int c = 0; c < K; ++c) column(term, c) = sums[t * K + c];
  return term;
}

/// Takes the larger of the two, column by column. NaN counts as infinite, so that it is never lost.
GRIDIRON_HOST_DEVICE inline void raise_to(double& largest, double value) {
  const double seen = value == value ? value : std::numeric_limits<double>::infinity();
  largest = largest < seen ? seen : largest;
}
template <int K>
GRIDIRON_HOST_DEVICE void raise_to(Pack<double, K>& largest, const Pack<double, K>& value) {
  for (int c = 0; c < K; ++c) raise_to(largest[c], value[c]);
}

/// The queue of devices that finish each loop before they return.
struct HostQueue {
  HostQueue() = default;
  explicit HostQueue(void*) {}
  static HostQueue current() { return {}; }
  struct Scope {
    explicit Scope(HostQueue) {}
  };
};

/// A named phase for profilers, on devices that have none.
struct UnnamedRange {
  explicit UnnamedRange(const char*) {}
};

/// A sequence of kernels that is run repeatedly with the same arguments, on devices that gain nothing by recording it.
class PlainRecording {
 public:
  template <class F>
  void run(F kernels) {
    kernels();
  }
  /// For use inside run(), once: times the kernels of `part` on every run.
  template <class F>
  void timed(F part) {
    Stopwatch watch;
    part();
    seconds_ += watch.seconds();
  }
  /// The total time that timed() has measured so far. All kernels must have finished.
  double seconds() const { return seconds_; }

 private:
  double seconds_ = 0;
};

/// Sums and scans are split into blocks of this many elements on every CPU device, so that their rounding does not
/// depend on the number of threads.
inline constexpr int64_t kBlock = 4096;

/// What a device must offer. Archetypes stand in for kernels: functions of an index, of a line and an index, of a row
/// and its product, of a tile; Matrix is a sliced sparse matrix (SellView).
template <class D, class Matrix = struct AnyMatrix>
concept DeviceSeam = requires(int64_t n, View<D, double> x, View<D, const double> c, View<D, const int32_t> key,
                              View<D, int32_t> order, const Matrix& a, typename D::Queue queue, void (*each)(int64_t),
                              double (*number)(int64_t), double (*on_line)(int64_t), void (*point)(double, int64_t),
                              double (*point_number)(double, int64_t), Sums<2> (*sums)(int64_t),
                              double (*of_column)(int64_t, int), void (*use_in_column)(int64_t, int, double),
                              double (*term_in_column)(int64_t, int, double),
                              void (*use_in_row)(int64_t, double, double),
                              Sums<2> (*terms_in_row)(int64_t, double, double), Sums<2> (*point_sums)(double, int64_t),
                              void (*columns)(int64_t, int), void (*row)(int64_t, double),
                              Sums<2> (*row_sums)(int64_t, double), void (*with_sums)(const Sums<2>&),
                              void (*on_tile)(typename D::Tile&), void (*kernels)(), typename D::Recording& recording,
                              typename D::template Report<double>& report, double* data) {
  { D::name } -> std::convertible_to<std::string_view>;
  { D::shares_host_memory } -> std::convertible_to<bool>;

  // Queues: a handle to a given stream or (nullptr) to a new one; current during the lifetime of a Scope of the thread.
  typename D::Queue;
  requires std::constructible_from<typename D::Queue, void*>;
  { D::Queue::current() } -> std::convertible_to<typename D::Queue>;
  requires std::constructible_from<typename D::Scope, typename D::Queue>;
  requires std::constructible_from<typename D::Range, const char*>;

  // Memory and copies.
  { D::template allocate<double>(n) } -> std::same_as<double*>;
  D::release(data, n, queue);
  { D::view(data, n) } -> std::same_as<View<D, double>>;
  D::copy_to_device(data, data, n);
  D::send_to_device(data, data, n);
  D::copy_to_host(data, data, n);
  D::synchronize();

  // What kernels tell the host while later ones run.
  { report.view() } -> std::same_as<View<D, double>>;
  report.send();
  { report.read() } -> std::same_as<double>;

  // Loops and products.
  D::for_each(n, each);
  D::template for_each_of_columns<2>(n, columns);
  D::template for_each_of_columns<2>(n, of_column, use_in_column);
  D::for_each_line(n, n, on_line, point);
  D::for_each_tile(n, 32, size_t{64}, on_tile);
  { D::template held_bytes<double, 32, 2>() } -> std::same_as<size_t>;
  D::for_each_product(a, c, row);
  D::for_each_product(a, c, number, use_in_row);
  D::dense_product(c, c, x);

  // Sums in a fixed order, to the host or (…_then) on the device; maxima, where NaN counts as infinite.
  { D::template sum<2>(n, sums) } -> std::same_as<Sums<2>>;
  { D::template sum_of_columns<2>(n, of_column) } -> std::same_as<Sums<2>>;
  { D::template sum_of_lines<2>(n, n, on_line, point_sums) } -> std::same_as<Sums<2>>;
  { D::template product_sum<2>(a, c, row_sums) } -> std::same_as<Sums<2>>;
  D::template sum_then<2>(n, sums, with_sums);
  D::template sum_of_columns_then<2>(n, of_column, with_sums);
  D::template sum_of_columns_then<2>(n, of_column, term_in_column, with_sums);
  D::template sum_of_lines_then<2>(n, n, on_line, point_sums, with_sums);
  D::template product_sum_then<2>(a, c, row_sums, with_sums);
  D::template product_sum_then<2>(a, c, number, terms_in_row, with_sums);
  { D::max(n, number) } -> std::same_as<double>;
  { D::template max<double>(n, number) } -> std::same_as<double>;
  { D::max_of_lines(n, n, on_line, point_number) } -> std::same_as<double>;

  // Prefix sums, grouping by key.
  { D::exclusive_scan(key, order) } -> std::same_as<int32_t>;
  D::group_by(key, n, order, order);

  // Kernels recorded once and replayed, with decisions made on the device and parts that may overlap.
  recording.run(kernels);
  recording.timed(kernels);
  { recording.seconds() } -> std::same_as<double>;
  D::when(c, kernels);
  D::side_by_side(std::span<const typename D::Queue>(), n, each);
};

/// here() and, in the queue `other`, the kernels of there(): parts of D::side_by_side(). there() does not wait for
/// them, so that they run while here() is at work.
template <class D, class Here, class There>
void side_by_side(const typename D::Queue& other, Here here, There there) {
  D::side_by_side(std::span(&other, 1), 2, [&](int64_t part) {
    if (part == 0)
      here();
    else
      there();
  });
}

/// For lines about which nothing is computed in advance: the kernel of a D::for_each_line() takes their numbers.
struct LineNumber {
  GRIDIRON_HOST_DEVICE int64_t operator()(int64_t line) const { return line; }
};

template <class D, class T>
void fill(View<D, T> x, T value) {
  D::for_each(
      x.size(), GRIDIRON_KERNEL(int64_t i) { x[i] = value; });
}

/// As many entries as `to` has.
template <class D, class T>
void copy(View<D, const T> from, View<D, T> to) {
  D::for_each(
      to.size(), GRIDIRON_KERNEL(int64_t i) { to[i] = from[i]; });
}

/// Copies values in precision T; `array` has their size, or is empty.
template <class D, class T>
void round_to(View<D, const double> from, Array<D, T>& array) {
  if (array.empty()) array = Array<D, T>(from.size());
  const auto to = array.view();
  D::for_each(
      array.size(), GRIDIRON_KERNEL(int64_t i) { to[i] = static_cast<T>(from[i]); });
}

}  // namespace gridiron
