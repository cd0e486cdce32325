// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "device/device.hpp"
#include "device/slices.hpp"

namespace gridiron {

/// What is the same on all devices D that finish each loop before it returns.
template <class D>
struct SynchronousLoops {
  using Queue = HostQueue;
  using Scope = HostQueue::Scope;
  using Range = UnnamedRange;
  using Recording = PlainRecording;
  template <class T>
  using Report = PlainReport<D, T>;

  template <class T>
  static auto view(T* data, int64_t size) {
    return typename D::template View<T>(data, size);
  }
  /// copy_to_device(), complete in the order of the current queue: on return the host memory may change.
  template <class T>
  static void send_to_device(T* device, const T* host, int64_t size) {
    D::copy_to_device(device, host, size);
  }
  static void synchronize() {}

  /// use(i, Σ_{j ≠ i} a_ij x_j, load(i)) for every row of a sliced matrix, where load() only reads; a GPU loads before
  /// it multiplies.
  template <class A, class V, class L, class F>
  static void for_each_product(const A& a, V x, L load, F use) {
    D::for_each_product(a, x, [=](int64_t i, const auto& sum) { use(i, sum, load(i)); });
  }

  /// y = A x for a dense square matrix, row after row.
  template <class A, class X, class Y>
  static void dense_product(A a, X x, Y y) {
    D::for_each(x.size(), [=](int64_t i) { y[i] = dot(a, i * x.size(), x, x.size()); });
  }

  /// D::sum() of f(i, c), for each column c of K.
  template <int K, class F>
  static Sums<K> sum_of_columns(int64_t n, F f) {
    return D::template sum<K>(n, [&f](int64_t i) {
      Sums<K> terms;
#pragma omp simd
      for (int c = 0; c < K; ++c) terms[c] = f(i, c);
      return terms;
    });
  }
};

/// The sums of the device seam that stay on the device, for a device D that finishes each loop before it returns: by
/// its sums for the host, and D::call(then, sums).
template <class D>
struct SynchronousSums {
  /// Calls then(sums) once, when the sums are complete.
  template <int K, class F, class G>
  static void sum_then(int64_t n, F f, G then) {
    D::call(then, D::template sum<K>(n, f));
  }
  template <int K, class F, class G>
  static void sum_of_columns_then(int64_t n, F f, G then) {
    D::call(then, D::template sum_of_columns<K>(n, f));
  }
  /// With load() as in for_each_of_columns().
  template <int K, class L, class F, class G>
  static void sum_of_columns_then(int64_t n, L load, F use, G then) {
    D::template sum_of_columns_then<K>(
        n, [=](int64_t i, int c) { return use(i, c, load(i, c)); }, then);
  }
  template <int K, class L, class F, class G>
  static void sum_of_lines_then(int64_t lines, int64_t length, L on_line, F f, G then) {
    D::call(then, D::template sum_of_lines<K>(lines, length, on_line, f));
  }
  template <int K, class A, class V, class F, class G>
  static void product_sum_then(const A& a, V x, F f, G then) {
    D::call(then, D::template product_sum<K>(a, x, f));
  }
  /// With load() as in for_each_product().
  template <int K, class A, class V, class L, class F, class G>
  static void product_sum_then(const A& a, V x, L load, F use, G then) {
    D::template product_sum_then<K>(
        a, x, [=](int64_t i, const auto& sum) { return use(i, sum, load(i)); }, then);
  }
};

}  // namespace gridiron
