// SPDX-License-Identifier: Apache-2.0
#include "engines/hypre/parallel_matrix.hpp"

#include <_hypre_parcsr_mv.h>

#include <limits>
#include <numeric>
#include <vector>

#include "support/error.hpp"

namespace gridiron::hypre {
namespace {

template <class F>
void destroy(F* Library::*function, auto handle) {
  const std::lock_guard lock(Library::mutex());
  if (const Library& hypre = Library::started(); hypre.runs()) (hypre.*function)(handle);
}

HYPRE_BigInt big(int64_t i) { return static_cast<HYPRE_BigInt>(i); }

}  // namespace

void Destroy::operator()(HYPRE_IJMatrix matrix) const { destroy(&Library::IJMatrixDestroy, matrix); }
void Destroy::operator()(HYPRE_IJVector vector) const { destroy(&Library::IJVectorDestroy, vector); }
void Destroy::operator()(HYPRE_Solver multigrid) const { destroy(&Library::BoomerAMGDestroy, multigrid); }

ParallelVector::ParallelVector(const Ranks& ranks, int64_t first, int64_t end) : size_(end - first) {
  const Library& hypre = Library::started();
  HYPRE_IJVector handle = nullptr;
  hypre(hypre.IJVectorCreate, ranks.communicator, big(first), big(end - 1), &handle);
  handle_.reset(handle);
  hypre(hypre.IJVectorSetObjectType, handle, HYPRE_PARCSR);
  hypre(hypre.IJVectorInitialize, handle);
  hypre(hypre.IJVectorAssemble, handle);
  void* object = nullptr;
  hypre(hypre.IJVectorGetObject, handle, &object);
  vector_ = static_cast<HYPRE_ParVector>(object);
  data_ = hypre_VectorData(hypre_ParVectorLocalVector(static_cast<hypre_ParVector*>(object)));
}

ParallelMatrix::Range ParallelMatrix::rows_here(const CsrMatrix& matrix, const Shares* shares, const Ranks& ranks) {
  const int64_t rows = matrix.rows;
  if (!shares) return {first_row(rows, ranks, ranks.rank), first_row(rows, ranks, ranks.rank + 1)};
  std::vector<double> of_rank(ranks.count, 0.0);
  of_rank[ranks.rank] = static_cast<double>(rows);
  shares->sum(of_rank);
  const int64_t first = std::accumulate(of_rank.begin(), of_rank.begin() + ranks.rank, 0.0);
  if (std::accumulate(of_rank.begin(), of_rank.end(), 0.0) >
      static_cast<double>(std::numeric_limits<HYPRE_BigInt>::max()))
    throw SolverError("hypre: counts unknowns up to 2147483647 in this build of hypre, which are fewer than these");
  return {first, first + rows};
}

ParallelMatrix::ParallelMatrix(const CsrMatrix& matrix, const Shares* shares, const RowOrder& order, const Ranks& ranks)
    : ParallelMatrix(matrix, shares, order, ranks, rows_here(matrix, shares, ranks)) {}

ParallelMatrix::ParallelMatrix(const CsrMatrix& matrix, const Shares* shares, const RowOrder& order, const Ranks& ranks,
                               Range range)
    : first_(range.first),
      end_(range.end),
      is_shared_(shares != nullptr),
      in_(ranks, first_, end_),
      out_(ranks, first_, end_) {
  const Library& hypre = Library::started();
  if (is_shared_) {
    elsewhere_.resize(rows() + shares->others());
    for (int64_t i = 0; i < rows(); ++i) elsewhere_[i] = static_cast<double>(first_ + order.position(i));
    shares->exchange(elsewhere_);
  }
  std::vector<HYPRE_Int> here(rows()), elsewhere(rows());
  for (int64_t k = 0; k < rows(); ++k) {
    const int64_t i = unknown(order, k);
    for (int64_t e = matrix.row_ptr[i]; e < matrix.row_ptr[i + 1]; ++e) {
      const int64_t at = position(order, matrix.col[e]);
      ++(at >= first_ && at < end_ ? here : elsewhere)[k];
    }
  }
  HYPRE_IJMatrix handle = nullptr;
  hypre(hypre.IJMatrixCreate, ranks.communicator, big(first_), big(end_ - 1), big(first_), big(end_ - 1), &handle);
  handle_.reset(handle);
  hypre(hypre.IJMatrixSetObjectType, handle, HYPRE_PARCSR);
  hypre(hypre.IJMatrixSetDiagOffdSizes, handle, here.data(), elsewhere.data());
  set_values(matrix, order);
  void* object = nullptr;
  hypre(hypre.IJMatrixGetObject, handle, &object);
  matrix_ = static_cast<HYPRE_ParCSRMatrix>(object);
}

int64_t ParallelMatrix::position(const RowOrder& order, int64_t column) const {
  return is_shared_ ? static_cast<int64_t>(elsewhere_[column]) : order.position(column);
}

void ParallelMatrix::set_values(const CsrMatrix& matrix, const RowOrder& order) {
  constexpr int64_t kRowsAtOnce = 4096;
  const Library& hypre = Library::started();
  hypre(hypre.IJMatrixInitialize, handle_.get());
  std::vector<HYPRE_Int> length;
  std::vector<HYPRE_BigInt> row, column;
  std::vector<double> value;
  for (int64_t begin = 0; begin < rows(); begin += kRowsAtOnce) {
    length.clear();
    row.clear();
    column.clear();
    value.clear();
    for (int64_t k = begin; k < std::min(begin + kRowsAtOnce, rows()); ++k) {
      const int64_t i = unknown(order, k);
      length.push_back(static_cast<HYPRE_Int>(matrix.row_ptr[i + 1] - matrix.row_ptr[i]));
      row.push_back(big(first_ + k));
      for (int64_t e = matrix.row_ptr[i]; e < matrix.row_ptr[i + 1]; ++e) {
        column.push_back(big(position(order, matrix.col[e])));
        value.push_back(matrix.value[e]);
      }
    }
    hypre(hypre.IJMatrixSetValues, handle_.get(), static_cast<HYPRE_Int>(row.size()), length.data(), row.data(),
          column.data(), value.data());
  }
  hypre(hypre.IJMatrixAssemble, handle_.get());
}

void ParallelMatrix::product(View<D, const double> z, View<D, double> direction, View<D, double> w) const {
  const Library& hypre = Library::started();
  std::copy_n(z.data(), rows(), direction.data());
  in_.copy_from(z);
  hypre(hypre.ParCSRMatrixMatvec, 1.0, matrix_, in_.get(), 0.0, out_.get());
  out_.copy_to(w);
}

void ParallelMatrix::residual(View<D, const double> b, View<D, const double> x, View<D, double> r) const {
  const Library& hypre = Library::started();
  in_.copy_from(x);
  out_.copy_from(b);
  hypre(hypre.ParCSRMatrixMatvec, -1.0, matrix_, in_.get(), 1.0, out_.get());
  out_.copy_to(r);
}

Sums<2> ParallelMatrix::product_and_dots(View<D, const double> p, View<D, const double> r, View<D, double> q) const {
  const Library& hypre = Library::started();
  in_.copy_from(p);
  hypre(hypre.ParCSRMatrixMatvec, 1.0, matrix_, in_.get(), 0.0, out_.get());
  const auto ap = out_.view();
  return D::sum<2>(rows(), [=](int64_t i) {
    q[i] = ap[i];
    return Sums<2>{{p[i] * ap[i], p[i] * r[i]}};
  });
}

}  // namespace gridiron::hypre
