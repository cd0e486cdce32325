// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "device/device.hpp"

namespace gridiron {

/// The sums of the device seam that stay on the device, for a device D that finishes each loop before it returns: by
/// its sums for the host, and D::call(then, sums).
template <class D>
struct SynchronousSums {
  /// Calls then(sums) once, when the sums are complete.
  template <int K, class F, class G>
  static void sum_then(std::int64_t n, F f, G then) {
    D::call(then, D::template sum<K>(n, f));
  }
  template <int K, class F, class G>
  static void sum_of_columns_then(std::int64_t n, F f, G then) {
    D::call(then, D::template sum_of_columns<K>(n, f));
  }
  /// With load() as in for_each_of_columns().
  template <int K, class L, class F, class G>
  static void sum_of_columns_then(std::int64_t n, L load, F use, G then) {
    D::template sum_of_columns_then<K>(
        n, [=](std::int64_t i, int c) { return use(i, c, load(i, c)); }, then);
  }
  template <int K, class L, class F, class G>
  static void sum_of_lines_then(std::int64_t lines, std::int64_t length, L on_line, F f, G then) {
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
        a, x, [=](std::int64_t i, const auto& sum) { return use(i, sum, load(i)); }, then);
  }
};

}  // namespace gridiron
