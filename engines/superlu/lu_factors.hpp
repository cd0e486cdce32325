// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "linalg/block.hpp"
#include "linalg/csr_matrix.hpp"

namespace gridiron {

/// The order of elimination of a matrix, and how pivots are chosen.
struct LuPlan {
  std::vector<int> position = {};  ///< of each row in the order of elimination
  std::vector<int> preferred =
      {};                  ///< per row the unknown to eliminate with it if its entry is large enough; empty: its own
  double threshold = 1;    ///< what is large enough, relative to the largest entry; not for `symmetric`
  bool symmetric = false;  ///< symmetric positive definite: pivots stay on the diagonal
  double most_operations = 0;  ///< multiplications that the factorization may take
};

/// The factors of a sparse matrix with at least one row by SuperLU, sequentially. SuperLU expects columns, so it is
/// given Aᵀ, which is A by rows, and told to solve with the transpose.
class LuFactors {
 public:
  LuFactors();
  ~LuFactors();

  /// not_definite: a pivot of a symmetric matrix is not positive; nothing is known of the matrix then.
  enum class Outcome { done, not_definite };
  /// Errors: SingularMatrix where a row has no entry left; SolverError beyond plan.most_operations; ResourceError.
  /// After an error or not_definite there are no factors.
  [[nodiscard]] Outcome factorize(const CsrMatrix& a, const LuPlan& plan);
  /// Other values in the same pattern.
  [[nodiscard]] Outcome refactorize(const CsrMatrix& a);

  /// Forgets them.
  void clear();

  /// X = A⁻¹ X, or with the transposed of A.
  void solve(Block<double> x, bool transposed = false) const;

  /// By which a row was divided.
  double pivot(int64_t row) const;
  int64_t bytes() const;

 private:
  struct Library;
  Outcome run(const CsrMatrix& a, bool same_pattern);

  std::unique_ptr<Library> library_;
  LuPlan plan_;
  std::vector<int> column_order_, row_order_, elimination_tree_;
};

/// The position of each row by the orderings that come with SuperLU: minimum degree of A + Aᵀ, or approximate minimum
/// degree of A Aᵀ (COLAMD), which suits any pattern and choice of pivots. Errors: ResourceError.
std::vector<int> superlu_ordering(const CsrMatrix& a, bool minimum_degree);

}  // namespace gridiron
