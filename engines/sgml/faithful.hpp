// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/sgml/cycle.hpp"
#include "support/error.hpp"

namespace gridiron::sgml {

/// The cycle as the paper has it: all levels live on one grid. Every restriction passes over the whole grid once per
/// level (Algorithm 1), every relaxation adds its interpolated increments to the whole grid (Algorithm 2). The same
/// results as the compact schedule up to rounding, at many times the memory traffic; for comparison.
template <class D, class T>
class FaithfulCycle : public Cycle<D, T> {
 public:
  FaithfulCycle(const std::vector<LevelPlan>& plan, const SgmlParams& params) : Cycle<D, T>(plan, params) {
    Strides strides;
    for (const LevelPlan& level : plan) {
      strides_.push_back(strides);
      for (int axis = 0; axis < 3; ++axis) {
        if (!level.to_next[axis].is_nested())
          throw InputError("sgml: schedule=faithful needs 2^n+1 points along each axis; use schedule=compact");
        strides.log2[axis] += level.to_next[axis].is_halved();
      }
    }
    source_ = levels_[0].zeros();
    spare_ = levels_[0].zeros();
  }

  double bytes_per_cycle() const override {
    const double field = source_.bytes();
    double total = field;
    for (int v = this->coarsest(); v > 0; --v) {
      total += 2 * restriction_traffic(v) + restriction_traffic(v - 1);
      total += 2 * this->relaxations(v) * sweep_traffic(v) + this->relaxations(v) * sweep_traffic(v - 1);
    }
    return total + 3 * this->relaxations(0) * sweep_traffic(0);
  }

  void run() override {
    const auto whole = levels_[0].u.view();
    fill<D, T>(whole, T(0));
    for (int v = this->coarsest(); v > 0; --v) {
      const int sweeps = this->relaxations(v);
      visit(v, sweeps, v == this->coarsest());
      visit(v - 1, sweeps, false);
      visit(v, sweeps, false);
    }
    if (this->coarsest() == 0)
      this->solve_coarsest();
    else
      this->relax(0, 3 * this->relaxations(0));
  }

  // Kernels; public because nvcc accepts none in private functions.

  /// The index that an unknown beyond a face maps to: its mirror image at a Neumann face, the ring of zeros at a
  /// Dirichlet face.
  GRIDIRON_HOST_DEVICE static int64_t image(const Lattice& grid, int axis, int64_t unknown) {
    const int64_t last = grid.unknowns(axis) - 1;
    if (unknown < 0) return grid.fixed[axis][0] ? -1 : -unknown;
    if (unknown > last) return grid.fixed[axis][1] ? last + 1 : 2 * last - unknown;
    return unknown;
  }

  /// Where an unknown of the grid lies among those of a level, along an axis.
  struct Cell {
    int64_t unknown;
    double weight;  ///< of the next one

    GRIDIRON_HOST_DEVICE Cell(const Lattice& grid, const Lattice& level, int axis, int log2, int64_t of) {
      const int64_t point = grid.point_of(axis, of), step = int64_t{1} << log2;
      unknown = level.unknown_of(axis, point >> log2);
      weight = static_cast<double>(point & (step - 1)) / static_cast<double>(step);
    }
  };

  /// R_λ (eqs. 3 and 4): the average of the neighbours at distance λ, weighted by hats, at every point; mirror images
  /// beyond Neumann faces. Planes (in 2-D lines) at distance λ come one after the other: what they share is still in
  /// cache.
  template <int kDimensions>
  static void average(const Lattice& lattice, const int (&distance)[3], View<D, const T> in, View<D, T> out) {
    constexpr int kLines = kDimensions == 2 ? 3 : 9;
    const int64_t n = lattice.unknowns(0), dx = distance[0], dy = distance[1], dz = distance[2];
    const T half_x = dx > 0 ? T(0.5) : T(0), half_y = dy > 0 ? T(0.5) : T(0), half_z = dz > 0 ? T(0.5) : T(0);
    const T norm = 1 / ((1 + 2 * half_x) * (1 + 2 * half_y) * (1 + 2 * half_z));
    const Lattice grid = lattice;
    const int64_t width = n + 2 * dx;
    const int64_t planes = grid.unknowns(kDimensions - 1), lines = kDimensions == 3 ? grid.unknowns(1) : 1;
    const int64_t leap = std::max(distance[kDimensions - 1], 1), leaps = (planes + leap - 1) / leap;
    D::for_each_tile(
        leap * leaps * lines, static_cast<int>(n), width * sizeof(T) + 64, GRIDIRON_KERNEL(typename D::Tile & tile) {
          const int64_t k = tile.index() / lines, plane = k % leaps * leap + k / leaps;
          if (plane >= planes) return;
          const auto sums = tile.template shared<T>(width);
          const int64_t y = kDimensions == 3 ? tile.index() % lines : plane, z = kDimensions == 3 ? plane : 0;
          int64_t start[kLines];
          for (int k = 0; k < kLines; ++k)
            start[k] = grid.at(0, image(grid, 1, y + (k % 3 - 1) * dy),
                               kDimensions == 2 ? z : image(grid, 2, z + (k / 3 - 1) * dz));
          tile.each(n, [=](int64_t i) {
            const auto layer = [&](int k) {
              return in[start[k + 1] + i] + half_y * (in[start[k] + i] + in[start[k + 2] + i]);
            };
            T sum = layer(kLines / 2 - 1);
            if (kDimensions == 3) sum += half_z * (layer(0) + layer(kLines - 3));
            sums[dx + i] = norm * sum;
          });
          tile.each(2 * dx, [=](int64_t k) {
            const int64_t i = k < dx ? k - dx : n + k - dx, mirrored = image(grid, 0, i);
            sums[dx + i] = mirrored >= 0 && mirrored < n ? sums[dx + mirrored] : T(0);
          });
          const int64_t at = grid.at(0, y, z);
          tile.each(n, [=](int64_t i) { out[at + i] = sums[dx + i] + half_x * (sums[i] + sums[2 * dx + i]); });
        });
  }

  /// Sources per volume, from sources integrated over the cell.
  static void per_volume(const Lattice& lattice, View<D, const T> integrated, View<D, T> out) {
    const Lattice grid = lattice;
    const int64_t n = grid.unknowns(0);
    const T first = static_cast<T>(1 / grid.share(0, 0)), last = static_cast<T>(1 / grid.share(0, n - 1));
    D::for_each_tile(
        grid.lines(), static_cast<int>(n), 64, GRIDIRON_KERNEL(typename D::Tile & tile) {
          const int64_t line = tile.index(), at = grid.at(line, 0);
          const T per_cell = static_cast<T>(1 / (grid.share(1, grid.y_of(line)) * grid.share(2, grid.z_of(line))));
          tile.each(n, [=](int64_t i) { out[at + i] = per_cell * integrated[at + i]; });
          tile.each(1, [=](int64_t) {
            out[at] *= first;
            if (n > 1) out[at + n - 1] *= last;
          });
        });
  }

  /// The point spacings of a level in units of those of the grid, as powers of two.
  struct Strides {
    int log2[3] = {0, 0, 0};

    GRIDIRON_HOST_DEVICE int64_t at(const Lattice& level, const Lattice& grid, int64_t line, int64_t i) const {
      return grid.at(grid.unknown_of(0, level.point_of(0, i) << log2[0]),
                     grid.unknown_of(1, level.point_of(1, level.y_of(line)) << log2[1]),
                     grid.unknown_of(2, level.point_of(2, level.z_of(line)) << log2[2]));
    }
  };

  /// A level's sources, integrated over its cells, from averages per volume on the whole grid.
  static void pick_sources(const Lattice& grid, const Lattice& level, const Strides& strides, View<D, const T> average,
                           View<D, T> rhs) {
    const Lattice from = grid, to = level;
    const Strides s = strides;
    const T volume = static_cast<T>(int64_t{1} << (s.log2[0] + s.log2[1] + s.log2[2]));
    D::for_each_line(
        to.lines(), to.unknowns(0), LineNumber(), GRIDIRON_KERNEL(int64_t line, int64_t i) {
          const T cell = static_cast<T>(to.share(0, i) * to.share(1, to.y_of(line)) * to.share(2, to.z_of(line)));
          rhs[to.at(line, i)] = volume * cell * average[s.at(to, from, line, i)];
        });
  }

  /// A level's u and, as `before`, the same, from the whole grid.
  static void pick_values(const Lattice& grid, const Lattice& level, const Strides& strides, View<D, const T> whole,
                          View<D, T> u, View<D, T> before) {
    const Lattice from = grid, to = level;
    const Strides s = strides;
    D::for_each_line(
        to.lines(), to.unknowns(0), LineNumber(), GRIDIRON_KERNEL(int64_t line, int64_t i) {
          const T value = whole[s.at(to, from, line, i)];
          u[to.at(line, i)] = value;
          before[to.at(line, i)] = value;
        });
  }

  /// I_λ: u − before of a level, interpolated by hats of support 2λ, added to the whole grid.
  static void add_interpolated(const Lattice& grid, const Lattice& level, const Strides& strides, View<D, const T> u,
                               View<D, const T> before, View<D, T> whole) {
    const Lattice to = grid, from = level;
    const Strides s = strides;
    const int64_t intervals = from.points[0] - 1, width = to.points[0] + 2;
    D::for_each_tile(
        to.lines(), static_cast<int>(to.unknowns(0)), 2 * (width * sizeof(T) + 64),
        GRIDIRON_KERNEL(typename D::Tile & tile) {
          auto values = tile.template shared<T>(width), spare = tile.template shared<T>(width);
          const int64_t line = tile.index();
          const Cell y(to, from, 1, s.log2[1], to.y_of(line)), z(to, from, 2, s.log2[2], to.z_of(line));
          // Where a weight is zero there may be no next line.
          const int64_t start = from.at(from.unknown_of(0, 0), y.unknown, z.unknown),
                        p = y.weight > 0 ? from.pitch() : 0, q = z.weight > 0 ? from.plane() : 0;
          const T wy = static_cast<T>(y.weight), wz = static_cast<T>(z.weight);
          tile.each(intervals + 1, [=](int64_t k) {
            const auto increment = [&](int64_t at) { return u[at] - before[at]; };
            const auto along = [&](int64_t at) { return (1 - wy) * increment(at) + wy * increment(at + p); };
            values[k] = (1 - wz) * along(start + k) + wz * along(start + q + k);
          });
          // Along the line the points in between are interpolated by halving intervals, in parallel; the last halving
          // writes to the grid, whose ring takes the zeros of the boundary.
          for (int level = 1; level < s.log2[0]; ++level) {
            const int64_t halved = intervals << (level - 1);
            tile.each(halved, [=](int64_t k) {
              spare[2 * k] = values[k];
              spare[2 * k + 1] = T(0.5) * (values[k] + values[k + 1]);
            });
            tile.each(1, [=](int64_t) { spare[2 * halved] = values[halved]; });
            const auto swapped = values;
            values = spare;
            spare = swapped;
          }
          const int64_t at = to.at(to.unknown_of(0, 0), to.y_of(line), to.z_of(line));
          if (s.log2[0] == 0) {
            tile.each(intervals + 1, [=](int64_t k) { whole[at + k] += values[k]; });
            return;
          }
          const int64_t halved = intervals << (s.log2[0] - 1);
          tile.each(halved, [=](int64_t k) {
            whole[at + 2 * k] += values[k];
            whole[at + 2 * k + 1] += T(0.5) * (values[k] + values[k + 1]);
          });
          tile.each(1, [=](int64_t) { whole[at + 2 * halved] += values[halved]; });
        });
  }

 private:
  using Cycle<D, T>::levels_;

  /// Restriction to a level and relaxations there; `exactly`: the coarsest level's product with the inverse instead.
  void visit(int v, int sweeps, bool exactly) {
    if (v == 0) return this->relax(0, sweeps);
    restrict_to(v);
    const Lattice &grid = levels_[0].lattice(), &lattice = levels_[v].lattice();
    for (int i = 0; i < (exactly ? 1 : sweeps); ++i) {
      Level<D, T>& level = levels_[v];
      pick_values(grid, lattice, strides_[v], levels_[0].u.view(), level.u.view(), level.before.view());
      if (exactly)
        this->solve_coarsest();
      else
        this->sweep(v, i, sweeps);
      add_interpolated(grid, lattice, strides_[v], level.u.view(), level.before.view(), levels_[0].u.view());
    }
  }

  void restrict_to(int v) {
    const Lattice& grid = levels_[0].lattice();
    per_volume(grid, levels_[0].rhs.view(), source_.view());
    for (int m = 0; m < v; ++m) {
      int distance[3];
      for (int axis = 0; axis < 3; ++axis)
        distance[axis] = strides_[m + 1].log2[axis] > strides_[m].log2[axis] ? 1 << strides_[m].log2[axis] : 0;
      const View<D, const T> in = source_.view();
      grid.dimensions == 2 ? average<2>(grid, distance, in, spare_.view())
                           : average<3>(grid, distance, in, spare_.view());
      std::swap(source_, spare_);
    }
    pick_sources(grid, levels_[v].lattice(), strides_[v], source_.view(), levels_[v].rhs.view());
  }

  double restriction_traffic(int v) const {
    return v == 0 ? 0
                  : 2.0 * (v + 1) * static_cast<double>(source_.bytes()) + static_cast<double>(levels_[v].rhs.bytes());
  }
  double sweep_traffic(int v) const {
    const Level<D, T>& level = levels_[v];
    const double own = level.u.bytes(), stencil = level.stencil.bytes();
    return v == 0 ? 3 * own + stencil : 7 * own + stencil + 2.0 * source_.bytes();
  }

  std::vector<Strides> strides_;
  Array<D, T> source_, spare_;
};

}  // namespace gridiron::sgml
