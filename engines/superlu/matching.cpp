// SPDX-License-Identifier: Apache-2.0
#include "engines/superlu/matching.hpp"

#include <btf.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace gridiron {
namespace {

bool has_entry(const CsrMatrix& a, int64_t row, int64_t column) {
  const auto begin = a.col.begin() + a.row_ptr[row], end = a.col.begin() + a.row_ptr[row + 1];
  const auto at = std::lower_bound(begin, end, static_cast<int32_t>(column));
  return at != end && *at == column && a.value[at - a.col.begin()] != 0;
}

}  // namespace

std::vector<int> match_rows(const CsrMatrix& matrix) {
  const int n = static_cast<int>(matrix.rows);
  std::vector<int> start = {0}, unknown, match(n), work(5 * matrix.rows);
  start.reserve(matrix.row_ptr.size());
  unknown.reserve(matrix.col.size());
  for (int row = 0; row < n; ++row) {
    for (int64_t k = matrix.row_ptr[row]; k < matrix.row_ptr[row + 1]; ++k) {
      if (matrix.value[k] == 0) continue;
      unknown.push_back(matrix.col[k]);
      if (matrix.col[k] == row) std::swap(unknown[start.back()], unknown.back());  // which it tries first
    }
    start.push_back(static_cast<int>(unknown.size()));
  }
  double operations = 0;
  btf_maxtrans(n, n, start.data(), unknown.data(), 0, &operations, match.data(), work.data());
  for (int& row : match)
    if (row < 0) row = -1;
  return match;
}

std::vector<int> pair_rows(const CsrMatrix& matrix) {
  std::vector<int> row_of(matrix.rows);
  std::iota(row_of.begin(), row_of.end(), 0);
  const auto entries = [&](int64_t row) { return matrix.row_ptr[row + 1] - matrix.row_ptr[row]; };
  for (int row = 0; row < matrix.rows; ++row) {
    if (row_of[row] != row || has_entry(matrix, row, row)) continue;
    int best = -1;
    for (int64_t k = matrix.row_ptr[row]; k < matrix.row_ptr[row + 1]; ++k) {
      const int other = matrix.col[k];
      if (other == row || row_of[other] != other || matrix.value[k] == 0 || !has_entry(matrix, other, row)) continue;
      if (best < 0 || entries(other) < entries(best)) best = other;
    }
    if (best >= 0) std::swap(row_of[row], row_of[best]);
  }
  return row_of;
}

}  // namespace gridiron
