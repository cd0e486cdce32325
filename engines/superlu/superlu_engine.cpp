// SPDX-License-Identifier: Apache-2.0
#include "engines/superlu/superlu_engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <cmath>
#include <utility>
#include <vector>

#include "engines/direct/refinement.hpp"
#include "engines/direct_engine.hpp"
#include "engines/superlu/amd_ordering.hpp"
#include "engines/superlu/lu_factors.hpp"
#include "engines/superlu/matching.hpp"
#include "engines/superlu/probe.hpp"
#include "engines/transposed_solver.hpp"
#include "support/error_text.hpp"
#include "support/memory.hpp"

namespace gridiron {
namespace {

constexpr int64_t kMostNonzeros = INT_MAX;
constexpr double kMultiplicationsPerSecond = 3e9;  ///< measured on one core of an EPYC
constexpr double kBytesPerNonzero = 12;            ///< a value and a row, the latter shared within supernodes
constexpr double kNearlySymmetric = 0.5;           ///< pattern from which on A + Aᵀ is ordered
constexpr double kMostWithoutDiagonal = 0.05;      ///< of the rows then: Stokes problems have a ninth
/// A pivot of a symmetric matrix, relative to its row, from which on the answer is put to the proof.
constexpr double kSmallPivot = 1e-9;
/// Entries at least this large, relative to the largest, are pivots where the ordering wants them.
constexpr double kThreshold = 0.1;

// Of probe_error(): columns, and from which error on a matrix is singular. So one passes with a probability of 1e-9,
// and refined answers are right to six digits; without pivoting, where errors are more often proven to be small than
// not, only what is hopeless is refused.
constexpr int64_t kColumns = 4, kColumnsOfSymmetric = 16;
constexpr double kMostError = 1.0 / 256, kMostErrorOfSymmetric = 0.5;
constexpr int kMostSteps = 8;
constexpr double kAccuracy = 1e-10;  ///< which answers are refined to, relative to their largest unknowns

bool has_positive_diagonal(const CsrMatrix& a) {
  for (int64_t row = 0; row < a.rows; ++row) {
    const auto end = a.col.begin() + a.row_ptr[row + 1];
    const auto at = std::lower_bound(a.col.begin() + a.row_ptr[row], end, static_cast<int32_t>(row));
    if (at == end || *at != row || !(a.value[at - a.col.begin()] > 0)) return false;
  }
  return true;
}

/// Saddle-point problems are left to COLAMD: their many rows without a diagonal entry cannot be eliminated early.
bool is_nearly_symmetric(const CsrMatrix& a) {
  return pattern_symmetry(a) >= kNearlySymmetric && without_diagonal(a) <= kMostWithoutDiagonal;
}

class SuperluEngine : public DirectEngine, public TransposedSolver {
 public:
  explicit SuperluEngine(SuperluParams params) : params_(std::move(params)) {
    require_choice("superlu", "ordering", params_.ordering, {"auto", "amd", "mmd", "colamd"});
  }

  void do_setup(const Problem& problem) override {
    if (const auto reason = superlu_declines(problem)) throw SolverError("superlu: " + *reason);
    factorize(problem.matrix, problem.symmetric_positive_definite);
  }

  void do_update(const Problem& problem) override {
    const CsrMatrix& a = problem.matrix;
    if (a.rows == 0) return;
    if (!is_symmetric_) require_structure(a);
    if (factors_.refactorize(a) == LuFactors::Outcome::done)
      judge(a);
    else
      factorize(a, false);
  }

  SolveStats do_solve(Block<const double> b, Block<double> x, const StopRule& stop) override {
    const bool is_judged_elsewhere = std::isinf(stop.absolute_max);
    return solve_and_refine(
        problem().matrix, b, x, stop,
        [&](Block<const double> rhs, Block<double> out) {
          solve_once(rhs, out);
          if (!is_symmetric_ && !is_judged_elsewhere) refine(rhs, out);
        },
        residual_);
  }

  void solve_transposed(Block<const double> b, Block<double> x) const override {
    std::copy_n(b.data, b.rows * b.columns, x.data);
    factors_.solve(x, true);
  }

  int64_t bytes() const override { return factors_.bytes(); }

  ParamList parameters() const override { return list_params(params_); }

 private:
  /// As symmetric positive definite if it may be; a matrix that turns out not to be is factorized with pivoting.
  void factorize(const CsrMatrix& a, bool symmetric_positive_definite) {
    factors_.clear();
    if (a.rows == 0) return;
    is_symmetric_ = symmetric_positive_definite && has_positive_diagonal(a);
    if (is_symmetric_) {
      if (factors_.factorize(a, symmetric_plan(a)) == LuFactors::Outcome::done) return judge(a);
      is_symmetric_ = false;
    }
    require_structure(a);
    static_cast<void>(factors_.factorize(a, general_plan(a)));
    judge(a);
  }

  LuPlan symmetric_plan(const CsrMatrix& a) const {
    LuPlan plan{.symmetric = true, .most_operations = params_.most_operations};
    if (params_.ordering == "amd" || params_.ordering == "auto")
      plan.position = feasible(amd_ordering(a));
    else
      plan.position = superlu_ordering(a, params_.ordering == "mmd");
    return plan;
  }

  LuPlan general_plan(const CsrMatrix& a) const {
    LuPlan plan{.most_operations = params_.most_operations};
    if (params_.ordering == "amd" || (params_.ordering == "auto" && is_nearly_symmetric(a))) {
      const std::vector<int> row_of = pair_rows(a);
      plan.position = feasible(amd_ordering(a, row_of));
      plan.threshold = kThreshold;
      plan.preferred.resize(row_of.size());
      for (size_t unknown = 0; unknown < row_of.size(); ++unknown)
        plan.preferred[row_of[unknown]] = static_cast<int>(unknown);
    } else {
      plan.position = superlu_ordering(a, params_.ordering == "mmd");
    }
    return plan;
  }

  /// One thread forms the factors, without a word until it is done.
  std::vector<int> feasible(AmdOrdering ordering) const {
    const double bytes = kBytesPerNonzero * ordering.nonzeros;
    if (bytes > usable_memory_bytes())
      throw resource_error("superlu: the factors would have {:.1e} nonzeros, {:.0f} GB; try an iterative engine",
                           ordering.nonzeros, bytes / 1e9);
    if (ordering.operations > params_.most_operations)
      throw solver_error(
          "superlu: the factors would have {:.1e} nonzeros and take {:.1e} multiplications, some {:.0f} s; try "
          "cholmod or an iterative engine, or raise most_operations",
          ordering.nonzeros, ordering.operations, ordering.operations / kMultiplicationsPerSecond);
    return std::move(ordering.position);
  }

  /// Before SuperLU sees a matrix: it does not survive all that are singular by their patterns.
  static void require_structure(const CsrMatrix& a) {
    const std::vector<int> row_of = match_rows(a);
    const auto none = std::ranges::find(row_of, -1);
    if (none == row_of.end()) return;
    const auto unknown = none - row_of.begin();
    throw SingularMatrix(
        fmt::format("superlu: the matrix is singular: by the places of its entries alone, unknown {} has no row that "
                    "could determine it; is part of the system not tied to any fixed value?",
                    unknown),
        unknown);
  }

  /// Refuses a matrix that is singular as far as fp64 can tell.
  void judge(const CsrMatrix& a) {
    const double smallest = check_pivots(a);
    if (is_symmetric_ && smallest > kSmallPivot) return;
    const ApplyInverse inverse = [this](Block<const double> rhs, Block<double> out) { solve_once(rhs, out); };
    const double error = probe_error(a, is_symmetric_ ? kColumnsOfSymmetric : kColumns, inverse);
    if (!(error < (is_symmetric_ ? kMostErrorOfSymmetric : kMostError)))
      throw SingularMatrix(
          fmt::format("superlu: the matrix is singular as far as double precision can tell: answers would be off by "
                      "{:.0e} of their size; unknown {} has the smallest pivot",
                      error, smallest_pivot_),
          smallest_pivot_);
  }

  /// The smallest pivot relative to the largest entry of its row.
  double check_pivots(const CsrMatrix& a) {
    double smallest = INFINITY;
    for (int64_t row = 0; row < a.rows; ++row) {
      double largest = 0;
      for (int64_t k = a.row_ptr[row]; k < a.row_ptr[row + 1]; ++k) {
        largest = std::max(largest, std::abs(a.value[k]));
      }
      const double pivot = std::abs(factors_.pivot(row)) / largest;
      if (!(pivot > kNegligiblePivot)) {
        throw SingularMatrix(
            fmt::format(
                "superlu: the matrix is singular: no usable pivot for unknown {}; is part of the system not tied "
                "to any fixed value, or are its values 15 decades apart?",
                row),
            row);
      }
      if (pivot < smallest) smallest = pivot, smallest_pivot_ = row;
    }
    return smallest;
  }

  void solve_once(Block<const double> b, Block<double> x) const {
    std::copy_n(b.data, b.rows * b.columns, x.data);
    factors_.solve(x);
  }

  /// Without definiteness a small residual does not make an answer right, but small changes do.
  void refine(Block<const double> b, Block<double> x) const {
    const ApplyInverse once = [this](Block<const double> rhs, Block<double> out) { solve_once(rhs, out); };
    for (int step = 0; step < kMostSteps; ++step)
      if (refine_once(problem().matrix, b, x, once) <= kAccuracy) break;
  }

  SuperluParams params_;
  std::vector<double> residual_;
  LuFactors factors_;
  bool is_symmetric_ = false;  ///< was factorized as symmetric positive definite
  int64_t smallest_pivot_ = 0;
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
