// SPDX-License-Identifier: Apache-2.0
#include "engines/direct_or_multigrid.hpp"

#include "engines/eliminating_engine.hpp"

namespace gridiron {
namespace {

/// The rule, fitted to the measurements below and to those of benchmarks/engine_survey.py on 8 threads.
constexpr struct {
  int64_t always_up_to = 3000;  ///< unknowns, of which even a full factor takes no time
  double operations_per_s = 12e9;
  double s_per_unknown = 3e-7, s_per_factor_nonzero = 3e-8;  ///< ordering, analysis, assembly
  double s_per_factor_nonzero_and_solve = 6e-9;
  double s_per_nonzero[3] = {2.3e-7, 1.2e-7, 0.6e-7};  ///< of multigrid, set up and solved once, by GraphKind
  double solve_share = 0.7;                            ///< of that, for each further solve
  double exactness = 1.3;                              ///< times the time of multigrid
  double most_factor_nonzeros = 5e8;                   ///< 4 GB
  double open_up_to = 3;  ///< estimates of that many times the time that is worth it leave it open
} kRule;

constexpr std::string_view kDirect = "cholmod", kMultigrid = "aggamg";

constexpr MeasuredSystem kMeasured[] = {
    {"square grid, one pad", {39'996, 199'188}, {1.35e8, 1.11e6}, 0.047, 0.076, kDirect},
    {"square grid, one pad", {193'596, 966'228}, {1.76e9, 7.27e6}, 0.62, 0.42, kMultigrid},
    {"four layers of straps, no coordinates", {142'489, 614'761}, {7.92e8, 4.77e6}, 0.42, 0.35, kMultigrid},
    {"square grid below one hub", {22'497, 116'889, GraphKind::hubs}, {4.41e7, 5.34e5}, 0.034, 0.017, kMultigrid},
    {"square grid below one hub", {89'997, 468'789, GraphKind::hubs}, {4.08e8, 2.69e6}, 0.21, 0.070, kMultigrid},
    {"ten wheels of 10,000 spokes", {90'009, 450'025, GraphKind::hubs}, {1.29e7, 1.08e6}, 0.040, 0.27, kDirect},
    {"cube", {8'000, 53'600}, {3.09e8, 8.42e5}, 0.041, 0.022, kMultigrid},
    {"cube", {27'000, 183'600}, {5.05e9, 5.61e6}, 1.04, 0.078, kMultigrid},
    {"cube", {64'000, 438'400}, {3.27e10, 2.06e7}, 5.9, 0.21, kMultigrid},
    {"cube, ten decades of conductance", {64'000, 438'400}, {3.27e10, 2.06e7}, 4.6, 0.31, kMultigrid},
    {"cube", {195'112, 1'345'600}, {4.56e11, 1.21e8}, 41, 0.55, kMultigrid},
    {"random graph of degree 8", {5'000, 44'964}, {4.76e9, 3.02e6}, 1.00, 0.048, kMultigrid},
    {"random graph of degree 8", {10'000, 89'956}, {3.73e10, 1.18e7}, 6.8, 0.097, kMultigrid},
    {"random graph of degree 8", {40'000, 359'964}, {2.41e12, 1.88e8}, 118, 0.3, kMultigrid},
    {"degrees by a power law", {49'114, 342'120}, {2.88e10, 1.03e7}, 5.1, 0.23, kMultigrid},
};

double worth_s(const SystemSize& size, int64_t solves) {
  return predicted_multigrid_s(size, solves) * (size.unknowns <= kDirectUpTo ? kRule.exactness : 1);
}

}  // namespace

SystemSize size_of(const CsrMatrix& matrix) {
  SystemSize size{matrix.rows, matrix.nonzeros()};
  if (is_mostly_branches(matrix))
    size.kind = GraphKind::branches;
  else if (hubs_of(matrix) > 0)
    size.kind = GraphKind::hubs;
  return size;
}

std::span<const MeasuredSystem> measured_systems() { return kMeasured; }

double predicted_direct_s(const FactorWork& work, int64_t unknowns, int64_t solves) {
  const double s_per_nonzero =
      kRule.s_per_factor_nonzero + kRule.s_per_factor_nonzero_and_solve * static_cast<double>(solves - 1);
  return work.operations / kRule.operations_per_s + static_cast<double>(unknowns) * kRule.s_per_unknown +
         work.nonzeros * s_per_nonzero;
}

double predicted_multigrid_s(const SystemSize& size, int64_t solves) {
  return static_cast<double>(size.nonzeros) * kRule.s_per_nonzero[static_cast<int>(size.kind)] *
         (1 + kRule.solve_share * static_cast<double>(solves - 1));
}

bool is_worth_factoring(const FactorWork& work, const SystemSize& size, int64_t solves) {
  return work.nonzeros <= kRule.most_factor_nonzeros &&
         predicted_direct_s(work, size.unknowns, solves) <= worth_s(size, solves);
}

bool is_worth_factoring(const CsrMatrix& matrix, int64_t solves) {
  if (matrix.rows <= kRule.always_up_to) return true;
  const SystemSize size = size_of(matrix);
  const FactorWork estimate = estimate_factor_work(matrix);
  if (is_worth_factoring(estimate, size, solves)) return true;
  const double most_s = kRule.open_up_to * worth_s(size, solves);
  if (size.unknowns > kDirectUpTo || predicted_direct_s(estimate, size.unknowns, solves) > most_s) return false;
  return is_worth_factoring(count_factor_work(matrix), size, solves);
}

double predicted_cost_of_factoring(const CsrMatrix& matrix) {
  const FactorWork work = matrix.rows <= kDirectUpTo ? count_factor_work(matrix) : estimate_factor_work(matrix);
  return predicted_direct_s(work, matrix.rows, 1) / predicted_multigrid_s(size_of(matrix), 1);
}

}  // namespace gridiron
