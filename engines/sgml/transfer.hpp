// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/sgml/level.hpp"

namespace gridiron::sgml {

/// Linear interpolation of a field between the points of its lattice.
template <class D, class T>
GRIDIRON_HOST_DEVICE T between(View<D, const T> field, const Lattice& lattice, const AxisMap::Between& x,
                               const AxisMap::Between& y, const AxisMap::Between& z) {
  const std::int64_t at =
      lattice.at(lattice.unknown_of(0, x.first), lattice.unknown_of(1, y.first), lattice.unknown_of(2, z.first));
  const std::int64_t p = lattice.pitch(), q = lattice.plane();
  const T wx = static_cast<T>(x.weight), wy = static_cast<T>(y.weight), wz = static_cast<T>(z.weight);
  const auto along = [&](std::int64_t k) { return (1 - wx) * field[k] + wx * field[k + 1]; };
  const auto in_plane = [&](std::int64_t k) { return (1 - wy) * along(k) + wy * along(k + p); };
  if (q == 0) return in_plane(at);
  return (1 - wz) * in_plane(at) + wz * in_plane(at + q);
}

/// What passes between two neighbouring levels: sources down to the coarser one, values there and back. Hat functions
/// both ways (eqs. 3 and 4 of the paper, integrated over cells); a fast form where every second point is coarse, a
/// general one for axes that are kept or embedded.
template <class D, class T>
class Transfer {
 public:
  Transfer(const Lattice& fine, const Lattice& coarse, const std::array<AxisMap, 3>& maps)
      : fine_(fine), coarse_(coarse), x_(maps[0]), y_(maps[1]), z_(maps[2]) {}

  /// Coarse sources from fine ones.
  void restrict_sources(View<D, const T> fine, View<D, T> coarse) const {
    if (is_fast())
      restrict_halved(fine, coarse);
    else
      restrict_embedded(fine, coarse);
  }

  /// u at the coarse points, twice.
  void inject(View<D, const T> fine, View<D, T> coarse, View<D, T> before) const {
    if (x_.is_nested() && y_.is_nested() && z_.is_nested())
      inject_nested(fine, coarse, before);
    else
      inject_embedded(fine, coarse, before);
  }

  /// fine = interpolated coarse, for the first visit of a level.
  void interpolate(View<D, const T> coarse, View<D, T> fine) const {
    if (is_fast())
      interpolate_halved<false>(coarse, coarse, fine);
    else
      interpolate_embedded<false>(coarse, coarse, fine);
  }

  /// fine += interpolated (coarse − before).
  void add_increments(View<D, const T> coarse, View<D, const T> before, View<D, T> fine) const {
    if (is_fast())
      interpolate_halved<true>(coarse, before, fine);
    else
      interpolate_embedded<true>(coarse, before, fine);
  }

  // The forms; public, as nvcc takes no kernels from private functions.

  void restrict_halved(View<D, const T> fine, View<D, T> coarse) const {
    const Lattice from = fine_, to = coarse_;
    const int step_y = y_.step(), step_z = z_.step();
    const T half_y = step_y == 2 ? T(0.5) : T(0), half_z = step_z == 2 ? T(0.5) : T(0);
    D::for_each_line(
        to.lines(), to.unknowns(0), GRIDIRON_KERNEL(std::int64_t line, std::int64_t i) {
          const std::int64_t y = step_y * to.point_of(1, to.y_of(line)), z = step_z * to.point_of(2, to.z_of(line));
          const std::int64_t at =
              from.at(from.unknown_of(0, 2 * to.point_of(0, i)), from.unknown_of(1, y), from.unknown_of(2, z));
          const std::int64_t p = from.pitch(), q = from.plane();
          const auto row = [&](std::int64_t k) { return fine[k] + T(0.5) * (fine[k - 1] + fine[k + 1]); };
          const auto layer = [&](std::int64_t k) { return row(k) + half_y * (row(k - p) + row(k + p)); };
          T sum = layer(at);
          if (q > 0) sum += half_z * (layer(at - q) + layer(at + q));
          coarse[to.at(line, i)] = sum;
        });
  }

  void restrict_embedded(View<D, const T> fine, View<D, T> coarse) const {
    const Lattice from = fine_, to = coarse_;
    const AxisMap mx = x_, my = y_, mz = z_;
    D::for_each_line(
        to.lines(), to.unknowns(0), GRIDIRON_KERNEL(std::int64_t line, std::int64_t i) {
          const std::int64_t cx = to.point_of(0, i), cy = to.point_of(1, to.y_of(line)),
                             cz = to.point_of(2, to.z_of(line));
          const auto clamped = [&](int axis, std::int64_t point) {
            const std::int64_t unknown = from.unknown_of(axis, point), last = from.unknowns(axis) - 1;
            return unknown < 0 ? 0 : unknown > last ? last : unknown;
          };
          T sum = 0;
          for (std::int64_t z = clamped(2, mz.support_begin(cz)); z <= clamped(2, mz.support_end(cz)); ++z)
            for (std::int64_t y = clamped(1, my.support_begin(cy)); y <= clamped(1, my.support_end(cy)); ++y)
              for (std::int64_t x = clamped(0, mx.support_begin(cx)); x <= clamped(0, mx.support_end(cx)); ++x)
                sum += static_cast<T>(mx.hat(cx, from.point_of(0, x)) * my.hat(cy, from.point_of(1, y)) *
                                      mz.hat(cz, from.point_of(2, z))) *
                       fine[from.at(x, y, z)];
          coarse[to.at(line, i)] = sum;
        });
  }

  void inject_nested(View<D, const T> fine, View<D, T> coarse, View<D, T> before) const {
    const Lattice from = fine_, to = coarse_;
    const int step_x = x_.step(), step_y = y_.step(), step_z = z_.step();
    D::for_each_line(
        to.lines(), to.unknowns(0), GRIDIRON_KERNEL(std::int64_t line, std::int64_t i) {
          const std::int64_t x = step_x * to.point_of(0, i), y = step_y * to.point_of(1, to.y_of(line)),
                             z = step_z * to.point_of(2, to.z_of(line)), at = to.at(line, i);
          const T value = fine[from.at(from.unknown_of(0, x), from.unknown_of(1, y), from.unknown_of(2, z))];
          coarse[at] = value;
          before[at] = value;
        });
  }

  void inject_embedded(View<D, const T> fine, View<D, T> coarse, View<D, T> before) const {
    const Lattice from = fine_, to = coarse_;
    const AxisMap mx = x_, my = y_, mz = z_;
    D::for_each_line(
        to.lines(), to.unknowns(0), GRIDIRON_KERNEL(std::int64_t line, std::int64_t i) {
          const std::int64_t at = to.at(line, i);
          const T value =
              between<D, T>(fine, from, mx.in_fine(to.point_of(0, i)), my.in_fine(to.point_of(1, to.y_of(line))),
                            mz.in_fine(to.point_of(2, to.z_of(line))));
          coarse[at] = value;
          before[at] = value;
        });
  }

  /// Coarse interval i of a line gives two fine points. The last fine point, an unknown at a Neumann face, comes after.
  template <bool kAdd>
  void interpolate_halved(View<D, const T> coarse, View<D, const T> before, View<D, T> fine) const {
    const Lattice from = coarse_, to = fine_;
    const int step_y = y_.step(), step_z = z_.step();
    const std::int64_t intervals = x_.coarse - 1;
    D::for_each_line(
        to.lines(), intervals, GRIDIRON_KERNEL(std::int64_t line, std::int64_t i) {
          const Corners corners(from, to, line, step_y, step_z);
          const std::int64_t c = from.unknown_of(0, i),
                             at = to.at(to.unknown_of(0, 2 * i), to.y_of(line), to.z_of(line));
          const T left = corners.template mean<kAdd, T>(coarse, before, c),
                  right = corners.template mean<kAdd, T>(coarse, before, c + 1);
          if constexpr (kAdd) {
            fine[at] += left;
            fine[at + 1] += T(0.5) * (left + right);
          } else {
            fine[at] = left;
            fine[at + 1] = T(0.5) * (left + right);
          }
        });
    if (to.fixed[0][1]) return;
    D::for_each(
        to.lines(), GRIDIRON_KERNEL(std::int64_t line) {
          const Corners corners(from, to, line, step_y, step_z);
          const T value = corners.template mean<kAdd, T>(coarse, before, from.unknowns(0) - 1);
          const std::int64_t at = to.at(line, to.unknowns(0) - 1);
          fine[at] = kAdd ? fine[at] + value : value;
        });
  }

  template <bool kAdd>
  void interpolate_embedded(View<D, const T> coarse, View<D, const T> before, View<D, T> fine) const {
    const Lattice from = coarse_, to = fine_;
    const AxisMap mx = x_, my = y_, mz = z_;
    D::for_each_line(
        to.lines(), to.unknowns(0), GRIDIRON_KERNEL(std::int64_t line, std::int64_t i) {
          const std::int64_t at = to.at(line, i);
          const AxisMap::Between x = mx.in_coarse(to.point_of(0, i)), y = my.in_coarse(to.point_of(1, to.y_of(line))),
                                 z = mz.in_coarse(to.point_of(2, to.z_of(line)));
          const T value = between<D, T>(coarse, from, x, y, z);
          if constexpr (kAdd)
            fine[at] += value - between<D, T>(before, from, x, y, z);
          else
            fine[at] = value;
        });
  }

  /// The coarse lines around a fine one, up to four; lines that coincide are counted twice.
  struct Corners {
    std::int64_t start[4];

    GRIDIRON_HOST_DEVICE Corners(const Lattice& coarse, const Lattice& fine, std::int64_t line, int step_y,
                                 int step_z) {
      const std::int64_t y = fine.point_of(1, fine.y_of(line)), z = fine.point_of(2, fine.z_of(line));
      const std::int64_t y0 = coarse.unknown_of(1, y / step_y), y1 = coarse.unknown_of(1, (y + step_y - 1) / step_y);
      const std::int64_t z0 = coarse.unknown_of(2, z / step_z), z1 = coarse.unknown_of(2, (z + step_z - 1) / step_z);
      start[0] = coarse.at(0, y0, z0);
      start[1] = coarse.at(0, y1, z0);
      start[2] = coarse.at(0, y0, z1);
      start[3] = coarse.at(0, y1, z1);
    }
    template <bool kAdd, class Number, class V>
    GRIDIRON_HOST_DEVICE Number mean(const V& coarse, const V& before, std::int64_t i) const {
      const auto value = [&](int k) {
        if constexpr (kAdd)
          return coarse[start[k] + i] - before[start[k] + i];
        else
          return coarse[start[k] + i];
      };
      return Number(0.25) * (value(0) + value(1) + value(2) + value(3));
    }
  };

  const Lattice& fine() const { return fine_; }

 private:
  bool is_fast() const { return x_.is_halved() && y_.is_nested() && z_.is_nested(); }

  Lattice fine_, coarse_;
  AxisMap x_, y_, z_;
};

}  // namespace gridiron::sgml
