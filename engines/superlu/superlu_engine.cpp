// SPDX-License-Identifier: Apache-2.0
#include "engines/superlu/superlu_engine.hpp"

#include <fmt/format.h>
#include <slu_ddefs.h>

#include <algorithm>
#include <climits>
#include <cmath>
#include <vector>

#include "engines/direct/refinement.hpp"
#include "engines/direct_engine.hpp"
#include "engines/superlu/amd_ordering.hpp"
#include "linalg/one_thread.hpp"
#include "support/error_text.hpp"
#include "support/memory.hpp"

/// What SuperLU calls where an allocation fails, to end the program with 255. A program's own function comes before the
/// library's.
extern "C" void superlu_abort_and_exit(char* /*message*/) {
  throw gridiron::ResourceError("superlu: the factors do not fit into memory; try an iterative engine");
}

namespace gridiron {
namespace {

constexpr int64_t kMostNonzeros = INT_MAX;
constexpr int64_t kColumnsAtOnce = 32;
constexpr double kMultiplicationsPerSecond = 3e9;  ///< measured on one core of an EPYC
constexpr double kBytesPerNonzero = 12;            ///< a value and a row, the latter shared within supernodes

/// The L and U of dgstrf.
class Factors {
 public:
  Factors() = default;
  Factors(const Factors&) = delete;
  Factors& operator=(const Factors&) = delete;
  ~Factors() { clear(); }

  void clear() {
    if (l.Store) Destroy_SuperNode_Matrix(&l);
    if (u.Store) Destroy_CompCol_Matrix(&u);
    l.Store = u.Store = nullptr;
  }

  /// U's diagonal is stored in the supernodes of L.
  double pivot(int column) const {
    const auto* const store = static_cast<const SCformat*>(l.Store);
    const int first = store->sup_to_col[store->col_to_sup[column]];
    return static_cast<const double*>(store->nzval)[store->nzval_colptr[column] + column - first];
  }

  int64_t bytes() const {
    if (!l.Store) return 0;
    SuperMatrix l_view = l, u_view = u;
    mem_usage_t usage;
    dQuerySpace(&l_view, &u_view, &usage);
    return static_cast<int64_t>(usage.for_lu);
  }

  SuperMatrix l{}, u{};
};

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

/// SuperLU expects columns, so it is given Aᵀ, which is A by rows, and told to solve with the transpose.
class SuperluEngine : public DirectEngine {
 public:
  explicit SuperluEngine(SuperluParams params) : params_(std::move(params)) {
    require_choice("superlu", "ordering", params_.ordering, {"auto", "amd", "mmd", "colamd"});
  }

  void do_setup(const Problem& problem) override {
    if (const auto reason = superlu_declines(problem)) throw SolverError("superlu: " + *reason);
    column_order_.assign(problem.matrix.rows, 0);
    row_order_.assign(problem.matrix.rows, 0);
    elimination_tree_.assign(problem.matrix.rows, 0);
    factorize(problem, DOFACT);
  }

  void do_update(const Problem& problem) override { factorize(problem, SamePattern); }

  SolveStats do_solve(Block<const double> b, Block<double> x, const StopRule& stop) override {
    return solve_and_refine(
        problem().matrix, b, x, stop, [this](Block<const double> rhs, Block<double> out) { apply_inverse(rhs, out); },
        residual_);
  }

  int64_t bytes() const override {
    return factors_.bytes() + static_cast<int64_t>(3 * column_order_.size() * sizeof(int));
  }

  ParamList parameters() const override { return list_params(params_); }

 private:
  void order_columns(const Problem& problem, const std::vector<int>& start, SuperMatrix& transposed) {
    if (params_.ordering == "amd" || (params_.ordering == "auto" && problem.symmetric_positive_definite)) {
      AmdOrdering ordering = amd_ordering(problem.matrix, start);
      require_feasible(ordering);
      column_order_ = std::move(ordering.position);
    } else {
      get_perm_c(params_.ordering == "mmd" ? MMD_AT_PLUS_A : COLAMD, &transposed, column_order_.data());
    }
  }

  /// One thread forms the factors, without a word until it is done.
  void require_feasible(const AmdOrdering& ordering) const {
    const double bytes = kBytesPerNonzero * ordering.nonzeros;
    if (bytes > usable_memory_bytes())
      throw resource_error("superlu: the factors would have {:.1e} nonzeros, {:.0f} GB; try an iterative engine",
                           ordering.nonzeros, bytes / 1e9);
    if (ordering.operations > params_.most_operations)
      throw solver_error(
          "superlu: the factors would have {:.1e} nonzeros and take {:.1e} multiplications, some {:.0f} s; try "
          "cholmod or an iterative engine, or raise most_operations",
          ordering.nonzeros, ordering.operations, ordering.operations / kMultiplicationsPerSecond);
  }

  void factorize(const Problem& problem, fact_t reuse) {
    const OneThread one_thread;
    factors_.clear();
    const CsrMatrix& a = problem.matrix;
    if (a.rows == 0) return;

    std::vector<int> start(a.row_ptr.begin(), a.row_ptr.end());
    SuperMatrix transposed, permuted;
    dCreate_CompCol_Matrix(&transposed, static_cast<int>(a.rows), static_cast<int>(a.rows),
                           static_cast<int>(a.nonzeros()), const_cast<double*>(a.value.data()),
                           const_cast<int*>(a.col.data()), start.data(), SLU_NC, SLU_D, SLU_GE);

    superlu_options_t options;
    set_default_options(&options);
    options.Fact = reuse;
    if (problem.symmetric_positive_definite) {
      options.SymmetricMode = YES;
      options.DiagPivotThresh = 0.0;
    }
    if (reuse == DOFACT) order_columns(problem, start, transposed);
    sp_preorder(&options, &transposed, column_order_.data(), elimination_tree_.data(), &permuted);

    GlobalLU_t workspace;
    Statistics statistics;
    int info = 0;
    dgstrf(&options, &permuted, sp_ienv(2), sp_ienv(1), elimination_tree_.data(), nullptr, 0, column_order_.data(),
           row_order_.data(), &factors_.l, &factors_.u, &workspace, statistics.get(), &info);
    Destroy_CompCol_Permuted(&permuted);
    Destroy_SuperMatrix_Store(&transposed);

    if (info > a.rows) throw ResourceError("superlu: the factors do not fit into memory; try an iterative engine");
    check_pivots(a);
  }

  void check_pivots(const CsrMatrix& a) const {
    for (int64_t row = 0; row < a.rows; ++row) {
      double largest = 0;
      for (int64_t k = a.row_ptr[row]; k < a.row_ptr[row + 1]; ++k) {
        largest = std::max(largest, std::abs(a.value[k]));
      }
      if (!(std::abs(factors_.pivot(column_order_[row])) > kNegligiblePivot * largest)) {
        throw SingularMatrix(
            fmt::format(
                "superlu: the matrix is singular: no usable pivot for unknown {}; is part of the system not tied "
                "to any fixed value, or are its values 15 decades apart?",
                row),
            row);
      }
    }
  }

  void apply_inverse(Block<const double> b, Block<double> x) {
    const OneThread one_thread;
    const trans_t transpose = problem().symmetric_positive_definite ? NOTRANS : TRANS;
    std::copy_n(b.data, b.rows * b.columns, x.data);
    for (int64_t j = 0; j < b.columns; j += kColumnsAtOnce) {
      SuperMatrix columns;
      dCreate_Dense_Matrix(&columns, static_cast<int>(x.rows),
                           static_cast<int>(std::min(kColumnsAtOnce, x.columns - j)), x.data + j * x.rows,
                           static_cast<int>(x.rows), SLU_DN, SLU_D, SLU_GE);
      Statistics statistics;
      int info = 0;
      dgstrs(transpose, &factors_.l, &factors_.u, column_order_.data(), row_order_.data(), &columns, statistics.get(),
             &info);
      Destroy_SuperMatrix_Store(&columns);
    }
  }

  SuperluParams params_;
  std::vector<double> residual_;
  std::vector<int> column_order_, row_order_, elimination_tree_;
  Factors factors_;
};

}  // namespace

std::optional<std::string> superlu_declines(const Problem& problem) {
  if (problem.matrix.nonzeros() <= kMostNonzeros) return std::nullopt;
  return fmt::format("counts nonzeros in 32 bits, up to {}; this matrix has {}", kMostNonzeros,
                     problem.matrix.nonzeros());
}

std::unique_ptr<Engine> make_superlu(const Settings& settings) {
  return std::make_unique<SuperluEngine>(read_params<SuperluParams>("superlu", settings));
}

ParamList superlu_defaults() { return list_params(SuperluParams{}); }

}  // namespace gridiron
