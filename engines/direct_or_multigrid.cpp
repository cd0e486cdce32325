// SPDX-License-Identifier: Apache-2.0
#include "engines/direct_or_multigrid.hpp"

#include <algorithm>

namespace gridiron {
namespace {

/// The rule, fitted to the measurements below.
constexpr struct {
  int64_t always_up_to = 3000;  ///< unknowns, of which even a full factor takes no time
  double operations_per_s = 6e9;
  double s_per_factor_nonzero = 4e-8;  ///< ordering, analysis, assembly
  double s_per_factor_nonzero_and_solve = 8e-9;
  double s_per_nonzero = 4e-7;  ///< of multigrid: set up and solved once
  double s_per_nonzero_and_solve = 2.8e-7;
  double exactness_s = 0.5;
  double most_factor_nonzeros = 5e8;  ///< 4 GB
  double open_up_to = 3;              ///< estimates of that many times the time that is worth it leave it open
} kRule;

constexpr std::string_view kDirect = "cholmod", kMultigrid = "aggamg";

constexpr MeasuredSystem kMeasured[] = {
    {"square grid, one pad", 39'996, 199'188, {1.35e8, 1.11e6}, 0.047, 0.076, kDirect},
    {"square grid, one pad", 193'596, 966'228, {1.76e9, 7.27e6}, 0.62, 0.42, kDirect},
    {"four layers of straps, no coordinates", 142'489, 614'761, {7.92e8, 4.77e6}, 0.42, 0.35, kDirect},
    {"square grid below one hub", 22'497, 116'889, {4.41e7, 5.34e5}, 0.034, 0.017, kDirect},
    {"square grid below one hub", 89'997, 468'789, {4.08e8, 2.69e6}, 0.21, 0.070, kDirect},
    {"ten wheels of 10,000 spokes", 90'009, 450'025, {1.29e7, 1.08e6}, 0.040, 0.27, kDirect},
    {"cube", 8'000, 53'600, {3.09e8, 8.42e5}, 0.041, 0.022, kDirect},
    {"cube", 27'000, 183'600, {5.05e9, 5.61e6}, 1.04, 0.078, kMultigrid},
    {"cube", 64'000, 438'400, {3.27e10, 2.06e7}, 5.9, 0.21, kMultigrid},
    {"cube, ten decades of conductance", 64'000, 438'400, {3.27e10, 2.06e7}, 4.6, 0.31, kMultigrid},
    {"cube", 195'112, 1'345'600, {4.56e11, 1.21e8}, 41, 0.55, kMultigrid},
    {"random graph of degree 8", 5'000, 44'964, {4.76e9, 3.02e6}, 1.00, 0.048, kMultigrid},
    {"random graph of degree 8", 10'000, 89'956, {3.73e10, 1.18e7}, 6.8, 0.097, kMultigrid},
    {"random graph of degree 8", 40'000, 359'964, {2.41e12, 1.88e8}, 118, 0.3, kMultigrid},
    {"degrees by a power law", 49'114, 342'120, {2.88e10, 1.03e7}, 5.1, 0.23, kMultigrid},
};

double worth_s(int64_t unknowns, int64_t nonzeros, int64_t solves) {
  return predicted_multigrid_s(nonzeros, solves) + (unknowns <= kDirectUpTo ? kRule.exactness_s : 0);
}

}  // namespace

std::span<const MeasuredSystem> measured_systems() { return kMeasured; }

double predicted_direct_s(const FactorWork& work, int64_t solves) {
  return work.operations / kRule.operations_per_s +
         work.nonzeros *
             (kRule.s_per_factor_nonzero + kRule.s_per_factor_nonzero_and_solve * static_cast<double>(solves - 1));
}

double predicted_multigrid_s(int64_t nonzeros, int64_t solves) {
  return static_cast<double>(nonzeros) *
         (kRule.s_per_nonzero + kRule.s_per_nonzero_and_solve * static_cast<double>(solves - 1));
}

bool is_worth_factoring(const FactorWork& work, int64_t unknowns, int64_t nonzeros, int64_t solves) {
  return work.nonzeros <= kRule.most_factor_nonzeros &&
         predicted_direct_s(work, solves) <= worth_s(unknowns, nonzeros, solves);
}

bool is_worth_factoring(const CsrMatrix& matrix, int64_t solves) {
  const int64_t unknowns = matrix.rows, nonzeros = matrix.nonzeros();
  if (unknowns <= kRule.always_up_to) return true;
  const FactorWork estimate = estimate_factor_work(matrix);
  if (is_worth_factoring(estimate, unknowns, nonzeros, solves)) return true;
  const double most_s = kRule.open_up_to * worth_s(unknowns, nonzeros, solves);
  if (unknowns > kDirectUpTo || predicted_direct_s(estimate, solves) > most_s) return false;
  return is_worth_factoring(count_factor_work(matrix), unknowns, nonzeros, solves);
}

}  // namespace gridiron
