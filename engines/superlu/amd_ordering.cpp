// SPDX-License-Identifier: Apache-2.0
#include "engines/superlu/amd_ordering.hpp"

#include <amd.h>

#include <algorithm>
#include <numeric>

#include "support/error.hpp"

namespace gridiron {
namespace {

/// Rows in groups, numbered by their first rows.
struct RowGroups {
  std::vector<int> group;  ///< of each row
  int count = 0;

  RowGroups(int64_t rows, const std::vector<int>& row_of) : group(rows) {
    for (int row = 0; row < rows; ++row) {
      const int partner = row_of.empty() ? row : row_of[row];
      group[row] = partner < row ? group[partner] : count++;
    }
  }
};

/// The matrix with a row and a column per group; columns may repeat within a row, which AMD accepts.
struct GroupedPattern {
  std::vector<int> start, column;

  GroupedPattern(const CsrMatrix& matrix, const RowGroups& groups) : start(groups.count + 1) {
    for (int64_t row = 0; row < matrix.rows; ++row)
      start[groups.group[row] + 1] += static_cast<int>(matrix.row_ptr[row + 1] - matrix.row_ptr[row]);
    std::partial_sum(start.begin(), start.end(), start.begin());
    column.resize(matrix.col.size());
    std::vector<int> next(start.begin(), start.end() - 1);
    for (int64_t row = 0; row < matrix.rows; ++row)
      for (int64_t k = matrix.row_ptr[row]; k < matrix.row_ptr[row + 1]; ++k)
        column[next[groups.group[row]]++] = groups.group[matrix.col[k]];
  }
};

}  // namespace

AmdOrdering amd_ordering(const CsrMatrix& matrix, const std::vector<int>& row_of) {
  const RowGroups groups(matrix.rows, row_of);
  const GroupedPattern pattern(matrix, groups);
  std::vector<int> pivots(groups.count), place(groups.count), first(groups.count + 1);
  double info[AMD_INFO];
  if (amd_order(groups.count, pattern.start.data(), pattern.column.data(), pivots.data(), nullptr, info) < AMD_OK)
    throw ResourceError("superlu: no memory to order the unknowns; try an iterative engine");
  for (int k = 0; k < groups.count; ++k) place[pivots[k]] = k;
  AmdOrdering ordering;
  ordering.position.resize(matrix.rows);
  for (const int group : groups.group) ++first[place[group] + 1];
  std::partial_sum(first.begin(), first.end(), first.begin());
  for (int64_t row = 0; row < matrix.rows; ++row) ordering.position[row] = first[place[groups.group[row]]]++;
  ordering.nonzeros = 2 * info[AMD_LNZ] + static_cast<double>(matrix.rows);
  ordering.operations = info[AMD_NMULTSUBS_LU];
  return ordering;
}

double pattern_symmetry(const CsrMatrix& matrix) {
  int64_t off_diagonal = 0, paired = 0;
  for (int64_t row = 0; row < matrix.rows; ++row)
    for (int64_t k = matrix.row_ptr[row]; k < matrix.row_ptr[row + 1]; ++k) {
      const int32_t column = matrix.col[k];
      if (column == row) continue;
      ++off_diagonal;
      paired += std::binary_search(matrix.col.begin() + matrix.row_ptr[column],
                                   matrix.col.begin() + matrix.row_ptr[column + 1], static_cast<int32_t>(row));
    }
  return off_diagonal == 0 ? 1 : static_cast<double>(paired) / static_cast<double>(off_diagonal);
}

double without_diagonal(const CsrMatrix& matrix) {
  int64_t rows = 0;
  for (int64_t row = 0; row < matrix.rows; ++row)
    rows += !std::binary_search(matrix.col.begin() + matrix.row_ptr[row], matrix.col.begin() + matrix.row_ptr[row + 1],
                                static_cast<int32_t>(row));
  return matrix.rows == 0 ? 0 : static_cast<double>(rows) / static_cast<double>(matrix.rows);
}

}  // namespace gridiron
