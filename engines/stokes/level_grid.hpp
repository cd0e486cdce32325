// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "engines/device/device.hpp"
#include "engines/stokes/stencil.hpp"

namespace gridiron::stokes {

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
template <class T>
struct NodeLine {
  std::int64_t at;
  T vertex, halfway;
};

/// f(at, inside) for all nodes: the entry, and for each kind of velocity 1 where it is unknown, else 0.
template <class D, class T, class F>
void for_each_node(const LevelGrid<D, T>& grid, F f) {
  const Layout layout = grid.layout;
  const View<D, const T> inside = grid.inside.view();
  const std::int64_t width = layout.nx + 1, height = layout.ny + 1;
  D::for_each_line(
      height, width,
      GRIDIRON_KERNEL(std::int64_t j) {
        return NodeLine<T>{layout.at(0, j), inside[2 * width + j], inside[2 * width + height + j]};
      },
      GRIDIRON_KERNEL(const NodeLine<T>& line, std::int64_t i) {
        const T vertex = inside[i], halfway = inside[width + i];
        f(line.at + i,
          Quartet<T>{{vertex * line.vertex, halfway * line.vertex, vertex * line.halfway, halfway * line.halfway}});
      });
}

/// A vector of zeros.
template <class D, class T>
Array<D, T> zero_array(std::int64_t size) {
  Array<D, T> array(size);
  fill<D, T>(array.view(), T(0));
  return array;
}

}  // namespace gridiron::stokes
