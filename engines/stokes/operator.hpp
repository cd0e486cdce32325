// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/stokes/stokes_kernels.hpp"

namespace gridiron::stokes {

/// The matrix (13) of the paper without the pressure's ground, in fp64 and the problem's own units, as
/// flexible_gmres() needs it. Vectors have the layout of the grid.
template <class D>
class StokesOperator {
 public:
  StokesOperator() = default;
  explicit StokesOperator(const StokesGrid& grid)
      : grid_(grid, Stencil<double>(grid.viscosity[0], grid.spacing[0], grid.spacing[1], grid.reaction)) {}

  int64_t rows() const { return grid_.layout.size(); }
  const Layout& layout() const { return grid_.layout; }
  const LevelGrid<D, double>& grid() const { return grid_; }
  int64_t bytes() const { return grid_.bytes(); }

  template <class T>
  Array<D, T> vector() const {
    return zero_array<D, T>(rows());
  }

  /// direction = z, w = A z
  template <class T>
  void product(View<D, const T> z, View<D, T> direction, View<D, double> w) const {
    if (!grid_.viscosity.empty()) return element_product(z, direction, w);
    const Stencil<double> s = grid_.stencil;
    const Offset<D> pitch = grid_.layout.pitch, plane = grid_.layout.plane;
    for_each_node(
        grid_, GRIDIRON_NODE_KERNEL(Offset<D> at, const Quartet<double>& inside) {
          const Quartet<double> u = velocity_rows<0, true>(s, z, at, pitch, plane);
          const Quartet<double> v = velocity_rows<1, true>(s, z, at, pitch, plane);
          constexpr double one[4] = {1, 1, 1, 1};
          store_product(inside, z, direction, w, at, plane, u, v, apply_divergence(s, one, z, at, pitch, plane));
        });
  }

  /// product() where viscosities vary; public, as nvcc takes no kernels from private functions.
  template <class T>
  void element_product(View<D, const T> z, View<D, T> direction, View<D, double> w) const {
    const Stencil<double> s = grid_.stencil;
    const ElementMatrices<double> elements = grid_.elements;
    const auto viscosity = grid_.viscosity.view();
    const Offset<D> pitch = grid_.layout.pitch, plane = grid_.layout.plane;
    for_each_node(
        grid_, GRIDIRON_NODE_KERNEL(Offset<D> at, const Quartet<double>& inside) {
          const Quartet<double> u = element_rows<0>(s, elements, viscosity, z, at, pitch, plane);
          const Quartet<double> v = element_rows<1>(s, elements, viscosity, z, at, pitch, plane);
          constexpr double one[4] = {1, 1, 1, 1};
          store_product(inside, z, direction, w, at, plane, u, v, apply_divergence(s, one, z, at, pitch, plane));
        });
  }

  /// r = b − A x
  void residual(View<D, const double> b, View<D, const double> x, View<D, double> r) const {
    form_residual<true, D, double>(grid_, b, x, r);
  }

 private:
  /// direction = z and w = A z at entry `at`, given the rows of A z.
  template <class T>
  GRIDIRON_INLINE static void store_product(const Quartet<double>& inside, const View<D, const T>& z,
                                            const View<D, T>& direction, const View<D, double>& w, Offset<D> at,
                                            Offset<D> plane, const Quartet<double>& u, const Quartet<double>& v,
                                            double divergence) {
    const auto p = at + Layout::kPressure * plane;
    const Quartet<T> of_u = load_quartet<T>(z, at, plane), of_v = load_quartet<T>(z, at + 4 * plane, plane);
    const T of_p = z[p];
    store_quartet(direction, at, plane, of_u);
    store_quartet(direction, at + 4 * plane, plane, of_v);
    direction[p] = of_p;
    for (int kind = 0; kind < 4; ++kind) {
      w[at + kind * plane] = inside[kind] * u[kind];
      w[at + (4 + kind) * plane] = inside[kind] * v[kind];
    }
    w[p] = divergence;
  }

  LevelGrid<D, double> grid_;
};

/// f(entry, unknown) for all unknowns of a grid: where it is in a vector of this layout, and its number.
template <class D, class F>
void for_each_unknown(const StokesGrid& grid, const Layout& layout, F f) {
  int64_t first = 0;
  for (int plane = 0; plane < Layout::kPlanes; ++plane) {
    const StokesGrid::Extent extent = plane_extent(grid, plane);
    const int64_t start = first, at = plane * layout.plane + layout.at(extent.first[0], extent.first[1]);
    const int64_t length = extent.count[0], pitch = layout.pitch;
    D::for_each_line(
        extent.count[1], length, LineNumber(),
        GRIDIRON_NODE_KERNEL(int64_t j, int64_t i) { f(at + j * pitch + i, start + j * length + i); });
    first += extent.size();
  }
}

/// Copies a vector with one entry per unknown to one of this layout, or with `spreads` false the other way.
template <bool spreads, class D>
void copy_unknowns(const StokesGrid& grid, const Layout& layout, View<D, const double> from, View<D, double> to) {
  for_each_unknown<D>(
      grid, layout, GRIDIRON_NODE_KERNEL(int64_t entry, int64_t unknown) {
        to[spreads ? entry : unknown] = from[spreads ? unknown : entry];
      });
}
template <class D>
void spread(const StokesGrid& grid, const Layout& layout, View<D, const double> unknowns, View<D, double> planes) {
  copy_unknowns<true, D>(grid, layout, unknowns, planes);
}
template <class D>
void collect(const StokesGrid& grid, const Layout& layout, View<D, const double> planes, View<D, double> unknowns) {
  copy_unknowns<false, D>(grid, layout, planes, unknowns);
}

}  // namespace gridiron::stokes
