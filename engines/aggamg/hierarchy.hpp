// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <vector>

#include "engines/aggamg/dense_inverse.hpp"
#include "engines/aggamg/galerkin.hpp"
#include "engines/aggamg/params.hpp"
#include "engines/engine.hpp"

namespace gridiron::aggamg {

/// One grid of the hierarchy: its matrix, its smoother, the way to the next grid, and the vectors a cycle works in.
template <class D, class T>
struct Level {
  DeviceCsr<D, T> matrix;
  Array<D, T> inverse_diagonal;
  double rho = 0;            ///< spectral radius of D⁻¹A, from above
  Aggregates<D> aggregates;  ///< empty on the coarsest level
  GalerkinPlan<D> plan;
  Array<D, T> rhs, x, next, update;                    ///< b, x and what smoothing needs
  Array<D, T> krylov_c, krylov_v, krylov_d, krylov_w;  ///< of the K-cycle, where there is one

  std::int64_t bytes() const {
    return matrix.bytes() + inverse_diagonal.bytes() + aggregates.of_node.bytes() + aggregates.begin.bytes() +
           aggregates.members.bytes() + plan.bytes() + rhs.bytes() + x.bytes() + next.bytes() + update.bytes() +
           krylov_c.bytes() + krylov_v.bytes() + krylov_d.bytes() + krylov_w.bytes();
  }
};

/// The grids from fine to coarse; the coarsest one is solved by its inverse.
template <class D, class T>
class Hierarchy {
 public:
  Hierarchy(const CsrMatrix& matrix, const AggAmgParams& params) {
    levels_.emplace_back();
    levels_[0].matrix = DeviceCsr<D, T>(matrix);
    while (levels_.back().matrix.rows > params.coarse_size) {
      Level<D, T>& fine = levels_.back();
      Aggregates<D> aggregates = aggregate(strong_graph<D, T>(fine.matrix.view(), params.strength));
      // Nothing strong to follow (a diagonal matrix, say): Jacobi does the rest.
      if (aggregates.count > kSlowestCoarsening * static_cast<double>(fine.matrix.rows)) break;
      fine.aggregates = std::move(aggregates);
      Level<D, T> coarse;
      coarse.matrix = galerkin_product<D, T>(fine.matrix.view(), fine.aggregates, fine.plan);
      levels_.push_back(std::move(coarse));
    }
    for (std::size_t k = 0; k < levels_.size(); ++k)
      allocate_vectors(levels_[k], k > 0 && static_cast<int>(k) <= params.k_levels);
    finish_values();
  }

  /// New values in the same pattern.
  void update(const CsrMatrix& matrix) {
    levels_[0].matrix.copy_values(matrix);
    for (std::size_t k = 0; k + 1 < levels_.size(); ++k)
      coarse_values<D, T>(levels_[k].plan, std::as_const(levels_[k].matrix).value.view(),
                          levels_[k + 1].matrix.value.view());
    finish_values();
  }

  /// Smoothers and the coarsest inverse from the values of the matrices. (Public, as nvcc takes no kernels from private
  /// functions.)
  void finish_values() {
    for (Level<D, T>& level : levels_) {
      const CsrView<D, T> a = std::as_const(level.matrix).view();
      const View<D, T> inverse = level.inverse_diagonal.view();
      D::for_each_row(
          a.rows, GRIDIRON_KERNEL(std::int64_t i) {
            T diagonal = 0;
            for (std::int64_t k = a.row_ptr[i]; k < a.row_ptr[i + 1]; ++k)
              if (a.col[k] == i) diagonal += a.value[k];
            inverse[i] = diagonal != 0 ? 1 / diagonal : T(0);
          });
      // Gershgorin: exactly 2 for a grid Laplacian, an upper bound always, and cheaper than Arnoldi.
      level.rho = D::max(
          a.rows, GRIDIRON_KERNEL(std::int64_t i) {
            double sum = 0;
            for (std::int64_t k = a.row_ptr[i]; k < a.row_ptr[i + 1]; ++k)
              sum += a.value[k] < 0 ? -static_cast<double>(a.value[k]) : static_cast<double>(a.value[k]);
            const double scale = inverse[i] < 0 ? -static_cast<double>(inverse[i]) : static_cast<double>(inverse[i]);
            return sum * scale;
          });
    }
    const Level<D, T>& last = levels_.back();
    coarsest_ = last.matrix.rows <= kLargestInverse ? DenseInverse<D, T>(last.matrix) : DenseInverse<D, T>();
  }

  std::vector<Level<D, T>>& levels() { return levels_; }
  const DenseInverse<D, T>& coarsest() const { return coarsest_; }

  std::vector<LevelSummary> summary() const {
    std::vector<LevelSummary> rows;
    for (const Level<D, T>& level : levels_)
      rows.push_back({level.matrix.rows, level.matrix.nonzeros(), level.bytes(), level.rho});
    return rows;
  }
  std::int64_t bytes() const {
    std::int64_t sum = coarsest_.bytes();
    for (const Level<D, T>& level : levels_) sum += level.bytes();
    return sum;
  }

 private:
  static constexpr double kSlowestCoarsening = 0.8;
  static constexpr std::int64_t kLargestInverse = 2000;

  static void allocate_vectors(Level<D, T>& level, bool has_krylov) {
    const std::int64_t n = level.matrix.rows;
    level.inverse_diagonal = Array<D, T>(n);
    for (Array<D, T>* v : {&level.rhs, &level.x, &level.next, &level.update}) *v = Array<D, T>(n);
    if (!has_krylov) return;
    for (Array<D, T>* v : {&level.krylov_c, &level.krylov_v, &level.krylov_d, &level.krylov_w}) *v = Array<D, T>(n);
  }

  std::vector<Level<D, T>> levels_;
  DenseInverse<D, T> coarsest_;
};

}  // namespace gridiron::aggamg
