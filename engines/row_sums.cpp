// SPDX-License-Identifier: Apache-2.0
#include "engines/row_sums.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/weak_parts.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron {
namespace {

bool has_couplings_of_m_matrix(const CsrMatrix& a) {
  return holds_for_all(a.rows, [&](int64_t i) {
    for (int64_t k = a.row_ptr[i]; k < a.row_ptr[i + 1]; ++k)
      if (a.col[k] != i && !(a.value[k] <= 0)) return false;
    return true;
  });
}

/// Zero where the rounding of the diagonal may be all that there is.
std::vector<double> sums_of(const CsrMatrix& a) {
  std::vector<double> sums;
  make_room_in_parallel(sums, a.rows);
  parallel_each(a.rows, [&](int64_t i) {
    long double sum = 0, diagonal = 0;
    for (int64_t k = a.row_ptr[i]; k < a.row_ptr[i + 1]; ++k) {
      sum += a.value[k];
      if (a.col[k] == i) diagonal += a.value[k];
    }
    const long double rounding = weak::kRounding * static_cast<double>(a.row_ptr[i + 1] - a.row_ptr[i]) * diagonal;
    sums[i] = std::abs(sum) > rounding ? static_cast<double>(sum) : 0.0;
  });
  return sums;
}

}  // namespace

std::vector<double> row_sums_of(const Problem& problem) {
  if (!has_couplings_of_m_matrix(problem.matrix)) return {};
  const auto* const grid = std::get_if<PowerGrid>(&problem.structure);
  std::vector<double> sums =
      grid && grid->network ? parallel_copy<double>(grid->network->pad) : sums_of(problem.matrix);
  if (!holds_for_all(std::ssize(sums), [&](int64_t i) { return sums[i] >= 0; })) return {};
  return sums;
}

bool hides_a_pad(const Problem& problem) {
  const auto* const grid = std::get_if<PowerGrid>(&problem.structure);
  if (!grid || !grid->network) return false;
  const CsrMatrix& a = problem.matrix;
  return !holds_for_all(a.rows, [&](int64_t i) {
    const double pad = grid->network->pad[i];
    if (pad == 0) return true;
    double diagonal = 0;
    for (int64_t k = a.row_ptr[i]; k < a.row_ptr[i + 1]; ++k) diagonal = std::max(diagonal, a.value[k]);
    return pad > weak::kRounding * static_cast<double>(a.row_ptr[i + 1] - a.row_ptr[i]) * diagonal;
  });
}

}  // namespace gridiron
