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

  std::int64_t rows() const { return grid_.layout.size(); }
  const Layout& layout() const { return grid_.layout; }
  const LevelGrid<D, double>& grid() const { return grid_; }
  std::int64_t bytes() const { return grid_.bytes(); }

  template <class T>
  Array<D, T> vector() const {
    return zero_array<D, T>(rows());
  }

  /// direction = z, w = A z
  template <class T>
  void product(View<D, const T> z, View<D, T> direction, View<D, double> w) const {
    if (!grid_.viscosity.empty()) return element_product(z, direction, w);
    const Stencil<double> s = grid_.stencil;
    const auto pitch = static_cast<Offset<D>>(grid_.layout.pitch), plane = static_cast<Offset<D>>(grid_.layout.plane);
    for_each_node(
        grid_, GRIDIRON_NODE_KERNEL(Offset<D> at, const Quartet<double>& inside) {
          copy_and_multiply<0>(s, inside, z, direction, w, at, pitch, plane);
          copy_and_multiply<1>(s, inside, z, direction, w, at, pitch, plane);
          const auto p = at + Layout::kPressure * plane;
          constexpr double one[4] = {1, 1, 1, 1};
          direction[p] = z[p];
          w[p] = apply_divergence(s, one, z, at, pitch, plane);
        });
  }

  /// product() where viscosities vary; public, as nvcc takes no kernels from private functions.
  template <class T>
  void element_product(View<D, const T> z, View<D, T> direction, View<D, double> w) const {
    const Stencil<double> s = grid_.stencil;
    const ElementMatrices<double> elements = grid_.elements;
    const View<D, const double> viscosity = grid_.viscosity.view();
    const auto pitch = static_cast<Offset<D>>(grid_.layout.pitch), plane = static_cast<Offset<D>>(grid_.layout.plane);
    for_each_node(
        grid_, GRIDIRON_NODE_KERNEL(Offset<D> at, const Quartet<double>& inside) {
          const auto p = at + Layout::kPressure * plane;
          const Quartet<double> rows[2] = {apply_elements(elements, viscosity, z, at, at, pitch, plane),
                                           apply_elements(elements, viscosity, z, at, at + 4 * plane, pitch, plane)};
          const Quartet<double> gradient[2] = {apply_gradient<0>(s, z, p, pitch), apply_gradient<1>(s, z, p, pitch)};
          for (int component = 0; component < 2; ++component)
            for (int kind = 0; kind < 4; ++kind) {
              const auto k = at + (4 * component + kind) * plane;
              direction[k] = z[k];
              w[k] = inside[kind] * (rows[component][kind] + gradient[component][kind]);
            }
          constexpr double one[4] = {1, 1, 1, 1};
          direction[p] = z[p];
          w[p] = apply_divergence(s, one, z, at, pitch, plane);
        });
  }

  /// r = b − A x
  void residual(View<D, const double> b, View<D, const double> x, View<D, double> r) const {
    form_residual<true, D, double>(grid_, b, x, r);
  }

 private:
  template <int component, class Z, class Y>
  GRIDIRON_INLINE static void copy_and_multiply(const Stencil<double>& s, const Quartet<double>& inside, const Z& z,
                                                const Y& direction, const View<D, double>& w, Offset<D> at,
                                                Offset<D> pitch, Offset<D> plane) {
    const Quartet<double> product = velocity_rows<component, true>(s, z, at, pitch, plane);
    for (int kind = 0; kind < 4; ++kind) {
      const auto k = at + (4 * component + kind) * plane;
      direction[k] = z[k];
      w[k] = inside[kind] * product[kind];
    }
  }

  LevelGrid<D, double> grid_;
};

/// Copies between a vector with one entry per unknown and one of this layout, in either direction.
template <class D>
void spread(const StokesGrid& grid, const Layout& layout, View<D, const double> unknowns, View<D, double> planes) {
  std::int64_t first = 0;
  for (int plane = 0; plane < Layout::kPlanes; ++plane) {
    const StokesGrid::Extent extent = plane_extent(grid, plane);
    const std::int64_t start = first, at = plane * layout.plane + layout.at(extent.first[0], extent.first[1]);
    const std::int64_t length = extent.count[0], pitch = layout.pitch;
    D::for_each_line(
        extent.count[1], length, GRIDIRON_KERNEL(std::int64_t j) { return j; },
        GRIDIRON_KERNEL(std::int64_t j, std::int64_t i) {
          planes[at + j * pitch + i] = unknowns[start + j * length + i];
        });
    first += extent.size();
  }
}
template <class D>
void collect(const StokesGrid& grid, const Layout& layout, View<D, const double> planes, View<D, double> unknowns) {
  std::int64_t first = 0;
  for (int plane = 0; plane < Layout::kPlanes; ++plane) {
    const StokesGrid::Extent extent = plane_extent(grid, plane);
    const std::int64_t start = first, at = plane * layout.plane + layout.at(extent.first[0], extent.first[1]);
    const std::int64_t length = extent.count[0], pitch = layout.pitch;
    D::for_each_line(
        extent.count[1], length, GRIDIRON_KERNEL(std::int64_t j) { return j; },
        GRIDIRON_KERNEL(std::int64_t j, std::int64_t i) {
          unknowns[start + j * length + i] = planes[at + j * pitch + i];
        });
    first += extent.size();
  }
}

}  // namespace gridiron::stokes
