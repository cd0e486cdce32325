// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/stokes/vector_access.hpp"

namespace gridiron::stokes {

/// Transfers between two levels, of which one axis or both are halved. Vectors are those of the scaled equations
/// (Multigrid), so that pressures are multiplied by the ratio of the levels' spacings both ways.
struct Transfer {
  bool halves_x = true, halves_y = true;
  double pressure_factor = 0.5;
};

/// A value at a vertex of an axis, and one at the halfway point that follows it.
template <class T>
struct AxisPair {
  T vertex, halfway;
};

/// One axis of the transposed biquadratic interpolation, at coarse point i: vertex(k) and halfway(k) are the values at
/// the fine vertex k and at the fine halfway point behind it.
template <bool halved, class T, class I, class V, class H>
GRIDIRON_INLINE AxisPair<T> restrict_quadratic(I i, const V& vertex, const H& halfway) {
  if constexpr (!halved) {
    return {vertex(i), halfway(i)};
  } else {
    const I k = 2 * i;
    const T here = halfway(k), next = halfway(k + 1);
    return {vertex(k) + T(0.375) * (halfway(k - 1) + here) - T(0.125) * (halfway(k - 2) + next),
            vertex(k + 1) + T(0.75) * (here + next)};
  }
}

/// One axis of the transposed linear interpolation.
template <bool halved, class T, class I, class V>
GRIDIRON_INLINE T restrict_linear(I i, const V& vertex) {
  if constexpr (!halved)
    return vertex(i);
  else
    return vertex(2 * i) + T(0.5) * (vertex(2 * i - 1) + vertex(2 * i + 1));
}

/// coarse = Pᵀ fine, zero where velocities are not unknown.
template <bool halves_x, bool halves_y, class D, class T>
void restrict_along(const LevelGrid<D, T>& coarse, const Layout& fine, T pressure_factor, View<D, const T> from,
                    View<D, T> to) {
  using I = Offset<D>;
  const I plane = static_cast<I>(coarse.layout.plane);
  const I fine_plane = static_cast<I>(fine.plane), pitch = static_cast<I>(fine.pitch);
  constexpr I rim = Layout::kRim, left = Layout::kLeft;
  for_each_node_at(
      coarse, GRIDIRON_NODE_KERNEL(I at, I i, I j, const Quartet<T>& inside) {
        // A plane's value at column k of the fine line `row`.
        const auto value = [&](int which, I row, I k) {
          return from[which * fine_plane + (row + rim) * pitch + k + left];
        };
        // Along x first: vertices and halfway points of a line of the fine planes `which` and `which` + 1.
        const auto along_x = [&](int which, I row) {
          return restrict_quadratic<halves_x, T>(
              i, [&](I k) { return value(which, row, k); }, [&](I k) { return value(which + 1, row, k); });
        };
        Quartet<T> sums[2];
        for (int component = 0; component < 2; ++component) {
          if constexpr (halves_y) {
            const int at_vertices = 4 * component, halfway = at_vertices + 2;
            const I k = 2 * j;
            const AxisPair<T> here = along_x(halfway, k), next = along_x(halfway, k + 1);
            const AxisPair<T> before = along_x(halfway, k - 1), first = along_x(halfway, k - 2);
            const AxisPair<T> low = along_x(at_vertices, k), high = along_x(at_vertices, k + 1);
            const auto vertex = [](T on, T near, T other_near, T far, T other_far) {
              return on + T(0.375) * (near + other_near) - T(0.125) * (far + other_far);
            };
            sums[component] = {{vertex(low.vertex, before.vertex, here.vertex, first.vertex, next.vertex),
                                vertex(low.halfway, before.halfway, here.halfway, first.halfway, next.halfway),
                                high.vertex + T(0.75) * (here.vertex + next.vertex),
                                high.halfway + T(0.75) * (here.halfway + next.halfway)}};
          } else {
            const AxisPair<T> vertices = along_x(4 * component, j), halfway = along_x(4 * component + 2, j);
            sums[component] = {{vertices.vertex, vertices.halfway, halfway.vertex, halfway.halfway}};
          }
        }
        const T pressure = restrict_linear<halves_y, T>(j, [&](I row) {
          return restrict_linear<halves_x, T>(i, [&](I k) { return value(Layout::kPressure, row, k); });
        });
        for (int component = 0; component < 2; ++component)
          for (int kind = 0; kind < 4; ++kind)
            to[at + (4 * component + kind) * plane] = inside[kind] * sums[component][kind];
        to[at + Layout::kPressure * plane] = pressure_factor * pressure;
      });
}

/// Values on the fine level of one coarse interval, or of a coarse vertex and the halfway point behind it if the axis
/// is not halved: count vertices, and as many halfway points.
template <bool halved, class T>
struct FinePoints {
  static constexpr int kCount = halved ? 2 : 1;
  T vertex[kCount], halfway[kCount];
};

/// One axis of the biquadratic interpolation, from the vertices and the midpoint of a coarse interval.
template <bool halved, class T>
GRIDIRON_INLINE FinePoints<halved, T> interpolate_quadratic(T left, T middle, T right) {
  if constexpr (!halved)
    return {{left}, {middle}};
  else
    return {{left, middle},
            {T(0.375) * left + T(0.75) * middle - T(0.125) * right,
             T(-0.125) * left + T(0.75) * middle + T(0.375) * right}};
}

/// fine += P coarse, from each coarse node to the fine points up to the next ones. Zeros on and beyond the boundary
/// give zeros there.
template <bool halves_x, bool halves_y, class D, class T>
void interpolate_along(const LevelGrid<D, T>& coarse, const Layout& fine, T pressure_factor, View<D, const T> from,
                       View<D, T> to) {
  using I = Offset<D>;
  const I plane = static_cast<I>(coarse.layout.plane), pitch = static_cast<I>(coarse.layout.pitch);
  const I fine_plane = static_cast<I>(fine.plane), fine_pitch = static_cast<I>(fine.pitch);
  const I nx = static_cast<I>(coarse.layout.nx), ny = static_cast<I>(coarse.layout.ny);
  constexpr I rim = Layout::kRim, left = Layout::kLeft;
  constexpr int x_factor = halves_x ? 2 : 1, y_factor = halves_y ? 2 : 1, pressure = Layout::kPressure;
  constexpr bool kInParts = D::shares_host_memory;  // a CPU has too few registers for all of a node
  for_each_node_at(
      coarse, GRIDIRON_NODE_KERNEL(I at, I i, I j, const Quartet<T>&) {
        const I first = (y_factor * j + rim) * fine_pitch + x_factor * i + left;
        StreamedNodes<T, Layout::kPlanes, x_factor> fine_nodes[y_factor];
        const auto load = [&](int begin, int end) {
          for (int y = 0; y < y_factor; ++y) fine_nodes[y].load(to, first + y * fine_pitch, fine_plane, begin, end);
        };
        const auto store = [&](int begin, int end) {
          for (int y = 0; y < y_factor; ++y) fine_nodes[y].store(to, first + y * fine_pitch, fine_plane, begin, end);
        };
        if (!kInParts) load(0, Layout::kPlanes);
        const auto along_x = [&](int which, I up) {
          const I k = at + which * plane + up * pitch;
          return interpolate_quadratic<halves_x, T>(from[k], from[k + plane], from[k + 1]);
        };
        GRIDIRON_UNROLL
        for (int first_plane = 0; first_plane < pressure; first_plane += 4) {
          if (kInParts) load(first_plane, first_plane + 4);
          const auto bottom = along_x(first_plane, 0), middle = along_x(first_plane + 2, 0),
                     top = along_x(first_plane, 1);
          for (int x = 0; x < x_factor; ++x) {
            const auto vertices = interpolate_quadratic<halves_y, T>(bottom.vertex[x], middle.vertex[x], top.vertex[x]);
            const auto halfway =
                interpolate_quadratic<halves_y, T>(bottom.halfway[x], middle.halfway[x], top.halfway[x]);
            for (int y = 0; y < y_factor; ++y) {
              auto& velocity = fine_nodes[y].of;
              velocity[first_plane][x] += vertices.vertex[y];
              velocity[first_plane + 1][x] += halfway.vertex[y];
              velocity[first_plane + 2][x] += vertices.halfway[y];
              velocity[first_plane + 3][x] += halfway.halfway[y];
            }
          }
          if (kInParts) store(first_plane, first_plane + 4);
        }
        const I p = at + pressure * plane;
        const T here = pressure_factor * from[p], right = pressure_factor * from[p + 1];
        const T above = pressure_factor * from[p + pitch], diagonal = pressure_factor * from[p + pitch + 1];
        const T has_right = i < nx ? T(0.5) : T(0), has_above = j < ny ? T(0.5) : T(0);
        if (kInParts) load(pressure, Layout::kPlanes);
        fine_nodes[0].of[pressure][0] += here;
        if constexpr (halves_x) fine_nodes[0].of[pressure][1] += has_right * (here + right);
        if constexpr (halves_y) fine_nodes[1].of[pressure][0] += has_above * (here + above);
        if constexpr (halves_x && halves_y)
          fine_nodes[1].of[pressure][1] += has_right * has_above * (here + right + above + diagonal);
        store(kInParts ? pressure : 0, Layout::kPlanes);
      });
}

/// coarse = Pᵀ fine, zero where velocities are not unknown.
template <class D, class T>
void restrict_to(const LevelGrid<D, T>& coarse, const Layout& fine, const Transfer& transfer, View<D, const T> from,
                 View<D, T> to) {
  const T factor = static_cast<T>(transfer.pressure_factor);
  if (!transfer.halves_x) return restrict_along<false, true, D, T>(coarse, fine, factor, from, to);
  if (!transfer.halves_y) return restrict_along<true, false, D, T>(coarse, fine, factor, from, to);
  restrict_along<true, true, D, T>(coarse, fine, factor, from, to);
}

/// fine += P coarse.
template <class D, class T>
void interpolate_from(const LevelGrid<D, T>& coarse, const Layout& fine, const Transfer& transfer,
                      View<D, const T> from, View<D, T> to) {
  const T factor = static_cast<T>(transfer.pressure_factor);
  if (!transfer.halves_x) return interpolate_along<false, true, D, T>(coarse, fine, factor, from, to);
  if (!transfer.halves_y) return interpolate_along<true, false, D, T>(coarse, fine, factor, from, to);
  interpolate_along<true, true, D, T>(coarse, fine, factor, from, to);
}

}  // namespace gridiron::stokes
