// SPDX-License-Identifier: Apache-2.0
#include "examples/jacobi_cg/jacobi_cg_engine.hpp"

#include <cmath>
#include <numeric>

namespace gridiron {
namespace {

struct JacobiCgParams {
  bool jacobi = true;

  template <class V>
  void visit(V& v) {
    v("jacobi", jacobi, "", "precondition by the diagonal; false: plain conjugate gradients");
  }
};

class JacobiCg : public Engine {
 public:
  explicit JacobiCg(JacobiCgParams params) : params_(params) {}
  int64_t bytes() const override { return static_cast<int64_t>(4 * sizeof(double) * r_.size()); }
  ParamList parameters() const override { return list_params(params_); }

 private:
  void do_setup(const Problem& problem) override {
    const CsrMatrix& a = problem.matrix;
    for (auto* vector : {&scale_, &r_, &p_, &q_}) vector->assign(a.rows, 0.0);
    for (int64_t i = 0; i < a.rows; ++i) {
      for (auto k = a.row_ptr[i]; k < a.row_ptr[i + 1]; ++k) scale_[i] += a.col[k] == i ? a.value[k] : 0;
      if (!(scale_[i] > 0)) throw SolverError("jacobi_cg: not positive on the diagonal: unknown " + std::to_string(i));
      scale_[i] = params_.jacobi ? 1 / scale_[i] : 1;
    }
  }

  SolveStats do_solve(Block<const double> b, Block<double> x, const StopRule& stop) override {
    return solve_columns(b, x, [&](auto b_j, auto x_j) { return solve_one(b_j, x_j, stop); });
  }

  ColumnStats solve_one(std::span<const double> b, std::span<double> x, const StopRule& stop) {
    const auto dot = [](auto& u, auto& v) { return std::inner_product(u.begin(), u.end(), v.begin(), 0.0); };
    const double norm_b = std::sqrt(dot(b, b));
    ColumnStats stats;
    const auto form_residual = [&] {
      multiply(problem().matrix, x.data(), q_.data());
      std::transform(b.begin(), b.end(), q_.begin(), r_.begin(), std::minus());
    };
    const auto meets_rule = [&] {
      stats.max_residual = 0;
      for (const double r : r_) stats.max_residual = std::max(stats.max_residual, std::abs(r));
      stats.relative_residual = std::sqrt(dot(r_, r_)) / (norm_b > 0 ? norm_b : 1);
      return stats.relative_residual <= stop.relative_residual || stats.max_residual <= stop.absolute_max;
    };
    form_residual();
    for (double rho = 0;; ++stats.iterations) {
      stats.converged = meets_rule() && (form_residual(), meets_rule());  // not just by the recursive residual
      stats.history.push_back(stats.relative_residual);
      if (stats.converged || stats.iterations == stop.max_iterations) return stats;
      stop.throw_if_stopped();
      const double before = std::exchange(rho, 0.0);
      for (size_t i = 0; i < r_.size(); ++i) rho += r_[i] * scale_[i] * r_[i];
      for (size_t i = 0; i < r_.size(); ++i) p_[i] = scale_[i] * r_[i] + (before > 0 ? rho / before * p_[i] : 0);
      multiply(problem().matrix, p_.data(), q_.data());
      const double alpha = rho / dot(p_, q_);
      if (!(alpha > 0) || !std::isfinite(alpha)) return stats;  // the matrix is not positive definite
      for (size_t i = 0; i < r_.size(); ++i) x[i] += alpha * p_[i], r_[i] -= alpha * q_[i];
    }
  }

  JacobiCgParams params_;
  std::vector<double> scale_, r_, p_, q_;  ///< D⁻¹; the residual; the direction and its product with the matrix
};

}  // namespace

std::optional<std::string> jacobi_cg_declines(const Problem& problem) {
  if (problem.symmetric_positive_definite) return std::nullopt;
  return "needs a symmetric positive definite matrix";
}
std::unique_ptr<Engine> make_jacobi_cg(const Settings& settings) {
  return std::make_unique<JacobiCg>(read_params<JacobiCgParams>("jacobi_cg", settings));
}
ParamList jacobi_cg_defaults() { return list_params(JacobiCgParams{}); }

}  // namespace gridiron
