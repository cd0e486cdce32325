// SPDX-License-Identifier: Apache-2.0
#include "engines/cholmod/supernodal.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <ranges>
#include <vector>

#include "engines/cholmod/columns.hpp"
#include "engines/direct/one_thread.hpp"
#include "engines/direct/refinement.hpp"
#include "support/parallel.hpp"

extern "C" {
void dpotrf_(const char* uplo, const int* n, double* a, const int* lda, int* info);
void dtrsm_(const char* side, const char* uplo, const char* trans, const char* diag, const int* m, const int* n,
            const double* alpha, const double* a, const int* lda, double* b, const int* ldb);
void dsyrk_(const char* uplo, const char* trans, const int* n, const int* k, const double* alpha, const double* a,
            const int* lda, const double* beta, double* c, const int* ldc);
void dgemm_(const char* transa, const char* transb, const int* m, const int* n, const int* k, const double* alpha,
            const double* a, const int* lda, const double* b, const int* ldb, const double* beta, double* c,
            const int* ldc);
}

namespace gridiron {
namespace {

using Long = SupernodalTree::Index;

/// Multiplications below which loops take less time than BLAS, of which all calls share a lock: with 2^13 to 2^15 a
/// million unknowns in the plane are factored by two threads in 0.5 to 0.6 times the time that they take without loops.
constexpr Long kFewMultiplications = 1 << 14;

/// Rows of an update that one thread takes, and multiplications of one from which it is divided.
constexpr Long kRowsOfTask = 128;
constexpr Long kManyMultiplications = 1 << 22;

/// Cholesky factorization of the upper square of a block of columns, and what follows of it for the rows below. The
/// first column without a positive pivot; `columns` if there is none.
Long factor_in_loops(double* x, Long columns, Long rows) {
  for (Long j = 0; j < columns; ++j) {
    double* const y = x + j * rows;
    subtract_product(y + j, rows - j, x + j, rows, x + j, j, rows);
    if (!(y[j] > 0)) return j;
    y[j] = std::sqrt(y[j]);
    const double inverse = 1 / y[j];
#pragma omp simd
    for (Long i = j + 1; i < rows; ++i) y[i] *= inverse;
  }
  return columns;
}

/// Scratch of one thread.
struct Scratch {
  /// Row of the matrix → row of the present supernode; set, and in memory, only where a supernode of this thread has
  /// rows.
  std::unique_ptr<std::int32_t[]> place;
  std::vector<Long> relative;    ///< row of an update → row of the present supernode
  std::vector<double> update;    ///< as large as the largest one so far
  std::vector<double> diagonal;  ///< of the matrix in the present supernode
};

class Supernodal {
 public:
  Supernodal(const CsrMatrix& a, const SupernodalTree& tree, double* values)
      : a_(a),
        tree_(tree),
        x_(values),
        position_(tree.unknowns),
        next_column_(tree.count),
        next_(tree.count, -1),
        head_(tree.count, -1),
        failed_(tree.unknowns) {
    parallel_ranges(tree.unknowns, [this](Long first, Long last) {
      for (Long k = first; k < last; ++k) position_[tree_.order[k]] = static_cast<std::int32_t>(k);
    });
  }

  /// The first column without a usable pivot; tree.unknowns if there is none.
  Long run() {
    scratch_.resize(static_cast<std::size_t>(omp_get_max_threads()));
    run_tasks(tree_.subtrees);
    for (const auto& level : tree_.levels)
      if (failed_ == tree_.unknowns) run_tasks(level | std::views::transform(std::views::single));
    return failed_;
  }

 private:
  double* values_of(Long s) const { return x_ + tree_.values_at[s]; }

  /// Tasks are lists of supernodes in ascending order.
  template <class Tasks>
  void run_tasks(const Tasks& tasks) {
    std::vector<std::vector<std::int32_t>> waiting(tasks.size());  // what updates supernodes outside of its task
    std::vector<Long> failed(tasks.size(), tree_.unknowns);
    parallel_tasks(std::ssize(tasks), [&](std::int64_t t) {
      Scratch& scratch = scratch_[static_cast<std::size_t>(omp_get_thread_num())];
      for (const std::int32_t s : tasks[t])
        if (failed[t] == tree_.unknowns) failed[t] = factor(s, scratch, waiting[t]);
    });
    for (const auto& of_task : waiting)
      for (const std::int32_t d : of_task) link(d);
    if (!failed.empty()) failed_ = std::min(failed_, *std::ranges::min_element(failed));
  }

  Long next_super(Long d) const { return tree_.of_column[tree_.rows_of(d)[next_column_[d]]]; }
  void link(Long d) {
    const Long s = next_super(d);
    next_[d] = head_[s];
    head_[s] = static_cast<std::int32_t>(d);
  }
  /// After d has updated all columns of s.
  void pass_on(Long d, Long s, std::vector<std::int32_t>& waiting) {
    if (next_column_[d] == tree_.rows(d)) return;
    if (tree_.subtree_of[s] >= 0 && tree_.subtree_of[next_super(d)] == tree_.subtree_of[s])
      link(d);
    else
      waiting.push_back(static_cast<std::int32_t>(d));
  }

  /// The first column without a usable pivot; n if there is none.
  Long factor(Long s, Scratch& scratch, std::vector<std::int32_t>& waiting) {
    const Long ns = tree_.columns(s), ms = tree_.rows(s), first = tree_.first[s];
    if (!scratch.place)
      scratch.place = std::make_unique_for_overwrite<std::int32_t[]>(static_cast<std::size_t>(tree_.unknowns));
    const Long* const rows_of_s = tree_.rows_of(s);
    for (Long k = 0; k < ms; ++k) scratch.place[rows_of_s[k]] = static_cast<std::int32_t>(k);
    double* const x = values_of(s);
    std::fill_n(x, ns * ms, 0.0);
    for (Long j = 0; j < ns; ++j) {
      const Long column = first + j, row = tree_.order[column];
      for (Long e = a_.row_ptr[row]; e < a_.row_ptr[row + 1]; ++e)
        if (const std::int32_t k = position_[a_.col[e]]; k >= column) x[j * ms + scratch.place[k]] = a_.value[e];
    }
    scratch.diagonal.resize(static_cast<std::size_t>(ns));
    for (Long j = 0; j < ns; ++j) scratch.diagonal[j] = x[j * ms + j];

    for (Long d = head_[s], next; d >= 0; d = next) {
      next = next_[d];
      update(s, d, scratch);
      pass_on(d, s, waiting);
    }

    const Long factored = factor_panel(x, ns, ms);
    for (Long j = 0; j < factored; ++j)
      if (const double pivot = x[j * ms + j]; !(pivot * pivot > kNegligiblePivot * scratch.diagonal[j]))
        return first + j;
    if (factored < ns) return first + factored;
    next_column_[s] = static_cast<std::int32_t>(ns);
    pass_on(s, s, waiting);
    return tree_.unknowns;
  }

  /// As factor_in_loops().
  static Long factor_panel(double* x, Long columns, Long rows) {
    if (columns * columns * rows < kFewMultiplications) return factor_in_loops(x, columns, rows);
    const int width = static_cast<int>(columns), below = static_cast<int>(rows - columns),
              stride = static_cast<int>(rows);
    int info = 0;
    dpotrf_("L", &width, x, &stride, &info);
    if (info > 0) return info - 1;
    const double one = 1;
    if (below > 0) dtrsm_("R", "L", "T", "N", &below, &width, &one, x, &stride, x + columns, &stride);
    return columns;
  }

  /// Subtracts from the columns of s what d contributes.
  void update(Long s, Long d, Scratch& scratch) {
    const Long md = tree_.rows(d), kd = tree_.columns(d), ms = tree_.rows(s), begin = next_column_[d];
    const Long* const rows_of_d = tree_.rows_of(d);
    Long end = begin;
    while (end < md && rows_of_d[end] < tree_.first[s + 1]) ++end;
    next_column_[d] = static_cast<std::int32_t>(end);
    const Long width = end - begin, height = md - begin;
    const double* const from = values_of(d) + begin;
    double* const to = values_of(s);
    scratch.relative.resize(std::max(scratch.relative.size(), static_cast<std::size_t>(height)));
    Long* const relative = scratch.relative.data();
    for (Long i = 0; i < height; ++i) relative[i] = scratch.place[rows_of_d[begin + i]];

    if (width * height * kd < kFewMultiplications) {
      scratch.update.resize(std::max(scratch.update.size(), static_cast<std::size_t>(height)));
      double* const y = scratch.update.data();
      for (Long j = 0; j < width; ++j) {
        double* const column = to + relative[j] * ms;
        std::fill_n(y, height - j, 0.0);
        subtract_product(y, height - j, from + j, md, from + j, kd, md);
        for (Long i = j; i < height; ++i) column[relative[i]] += y[i - j];
      }
      return;
    }
    if (const auto size = static_cast<std::size_t>(width * height); scratch.update.size() < size)
      scratch.update = std::vector<double>(size);
    double* const c = scratch.update.data();
    const int columns_of_c = static_cast<int>(width), inner = static_cast<int>(kd), stride_of_d = static_cast<int>(md),
              stride_of_c = static_cast<int>(height);
    const double one = 1, zero = 0;
    const auto subtract = [&](Long first, Long last) {
      for (Long j = 0; j < width; ++j) {
        double* const column = to + relative[j] * ms;
        for (Long i = std::max(first, j); i < last; ++i) column[relative[i]] -= c[j * height + i];
      }
    };
    if (width * height * kd < kManyMultiplications) {
      dsyrk_("L", "N", &columns_of_c, &inner, &one, from, &stride_of_d, &zero, c, &stride_of_c);
      if (const int below = static_cast<int>(height - width); below > 0)
        dgemm_("N", "C", &below, &columns_of_c, &inner, &one, from + width, &stride_of_d, from, &stride_of_d, &zero,
               c + width, &stride_of_c);
      subtract(0, height);
      return;
    }
    parallel_ranges(
        height,
        [&](Long first, Long last) {
          const int rows_of_task = static_cast<int>(last - first),
                    columns_of_task = static_cast<int>(std::min(width, last));
          dgemm_("N", "C", &rows_of_task, &columns_of_task, &inner, &one, from + first, &stride_of_d, from,
                 &stride_of_d, &zero, c + first, &stride_of_c);
          subtract(first, last);
        },
        kRowsOfTask);
  }

  const CsrMatrix& a_;
  const SupernodalTree& tree_;
  double* x_;
  std::vector<std::int32_t> position_;  ///< the column of each unknown
  // Supernodes that have yet to update the columns of s: a list from head_[s] on. d goes on at its row next_column_[d].
  std::vector<std::int32_t> next_column_, next_, head_;
  std::vector<Scratch> scratch_;  ///< per thread
  Long failed_;
};

}  // namespace

bool factorize_supernodal(const CsrMatrix& a, const SupernodalTree& tree, cholmod_factor& factor,
                          cholmod_common& common) {
  const OneBlasThread one_blas_thread;
  common.status = CHOLMOD_OK;
  if (factor.xtype == CHOLMOD_PATTERN && !cholmod_l_change_factor(CHOLMOD_REAL, 1, 1, 1, 1, &factor, &common))
    return false;
  factor.minor = static_cast<std::size_t>(Supernodal(a, tree, static_cast<double*>(factor.x)).run());
  if (factor.minor < factor.n) common.status = CHOLMOD_NOT_POSDEF;
  return factor.minor == factor.n;
}

}  // namespace gridiron
