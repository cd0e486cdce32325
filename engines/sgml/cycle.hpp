// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <memory>

#include "engines/device/cpu_device.hpp"
#include "engines/linalg/dense_inverse.hpp"
#include "engines/sgml/params.hpp"
#include "engines/sgml/transfer.hpp"
#include "support/error.hpp"

namespace gridiron::sgml {

/// The sawtooth cycle (Algorithm 3 of the paper): an approximation to A⁻¹ r that starts at the coarsest level and
/// refines, returning once to each level after the next finer one. In the compact schedule a level is processed on its
/// own points only. Its increments are interpolated when the next finer level is entered: hat functions nest, so the
/// results equal those of the faithful schedule up to rounding.
///
/// At the coarsest level, of at most three points per axis, the first visit is a product with the inverse: a few sweeps
/// would not reach the mean of a problem with Neumann conditions.
///
/// The paper monitors convergence by the increments of its sweeps. Here the residual in fp64, which the outer step
/// needs anyway, is the monitor.
template <class D, class T>
class Cycle {
 public:
  template <class Field>
  Cycle(const std::vector<BasicLevelPlan<Field>>& plan, const SgmlParams& params) : params_(params) {
    for (std::size_t v = 0; v < plan.size(); ++v) {
      levels_.emplace_back(plan[v], v == 0);
      if (v > 0) transfers_.emplace_back(levels_[v - 1].lattice(), levels_[v].lattice(), plan[v - 1].to_next);
    }
    const std::int64_t coarsest = levels_.back().lattice().unknowns();
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
    for (std::size_t v = 0; v < plan.size(); ++v) levels_[v].refill(plan[v]);
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

  /// The same, with its mean subtracted.
  View<D, const T> apply_without_mean() {
    const View<D, const T> u = apply();
    add_constant<D, T>(lattice(), -mean<D, T>(lattice(), u), levels_[0].u.view());
    return u;
  }

  /// The kernels of apply() one by one, for a caller with a recording of its own: sources of all levels, then the
  /// sawtooth.
  virtual void run() {
    for (int v = 0; v < coarsest(); ++v)
      transfers_[v].restrict_sources(std::as_const(levels_[v]).rhs.view(), levels_[v + 1].rhs.view());
    if (coarsest() == 0) return solve_coarsest();
    for (int v = coarsest(); v > 0; --v) {
      Level<D, T>&level = levels_[v], &finer = levels_[v - 1];
      const Transfer<D, T>& transfer = transfers_[v - 1];
      const int sweeps = relaxations(v);
      if (v == coarsest())
        solve_coarsest();
      else
        relax(v, sweeps);
      transfer.interpolate(std::as_const(level).u.view(), finer.u.view());
      relax(v - 1, sweeps);
      transfer.inject(std::as_const(finer).u.view(), level.u.view(), level.before.view());
      relax(v, sweeps);
      transfer.add_increments(std::as_const(level).u.view(), std::as_const(level).before.view(), finer.u.view());
    }
    relax(0, 3 * relaxations(0));
  }
  View<D, const T> solution() const { return levels_[0].u.view(); }

  const std::vector<Level<D, T>>& levels() const { return levels_; }
  std::int64_t bytes() const {
    std::int64_t total = inverse_.bytes();
    for (const Level<D, T>& level : levels_) total += level.bytes();
    return total;
  }
  virtual double bytes_per_cycle() const {
    double total = 0;
    for (std::size_t v = 0; v < levels_.size(); ++v) {
      const Level<D, T>& level = levels_[v];
      const double field = static_cast<double>(level.u.bytes()),
                   sweep = 3 * field + static_cast<double>(level.stencil.bytes());
      total += sweeps_per_cycle(static_cast<int>(v)) * sweep;
      if (v + 1 == levels_.size()) break;
      const double coarse = static_cast<double>(levels_[v + 1].u.bytes());
      total += field + coarse;                          // sources down
      total += field + coarse;                          // first interpolation
      total += 2 * coarse + field * share_of_lines(v);  // injection, which reads the lines that coarse points lie on
      total += 2 * field + 2 * coarse;                  // increments
    }
    return total;
  }

  /// u of the coarsest level from its sources. Public, as nvcc takes no kernels from elsewhere.
  void solve_coarsest() {
    Level<D, T>& level = levels_.back();
    if (params_.coarsest == "relaxed") {
      fill<D, T>(level.u.view(), T(0));
      return relax(coarsest(), relaxations(coarsest()));
    }
    const Lattice lattice = level.lattice();
    const View<D, const T> inverse = inverse_.view(), f = std::as_const(level).rhs.view();
    const View<D, T> u = level.u.view();
    const std::int64_t n = lattice.unknowns(), nx = lattice.unknowns(0);
    D::for_each_line(
        lattice.lines(), nx, LineNumber(), GRIDIRON_KERNEL(std::int64_t line, std::int64_t i) {
          T sum = 0;
          for (std::int64_t k = 0; k < n; ++k) sum += inverse[(line * nx + i) * n + k] * f[lattice.at(k / nx, k % nx)];
          u[lattice.at(line, i)] = sum;
        });
  }

 protected:
  int coarsest() const { return static_cast<int>(levels_.size()) - 1; }

  /// Sweeps per visit: n_r on the finest level, twice as many on each coarser one within bounds, at most 2^(n − ν) of n
  /// levels.
  int relaxations(int level) const {
    const int most = std::max(params_.relaxations, params_.coarse_relaxations);
    const int wanted = level < 16 ? std::min<std::int64_t>(std::int64_t{params_.relaxations} << level, most) : most;
    const int doublings = coarsest() + 1 - level;
    return doublings < 16 ? std::min(wanted, 1 << doublings) : wanted;
  }
  /// The fraction of a level's lines that the next coarser one has.
  double share_of_lines(std::size_t level) const {
    return static_cast<double>(levels_[level + 1].lattice().lines()) /
           static_cast<double>(levels_[level].lattice().lines());
  }
  double sweeps_per_cycle(int level) const {
    const int after = level == coarsest() ? 0 : relaxations(level + 1);
    return after + (level == 0 ? 3 : 2) * relaxations(level) - (level == coarsest() ? relaxations(level) : 0);
  }

  void relax(int v, int sweeps) {
    if (levels_[v].lattice().unknowns() <= RelaxInOneTile<D, T>::kMostUnknowns) return relax_in_one_tile(v, sweeps);
    for (int i = 0; i < sweeps; ++i) sweep(v, i, sweeps);
  }
  void relax_in_one_tile(int v, int sweeps) {
    using Relaxation = RelaxInOneTile<D, T>;
    Level<D, T>& level = levels_[v];
    for (int first = 0; first < sweeps; first += Relaxation::kMostSweeps) {
      typename Relaxation::Steps steps{std::min(sweeps - first, Relaxation::kMostSweeps), {}};
      for (int k = 0; k < steps.count; ++k) steps.tau[k] = step(level, first + k, sweeps);
      level.stencil.visit(Relaxation{level.u.view(), level.other.view(), std::as_const(level).rhs.view(), steps});
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
    level.stencil.visit(Relax<D, T>{std::as_const(level).u.view(), std::as_const(level).rhs.view(), level.other.view(),
                                    step(level, i, sweeps)});
    std::swap(level.u, level.other);
  }

  std::vector<Level<D, T>> levels_;
  std::vector<Transfer<D, T>> transfers_;

 private:
  template <class Field>
  void take_inverse(const BasicLevelPlan<Field>& coarsest) {
    const std::vector<double> inverse = invert_coarsest(on_host(coarsest.stencil), coarsest.box_reaction.has_value());
    inverse_.copy_from(std::vector<T>(inverse.begin(), inverse.end()));
  }

  /// In double precision, as the term that determines the mean may be small relative to the conductances. The matrix
  /// comes column by column, as the stencil acts on unit vectors.
  static std::vector<double> invert_coarsest(const StencilData& data, bool holds_mean) {
    const Stencil<CpuDevice, double> stencil(data);
    const Lattice lattice = stencil.lattice();
    const std::int64_t n = lattice.unknowns(), nx = lattice.unknowns(0);
    const auto at = [&](std::int64_t k) { return lattice.at(k / nx, k % nx); };
    std::vector<double> matrix(static_cast<std::size_t>(n * n)), unit(static_cast<std::size_t>(lattice.size()), 0.0);
    Array<CpuDevice, double> image(lattice.size());
    for (std::int64_t column = 0; column < n; ++column) {
      unit[at(column)] = 1;
      stencil.visit(
          Product<CpuDevice, double>{CpuDevice::view(std::as_const(unit).data(), lattice.size()), image.view()});
      unit[at(column)] = 0;
      for (std::int64_t row = 0; row < n; ++row) matrix[row * n + column] = image.view()[at(row)];
    }
    if (holds_mean) hold_mean(lattice, matrix);
    try {
      return gridiron::invert(n, std::move(matrix), "sgml");
    } catch (const SolverError&) {
      throw SolverError("sgml: the matrix is singular; is part of the system not tied to any fixed value?");
    }
  }
  /// Adds γ m mᵀ to a matrix A, m being the shares of cells that points own and γ of the order of A. As A m⁻ = 0 or as
  /// A 1 is a multiple of m, the solution for sources that sum to zero is that of A, and its mean is 0.
  static void hold_mean(const Lattice& lattice, std::vector<double>& matrix) {
    const std::int64_t n = lattice.unknowns(), nx = lattice.unknowns(0);
    std::vector<double> share(static_cast<std::size_t>(n));
    double squares = 0, trace = 0;
    for (std::int64_t k = 0; k < n; ++k) {
      const std::int64_t line = k / nx;
      share[k] = lattice.share(0, k % nx) * lattice.share(1, lattice.y_of(line)) * lattice.share(2, lattice.z_of(line));
      squares += share[k] * share[k];
      trace += matrix[k * n + k];
    }
    const double gamma = trace / static_cast<double>(n) / squares;
    for (std::int64_t row = 0; row < n; ++row)
      for (std::int64_t column = 0; column < n; ++column)
        matrix[row * n + column] += gamma * share[row] * share[column];
  }

  SgmlParams params_;
  Array<D, T> inverse_;
  std::unique_ptr<typename D::Recording> recording_ = std::make_unique<typename D::Recording>();
};

}  // namespace gridiron::sgml
