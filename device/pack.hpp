// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>
#include <utility>

#include "device/host_device.hpp"

namespace gridiron {

/// Corresponding entries of K vectors, stored side by side: kernels written for scalars accept packs as well, and then
/// process K columns in one pass over a matrix. Arithmetic is column by column and in the order of the same expression
/// on scalars, so a column's rounding does not depend on its neighbours.
template <class T, int K>
struct alignas(sizeof(T) * K % 16 == 0 ? 16 : sizeof(T)) Pack {
  T value[K];

  GRIDIRON_HOST_DEVICE T& operator[](int c) { return value[c]; }
  GRIDIRON_HOST_DEVICE const T& operator[](int c) const { return value[c]; }

  template <class U>
  GRIDIRON_HOST_DEVICE Pack& operator+=(const Pack<U, K>& other) {
#pragma omp simd
    for (int c = 0; c < K; ++c) value[c] += other[c];
    return *this;
  }
  template <class U>
  GRIDIRON_HOST_DEVICE Pack& operator-=(const Pack<U, K>& other) {
#pragma omp simd
    for (int c = 0; c < K; ++c) value[c] -= other[c];
    return *this;
  }
};

/// An entry of K columns; for a single column a plain scalar.
template <class T, int K>
using Columns = std::conditional_t<K == 1, T, Pack<T, K>>;

/// The type of a · x.
template <class A, class X>
using Product = decltype(std::declval<A>() * std::declval<X>());

template <class X>
struct ColumnCount : std::integral_constant<int, 1> {};
template <class T, int K>
struct ColumnCount<Pack<T, K>> : std::integral_constant<int, K> {};

/// The number of columns of the entry type X.
template <class X>
inline constexpr int kColumnsOf = ColumnCount<std::remove_cv_t<X>>::value;

// Each operator between two packs, and between a pack and a scalar.
#define GRIDIRON_PACK_OPERATOR(op)                                                                               \
  template <class T, class U, int K>                                                                             \
  GRIDIRON_HOST_DEVICE Pack<std::common_type_t<T, U>, K> operator op(const Pack<T, K>& a, const Pack<U, K>& b) { \
    Pack<std::common_type_t<T, U>, K> result;                                                                    \
    _Pragma("omp simd") for (int c = 0; c < K; ++c) result[c] = a[c] op b[c];                                    \
    return result;                                                                                               \
  }                                                                                                              \
  template <class T, class U, int K>                                                                             \
  requires std::is_arithmetic_v<U> GRIDIRON_HOST_DEVICE Pack<std::common_type_t<T, U>, K>                        \
  operator op(const Pack<T, K>& a, U b) {                                                                        \
    Pack<std::common_type_t<T, U>, K> result;                                                                    \
    _Pragma("omp simd") for (int c = 0; c < K; ++c) result[c] = a[c] op b;                                       \
    return result;                                                                                               \
  }                                                                                                              \
  template <class T, class U, int K>                                                                             \
  requires std::is_arithmetic_v<T> GRIDIRON_HOST_DEVICE Pack<std::common_type_t<T, U>, K>                        \
  operator op(T a, const Pack<U, K>& b) {                                                                        \
    Pack<std::common_type_t<T, U>, K> result;                                                                    \
    _Pragma("omp simd") for (int c = 0; c < K; ++c) result[c] = a op b[c];                                       \
    return result;                                                                                               \
  }
GRIDIRON_PACK_OPERATOR(+)
GRIDIRON_PACK_OPERATOR(-)
GRIDIRON_PACK_OPERATOR(*)
GRIDIRON_PACK_OPERATOR(/)
#undef GRIDIRON_PACK_OPERATOR

/// The entry of column c.
template <class T>
GRIDIRON_HOST_DEVICE T& column(T& number, int) {
  return number;
}
template <class T, int K>
GRIDIRON_HOST_DEVICE T& column(Pack<T, K>& pack, int c) {
  return pack[c];
}
template <class T, int K>
GRIDIRON_HOST_DEVICE const T& column(const Pack<T, K>& pack, int c) {
  return pack[c];
}

/// The type of an entry's columns.
template <class X>
using ColumnType = std::remove_cvref_t<decltype(column(std::declval<X&>(), 0))>;

/// A number, or each entry of a pack, converted to type T.
template <class T, class U>
requires std::is_arithmetic_v<U> GRIDIRON_HOST_DEVICE T to(U number) { return static_cast<T>(number); }
template <class T, class U, int K>
GRIDIRON_HOST_DEVICE Pack<T, K> to(const Pack<U, K>& pack) {
  Pack<T, K> result;
#pragma omp simd
  for (int c = 0; c < K; ++c) result[c] = static_cast<T>(pack[c]);
  return result;
}

}  // namespace gridiron
