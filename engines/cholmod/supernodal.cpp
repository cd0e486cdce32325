// SPDX-License-Identifier: Apache-2.0
#include "engines/cholmod/supernodal.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numeric>
#include <vector>

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

using Long = SuiteSparse_long;

/// Subtrees of at most this share of the arithmetic are one task each.
constexpr double kShareOfTask = 1.0 / 64;

/// Multiplications below which loops take less time than BLAS, of which all calls share a lock: with 2^13 to 2^15 a
/// million unknowns in the plane are factored by two threads in 0.5 to 0.6 times the time that they take without loops.
constexpr Long kFewMultiplications = 1 << 14;

/// Rows of an update that one thread takes, and multiplications of one from which it is divided.
constexpr Long kRowsOfTask = 128;
constexpr Long kManyMultiplications = 1 << 22;

const Long* longs(const void* data) { return static_cast<const Long*>(data); }

/// y −= X c for `count` columns of X with n rows, `stride` values apart, as are the entries of c.
void subtract_product(double* y, Long n, const double* x, const double* c, Long count, Long stride) {
  Long k = 0;
  for (; k + 4 <= count; k += 4, x += 4 * stride, c += 4 * stride) {
    const double c0 = c[0], c1 = c[stride], c2 = c[2 * stride], c3 = c[3 * stride];
    const double *const x1 = x + stride, *const x2 = x1 + stride, *const x3 = x2 + stride;
#pragma omp simd
    for (Long i = 0; i < n; ++i) y[i] -= c0 * x[i] + c1 * x1[i] + c2 * x2[i] + c3 * x3[i];
  }
  for (; k < count; ++k, x += stride, c += stride) {
    const double c0 = c[0];
#pragma omp simd
    for (Long i = 0; i < n; ++i) y[i] -= c0 * x[i];
  }
}

/// Cholesky factorization of the upper square of a block of columns, and what follows of it for the rows below. The
/// first column without a positive pivot; `columns` if there is none.
Long factor_in_loops(double* x, Long columns, Long rows) {
  for (Long j = 0; j < columns; ++j) {
    double* const y = x + j * rows;
    subtract_product(y + j, rows - j, x + j, x + j, j, rows);
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
  Supernodal(const CsrMatrix& a, cholmod_factor& factor)
      : a_(a),
        order_(longs(factor.Perm)),
        position_(factor.n),
        n_(static_cast<Long>(factor.n)),
        count_(static_cast<Long>(factor.nsuper)),
        first_(longs(factor.super)),
        rows_at_(longs(factor.pi)),
        values_at_(longs(factor.px)),
        rows_(longs(factor.s)),
        x_(static_cast<double*>(factor.x)),
        next_column_(count_),
        next_(count_, -1),
        head_(count_, -1),
        parent_(count_, -1),
        super_of_column_(n_),
        failed_(n_) {
    parallel_ranges(n_, [this](Long first, Long last) {
      for (Long k = first; k < last; ++k) position_[order_[k]] = static_cast<std::int32_t>(k);
    });
    for (Long s = 0; s < count_; ++s)
      std::fill(super_of_column_.begin() + first_[s], super_of_column_.begin() + first_[s + 1],
                static_cast<std::int32_t>(s));
    for (Long s = 0; s < count_; ++s)
      if (rows(s) > columns(s)) parent_[s] = super_of_column_[rows_of(s)[columns(s)]];
  }

  /// The first column without a usable pivot; n if there is none.
  Long run() {
    scratch_.resize(static_cast<std::size_t>(omp_get_max_threads()));
    plan();
    run_tasks(subtrees_);
    for (const auto& level : levels_)
      if (failed_ == n_) run_tasks(level);
    return failed_;
  }

 private:
  using Task = std::vector<std::int32_t>;  ///< supernodes in ascending order

  Long columns(Long s) const { return first_[s + 1] - first_[s]; }
  Long rows(Long s) const { return rows_at_[s + 1] - rows_at_[s]; }
  const Long* rows_of(Long s) const { return rows_ + rows_at_[s]; }
  double* values_of(Long s) const { return x_ + values_at_[s]; }

  /// Subtrees with little arithmetic, and the supernodes above them by their height.
  void plan() {
    std::vector<double> work(count_, 0.0);
    double total = 0;
    for (Long s = 0; s < count_; ++s) {
      const auto own = static_cast<double>(columns(s)) * static_cast<double>(rows(s)) * static_cast<double>(rows(s));
      total += own;
      work[s] += own;
      if (parent_[s] >= 0) work[parent_[s]] += work[s];
    }
    task_of_.assign(count_, -1);
    std::vector<double> work_of_task;
    for (Long s = count_ - 1; s >= 0; --s) {  // parents first
      if (work[s] > kShareOfTask * total) continue;
      if (parent_[s] >= 0 && task_of_[parent_[s]] >= 0) {
        task_of_[s] = task_of_[parent_[s]];
      } else {
        task_of_[s] = static_cast<std::int32_t>(work_of_task.size());
        work_of_task.push_back(work[s]);
      }
    }
    subtrees_.resize(work_of_task.size());
    std::vector<std::int32_t> height(count_, 0);
    for (Long s = 0; s < count_; ++s) {
      if (task_of_[s] >= 0) {
        subtrees_[task_of_[s]].push_back(static_cast<std::int32_t>(s));
        continue;
      }
      if (static_cast<Long>(levels_.size()) <= height[s]) levels_.resize(height[s] + 1);
      levels_[height[s]].push_back({static_cast<std::int32_t>(s)});
      if (parent_[s] >= 0) height[parent_[s]] = std::max(height[parent_[s]], height[s] + 1);
    }
    std::vector<std::int32_t> largest_first(subtrees_.size());
    std::iota(largest_first.begin(), largest_first.end(), 0);
    std::ranges::stable_sort(largest_first, std::ranges::greater{}, [&](std::int32_t t) { return work_of_task[t]; });
    std::vector<Task> sorted;
    for (const std::int32_t t : largest_first) sorted.push_back(std::move(subtrees_[t]));
    subtrees_ = std::move(sorted);
  }

  void run_tasks(const std::vector<Task>& tasks) {
    std::vector<Task> waiting(tasks.size());  // what updates supernodes outside of its task
    std::vector<Long> failed(tasks.size(), n_);
    parallel_tasks(static_cast<std::int64_t>(tasks.size()), [&](std::int64_t t) {
      Scratch& scratch = scratch_[static_cast<std::size_t>(omp_get_thread_num())];
      for (const std::int32_t s : tasks[t])
        if (failed[t] == n_) failed[t] = factor(s, scratch, waiting[t]);
    });
    for (const Task& task : waiting)
      for (const std::int32_t d : task) link(d);
    if (!failed.empty()) failed_ = std::min(failed_, *std::ranges::min_element(failed));
  }

  Long next_super(Long d) const { return super_of_column_[rows_of(d)[next_column_[d]]]; }
  void link(Long d) {
    const Long s = next_super(d);
    next_[d] = head_[s];
    head_[s] = static_cast<std::int32_t>(d);
  }
  /// After d has updated all columns of s.
  void pass_on(Long d, Long s, Task& waiting) {
    if (next_column_[d] == rows(d)) return;
    if (task_of_[s] >= 0 && task_of_[next_super(d)] == task_of_[s])
      link(d);
    else
      waiting.push_back(static_cast<std::int32_t>(d));
  }

  /// The first column without a usable pivot; n if there is none.
  Long factor(Long s, Scratch& scratch, Task& waiting) {
    const Long ns = columns(s), ms = rows(s);
    if (!scratch.place) scratch.place = std::make_unique_for_overwrite<std::int32_t[]>(static_cast<std::size_t>(n_));
    const Long* const rows_of_s = rows_of(s);
    for (Long k = 0; k < ms; ++k) scratch.place[rows_of_s[k]] = static_cast<std::int32_t>(k);
    double* const x = values_of(s);
    std::fill_n(x, ns * ms, 0.0);
    for (Long j = 0; j < ns; ++j) {
      const Long column = first_[s] + j, row = order_[column];
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
        return first_[s] + j;
    if (factored < ns) return first_[s] + factored;
    next_column_[s] = static_cast<std::int32_t>(ns);
    pass_on(s, s, waiting);
    return n_;
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
    const Long md = rows(d), kd = columns(d), ms = rows(s), begin = next_column_[d];
    const Long* const rows_of_d = rows_of(d);
    Long end = begin;
    while (end < md && rows_of_d[end] < first_[s + 1]) ++end;
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
        subtract_product(y, height - j, from + j, from + j, kd, md);
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
  const Long* order_;                   ///< the unknown of each column of the factor
  std::vector<std::int32_t> position_;  ///< and the other way round
  // The factor: columns first_[s] … of supernode s have the rows from rows_at_[s] on, and values from values_at_[s] on.
  Long n_, count_;
  const Long *first_, *rows_at_, *values_at_, *rows_;
  double* x_;
  // Supernodes that have yet to update the columns of s: a list from head_[s] on. d goes on at its row next_column_[d].
  std::vector<std::int32_t> next_column_, next_, head_;
  std::vector<std::int32_t> parent_, super_of_column_;
  std::vector<std::int32_t> task_of_;  ///< −1 above all subtrees
  std::vector<Task> subtrees_;
  std::vector<std::vector<Task>> levels_;  ///< tasks of one supernode
  std::vector<Scratch> scratch_;           ///< per thread
  Long failed_;
};

}  // namespace

bool factorize_supernodal(const CsrMatrix& a, cholmod_factor& factor, cholmod_common& common) {
  const OneBlasThread one_blas_thread;
  common.status = CHOLMOD_OK;
  if (factor.xtype == CHOLMOD_PATTERN && !cholmod_l_change_factor(CHOLMOD_REAL, 1, 1, 1, 1, &factor, &common))
    return false;
  factor.minor = static_cast<std::size_t>(Supernodal(a, factor).run());
  if (factor.minor < factor.n) common.status = CHOLMOD_NOT_POSDEF;
  return factor.minor == factor.n;
}

}  // namespace gridiron
