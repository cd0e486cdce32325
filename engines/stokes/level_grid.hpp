// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>
#include <vector>

#include "device/device.hpp"
#include "engines/stokes/stencil.hpp"

namespace gridiron::stokes {

/// Offsets into a vector as kernels of device D compute them: with 64 bits, a GPU spends more time on indices than on
/// anything else, and with 32 bits, loops do not vectorise on a CPU.
template <class D>
using Offset = std::conditional_t<D::shares_host_memory, int64_t, int32_t>;

/// The body of for_each_node(); loops over nodes vectorise only around code that is inlined. (nvcc has its own rules,
/// and clang takes attributes of a lambda only behind its parameters.)
#if defined(__CUDACC__) || defined(__clang__)
#define GRIDIRON_NODE_KERNEL GRIDIRON_KERNEL
#else
#define GRIDIRON_NODE_KERNEL GRIDIRON_KERNEL __attribute__((always_inline))
#endif

/// The nodes of a level on device D, with the coefficients of its matrix in precision T.
template <class D, class T>
struct LevelGrid {
  Layout layout;
  Stencil<T> stencil;
  ElementMatrices<T> elements;
  Array<D, T> viscosity;  ///< of each element, at its lower left node, if it varies; then `stencil` serves B alone
  Array<D, T> inside;  ///< 1 where a line of unknown velocities is, else 0: vertices and halfway points of x, then of y

  LevelGrid() = default;
  LevelGrid(const StokesGrid& grid, const Stencil<T>& coefficients)
      : layout(grid.elements[0], grid.elements[1]), stencil(coefficients) {
    std::vector<T> masks;
    for (const int64_t n : grid.elements)
      for (const bool is_halfway : {false, true})
        for (int64_t i = 0; i <= n; ++i) masks.push_back(i < n && (is_halfway || i > 0) ? T(1) : T(0));
    inside = Array<D, T>(masks);
    if (grid.has_constant_viscosity()) return;
    std::vector<T> plane(layout.plane, T(0));
    for (int64_t j = 0; j < layout.ny; ++j)
      for (int64_t i = 0; i < layout.nx; ++i) plane[layout.at(i, j)] = static_cast<T>(grid.viscosity_of(i, j));
    viscosity = Array<D, T>(plane);
    elements = ElementMatrices<T>(grid.spacing[0], grid.spacing[1], grid.reaction);
  }
  int64_t bytes() const { return bytes_of(inside, viscosity); }
};

/// The beginning of a line of nodes, its index, and whether the velocities on it and halfway to the next line are
/// unknown (1 or 0).
template <class T>
struct NodeLine {
  int64_t at, j;
  T vertex, halfway;
};

/// Squares of nodes that a block of a GPU's threads visits, so that a node finds in the cache what its neighbours on
/// other lines have read.
struct NodeSquares {
  static constexpr int kLog2Width = 5, kLog2Height = 3, kNodes = 1 << (kLog2Width + kLog2Height);
  int32_t width, height, across;

  NodeSquares(int64_t columns, int64_t lines)
      : width(static_cast<int32_t>(columns)),
        height(static_cast<int32_t>(lines)),
        across((width + (1 << kLog2Width) - 1) >> kLog2Width) {}
  int64_t nodes() const {
    return static_cast<int64_t>(across) * ((height + (1 << kLog2Height) - 1) >> kLog2Height) * kNodes;
  }
  /// Indices of the node of thread k; false if it lies outside.
  GRIDIRON_INLINE bool place(int64_t k, int32_t& i, int32_t& j) const {
    const int32_t thread = k;
    const int32_t square = thread / kNodes, row = square / across;
    i = (square - row * across) * (1 << kLog2Width) + thread % (1 << kLog2Width);
    j = row * (1 << kLog2Height) + thread / (1 << kLog2Width) % (1 << kLog2Height);
    return i < width && j < height;
  }
};

/// f(at, i, j, inside) for all nodes: entry, indices, and for each kind of velocity 1 where it is unknown, else 0.
template <class D, class T, class F>
void for_each_node_at(const LevelGrid<D, T>& grid, F f) {
  using I = Offset<D>;
  const Layout layout = grid.layout;
  const auto inside = grid.inside.view();
  const I width = static_cast<I>(layout.nx) + 1, height = static_cast<I>(layout.ny) + 1;
  if constexpr (!D::shares_host_memory) {
    const NodeSquares squares(width, height);
    const I pitch = static_cast<I>(layout.pitch);
    D::for_each(
        squares.nodes(), GRIDIRON_KERNEL(int64_t k) {
          I i = 0, j = 0;
          if (!squares.place(k, i, j)) return;
          const T vertex = inside[i], halfway = inside[width + i];
          const T line_vertex = inside[2 * width + j], line_halfway = inside[2 * width + height + j];
          f((j + Layout::kRim) * pitch + i + Layout::kLeft, i, j,
            Quartet<T>{{vertex * line_vertex, halfway * line_vertex, vertex * line_halfway, halfway * line_halfway}});
        });
  } else {
    D::for_each_line(
        height, width,
        GRIDIRON_KERNEL(int64_t j) {
          return NodeLine<T>{layout.at(0, j), j, inside[2 * width + j], inside[2 * width + height + j]};
        },
        GRIDIRON_NODE_KERNEL(const NodeLine<T>& line, int64_t i) {
          const T vertex = inside[i], halfway = inside[width + i];
          f(line.at + i, i, line.j,
            Quartet<T>{{vertex * line.vertex, halfway * line.vertex, vertex * line.halfway, halfway * line.halfway}});
        });
  }
}

/// f(at, inside) for all nodes.
template <class D, class T, class F>
void for_each_node(const LevelGrid<D, T>& grid, F f) {
  for_each_node_at(
      grid, GRIDIRON_NODE_KERNEL(Offset<D> at, Offset<D>, Offset<D>, const Quartet<T>& inside) { f(at, inside); });
}

// Kernels load all that they need before they store anything: a GPU would else wait for one value after the other, as
// a store may change what is loaded next.

/// The four velocities of a component at entry `at` of its planes.
template <class T, class V, class I>
GRIDIRON_INLINE Quartet<T> load_quartet(const V& x, I at, I plane) {
  return {{x[at], x[at + plane], x[at + 2 * plane], x[at + 3 * plane]}};
}
template <class T, class V, class I>
GRIDIRON_INLINE void store_quartet(const V& x, I at, I plane, const Quartet<T>& values) {
  for (int kind = 0; kind < 4; ++kind) x[at + kind * plane] = values[kind];
}

/// x += change at entry `at`, or from zero x = change, for the velocities of both components and the pressure.
template <bool from_zero, bool with_pressure, class T, class V, class I>
GRIDIRON_INLINE void add_at_node(const V& x, I at, I plane, const Quartet<T>& u, const Quartet<T>& v, T p) {
  Quartet<T> old_u{}, old_v{};
  T old_p(0);
  if (!from_zero) {
    old_u = load_quartet<T>(x, at, plane);
    old_v = load_quartet<T>(x, at + 4 * plane, plane);
    if (with_pressure) old_p = x[at + Layout::kPressure * plane];
  }
  for (int kind = 0; kind < 4; ++kind) {
    x[at + kind * plane] = from_zero ? u[kind] : old_u[kind] + u[kind];
    x[at + (4 + kind) * plane] = from_zero ? v[kind] : old_v[kind] + v[kind];
  }
  if (with_pressure) x[at + Layout::kPressure * plane] = from_zero ? p : old_p + p;
}

/// A vector of zeros.
template <class D, class T>
Array<D, T> zero_array(int64_t size) {
  Array<D, T> array(size);
  fill<D, T>(array.view(), T(0));
  return array;
}

}  // namespace gridiron::stokes
