// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <unordered_set>

namespace gridiron {

/// The scope of a factorization by SuperLU on this thread. Within it functions of this program take the place of
/// SuperLU's, as a program's own come before a library's:
/// - dpivotL, which writes out of bounds where a column has no rows left: it ends the factorization where no pivot is
///   left or too much work was done, and may prefer other pivots than the diagonal;
/// - superlu_malloc and superlu_free, so that what an exception leaves behind is freed;
/// - superlu_abort_and_exit, which would end the program.
class SuperluCalls {
 public:
  /// How pivots are chosen among the rows of a column.
  struct Pivots {
    const int* preferred = nullptr;  ///< per column of the matrix as given, the row to take if it is large enough;
                                     ///< null: the row of that number
    bool only_preferred = false;     ///< ends the factorization where another row would be taken, or a pivot ≤ 0
    double most_operations = 0;      ///< that the factorization may take
  };
  explicit SuperluCalls(const Pivots& pivots);
  ~SuperluCalls();
  SuperluCalls(const SuperluCalls&) = delete;
  SuperluCalls& operator=(const SuperluCalls&) = delete;

  /// What ends a factorization, as exceptions from within.
  struct NoPivot {
    int column;  ///< of the matrix as given
  };
  struct OtherPivot {};
  struct TooMuchWork {};

  const Pivots& pivots() const { return pivots_; }
  void allocated(void* at) { held_.insert(at); }
  void freed(void* at) { held_.erase(at); }
  /// The factorization succeeded: what it holds is in use.
  void keep() { held_.clear(); }

 private:
  Pivots pivots_;
  std::unordered_set<void*> held_;
};

}  // namespace gridiron
