// SPDX-License-Identifier: Apache-2.0
#include "engines/superlu/lu_factors.hpp"

#include <slu_ddefs.h>

#include <algorithm>

#include "engines/superlu/library_calls.hpp"
#include "linalg/one_thread.hpp"
#include "support/error_text.hpp"

namespace gridiron {
namespace {

constexpr int64_t kColumnsAtOnce = 32;

class Statistics {
 public:
  Statistics() { StatInit(&stat_); }
  ~Statistics() { StatFree(&stat_); }
  Statistics(const Statistics&) = delete;
  Statistics& operator=(const Statistics&) = delete;
  SuperLUStat_t* get() { return &stat_; }

 private:
  SuperLUStat_t stat_;
};

/// Aᵀ by columns, in the memory of `a` and `start`, its rows.
class TransposedView {
 public:
  TransposedView(const CsrMatrix& a, std::vector<int>& start) {
    dCreate_CompCol_Matrix(&matrix, static_cast<int>(a.rows), static_cast<int>(a.rows), static_cast<int>(a.nonzeros()),
                           const_cast<double*>(a.value.data()), const_cast<int*>(a.col.data()), start.data(), SLU_NC,
                           SLU_D, SLU_GE);
  }
  ~TransposedView() { Destroy_SuperMatrix_Store(&matrix); }
  TransposedView(const TransposedView&) = delete;
  TransposedView& operator=(const TransposedView&) = delete;

  SuperMatrix matrix;
};

}  // namespace

/// The L and U of dgstrf.
struct LuFactors::Library {
  Library() = default;
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  ~Library() { clear(); }

  void clear() {
    if (l.Store) Destroy_SuperNode_Matrix(&l);
    if (u.Store) Destroy_CompCol_Matrix(&u);
    l.Store = u.Store = nullptr;
  }

  SuperMatrix l{}, u{};
};

LuFactors::LuFactors() : library_(std::make_unique<Library>()) {}
LuFactors::~LuFactors() = default;

void LuFactors::clear() {
  library_->clear();
  column_order_.clear();
  row_order_.clear();
  elimination_tree_.clear();
}

LuFactors::Outcome LuFactors::factorize(const CsrMatrix& a, const LuPlan& plan) {
  plan_ = plan;
  column_order_ = plan.position;
  row_order_.assign(a.rows, 0);
  elimination_tree_.assign(a.rows, 0);
  return run(a, false);
}

LuFactors::Outcome LuFactors::refactorize(const CsrMatrix& a) { return run(a, true); }

LuFactors::Outcome LuFactors::run(const CsrMatrix& a, bool same_pattern) {
  const OneThread one_thread;
  library_->clear();
  superlu_options_t options;
  set_default_options(&options);
  options.Fact = same_pattern ? SamePattern : DOFACT;
  options.SymmetricMode = plan_.symmetric ? YES : NO;
  options.DiagPivotThresh = plan_.symmetric ? 0.0 : plan_.threshold;

  std::vector<int> start(a.row_ptr.begin(), a.row_ptr.end());
  Statistics statistics;
  TransposedView transposed(a, start);
  SuperluCalls calls({.preferred = plan_.preferred.empty() ? nullptr : plan_.preferred.data(),
                      .only_preferred = plan_.symmetric,
                      .most_operations = plan_.most_operations});
  int info = 0;
  try {
    SuperMatrix permuted;
    sp_preorder(&options, &transposed.matrix, column_order_.data(), elimination_tree_.data(), &permuted);
    GlobalLU_t workspace;
    dgstrf(&options, &permuted, sp_ienv(2), sp_ienv(1), elimination_tree_.data(), nullptr, 0, column_order_.data(),
           row_order_.data(), &library_->l, &library_->u, &workspace, statistics.get(), &info);
    Destroy_CompCol_Permuted(&permuted);
  } catch (...) {
    library_->l.Store = library_->u.Store = nullptr;  // `calls` frees all of it
    try {
      throw;
    } catch (const SuperluCalls::OtherPivot&) {
      return Outcome::not_definite;
    } catch (const SuperluCalls::NoPivot& none) {
      throw SingularMatrix(fmt::format("superlu: the matrix is singular: no pivot is left for unknown {}; is part of "
                                       "the system not tied to any fixed value?",
                                       none.column),
                           none.column);
    } catch (const SuperluCalls::TooMuchWork&) {
      throw solver_error(
          "superlu: the factorization takes more than {:.1e} multiplications; try another ordering or engine, or raise "
          "most_operations",
          plan_.most_operations);
    }
  }
  if (info > a.rows) throw ResourceError("superlu: the factors do not fit into memory; try an iterative engine");
  calls.keep();
  return Outcome::done;
}

void LuFactors::solve(Block<double> x, bool transposed) const {
  const OneThread one_thread;
  // For a symmetric matrix the two are the same up to rounding.
  const trans_t how = plan_.symmetric || transposed ? NOTRANS : TRANS;
  for (int64_t j = 0; j < x.columns; j += kColumnsAtOnce) {
    SuperMatrix columns;
    dCreate_Dense_Matrix(&columns, static_cast<int>(x.rows), static_cast<int>(std::min(kColumnsAtOnce, x.columns - j)),
                         x.data + j * x.rows, static_cast<int>(x.rows), SLU_DN, SLU_D, SLU_GE);
    Statistics statistics;
    int info = 0;
    dgstrs(how, &library_->l, &library_->u, const_cast<int*>(column_order_.data()), const_cast<int*>(row_order_.data()),
           &columns, statistics.get(), &info);
    Destroy_SuperMatrix_Store(&columns);
  }
}

std::vector<int> superlu_ordering(const CsrMatrix& a, bool minimum_degree) {
  std::vector<int> start(a.row_ptr.begin(), a.row_ptr.end()), position(a.rows);
  TransposedView transposed(a, start);
  get_perm_c(minimum_degree ? MMD_AT_PLUS_A : COLAMD, &transposed.matrix, position.data());
  return position;
}

/// U's diagonal is stored in the supernodes of L.
double LuFactors::pivot(int64_t row) const {
  const int column = column_order_[row];
  const auto* const store = static_cast<const SCformat*>(library_->l.Store);
  const int first = store->sup_to_col[store->col_to_sup[column]];
  return static_cast<const double*>(store->nzval)[store->nzval_colptr[column] + column - first];
}

int64_t LuFactors::bytes() const {
  const auto orders = static_cast<int64_t>(3 * column_order_.size() * sizeof(int));
  if (!library_->l.Store) return orders;
  SuperMatrix l_view = library_->l, u_view = library_->u;
  mem_usage_t usage;
  dQuerySpace(&l_view, &u_view, &usage);
  return static_cast<int64_t>(usage.for_lu) + orders;
}

}  // namespace gridiron
