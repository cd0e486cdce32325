// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "engines/gpuhmd/block_inverse.hpp"
#include "engines/gpuhmd/column_kernels.hpp"
#include "engines/gpuhmd/table_equations.hpp"
#include "engines/gpuhmd/tile_smoother.hpp"
#include "engines/hybrid/regular_grid_solver.hpp"

namespace gridiron::gpuhmd {

/// Vectors with entries V for the cycle of a multigrid method Solver.
template <class Solver, class D, class V>
class GmdVectors : public RegularGridVectors<D, V> {
 public:
  explicit GmdVectors(const Solver& solver) : solver_(solver), vectors_(solver.template vectors<V>()) {}

  View<D, V> rhs() override { return vectors_[0].rhs.view(); }
  void solve() override { solver_.cycle(vectors_, 0); }
  View<D, const V> solution() const override { return vectors_[0].x.view(); }
  int64_t bytes() const override { return bytes_of(vectors_); }

 private:
  const Solver& solver_;
  std::vector<LevelVectors<D, V>> vectors_;
};

struct GmdOptions {
  int coarse_size = 200;  ///< cells per grid, at or below which it is solved directly
  bool relaxes_tiles = false;
  bool averages = false;     ///< coarse tables by eq. (4)
  bool pads_within = false;  ///< gz is of pads inside the grid, not of sides at known potential
  double gmin = 0;           ///< least conductance between cells, relative to the largest
};

/// Geometric multigrid on the conductance tables of all grids at once: Feng and Li, ICCAD 2008, §IV. One solve() is one
/// V-cycle.
///
/// Two sweeps over cells, or over columns where there are layers, precede and follow the coarse correction. The one
/// next to the correction is undamped: after injection it sets every cell to the mean of its neighbours, weighted by
/// conductance, so that injection and summation (eqs. 5, 6) act as operator-dependent interpolation, at no cost. The
/// paper relaxes tiles instead (TileSmoother, for comparison); reading the tables once per sweep is as cheap on a chip
/// with a large cache, and error propagation does not stop at tile boundaries.
///
/// Conductances between cells are stored as L; vectors and the smoother's inverse diagonals as T.
template <class D, class T, class L = T>
class Gmd : public RegularGridSolver<D, T> {
 public:
  explicit Gmd(const GmdOptions& options) : options_(options) {}

  void setup(const std::vector<GridOn<D>>& grids) override {
    begin_with(BatchShape(std::vector<CellGrid>(grids.begin(), grids.end())));
    update(grids);
  }
  void update(const std::vector<GridOn<D>>& grids) override {
    TableLevel<D, T, L>& level = levels_[0];
    copy_to_batch<D>(grids, &GridOn<D>::gh, level.shape, level.gh);
    copy_to_batch<D>(grids, &GridOn<D>::gv, level.shape, level.gv);
    copy_to_batch<D>(grids, &GridOn<D>::gz, level.shape, level.gz);
    if (level.shape.has_layers()) copy_to_batch<D>(grids, &GridOn<D>::via, level.shape, level.via);
    if (options_.gmin > 0) raise_to_gmin(level, options_.gmin);
    fill_levels();  // moves levels
    levels_[0].gz = Array<D, T>();
  }

  /// For one single-layer grid whose equations are on the device. Whenever they have changed and to_ground() holds the
  /// conductances to ground, call take().
  void setup(const BatchShape& layout) {
    begin_with(layout);
    levels_[0].gz = zeros<D, T>(layout.entries);
  }
  View<D, T> to_ground() { return levels_[0].gz.view(); }
  void take(const TableEquations<D>& equations) {
    round_to<D>(equations.gh.view(), levels_[0].gh);
    round_to<D>(equations.gv.view(), levels_[0].gv);
    fill_levels();
  }

  CellStrides strides(int64_t grid) const override {
    const GridShape& shape = levels_[0].shape.grids[grid];
    return {shape.first, shape.nx, shape.plane()};
  }

  /// Zeros everywhere: kernels leave entries beside the grids as they are.
  void clear_vectors() {
    for (LevelVectors<D, T>& v : vectors_) v.clear();
  }

  View<D, T> rhs() override { return vectors_[0].rhs.view(); }
  void solve() override { cycle(vectors_, 0); }
  View<D, const T> solution() const override { return vectors_[0].x.view(); }

  std::unique_ptr<typename Gmd::Together> vectors_together() const override {
    if constexpr (kColumnsTogether < T >> 1)
      return std::make_unique<GmdVectors<Gmd, D, Columns<T, kColumnsTogether<T>>>>(*this);
    else
      return nullptr;
  }

  /// Zeros, for cycle().
  template <class V>
  std::vector<LevelVectors<D, V>> vectors() const {
    std::vector<LevelVectors<D, V>> vectors;
    for (const TableLevel<D, T, L>& level : levels_) vectors.emplace_back(level.shape.entries);
    return vectors;
  }

  /// Computes v of level k from its rhs, starting at zero. Every cycle uses the same arrays in the same roles.
  template <class V>
  void cycle(std::vector<LevelVectors<D, V>>& vectors, size_t k) const {
    const TableLevel<D, T, L>& level = levels_[k];
    LevelVectors<D, V>& v = vectors[k];
    if (k + 1 == levels_.size()) return coarsest_.template solve<V>(v.rhs.view(), v.x.view());
    const bool layered = !level.via.empty();
    if (options_.relaxes_tiles && !layered) {
      tiles_[k].before_correction(level, v);
    } else if (layered) {
      smooth_columns(level, v, kDamped, true);
      smooth_columns(level, v, kUndamped, false);
    } else {
      smooth_from_zero(level, v, kDamped, kUndamped);
    }
    restrict_residual(level, v, vectors[k + 1]);
    cycle(vectors, k + 1);
    prolong(level, vectors[k + 1], v);
    if (options_.relaxes_tiles && !layered) return tiles_[k].after_correction(level, v);
    for (const T weight : {kUndamped, kDamped})
      layered ? smooth_columns(level, v, weight, false) : smooth(level, v, weight);
  }

  int64_t bytes() const override { return bytes_of(coarsest_, vectors_, levels_, tiles_); }
  double traffic() const override {
    double sum = coarsest_.bytes();
    for (size_t k = 0; k + 1 < levels_.size(); ++k) {
      // Tables and vectors that the kernels access, coarse ones counted as a quarter; `links`: conductances between
      // cells.
      const bool layered = !levels_[k].via.empty();
      const double all = layered                  ? 33.5
                         : options_.relaxes_tiles ? 22.5
                                                  : 24.5,
                   links = layered                  ? 9
                           : options_.relaxes_tiles ? 6
                                                    : 8;
      const double entries = levels_[k].shape.entries;
      sum += ((all - links) * sizeof(T) + links * sizeof(L)) * entries;
    }
    return sum;
  }
  std::vector<LevelSummary> levels() const override {
    std::vector<LevelSummary> rows;
    for (size_t k = 0; k < levels_.size(); ++k) {
      const TableLevel<D, T, L>& level = levels_[k];
      LevelSummary row{.bytes = bytes_of(level, vectors_[k]), .spectral_radius = kSpectrum};
      for (const GridShape& g : level.shape.grids) {
        const int64_t nx = g.used_nx, ny = g.used_ny, layers = g.layers, cells = nx * ny * layers;
        row.unknowns += cells;
        row.nonzeros += cells + 2 * ((nx - 1) * ny * layers + nx * (ny - 1) * layers + nx * ny * (layers - 1));
      }
      rows.push_back(row);
    }
    return rows;
  }

 private:
  static constexpr T kDamped = static_cast<T>(0.57), kUndamped = 1;
  static constexpr double kSpectrum = 2;  // of D⁻¹A, by Gershgorin

  /// The finest level, with no tables yet.
  void begin_with(const BatchShape& finest) {
    levels_.clear();
    tiles_.clear();
    vectors_.clear();
    coarsest_ = BlockInverse<D, T>();
    levels_.emplace_back(finest);
  }

  /// Appends the next coarser level, if the last is not the coarsest one.
  bool add_level() {
    const BatchShape& shape = levels_.back().shape;
    if (shape.largest() <= options_.coarse_size || !shape.can_coarsen()) return false;
    const std::vector<Halving> halving =
        options_.averages ? std::vector<Halving>(shape.grids.size()) : halving_of(levels_.back());
    TableLevel<D, T, L> coarse(shape.coarser(halving));
    levels_.back().coarse_runs = Array<D, CoarseRun>(shape.coarse_runs(coarse.shape, halving));
    levels_.push_back(std::move(coarse));
    return true;
  }

  /// Computes the tables of all other levels from those of the finest, and what smoothers and the coarsest level need.
  /// The first time chooses the levels.
  void fill_levels() {
    const bool is_first = vectors_.empty();
    prepare_smoother(levels_[0]);
    for (size_t k = 1; k < levels_.size() || (is_first && add_level()); ++k) {
      options_.averages ? average_tables(levels_[k - 1], levels_[k])
                        : coarsen_tables(levels_[k - 1], levels_[k], options_.pads_within);
      prepare_smoother(levels_[k]);
      if (k > 1) levels_[k - 1].gz = Array<D, T>();
    }
    if (coarsest_.empty())
      coarsest_ = BlockInverse<D, T>(levels_.back());
    else
      coarsest_.refill(levels_.back());
    if (levels_.size() > 1) levels_.back().gz = Array<D, T>();
    if (!is_first) return;
    if (options_.relaxes_tiles && !levels_[0].shape.has_layers())
      for (const TableLevel<D, T, L>& level : levels_) tiles_.emplace_back(level.shape);
    vectors_ = vectors<T>();
  }

  static void prepare_smoother(TableLevel<D, T, L>& level) {
    invert_diagonal(level);
    if (!level.via.empty()) factor_columns(level);
  }

  GmdOptions options_;
  std::vector<TableLevel<D, T, L>> levels_;
  std::vector<LevelVectors<D, T>> vectors_;  ///< per level, of one column
  std::vector<TileSmoother<D, T>> tiles_;    ///< per level, if used
  BlockInverse<D, T> coarsest_;
};

}  // namespace gridiron::gpuhmd
