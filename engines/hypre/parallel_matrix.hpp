// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "engines/hypre/across_ranks.hpp"
#include "engines/hypre/row_order.hpp"
#include "engines/problem.hpp"
#include "linalg/shares.hpp"

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
  ParallelVector(const Ranks& ranks, int64_t first, int64_t end);
  HYPRE_ParVector get() const { return vector_; }
  View<AcrossRanks, double> view() const { return {data_, size_}; }
  void copy_from(View<AcrossRanks, const double> from) const { std::copy_n(from.data(), size_, data_); }
  void copy_to(View<AcrossRanks, double> to) const { std::copy_n(data_, size_, to.data()); }

 private:
  Owned<HYPRE_IJVector> handle_;
  HYPRE_ParVector vector_ = nullptr;
  double* data_ = nullptr;
  int64_t size_ = 0;
};

/// The first of the rows that a process holds; of the one after the last: their number.
inline int64_t first_row(int64_t rows, const Ranks& ranks, int rank) { return rows * rank / ranks.count; }

/// A matrix of hypre whose rows, in the given order, are dealt out in equal consecutive parts.
class ParallelMatrix {
 public:
  /// Every process passes the whole matrix, with an order of all rows, or, where they share it, its own part, with an
  /// order of the rows that it holds. Errors: SolverError for entries that are not finite.
  ParallelMatrix(const CsrMatrix& matrix, const Shares* shares, const RowOrder& order, const Ranks& ranks);
  /// New values in the same pattern.
  void set_values(const CsrMatrix& matrix, const RowOrder& order);

  /// The unknown of the problem, as it was passed here, that is row `i` of those that are held here.
  int64_t unknown(const RowOrder& order, int64_t i) const { return order.unknown(is_shared_ ? i : first_ + i); }

  int64_t first() const { return first_; }
  int64_t end() const { return end_; }
  HYPRE_ParCSRMatrix get() const { return matrix_; }

  // What flexible_cg() and flexible_gmres() ask of a matrix; vectors hold the rows that are here.
  using D = AcrossRanks;
  int64_t rows() const { return end_ - first_; }
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
  struct Range {
    int64_t first, end;
  };
  static Range rows_here(const CsrMatrix& matrix, const Shares* shares, const Ranks& ranks);
  ParallelMatrix(const CsrMatrix& matrix, const Shares* shares, const RowOrder& order, const Ranks& ranks, Range range);
  int64_t position(const RowOrder& order, int64_t column) const;

  int64_t first_, end_;
  bool is_shared_ = false;
  std::vector<double> elsewhere_;  ///< of a shared problem: the positions of its rows, then those of others
  Owned<HYPRE_IJMatrix> handle_;
  HYPRE_ParCSRMatrix matrix_ = nullptr;
  ParallelVector in_, out_;
};

// As flexible_cg() calls them.
template <class D>
void residual(const ParallelMatrix& a, View<D, const double> b, View<D, const double> x, View<D, double> r) {
  a.residual(b, x, r);
}
template <class D, class T, int K, class G>
void product_and_dots(const ParallelMatrix& a, View<D, const T> p, View<D, const double> r, View<D, double> q, G then) {
  then(a.product_and_dots(p, r, q));
}

}  // namespace gridiron::hypre
