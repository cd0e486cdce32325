// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>
#include <utility>
#include <vector>

#include "engines/device/device.hpp"
#include "engines/stokes/stencil.hpp"

namespace gridiron::stokes {

/// Offsets into a vector as kernels of device D compute them: with 64 bits, a GPU spends more time on indices than on
/// anything else, and with 32 bits, loops do not vectorise on a CPU.
template <class D>
using Offset = std::conditional_t<D::shares_host_memory, std::int64_t, std::int32_t>;

/// The body of for_each_node(); loops over nodes vectorise only around code that is inlined.
#if defined(__CUDACC__)
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
    for (const std::int64_t n : grid.elements)
      for (const bool is_halfway : {false, true})
        for (std::int64_t i = 0; i <= n; ++i) masks.push_back(i < n && (is_halfway || i > 0) ? T(1) : T(0));
    inside = Array<D, T>(masks);
    if (grid.has_constant_viscosity()) return;
    std::vector<T> plane(layout.plane, T(0));
    for (std::int64_t j = 0; j < layout.ny; ++j)
      for (std::int64_t i = 0; i < layout.nx; ++i) plane[layout.at(i, j)] = static_cast<T>(grid.viscosity_of(i, j));
    viscosity = Array<D, T>(plane);
    elements = ElementMatrices<T>(grid.spacing[0], grid.spacing[1], grid.reaction);
  }
  std::int64_t bytes() const { return inside.bytes() + viscosity.bytes(); }
};

/// The beginning of a line of nodes, and whether the velocities on it and halfway to the next line are unknown (1 or
/// 0).
template <class T, class I>
struct NodeLine {
  static constexpr bool has_neighbours = true;  ///< points of a line read what those of the next lines read too
  I at, j;
  T vertex, halfway;
};

/// f(at, i, j, inside) for all nodes: entry, indices, and for each kind of velocity 1 where it is unknown, else 0.
template <class D, class T, class F>
void for_each_node_at(const LevelGrid<D, T>& grid, F f) {
  using I = Offset<D>;
  const Layout layout = grid.layout;
  const View<D, const T> inside = grid.inside.view();
  const I width = static_cast<I>(layout.nx) + 1, height = static_cast<I>(layout.ny) + 1;
  D::for_each_line(
      height, width,
      GRIDIRON_KERNEL(std::int64_t j) {
        return NodeLine<T, I>{static_cast<I>(layout.at(0, j)), static_cast<I>(j), inside[2 * width + j],
                              inside[2 * width + height + j]};
      },
      GRIDIRON_NODE_KERNEL(const NodeLine<T, I>& line, std::int64_t column) {
        const I i = static_cast<I>(column);
        const T vertex = inside[i], halfway = inside[width + i];
        f(line.at + i, i, line.j,
          Quartet<T>{{vertex * line.vertex, halfway * line.vertex, vertex * line.halfway, halfway * line.halfway}});
      });
}

/// f(at, inside) for all nodes.
template <class D, class T, class F>
void for_each_node(const LevelGrid<D, T>& grid, F f) {
  for_each_node_at(
      grid, GRIDIRON_NODE_KERNEL(Offset<D> at, Offset<D>, Offset<D>, const Quartet<T>& inside) { f(at, inside); });
}

/// A vector of zeros.
template <class D, class T>
Array<D, T> zero_array(std::int64_t size) {
  Array<D, T> array(size);
  fill<D, T>(array.view(), T(0));
  return array;
}

}  // namespace gridiron::stokes
