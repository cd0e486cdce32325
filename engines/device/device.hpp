// SPDX-License-Identifier: Apache-2.0
#pragma once

// The device seam: algorithms are written once, as templates over a device type D, and compiled for every device. A
// device is a struct of static functions:
//
//   CpuDevice       OpenMP threads                     cpu_device.hpp
//   CheckingDevice  the CPU, suspicious                checking_device.hpp   (tests)
//   CudaDevice      an NVIDIA GPU                      cuda_device.cuh       (compiled by nvcc only)
//
// A kernel body is a lambda marked GRIDIRON_KERNEL that captures views by value:
//
//   D::for_each(n, GRIDIRON_KERNEL(std::int64_t i) { y[i] += a * x[i]; });
//
// nvcc takes kernels from public functions only. Kernels of one for_each run in any order and must not read what
// another one writes.

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "support/host_device.hpp"
#include "support/stopwatch.hpp"

#define GRIDIRON_KERNEL [=] GRIDIRON_HOST_DEVICE

namespace gridiron {

/// Pointer and length as kernels see an array. Element access is unchecked here; CheckingDevice brings its own view.
template <class T>
class PlainView {
 public:
  PlainView() = default;
  GRIDIRON_HOST_DEVICE PlainView(T* data, std::int64_t size) : data_(data), size_(size) {}
  template <class U>
  GRIDIRON_HOST_DEVICE PlainView(const PlainView<U>& other) : data_(other.data()), size_(other.size()) {}
  GRIDIRON_HOST_DEVICE T& operator[](std::int64_t i) const { return data_[i]; }
  GRIDIRON_HOST_DEVICE T* data() const { return data_; }
  GRIDIRON_HOST_DEVICE std::int64_t size() const { return size_; }

 private:
  T* data_ = nullptr;
  std::int64_t size_ = 0;
};

template <class D, class T>
using View = typename D::template View<T>;

/// An array in the memory of device D. New elements are indeterminate. Errors: std::bad_alloc on the CPU and
/// ResourceError on a GPU when memory runs out.
template <class D, class T>
class Array {
 public:
  Array() = default;
  explicit Array(std::int64_t size) : size_(size), data_(size > 0 ? D::template allocate<T>(size) : nullptr) {}
  explicit Array(std::span<const T> host) : Array(static_cast<std::int64_t>(host.size())) { copy_from(host); }
  explicit Array(const std::vector<T>& host) : Array(std::span<const T>(host)) {}
  Array(Array&& other) noexcept : size_(std::exchange(other.size_, 0)), data_(std::exchange(other.data_, nullptr)) {}
  Array& operator=(Array&& other) noexcept {
    std::swap(size_, other.size_);
    std::swap(data_, other.data_);
    return *this;
  }
  ~Array() {
    if (data_) D::release(data_, size_);
  }

  std::int64_t size() const { return size_; }
  std::int64_t bytes() const { return size_ * static_cast<std::int64_t>(sizeof(T)); }
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
    std::vector<T> host(static_cast<std::size_t>(size_));
    copy_to(host);
    return host;
  }

 private:
  std::int64_t size_ = 0;
  T* data_ = nullptr;
};

/// Host data for kernels to read; must outlive this. Nothing is copied where device and host share memory.
template <class D, class T>
class Upload {
 public:
  explicit Upload(std::span<const T> host) : host_(host) {
    if constexpr (!D::shares_host_memory) copy_ = Array<D, T>(host);
  }
  View<D, const T> view() const {
    if constexpr (D::shares_host_memory)
      return D::view(host_.data(), static_cast<std::int64_t>(host_.size()));
    else
      return copy_.view();
  }

 private:
  std::span<const T> host_;
  Array<D, T> copy_;
};

/// K sums that are formed together.
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

/// Kernels that are run again and again with the same arguments, for devices that gain nothing by recording them.
class PlainRecording {
 public:
  template <class F>
  void run(F kernels) {
    kernels();
  }
  /// For use inside run(), once: takes the time of the kernels of `part` whenever they are run.
  template <class F>
  void timed(F part) {
    Stopwatch watch;
    part();
    seconds_ += watch.seconds();
  }
  /// What timed() has measured so far. Kernels that were run must have ended.
  double seconds() const { return seconds_; }

 private:
  double seconds_ = 0;
};

/// Sums and scans are split into blocks of this many elements on every CPU device, so their rounding does not depend on
/// the number of threads.
inline constexpr std::int64_t kBlock = 4096;

template <class D, class T>
void fill(View<D, T> x, T value) {
  D::for_each(
      x.size(), GRIDIRON_KERNEL(std::int64_t i) { x[i] = value; });
}

}  // namespace gridiron
