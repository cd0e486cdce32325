// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "engines/sgml/coarsest_inverse.hpp"
#include "engines/sgml/params.hpp"
#include "engines/sgml/relax_tiles.hpp"

namespace gridiron::sgml {

/// The sawtooth cycle (Algorithm 3 of the paper): an approximation to A⁻¹ r that starts at the coarsest level and
/// refines, returning once to each level after the next finer one. In the compact schedule a level is processed on its
/// own points only. Its increments are interpolated when the next finer level is entered: hat functions nest, so the
/// results equal those of the faithful schedule up to rounding.
///
/// At the coarsest level, of three points per axis or, on power grids, up to 200, the first visit is a product with the
/// inverse: a few sweeps would not reach the mean of a problem with Neumann conditions.
///
/// The paper monitors convergence by the increments of its sweeps. Here the residual in fp64, which the outer step
/// needs anyway, is the monitor.
template <class D, class T>
class Cycle {
 public:
  template <class Field>
  Cycle(const std::vector<BasicLevelPlan<Field>>& plan, const SgmlParams& params) : params_(params) {
    for (size_t v = 0; v < plan.size(); ++v) {
      levels_.emplace_back(plan[v], v == 0);
      if (v > 0) transfers_.emplace_back(levels_[v - 1].lattice(), levels_[v].lattice(), plan[v - 1].to_next);
    }
    const int64_t coarsest = levels_.back().lattice().size();
    inverse_ = Array<D, T>(coarsest * coarsest);
    take_inverse(plan.back());
  }
  virtual ~Cycle() = default;

  /// Whether refill() accepts a plan.
  template <class Field>
  bool has_shape_of(const std::vector<BasicLevelPlan<Field>>& plan) const {
    return std::equal(levels_.begin(), levels_.end(), plan.begin(), plan.end(),
                      [](const Level<D, T>& level, const auto& p) { return level.has_shape_of(p); });
  }
  /// Refills with new values. Fields stay in place, so a caller's recording of run() stays valid unless a stencil is
  /// uniform: then its few coefficients are kernel arguments.
  template <class Field>
  void refill(const std::vector<BasicLevelPlan<Field>>& plan) {
    recording_ = std::make_unique<typename D::Recording>();
    for (size_t v = 0; v < plan.size(); ++v) levels_[v].refill(plan[v]);
    take_inverse(plan.back());
  }

  /// Where the source goes, in the layout of lattice().
  View<D, T> rhs() { return levels_[0].rhs.view(); }
  const Lattice& lattice() const { return levels_[0].lattice(); }

  /// The cycle's result for rhs(); valid until the next call.
  View<D, const T> apply() {
    recording_->run([this] { run(); });
    return solution();
  }

  /// apply() with the mean of its result subtracted.
  View<D, const T> apply_without_mean() {
    const View<D, const T> u = apply();
    add_constant<D, T>(lattice(), -mean<D, T>(lattice(), u), levels_[0].u.view());
    return u;
  }

  /// The kernels of apply() one by one, for a caller with a recording of its own: sources of all levels, then the
  /// sawtooth.
  virtual void run() {
    for (int v = 0; v < coarsest(); ++v)
      transfers_[v].restrict_sources(levels_[v].rhs.view(), levels_[v + 1].rhs.view());
    solve_coarsest();
    for (int v = coarsest(); v > 0; --v) {
      refine(v - 1, relaxations(v));
      return_to(v, relaxations(v));
      correct(v - 1, v > 1 ? relaxations(v - 1) : 3 * relaxations(0));
    }
  }
  View<D, const T> solution() const { return levels_[0].u.view(); }

  const std::vector<Level<D, T>>& levels() const { return levels_; }
  int64_t bytes() const { return bytes_of(inverse_, levels_); }
  virtual double bytes_per_cycle() const {
    const auto field = [this](int v) { return static_cast<double>(levels_[v].u.bytes()); };
    double total = static_cast<double>(inverse_.bytes()) + 2 * field(coarsest());
    for (int v = 0; v < coarsest(); ++v) {
      const double coarse = field(v + 1);
      total += field(v) + coarse;  // sources down
      const Transfer<D, T>& transfer = transfers_[v];
      total += visit_traffic(v, transfer, coarse, relaxations(v + 1));
      total += visit_traffic(v, transfer, field(v) + 2 * coarse, (v == 0 ? 3 : 1) * relaxations(v));
      total += visit_traffic(v + 1, transfer, field(v) * share_of_lines(v) + coarse, relaxations(v + 1));
    }
    return total;
  }

 protected:
  int coarsest() const { return static_cast<int>(levels_.size()) - 1; }

  /// Sweeps per visit: n_r on the finest level, twice as many on each coarser one within bounds, at most 2^(n − ν) of n
  /// levels.
  int relaxations(int level) const {
    const int most = std::max(params_.relaxations, params_.coarse_relaxations);
    const int wanted = level < 16 ? std::min<int64_t>(int64_t{params_.relaxations} << level, most) : most;
    const int doublings = coarsest() + 1 - level;
    return doublings < 16 ? std::min(wanted, 1 << doublings) : wanted;
  }
  /// The fraction of a level's lines that the next coarser one has.
  double share_of_lines(size_t level) const {
    return static_cast<double>(levels_[level + 1].lattice().lines()) /
           static_cast<double>(levels_[level].lattice().lines());
  }
  /// Bytes of a visit of a level that begins with a transfer of `start` bytes, those it writes beside u included.
  double visit_traffic(int v, const Transfer<D, T>& transfer, double start, int sweeps) const {
    const Level<D, T>& level = levels_[v];
    const double field = level.u.bytes(), sweep = 3 * field + static_cast<double>(level.stencil.bytes());
    const int passes = in_tiles(level) ? TileShape(level.lattice(), sweeps).passes(sweeps) : sweeps;
    return start + (in_tiles(v, transfer) ? -field : field) + passes * sweep;
  }

  /// u of the coarsest level from its sources.
  void solve_coarsest() {
    Level<D, T>& level = levels_.back();
    if (params_.coarsest == "relaxed") {
      fill<D, T>(level.u.view(), T(0));
      return relax(coarsest(), relaxations(coarsest()));
    }
    D::dense_product(inverse_.view(), level.rhs.view(), level.u.view());
  }

  // Visits of a level. In tiles the sweeps of a visit, and the transfer it begins with, take one pass over the level.

  /// u of level v from that of the next coarser level.
  void refine(int v, int sweeps) {
    const View<D, const T> coarse = levels_[v + 1].u.view();
    if (in_tiles(v, transfers_[v])) return relax_tiles(v, FromCoarser<D, T>{transfers_[v].by_points(), coarse}, sweeps);
    transfers_[v].interpolate(coarse, levels_[v].u.view());
    relax(v, sweeps);
  }
  /// u of level v from that of the next finer level.
  void return_to(int v, int sweeps) {
    Level<D, T>& level = levels_[v];
    const Transfer<D, T>& transfer = transfers_[v - 1];
    const View<D, const T> fine = levels_[v - 1].u.view();
    if (in_tiles(v, transfer))
      return relax_tiles(v, FromFiner<D, T>{transfer.by_points(), fine, level.before.view()}, sweeps);
    transfer.inject(fine, level.u.view(), level.before.view());
    relax(v, sweeps);
  }
  /// Adds to level v what has changed on the next coarser level.
  void correct(int v, int sweeps) {
    Level<D, T>& level = levels_[v];
    const View<D, const T> coarse = levels_[v + 1].u.view(), before = levels_[v + 1].before.view();
    if (in_tiles(v, transfers_[v]))
      return relax_tiles(v, WithIncrements<D, T>{transfers_[v].by_points(), level.u.view(), coarse, before}, sweeps);
    transfers_[v].add_increments(coarse, before, level.u.view());
    relax(v, sweeps);
  }
  bool in_tiles(int v, const Transfer<D, T>& transfer) const {
    return in_tiles(levels_[v]) && transfer.goes_by_points();
  }
  /// On a CPU a sweep takes no longer than its bytes and has nothing to wait for: tiles, whose rims are relaxed several
  /// times over, are slower there. Both ways give the same bits.
  static bool in_tiles(const Level<D, T>& level) {
    return !D::shares_host_memory && level.stencil.fits_tiles() && TileShape::fits(level.lattice());
  }
  /// `sweeps` relaxations of level v from `start`.
  template <class Start>
  void relax_tiles(int v, const Start& start, int sweeps) {
    Level<D, T>& level = levels_[v];
    const TileShape shape(level.lattice(), sweeps);
    const auto pass = [&](const auto& begin, int first) {
      RelaxTiles<D, T, std::decay_t<decltype(begin)>> tiles{
          shape, begin, level.rhs.view(), level.other.view(), {std::min(shape.sweeps, sweeps - first)}};
      for (int k = 0; k < tiles.steps.count; ++k) tiles.steps.tau[k] = step(level, first + k, sweeps);
      level.stencil.visit(tiles);
      std::swap(level.u, level.other);
    };
    pass(start, 0);
    for (int done = shape.sweeps; done < sweeps; done += shape.sweeps) pass(Present<D, T>{level.u.view()}, done);
  }

  void relax(int v, int sweeps) {
    if (in_tiles(levels_[v])) return relax_tiles(v, Present<D, T>{levels_[v].u.view()}, sweeps);
    if (levels_[v].lattice().unknowns() <= RelaxInOneTile<D, T>::kMostUnknowns) return relax_in_one_tile(v, sweeps);
    for (int i = 0; i < sweeps; ++i) sweep(v, i, sweeps);
  }
  void relax_in_one_tile(int v, int sweeps) {
    using Relaxation = RelaxInOneTile<D, T>;
    Level<D, T>& level = levels_[v];
    for (int first = 0; first < sweeps; first += Relaxation::kMostSweeps) {
      typename Relaxation::Steps steps{std::min(sweeps - first, Relaxation::kMostSweeps), {}};
      for (int k = 0; k < steps.count; ++k) steps.tau[k] = step(level, first + k, sweeps);
      level.stencil.visit(Relaxation{level.u.view(), level.other.view(), level.rhs.view(), steps});
      if (steps.count % 2 == 1) std::swap(level.u, level.other);
    }
  }
  T step(const Level<D, T>& level, int i, int sweeps) const {
    return static_cast<T>(params_.steps == "euler" ? pseudo_time_step(level.band, 0, 1)
                                                   : pseudo_time_step(level.band, i, sweeps));
  }
  /// Sweep i of `sweeps`.
  void sweep(int v, int i, int sweeps) {
    Level<D, T>& level = levels_[v];
    level.stencil.visit(Relax<D, T>{level.u.view(), level.rhs.view(), level.other.view(), step(level, i, sweeps)});
    std::swap(level.u, level.other);
  }

  std::vector<Level<D, T>> levels_;
  std::vector<Transfer<D, T>> transfers_;

 private:
  /// In the layout of fields, with zeros for the ring.
  template <class Field>
  void take_inverse(const BasicLevelPlan<Field>& coarsest) {
    const std::vector<double> inverse = invert_coarsest(on_host(coarsest.stencil), coarsest.box_reaction.has_value());
    const Lattice& lattice = levels_.back().lattice();
    const int64_t n = lattice.unknowns(), nx = lattice.unknowns(0);
    const auto at = [&](int64_t k) { return lattice.at(k / nx, k % nx); };
    std::vector<T> entries(inverse_.size(), T(0));
    for (int64_t row = 0; row < n; ++row)
      for (int64_t column = 0; column < n; ++column)
        entries[at(row) * lattice.size() + at(column)] = static_cast<T>(inverse[row * n + column]);
    inverse_.copy_from(entries);
  }

  SgmlParams params_;
  Array<D, T> inverse_;  ///< of the coarsest level
  std::unique_ptr<typename D::Recording> recording_ = std::make_unique<typename D::Recording>();
};

}  // namespace gridiron::sgml
