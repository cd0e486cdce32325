// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>

#include "engines/sgml/transfer.hpp"

namespace gridiron::sgml {

/// How tiles cover a level in the plane; each has the points of all layers. A tile relaxes its points several times in
/// fast memory. For that it also loads the points around it, as many as there are sweeps, and each sweep relaxes those
/// that are still right: one ring fewer than the one before. Where a tile reaches over a whole axis, only the ring of
/// zeros lies around it. For GPUs: on a CPU a sweep takes no longer than its bytes, and relaxing the points around
/// tiles several times costs more than it saves, so that sweeps run one by one there, to the same bits.
struct TileShape {
  static constexpr int kMostCells = 2048;  ///< loaded by a tile
  static constexpr int kMostSweeps = 16;   ///< at a time

  int sweeps;                  ///< at a time
  int log2_pitch, log2_plane;  ///< of loaded cells
  int layers;
  int halo[2], inside[2];  ///< per axis of the plane: points around a tile, on either side, and of its own
  int32_t across;          ///< tiles along x
  int32_t tiles;

  GRIDIRON_HOST_DEVICE int pitch() const { return 1 << log2_pitch; }
  GRIDIRON_HOST_DEVICE int plane() const { return 1 << log2_plane; }
  GRIDIRON_HOST_DEVICE int cells() const { return layers << log2_plane; }

  int passes(int wanted) const { return (wanted + sweeps - 1) / sweeps; }

  /// Whether tiles of a few points at least fit.
  static bool fits(const Lattice& lattice) {
    return lattice.unknowns(2) <= kMostCells / 128 && SmallLattice::holds(lattice);
  }

  /// For a level that is relaxed `wanted` times: as many sweeps at a time as leave a tile a quarter of the points it
  /// loads. Few tiles take as long as one, and less long if they are half as large.
  TileShape(const Lattice& lattice, int wanted) : layers(static_cast<int>(lattice.unknowns(2))) {
    choose(lattice, wanted, std::bit_width(static_cast<unsigned>(kMostCells / layers)) - 1);
    if (tiles >= kManyTiles) return;
    TileShape smaller = *this;
    smaller.choose(lattice, wanted, log2_plane - 1);
    if (smaller.tiles > 0 && smaller.sweeps == sweeps) *this = smaller;
  }

 private:
  static constexpr int kManyTiles = 100;

  /// Tiles that load at most 2^log2_most points of each layer.
  void choose(const Lattice& lattice, int wanted, int log2_most) {
    const auto log2_whole = [&](int axis) {  // of all points along an axis, with the ring
      return static_cast<int>(std::bit_width(static_cast<uint64_t>(lattice.unknowns(axis) + 1)));
    };
    log2_plane = std::min(log2_most, log2_whole(0) + log2_whole(1));
    log2_pitch = std::max(std::min((log2_plane + 1) / 2, log2_whole(0)), log2_plane - log2_whole(1));
    const int64_t loaded[] = {pitch(), plane() >> log2_pitch};
    for (sweeps = std::min(wanted, kMostSweeps); !lay_out(lattice, loaded) && sweeps > 1;) sweeps = (sweeps + 1) / 2;
  }

  /// Whether that leaves enough.
  bool lay_out(const Lattice& lattice, const int64_t (&loaded)[2]) {
    int64_t count[2], useful = 1;
    for (int axis = 0; axis < 2; ++axis) {
      const int64_t points = lattice.unknowns(axis);
      const bool is_whole = points + 2 <= loaded[axis];
      halo[axis] = is_whole ? 1 : sweeps;
      inside[axis] = static_cast<int>(is_whole ? points : std::max<int64_t>(loaded[axis] - 2 * sweeps, 0));
      useful *= is_whole ? points : loaded[axis];
      count[axis] = inside[axis] > 0 ? (points + inside[axis] - 1) / inside[axis] : 0;
    }
    across = static_cast<int32_t>(count[0]);
    tiles = static_cast<int32_t>(count[0] * count[1]);
    return tiles == 1 || 4 * inside[0] * inside[1] >= useful;
  }
};

/// A point of a tile: unknown (x, y, z) of its level, entry `at`.
struct TilePoint {
  int32_t x, y, z, at;
  bool is_unknown;  ///< else it lies outside the level
  bool is_own;      ///< not of the points around the tile
  int sweeps;       ///< after which it is no longer right
};

/// The cells that a tile loads, numbered along x, then y, then layers.
template <int kDimensions>
class TileCells {
 public:
  GRIDIRON_HOST_DEVICE TileCells(const TileShape& shape, const SmallLattice& lattice, int32_t tile)
      : log2_pitch_(shape.log2_pitch),
        log2_plane_(shape.log2_plane),
        pitch_(lattice.pitch()),
        plane_(lattice.plane()),
        axes_{{shape, lattice, 0, tile % shape.across}, {shape, lattice, 1, tile / shape.across}},
        at_(lattice.at(axes_[0].first, axes_[1].first, 0)) {}

  GRIDIRON_HOST_DEVICE TilePoint operator[](int cell) const {
    const int in_plane = kDimensions == 2 ? cell : cell & ((1 << log2_plane_) - 1);
    const int i = in_plane & ((1 << log2_pitch_) - 1), j = in_plane >> log2_pitch_;
    const int k = kDimensions == 2 ? 0 : cell >> log2_plane_;
    const Axis &x = axes_[0], &y = axes_[1];
    const int sweeps_x = x.sweeps_at(i), sweeps_y = y.sweeps_at(j);
    const bool is_unknown = x.unknowns.has(i) && y.unknowns.has(j);
    return {x.first + i,
            y.first + j,
            k,
            at_ + k * plane_ + j * pitch_ + i,
            is_unknown,
            x.own.has(i) && y.own.has(j),
            !is_unknown           ? 0
            : sweeps_x < sweeps_y ? sweeps_x
                                  : sweeps_y};
  }

 private:
  struct Range {
    int begin, end;
    GRIDIRON_HOST_DEVICE bool has(int place) const {
      return static_cast<unsigned>(place - begin) < static_cast<unsigned>(end - begin);
    }
  };
  /// Places along an axis, from 0 for unknown `first`, which may be outside.
  struct Axis {
    int32_t first;
    Range unknowns, own;
    int cut_begin, cut_end;  ///< the outermost places, if the level goes on beyond them; else far away

    GRIDIRON_HOST_DEVICE Axis(const TileShape& shape, const SmallLattice& lattice, int axis, int32_t number)
        : first(number * shape.inside[axis] - shape.halo[axis]) {
      const int loaded = axis == 0 ? shape.pitch() : shape.plane() >> shape.log2_pitch;
      const int32_t end = lattice.unknowns(axis) - first, own_end = shape.halo[axis] + shape.inside[axis];
      unknowns = {first < 0 ? -first : 0, end < loaded ? end : loaded};
      own = {shape.halo[axis], end < own_end ? end : own_end};
      cut_begin = first < 0 ? -TileShape::kMostSweeps : 0;
      cut_end = end < loaded ? loaded + TileShape::kMostSweeps : loaded - 1;
    }
    GRIDIRON_HOST_DEVICE int sweeps_at(int place) const {
      return place - cut_begin < cut_end - place ? place - cut_begin : cut_end - place;
    }
  };

  int log2_pitch_, log2_plane_;
  int32_t pitch_, plane_;
  Axis axes_[2];
  int32_t at_;  ///< entry of cell 0
};

// What a relaxation starts from at a point.

/// What is there.
template <class D, class T>
struct Present {
  View<D, const T> u;
  template <int kDimensions>
  GRIDIRON_HOST_DEVICE T at(const TilePoint& p) const {
    return u[p.at];
  }
};
/// The solution of the next coarser level, interpolated.
template <class D, class T>
struct FromCoarser {
  PointTransfer transfer;
  View<D, const T> coarse;
  template <int kDimensions>
  GRIDIRON_HOST_DEVICE T at(const TilePoint& p) const {
    return transfer.template interpolated<kDimensions, T>(coarse, p.x, p.y, p.z);
  }
};
/// That of the next finer level, injected; kept in `before` too.
template <class D, class T>
struct FromFiner {
  PointTransfer transfer;
  View<D, const T> fine;
  View<D, T> before;
  template <int kDimensions>
  GRIDIRON_HOST_DEVICE T at(const TilePoint& p) const {
    const T value = transfer.template injected<T>(fine, p.x, p.y, p.z);
    if (p.is_own) before[p.at] = value;
    return value;
  }
};
/// What is there and the increments of the next coarser level since `before`, interpolated.
template <class D, class T>
struct WithIncrements {
  PointTransfer transfer;
  View<D, const T> u, coarse, before;
  template <int kDimensions>
  GRIDIRON_HOST_DEVICE T at(const TilePoint& p) const {
    return u[p.at] + transfer.template interpolated<kDimensions, T>(Increments<D, T>{coarse, before}, p.x, p.y, p.z);
  }
};

/// Up to kMostSweeps relaxations of a level in one pass over it, as Relax does them one by one. `out` must not be a
/// vector of this level that `start` reads.
template <class D, class T, class Start>
struct RelaxTiles {
  struct Steps {
    int count = 0;
    T tau[TileShape::kMostSweeps] = {};
  };
  TileShape shape;
  Start start;
  View<D, const T> rhs;
  View<D, T> out;
  Steps steps;

  template <class S>
  void operator()(const S& stencil) const {
    if constexpr (S::kFitsTiles) relax(stencil);
  }

  template <class S>
  void relax(const S& stencil) const {
    constexpr int kMost = TileShape::kMostCells;
    const TileShape s = shape;
    const Start begin = start;
    const View<D, const T> f = rhs;
    const View<D, T> to = out;
    const Steps todo = steps;
    // Zeros before and after the cells: for reads beyond the outermost layers and lines, which count for nothing.
    const int margin = S::kAxes == 3 ? s.plane() : s.pitch() + 1, entries = s.cells() + 2 * margin;
    const size_t scratch = 2 * (entries * sizeof(T) + 64) + D::template held_bytes<T, kMost, S::kHeld + 1>() +
                           D::template held_bytes<int, kMost, 2>();
    const SmallLattice lattice(stencil.lattice);
    D::for_each_tile(
        s.tiles, s.cells(), scratch, GRIDIRON_KERNEL(typename D::Tile & tile) {
          const TileCells<S::kAxes> cells(s, lattice, static_cast<int32_t>(tile.index()));
          View<D, T> now = tile.template shared<T>(entries), next = tile.template shared<T>(entries);
          auto numbers = tile.template held<T, kMost, S::kHeld + 1>();  // of the stencil, and the source
          auto places = tile.template held<int, kMost, 2>();            // where to write u, or −1; TilePoint::sweeps
          tile.each(2 * margin, [&](int64_t i) {
            const int64_t at = i < margin ? i : i + s.cells();
            now[at] = next[at] = 0;
          });
          tile.template each_held<kMost>(s.cells(), [&](int cell, auto held) {
            const TilePoint point = cells[cell];
            T value = 0;
            places(held, 0) = point.is_own ? point.at : -1;
            places(held, 1) = point.sweeps;
            if (point.is_unknown) {
              value = begin.template at<S::kAxes>(point);
              numbers(held, S::kHeld) = f[point.at];
              stencil.hold_point(point.at, point.x, point.y, [&](int k, T number) { numbers(held, k) = number; });
            }
            now[margin + cell] = next[margin + cell] = value;
          });
          for (int sweep = 0; sweep < todo.count; ++sweep) {
            const T tau = todo.tau[sweep];
            tile.template each_held<kMost>(s.cells(), [&](int cell, auto held) {
              if (sweep >= places(held, 1)) return;
              const int at = margin + cell;
              const auto number = [&](int k) { return numbers(held, k); };
              const T kept = (1 - tau) * now[at];
              next[at] = kept + tau * stencil.solved(number, at, s.pitch(), s.plane(), numbers(held, S::kHeld), now);
            });
            const View<D, T> last = now;
            now = next;
            next = last;
          }
          tile.template each_held<kMost>(s.cells(), [&](int cell, auto held) {
            if (places(held, 0) >= 0) to[places(held, 0)] = now[margin + cell];
          });
        });
  }
};

}  // namespace gridiron::sgml
