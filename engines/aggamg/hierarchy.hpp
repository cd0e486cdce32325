// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "engines/aggamg/galerkin.hpp"
#include "engines/aggamg/params.hpp"
#include "engines/engine.hpp"
#include "linalg/dense_inverse.hpp"

namespace gridiron::aggamg {

/// Coarsest grids larger than this are not inverted: that would cost more than everything else.
inline constexpr int64_t kLargestInverse = 2000;

/// The grids from fine to coarse; the coarsest one is solved by its inverse. The finest grid shares the pattern of the
/// matrix.
template <class D, class T>
class Hierarchy {
 public:
  /// `shift` is added to the diagonal, one entry per row; empty: nothing. `symmetric`: the matrix is, so that the cycle
  /// may take short copies where the parameters allow that. Call finish() before the first cycle.
  Hierarchy(const SellMatrix<D>& matrix, const std::vector<double>& shift, const AggAmgParams& params, bool symmetric)
      : fewest_short_(symmetric && std::is_same_v<T, float> && params.precision == "half" ? params.fewest_short
                                                                                          : INT64_MAX) {
    levels_.emplace_back();
    levels_[0].pattern = matrix.pattern;
    levels_[0].value = Array<D, T>(matrix.value.size());
    levels_[0].diagonal = Array<D, T>(matrix.rows());
    levels_[0].row_sum = Array<D, double>(matrix.rows());
    row_sum_ = Array<D, T>(matrix.rows());
    take_values(matrix, shift);
    while (levels_.back().rows() > params.coarse_size) {
      Level<D, T>& fine = levels_.back();
      const StrongGraph<D> strong = strong_couplings<D, T>(fine.matrix(), params.strength);
      Aggregates<D> aggregates = aggregate(strong.view(*fine.pattern));
      // No strong couplings to aggregate along (a diagonal matrix, say): Jacobi does the rest.
      if (aggregates.count > kSlowestCoarsening * fine.rows()) break;
      fine.aggregates = std::move(aggregates);
      levels_.push_back(galerkin_product(fine));
    }
  }

  /// New values for the same sparsity pattern; finish() has to follow.
  void update(const SellMatrix<D>& matrix, const std::vector<double>& shift) {
    take_values(matrix, shift);
    for (size_t k = 0; k + 1 < levels_.size(); ++k) coarse_values<D, T>(levels_[k], levels_[k + 1]);
  }

  /// Spectral radii, short copies and, beside them in the queue `other`, the coarsest inverse.
  void finish(const typename D::Queue& other) {
    const Level<D, T>& last = levels_.back();
    const typename DenseInverse<D, T>::Matrix a{last.matrix(), last.diagonal.view(), last.row_sum.view()};
    if (last.rows() > kLargestInverse) return finish_values();
    if (coarsest_.empty()) coarsest_ = DenseInverse<D, T>(last.rows());
    side_by_side<D>(
        other, [&] { finish_values(); }, [&] { coarsest_.begin(a); });
    coarsest_.finish(a, "aggamg");
  }

  std::vector<Level<D, T>>& levels() { return levels_; }
  const std::vector<Level<D, T>>& levels() const { return levels_; }
  const DenseInverse<D, T>& coarsest() const { return coarsest_; }
  /// Σ_j a_ij of the matrix itself, without shifts.
  View<D, const T> row_sum() const { return row_sum_.view(); }

  std::vector<LevelSummary> summary() const {
    std::vector<LevelSummary> rows;
    for (const Level<D, T>& level : levels_)
      rows.push_back({level.rows(), level.pattern->nonzeros, level.bytes(), level.rho});
    return rows;
  }
  /// Without the pattern of the finest grid, which the matrix owns.
  int64_t bytes() const { return bytes_of(coarsest_, row_sum_, levels_) - levels_[0].pattern->bytes(); }

  // Public, as nvcc takes no kernels from private functions.

  /// The finest grid: the matrix, its rows divided by the diagonal.
  void take_values(const SellMatrix<D>& matrix, const std::vector<double>& shift) {
    const SellView<D, double> a = matrix.view();
    const Array<D, double> shift_array(shift);
    const auto added = shift_array.view();
    const auto diagonal = matrix.diagonal.view();
    const auto value = levels_[0].value.view(), d = levels_[0].diagonal.view();
    const auto row_sum = levels_[0].row_sum.view();
    const auto unshifted = row_sum_.view();
    const auto exact = matrix.row_sum.view();
    D::for_each(
        a.rows, GRIDIRON_KERNEL(int64_t i) {
          const double own = added.size() > 0 ? diagonal[i] + added[i] : diagonal[i];
          const double inverse = own != 0 ? 1 / own : 0;
          double sum = diagonal[i];
          for (const int64_t e : a.entries(i)) {
            value[e] = static_cast<T>(inverse * a.value[e]);
            sum += a.value[e];
          }
          if (exact.size() > 0) sum = exact[i];
          d[i] = static_cast<T>(own);
          unshifted[i] = static_cast<T>(sum);
          row_sum[i] = added.size() > 0 ? sum + added[i] : sum;
        });
  }

  /// Spectral radii and short copies.
  void finish_values() {
    for (Level<D, T>& level : levels_) {
      const SellView<D, T> a = level.matrix();
      // Gershgorin: exactly 2 for a grid Laplacian, an upper bound always, and cheaper than Arnoldi.
      const Pack<double, 2> largest = D::template max<Pack<double, 2>>(
          a.rows, GRIDIRON_KERNEL(int64_t i) {
            Pack<double, 2> of_row{{1, 0}};  // the sum of magnitudes, and a coupling above zero
            for (const int64_t e : a.entries(i)) {
              const double coupling = a.value[e];
              of_row[0] += coupling < 0 ? -coupling : coupling;
              if (coupling > of_row[1]) of_row[1] = coupling;
            }
            return of_row;
          });
      level.rho = largest[0];
      shorten(level, largest[0] < kDominant && largest[1] == 0);
    }
  }

  /// A short copy for the cycle: only diagonally dominant M-matrices stay close to what they were in every vector. None
  /// of a coarsest grid, whose inverse is that of D⁻¹A.
  void shorten(Level<D, T>& level, bool is_m_matrix) const {
    ShortCopy<D>& brief = level.brief;
    if (!is_m_matrix || level.value.size() < fewest_short_ || level.rows() <= kLargestInverse ||
        brief.has_distant_columns) {
      brief.couplings = {};
      return;
    }
    const SellView<D, T> a = level.matrix();
    if (brief.is_empty()) brief.couplings = ShortSell<D>(a);
    brief.has_distant_columns = brief.is_empty();
    if (brief.is_empty()) return;
    const View<D, const T> diagonal = level.diagonal.view();
    const View<D, const double> row_sum = level.row_sum.view();
    brief.couplings.template fill<T>(a, diagonal);
    if (brief.terms.empty()) brief.terms = Array<D, uint32_t>(a.rows);
    const auto terms = brief.terms.view();
    D::for_each(
        a.rows, GRIDIRON_KERNEL(int64_t i) {
          const float own = diagonal[i];
          terms[i] = bfloat_pair(own != 0 ? 1 / own : 0.0f, static_cast<float>(row_sum[i]));
        });
  }

 private:
  static constexpr double kSlowestCoarsening = 0.8;
  static constexpr double kDominant = 2 + 1e-5;  ///< largest row of magnitudes, divided by the diagonal

  int64_t fewest_short_;  ///< entries of a matrix that has a short copy
  std::vector<Level<D, T>> levels_;
  Array<D, T> row_sum_;
  DenseInverse<D, T> coarsest_;
};

}  // namespace gridiron::aggamg
