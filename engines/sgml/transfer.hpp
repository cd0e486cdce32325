// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/sgml/level.hpp"

namespace gridiron::sgml {

/// Linear interpolation of a field between the points of its lattice.
template <class T, class Field>
GRIDIRON_HOST_DEVICE T between(const Field& field, const Lattice& lattice, const AxisMap::Between& x,
                               const AxisMap::Between& y, const AxisMap::Between& z) {
  const int64_t at =
      lattice.at(lattice.unknown_of(0, x.first), lattice.unknown_of(1, y.first), lattice.unknown_of(2, z.first));
  const int64_t p = lattice.pitch(), q = lattice.plane();
  const T wx = static_cast<T>(x.weight), wy = static_cast<T>(y.weight), wz = static_cast<T>(z.weight);
  const auto along = [&](int64_t k) { return (1 - wx) * field[k] + wx * field[k + 1]; };
  const auto in_plane = [&](int64_t k) { return (1 - wy) * along(k) + wy * along(k + p); };
  if (q == 0) return in_plane(at);
  return (1 - wz) * in_plane(at) + wz * in_plane(at + q);
}

/// How values on a level have changed.
template <class D, class T>
struct Increments {
  View<D, const T> now, before;
  GRIDIRON_HOST_DEVICE T operator[](int64_t i) const { return now[i] - before[i]; }
};

/// The values of one of two neighbouring levels at the unknowns of the other, point by point, where every axis is
/// halved or kept.
struct PointTransfer {
  SmallLattice fine, coarse;
  int32_t halvings[3];  ///< 0 or 1 per axis

  /// Interpolated between the points of a coarse field.
  template <int kDimensions, class T, class Field>
  GRIDIRON_HOST_DEVICE T interpolated(const Field& field, int32_t i, int32_t j, int32_t k) const {
    const int32_t px = fine.point_of(0, i), py = fine.point_of(1, j), pz = fine.point_of(2, k);
    const int32_t at = coarse.at(coarse.unknown_of(0, px >> halvings[0]), coarse.unknown_of(1, py >> halvings[1]),
                                 kDimensions == 2 ? 0 : coarse.unknown_of(2, pz >> halvings[2]));
    const int32_t on_x = px & halvings[0], on_y = py & halvings[1] ? coarse.pitch() : 0,
                  on_z = pz & halvings[2] ? coarse.plane() : 0;
    const auto across = [&](int32_t c) {
      const T first = field[c], second = field[c + on_y];
      if constexpr (kDimensions == 2) return T(0.5) * (first + second);
      return T(0.25) * (first + second + field[c + on_z] + field[c + on_z + on_y]);
    };
    return T(0.5) * (across(at) + across(at + on_x));
  }
  /// A fine field at a coarse point.
  template <class T, class Field>
  GRIDIRON_HOST_DEVICE T injected(const Field& field, int32_t i, int32_t j, int32_t k) const {
    const int32_t px = coarse.point_of(0, i), py = coarse.point_of(1, j), pz = coarse.point_of(2, k);
    return field[fine.at(fine.unknown_of(0, px << halvings[0]), fine.unknown_of(1, py << halvings[1]),
                         fine.unknown_of(2, pz << halvings[2]))];
  }
};

/// Transfers between two neighbouring levels: sources to the coarser one, values both ways. Hat functions in both
/// directions (eqs. 3 and 4 of the paper, integrated over cells); a fast variant where every second point is coarse, a
/// general one for axes that are kept or embedded.
template <class D, class T>
class Transfer {
 public:
  Transfer(const Lattice& fine, const Lattice& coarse, const std::array<AxisMap, 3>& maps)
      : fine_(fine), coarse_(coarse), x_(maps[0]), y_(maps[1]), z_(maps[2]) {}

  /// Coarse sources from fine ones.
  void restrict_sources(View<D, const T> fine, View<D, T> coarse) const {
    if (!is_fast()) return restrict_embedded(fine, coarse);
    fine_.dimensions == 2 ? restrict_halved<2>(fine, coarse) : restrict_halved<3>(fine, coarse);
  }

  /// Whether every axis is halved or kept.
  bool is_nested() const { return x_.is_nested() && y_.is_nested() && z_.is_nested(); }
  /// Whether by_points() is for these levels.
  bool goes_by_points() const { return is_nested() && SmallLattice::holds(fine_) && SmallLattice::holds(coarse_); }
  PointTransfer by_points() const {
    return {SmallLattice(fine_), SmallLattice(coarse_), {x_.is_halved(), y_.is_halved(), z_.is_halved()}};
  }

  /// u at the coarse points, written to both outputs.
  void inject(View<D, const T> fine, View<D, T> coarse, View<D, T> before) const {
    if (is_nested())
      inject_nested(fine, coarse, before);
    else
      inject_embedded(fine, coarse, before);
  }

  /// fine = interpolated coarse, for the first visit of a level.
  void interpolate(View<D, const T> coarse, View<D, T> fine) const { interpolate_as<false>(coarse, coarse, fine); }

  /// fine += interpolated (coarse − before).
  void add_increments(View<D, const T> coarse, View<D, const T> before, View<D, T> fine) const {
    interpolate_as<true>(coarse, before, fine);
  }

  // The variants; public because nvcc accepts no kernels in private functions.

  /// Where unknown 0 of a line of one level lies, there and on the other level.
  struct Starts {
    int64_t here, there;
  };
  /// Where coarse lines and their points lie on the fine level, all axes nested.
  struct OnFine {
    Lattice fine, coarse;
    int step_x, step_y, step_z;

    GRIDIRON_HOST_DEVICE Starts operator()(int64_t line) const {
      const int64_t y = coarse.y_of(line), z = coarse.z_of(line);
      return {coarse.at(0, y, z), fine.at(fine.unknown_of(0, step_x * coarse.point_of(0, 0)),
                                          fine.unknown_of(1, step_y * coarse.point_of(1, y)),
                                          fine.unknown_of(2, step_z * coarse.point_of(2, z)))};
    }
  };

  template <int kDimensions>
  void restrict_halved(View<D, const T> fine, View<D, T> coarse) const {
    const T half_y = y_.is_halved() ? T(0.5) : T(0), half_z = z_.is_halved() ? T(0.5) : T(0);
    const int64_t p = fine_.pitch(), q = fine_.plane();
    D::for_each_line(
        coarse_.lines(), coarse_.unknowns(0), on_fine(), GRIDIRON_KERNEL(const Starts& line, int64_t i) {
          const auto row = [&](int64_t k) { return fine[k] + T(0.5) * (fine[k - 1] + fine[k + 1]); };
          const auto layer = [&](int64_t k) { return row(k) + half_y * (row(k - p) + row(k + p)); };
          const int64_t at = line.there + 2 * i;
          T sum = layer(at);
          if (kDimensions == 3) sum += half_z * (layer(at - q) + layer(at + q));
          coarse[line.here + i] = sum;
        });
  }

  void restrict_embedded(View<D, const T> fine, View<D, T> coarse) const {
    const Lattice from = fine_, to = coarse_;
    const AxisMap mx = x_, my = y_, mz = z_;
    D::for_each_line(
        to.lines(), to.unknowns(0), LineNumber(), GRIDIRON_KERNEL(int64_t line, int64_t i) {
          const int64_t cx = to.point_of(0, i), cy = to.point_of(1, to.y_of(line)), cz = to.point_of(2, to.z_of(line));
          const auto clamped = [&](int axis, int64_t point) {
            const int64_t unknown = from.unknown_of(axis, point), last = from.unknowns(axis) - 1;
            return unknown < 0 ? 0 : unknown > last ? last : unknown;
          };
          T sum = 0;
          for (int64_t z = clamped(2, mz.support_begin(cz)); z <= clamped(2, mz.support_end(cz)); ++z)
            for (int64_t y = clamped(1, my.support_begin(cy)); y <= clamped(1, my.support_end(cy)); ++y)
              for (int64_t x = clamped(0, mx.support_begin(cx)); x <= clamped(0, mx.support_end(cx)); ++x)
                sum += static_cast<T>(mx.hat(cx, from.point_of(0, x)) * my.hat(cy, from.point_of(1, y)) *
                                      mz.hat(cz, from.point_of(2, z))) *
                       fine[from.at(x, y, z)];
          coarse[to.at(line, i)] = sum;
        });
  }

  void inject_nested(View<D, const T> fine, View<D, T> coarse, View<D, T> before) const {
    const int step = x_.step();
    D::for_each_line(
        coarse_.lines(), coarse_.unknowns(0), on_fine(), GRIDIRON_KERNEL(const Starts& line, int64_t i) {
          const T value = fine[line.there + step * i];
          coarse[line.here + i] = value;
          before[line.here + i] = value;
        });
  }

  void inject_embedded(View<D, const T> fine, View<D, T> coarse, View<D, T> before) const {
    const Lattice from = fine_, to = coarse_;
    const AxisMap mx = x_, my = y_, mz = z_;
    D::for_each_line(
        to.lines(), to.unknowns(0), LineNumber(), GRIDIRON_KERNEL(int64_t line, int64_t i) {
          const int64_t at = to.at(line, i);
          const T value =
              between<T>(fine, from, mx.in_fine(to.point_of(0, i)), my.in_fine(to.point_of(1, to.y_of(line))),
                         mz.in_fine(to.point_of(2, to.z_of(line))));
          coarse[at] = value;
          before[at] = value;
        });
  }

  template <bool kAdd>
  void interpolate_as(View<D, const T> coarse, View<D, const T> before, View<D, T> fine) const {
    if (!is_fast()) return interpolate_embedded<kAdd>(coarse, before, fine);
    fine_.dimensions == 2 ? interpolate_halved<kAdd, 2>(coarse, before, fine)
                          : interpolate_halved<kAdd, 3>(coarse, before, fine);
  }

  /// The coarse lines around a fine one, boundary included: two in 2-D and four in 3-D; lines that coincide count
  /// twice.
  struct Around {
    int64_t here, there[4];
  };
  struct OnCoarse {
    Lattice fine, coarse;
    int step_y, step_z;

    GRIDIRON_HOST_DEVICE Around operator()(int64_t line) const {
      const int64_t y = fine.point_of(1, fine.y_of(line)), z = fine.point_of(2, fine.z_of(line));
      const int64_t y0 = coarse.unknown_of(1, y / step_y), y1 = coarse.unknown_of(1, (y + step_y - 1) / step_y);
      const int64_t z0 = coarse.unknown_of(2, z / step_z), z1 = coarse.unknown_of(2, (z + step_z - 1) / step_z);
      const int64_t x = coarse.unknown_of(0, 0);
      return {fine.at(fine.unknown_of(0, 0), fine.y_of(line), fine.z_of(line)),
              {coarse.at(x, y0, z0), coarse.at(x, y1, z0), coarse.at(x, y0, z1), coarse.at(x, y1, z1)}};
    }
  };

  /// The values, or increments, of a coarse level at point i along the lines around a fine one.
  template <bool kAdd, int kDimensions, class V>
  GRIDIRON_HOST_DEVICE static T mean(const V& coarse, const V& before, const Around& line, int64_t i) {
    const auto value = [&](int k) {
      if constexpr (kAdd)
        return coarse[line.there[k] + i] - before[line.there[k] + i];
      else
        return coarse[line.there[k] + i];
    };
    if constexpr (kDimensions == 2) return T(0.5) * (value(0) + value(1));
    return T(0.25) * (value(0) + value(1) + value(2) + value(3));
  }

  /// Coarse interval i of a line yields two fine points. The last fine point, an unknown at a Neumann face, follows
  /// separately.
  template <bool kAdd, int kDimensions>
  void interpolate_halved(View<D, const T> coarse, View<D, const T> before, View<D, T> fine) const {
    const int64_t intervals = x_.coarse - 1;
    const OnCoarse on_coarse{fine_, coarse_, y_.step(), z_.step()};
    D::for_each_line(
        fine_.lines(), intervals, on_coarse, GRIDIRON_KERNEL(const Around& line, int64_t i) {
          const int64_t at = line.here + 2 * i;
          const T left = mean<kAdd, kDimensions>(coarse, before, line, i),
                  right = mean<kAdd, kDimensions>(coarse, before, line, i + 1);
          if (kAdd) {
            fine[at] += left;
            fine[at + 1] += T(0.5) * (left + right);
          } else {
            fine[at] = left;
            fine[at + 1] = T(0.5) * (left + right);
          }
        });
    if (fine_.fixed[0][1]) return;
    D::for_each(
        fine_.lines(), GRIDIRON_KERNEL(int64_t number) {
          const Around line = on_coarse(number);
          const T value = mean<kAdd, kDimensions>(coarse, before, line, intervals);
          const int64_t at = line.here + 2 * intervals;
          fine[at] = kAdd ? fine[at] + value : value;
        });
  }

  template <bool kAdd>
  void interpolate_embedded(View<D, const T> coarse, View<D, const T> before, View<D, T> fine) const {
    const Lattice from = coarse_, to = fine_;
    const AxisMap mx = x_, my = y_, mz = z_;
    D::for_each_line(
        to.lines(), to.unknowns(0), LineNumber(), GRIDIRON_KERNEL(int64_t line, int64_t i) {
          const int64_t at = to.at(line, i);
          const AxisMap::Between x = mx.in_coarse(to.point_of(0, i)), y = my.in_coarse(to.point_of(1, to.y_of(line))),
                                 z = mz.in_coarse(to.point_of(2, to.z_of(line)));
          if (kAdd)
            fine[at] += between<T>(Increments<D, T>{coarse, before}, from, x, y, z);
          else
            fine[at] = between<T>(coarse, from, x, y, z);
        });
  }

 private:
  bool is_fast() const { return x_.is_halved() && y_.is_nested() && z_.is_nested(); }
  OnFine on_fine() const { return {fine_, coarse_, x_.step(), y_.step(), z_.step()}; }

  Lattice fine_, coarse_;
  AxisMap x_, y_, z_;
};

}  // namespace gridiron::sgml
