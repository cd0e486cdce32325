// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/stokes/level_grid.hpp"

namespace gridiron::stokes {

/// Consecutive values, which a GPU loads and stores at once if they begin at a multiple of their number.
template <class T, int count>
struct alignas(sizeof(T) * count) ShortVector {
  T value[count];
  GRIDIRON_INLINE T& operator[](int k) { return value[k]; }
  GRIDIRON_INLINE T operator[](int k) const { return value[k]; }
};

template <class T, int count, class V, class I>
GRIDIRON_INLINE ShortVector<T, count> load_vector(const V& x, I at) {
#if defined(__CUDA_ARCH__)
  return *reinterpret_cast<const ShortVector<T, count>*>(x.data() + at);
#else
  ShortVector<T, count> values;
  for (int k = 0; k < count; ++k) values[k] = x[at + k];
  return values;
#endif
}
template <class T, int count, class V, class I>
GRIDIRON_INLINE void store_vector(const V& x, I at, const ShortVector<T, count>& values) {
#if defined(__CUDA_ARCH__)
  *reinterpret_cast<ShortVector<T, count>*>(x.data() + at) = values;
#else
  for (int k = 0; k < count; ++k) x[at + k] = values[k];
#endif
}

/// Neighbours along x that a thread handles where a kernel does little but stream: requests of a GPU's memory are twice
/// as wide then.
template <class D>
inline constexpr int kStreamed = D::shares_host_memory ? 1 : 2;

/// f(at, inside) for all nodes, kStreamed of them at a time, from entry `at` on: for each of them and each kind of
/// velocity, 1 where it is unknown, else 0. The last one of a line may lie outside the grid, where all is zero.
template <class D, class T, class F>
void for_each_streamed_node(const LevelGrid<D, T>& grid, F f) {
  using I = Offset<D>;
  constexpr int count = kStreamed<D>;
  if constexpr (count == 1) {
    for_each_node(
        grid, GRIDIRON_NODE_KERNEL(I at, const Quartet<T>& inside) {
          const Quartet<T> one[1] = {inside};
          f(at, one);
        });
  } else {
    const auto inside = grid.inside.view();
    const I width = static_cast<I>(grid.layout.nx) + 1, height = static_cast<I>(grid.layout.ny) + 1;
    const I pitch = static_cast<I>(grid.layout.pitch);
    const NodeSquares squares((width + count - 1) / count, height);
    D::for_each(
        squares.nodes(), GRIDIRON_KERNEL(int64_t k) {
          I i = 0, j = 0;
          if (!squares.place(k, i, j)) return;
          i *= count;
          const T line_vertex = inside[2 * width + j], line_halfway = inside[2 * width + height + j];
          Quartet<T> masks[count];
          for (int n = 0; n < count; ++n) {
            const T vertex = i + n < width ? inside[i + n] : T(0),
                    halfway = i + n < width ? inside[width + i + n] : T(0);
            masks[n] = {{vertex * line_vertex, halfway * line_vertex, vertex * line_halfway, halfway * line_halfway}};
          }
          f((j + Layout::kRim) * pitch + i + Layout::kLeft, masks);
        });
  }
}

/// The velocities of a component, or with the pressure all values, at neighbours from entry `at` on.
template <class T, int planes, int count>
struct StreamedNodes {
  ShortVector<T, count> of[planes];

  template <class V, class I>
  GRIDIRON_INLINE void load(const V& x, I at, I plane, int first = 0, int last = planes) {
    GRIDIRON_UNROLL
    for (int k = first; k < last; ++k) of[k] = load_vector<T, count>(x, at + k * plane);
  }
  template <class V, class I>
  GRIDIRON_INLINE void store(const V& x, I at, I plane, int first = 0, int last = planes) const {
    GRIDIRON_UNROLL
    for (int k = first; k < last; ++k) store_vector(x, at + k * plane, of[k]);
  }
};

}  // namespace gridiron::stokes
