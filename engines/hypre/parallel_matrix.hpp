// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <memory>

#include "engines/hypre/across_ranks.hpp"
#include "engines/hypre/row_order.hpp"
#include "engines/problem.hpp"

namespace gridiron::hypre {

/// Destroys an object of hypre, as long as it runs.
struct Destroy {
  void operator()(HYPRE_IJMatrix matrix) const;
  void operator()(HYPRE_IJVector vector) const;
  void operator()(HYPRE_Solver multigrid) const;
};
template <class Handle>
using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, Destroy>;

/// The part that this process holds of a vector of hypre.
class ParallelVector {
 public:
  ParallelVector() = default;
  /// Entries [first, end) are here.
  ParallelVector(const Ranks& ranks, std::int64_t first, std::int64_t end);
  HYPRE_ParVector get() const { return vector_; }
  View<AcrossRanks, double> view() const { return {data_, size_}; }
  void copy_from(View<AcrossRanks, const double> from) const { std::copy_n(from.data(), size_, data_); }
  void copy_to(View<AcrossRanks, double> to) const { std::copy_n(data_, size_, to.data()); }

 private:
  Owned<HYPRE_IJVector> handle_;
  HYPRE_ParVector vector_ = nullptr;
  double* data_ = nullptr;
  std::int64_t size_ = 0;
};

/// The first of the rows that a process holds; of the one after the last: their number.
inline std::int64_t first_row(std::int64_t rows, const Ranks& ranks, int rank) { return rows * rank / ranks.count; }

/// A matrix of hypre whose rows, in the given order, are dealt out in equal consecutive parts.
class ParallelMatrix {
 public:
  /// Every process passes the whole matrix. Errors: SolverError for entries that are not finite.
  ParallelMatrix(const CsrMatrix& matrix, const RowOrder& order, const Ranks& ranks);
  /// New values in the same pattern.
  void set_values(const CsrMatrix& matrix, const RowOrder& order);

  std::int64_t first() const { return first_; }
  std::int64_t end() const { return end_; }
  HYPRE_ParCSRMatrix get() const { return matrix_; }

  // What flexible_cg() and flexible_gmres() ask of a matrix; vectors hold the rows that are here.
  using D = AcrossRanks;
  std::int64_t rows() const { return end_ - first_; }
  template <class T>
  Array<D, T> vector() const {
    return Array<D, T>(rows());
  }
  /// direction = z, w = A z
  void product(View<D, const double> z, View<D, double> direction, View<D, double> w) const;
  /// r = b − A x
  void residual(View<D, const double> b, View<D, const double> x, View<D, double> r) const;
  /// q = A p; (p, q) and (p, r)
  Sums<2> product_and_dots(View<D, const double> p, View<D, const double> r, View<D, double> q) const;

 private:
  std::int64_t first_, end_;
  Owned<HYPRE_IJMatrix> handle_;
  HYPRE_ParCSRMatrix matrix_ = nullptr;
  ParallelVector in_, out_;
};

// As flexible_cg() calls them.
template <class D>
void residual(const ParallelMatrix& a, View<D, const double> b, View<D, const double> x, View<D, double> r) {
  a.residual(b, x, r);
}
template <class D, class T>
Sums<2> product_and_dots(const ParallelMatrix& a, View<D, const T> p, View<D, const double> r, View<D, double> q) {
  return a.product_and_dots(p, r, q);
}

}  // namespace gridiron::hypre
