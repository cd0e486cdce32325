// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cholmod.h>

#include <cstdint>
#include <vector>

namespace gridiron {

/// The supernodes of a factor that was analysed, as a tree that is divided among threads in a way that depends on it
/// alone: subtrees with little arithmetic, and what is above them.
///
/// Supernode s has the columns from first[s] to first[s + 1] − 1 and, by columns, a value for each of its rows, which
/// are ascending and begin with the columns. Pointers are into the factor.
struct SupernodalTree {
  using Index = SuiteSparse_long;

  explicit SupernodalTree(const cholmod_factor& factor);

  Index columns(Index s) const { return first[s + 1] - first[s]; }
  Index rows(Index s) const { return rows_at[s + 1] - rows_at[s]; }
  const Index* rows_of(Index s) const { return row + rows_at[s]; }
  int64_t bytes() const;

  int64_t unknowns, count;
  const Index *first, *rows_at, *values_at, *row;
  const Index* order;                          ///< the unknown of each column
  std::vector<int32_t> of_column;              ///< supernode
  std::vector<int32_t> parent;                 ///< per supernode; −1 for roots
  std::vector<std::vector<int32_t>> subtrees;  ///< supernodes, ascending; those with most arithmetic first
  std::vector<std::vector<int32_t>> levels;    ///< supernodes above all subtrees, by their height
  std::vector<int32_t> subtree_of;             ///< per supernode; −1 in `levels`

 private:
  void divide();
};

}  // namespace gridiron
