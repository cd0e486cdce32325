// SPDX-License-Identifier: Apache-2.0
#include "analysis/solve/any_matrix/lu_solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "analysis/solve/any_matrix/error_estimate.hpp"
#include "engines/transposed_solver.hpp"
#include "support/error_text.hpp"
#include "support/field.hpp"

namespace gridiron {
namespace {

constexpr const char* kEngine = "superlu";
constexpr int kMostRefinements = 3;

CsrMatrix transpose_of(const CsrMatrix& a) {
  CsrMatrix t;
  t.rows = a.rows;
  t.row_ptr.assign(a.rows + 1, 0);
  for (const int32_t column : a.col) ++t.row_ptr[column + 1];
  std::partial_sum(t.row_ptr.begin(), t.row_ptr.end(), t.row_ptr.begin());
  t.col.resize(a.col.size());
  t.value.resize(a.value.size());
  std::vector<int64_t> next(t.row_ptr.begin(), t.row_ptr.end() - 1);
  for (int64_t row = 0; row < a.rows; ++row)
    for (int64_t k = a.row_ptr[row]; k < a.row_ptr[row + 1]; ++k) {
      const int64_t at = next[a.col[k]]++;
      t.col[at] = static_cast<int32_t>(row);
      t.value[at] = a.value[k];
    }
  return t;
}

bool is_symmetric(const CsrMatrix& a) {
  const CsrMatrix t = transpose_of(a);
  return t.row_ptr == a.row_ptr && t.col == a.col && t.value == a.value;
}

/// Powers of two that bring the largest entry of each row near 1: rows of currents and of voltages then compare as
/// pivots.
std::vector<double> row_scale(const CsrMatrix& a) {
  std::vector<double> scale(a.rows, 1.0);
  for (int64_t row = 0; row < a.rows; ++row) {
    double largest = 0;
    for (int64_t k = a.row_ptr[row]; k < a.row_ptr[row + 1]; ++k) largest = std::max(largest, std::abs(a.value[k]));
    if (largest > 0 && std::isfinite(largest)) scale[row] = std::ldexp(1.0, -std::ilogb(largest));
  }
  return scale;
}

void multiply_rows(std::span<const double> by, SummedMatrix& a) {
  for (int64_t row = 0; row < a.sums.rows; ++row)
    for (int64_t k = a.sums.row_ptr[row]; k < a.sums.row_ptr[row + 1]; ++k) {
      a.sums.value[k] *= by[row];
      a.sizes[k] *= by[row];
    }
}

std::vector<double> product(std::vector<double> x, std::span<const double> by) {
  for (size_t i = 0; i < x.size() && !by.empty(); ++i) x[i] *= by[i];
  return x;
}

/// b − A x, in long double.
std::vector<double> residual_of(const CsrMatrix& a, std::span<const double> b, std::span<const double> x) {
  std::vector<double> r(a.rows);
  for (int64_t row = 0; row < a.rows; ++row) {
    long double sum = b[row];
    for (int64_t k = a.row_ptr[row]; k < a.row_ptr[row + 1]; ++k)
      sum -= static_cast<long double>(a.value[k]) * x[a.col[k]];
    r[row] = static_cast<double>(sum);
  }
  return r;
}

double norm(std::span<const double> v) {
  long double squares = 0;
  for (const double entry : v) squares += static_cast<long double>(entry) * entry;
  return static_cast<double>(std::sqrt(squares));
}

}  // namespace

LuSolver::LuSolver(SummedMatrix matrix, int64_t judged, const SolverOptions& options, const Context& context)
    : options_(options), context_(context), judged_(judged) {
  if (options.engine != "auto" && options.engine != kEngine)
    throw field_error("engine",
                      "{}: solves systems with a symmetric positive definite matrix, which this circuit does not have; "
                      "name {} or auto",
                      find_engine(options.engine).name, kEngine);
  if (!is_symmetric(matrix.sums)) {
    scale_ = row_scale(matrix.sums);
    multiply_rows(scale_, matrix);
  }
  sizes_ = std::move(matrix.sizes);
  problem_ = std::make_shared<const Problem>(Problem{std::move(matrix.sums), false, {}});
  engine_ = make_engine(find_engine(kEngine), context_, options_.settings);
  engine_->setup(problem_);
}

std::vector<double> LuSolver::solve_with(Engine& engine, std::vector<double> b) const {
  const auto n = std::ssize(b);
  std::vector<double> x(n);
  StopRule stop;
  stop.from_zero = true;
  stop.absolute_max = INFINITY;  // the first solution; its accuracy is judged here
  if (n > 0) engine.solve({b.data(), n}, {x.data(), n}, stop);
  return x;
}

/// Rows were scaled to be near one, so that the engine has no reason to scale the matrix again.
std::vector<double> LuSolver::solve_transposed(std::vector<double> b) const {
  if (scale_.empty()) return solve_with(*engine_, std::move(b));
  const auto n = std::ssize(b);
  std::vector<double> x(n);
  if (n > 0) dynamic_cast<const TransposedSolver&>(*engine_).solve_transposed({b.data(), n}, {x.data(), n});
  return x;
}

/// The largest error among the judged unknowns, where entries of A and b are off by their rounding, and the residual by
/// what it is: the norm of (|A⁻¹| f), f = |r| + 2 ε (|A| |x| + |b|), with sizes for |A| (M. Arioli, J. W. Demmel, I. S.
/// Duff, SIAM J. Matrix Anal. Appl. 10, 1989), by the one norm of the transposed of A⁻¹ diag(f).
double LuSolver::estimate(std::span<const double> f) {
  const auto keep_judged = [&](std::vector<double> v) {
    std::fill(v.begin() + judged_, v.end(), 0.0);
    return v;
  };
  return estimate_one_norm(
      std::ssize(f), [&](std::vector<double> v) { return product(solve_transposed(keep_judged(std::move(v))), f); },
      [&](std::vector<double> v) { return keep_judged(solve_with(*engine_, product(std::move(v), f))); });
}

LuSolver::Refined LuSolver::refined(std::span<const double> given) {
  const std::vector<double> b = product({given.begin(), given.end()}, scale_);
  const CsrMatrix& a = problem_->matrix;
  Refined out{{solve_with(*engine_, b), {}}, {}};
  Solution& solution = out.solution;
  const double size = norm(b);
  const auto relative = [&](std::span<const double> r) { return size > 0 ? norm(r) / size : norm(r); };
  std::vector<double> residual = residual_of(a, b, solution.x);
  solution.stats.history = {relative(residual)};
  for (int step = 0; step < kMostRefinements && solution.stats.history.back() > 0; ++step) {
    std::vector<double> better = solve_with(*engine_, residual);
    for (int64_t i = 0; i < a.rows; ++i) better[i] += solution.x[i];
    std::vector<double> left = residual_of(a, b, better);
    if (!(relative(left) < solution.stats.history.back())) break;
    solution.x = std::move(better);
    residual = std::move(left);
    solution.stats.history.push_back(relative(residual));
    ++solution.stats.iterations;
  }
  solution.stats.relative_residual = solution.stats.history.back();
  if (!std::isfinite(solution.stats.relative_residual))
    throw SolverError("the values of this circuit lead beyond what doubles hold; check gains and negative values");
  out.allowed.resize(a.rows);
  for (int64_t row = 0; row < a.rows; ++row) {
    double sum = std::abs(b[row]);
    for (int64_t k = a.row_ptr[row]; k < a.row_ptr[row + 1]; ++k) sum += sizes_[k] * std::abs(solution.x[a.col[k]]);
    out.allowed[row] = std::abs(residual[row]) + 2 * std::numeric_limits<double>::epsilon() * sum;
  }
  for (int64_t row = 0; row < judged_; ++row)
    solution.max_residual =
        std::max(solution.max_residual, std::abs(residual[row]) / (scale_.empty() ? 1.0 : scale_[row]));
  solution.stats.max_residual = solution.max_residual;
  return out;
}

LuSolver::Solution LuSolver::solve(std::span<const double> b) {
  Refined found = refined(b);
  found.solution.error = estimate(found.allowed);
  return std::move(found.solution);
}

LuSolver::Solution LuSolver::solve_in_turn(std::span<const double> b) {
  constexpr double kRoom = 4;      ///< of what is met, so that few estimates are found,
  constexpr double kLeast = 1e-6;  ///< and of the largest, which rows that signals come to later start from
  Refined found = refined(b);
  allowed_.resize(found.allowed.size(), 0.0);
  const auto share = [&] {
    double most = 0;
    for (size_t row = 0; row < allowed_.size(); ++row)
      if (found.allowed[row] > 0) most = std::max(most, found.allowed[row] / allowed_[row]);
    return most;
  };
  if (share() > 1) {
    const double largest = std::ranges::max(found.allowed);
    for (size_t row = 0; row < allowed_.size(); ++row)
      allowed_[row] = std::max(allowed_[row], kRoom * std::max(found.allowed[row], kLeast * largest));
    error_ = estimate(allowed_);
  }
  found.solution.error = error_ * share();
  return std::move(found.solution);
}

EngineRun LuSolver::run() const {
  const EngineInfo& info = find_engine(kEngine);
  return describe(info, *engine_, choose_device(info, context_.device), context_.device);
}

}  // namespace gridiron
