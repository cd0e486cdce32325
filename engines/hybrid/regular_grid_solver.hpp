// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "engines/engine.hpp"
#include "engines/hybrid/grid_on.hpp"
#include "engines/linalg/block_columns.hpp"

namespace gridiron {

/// How the cells of a grid lie in the vectors of a solver: cell (x, y) of layer l is entry first + l·plane + y·row + x.
struct CellStrides {
  std::int64_t first, row, plane;
};

/// The vectors that regular grids are solved on, with entries V: numbers, or packs of them for several columns.
template <class D, class V>
class RegularGridVectors {
 public:
  virtual ~RegularGridVectors() = default;

  /// The right-hand side, A; zero at first. Entries without a cell must stay zero.
  virtual View<D, V> rhs() = 0;

  /// Voltages for the currents in rhs(), V. Every call runs the same kernels on the same arrays, for it is recorded.
  virtual void solve() = 0;
  virtual View<D, const V> solution() const = 0;

  virtual std::int64_t bytes() const = 0;
};

/// Solves the regular grids of a Regularization approximately, all in one batch, on device D in precision T. What is
/// done to the right-hand side must be linear, and symmetric or nearly so, for flexible CG to use it. Its own vectors,
/// zero after setup(), are those of one column; bytes() counts all that it holds.
template <class D, class T>
class RegularGridSolver : public RegularGridVectors<D, T> {
 public:
  using Together = RegularGridVectors<D, Columns<T, kColumnsTogether<T>>>;

  /// The tables may go when it is done.
  virtual void setup(const std::vector<GridOn<D>>& grids) = 0;

  /// The same with other numbers in the tables; all arrays stay where they are, and so does what is recorded.
  virtual void update(const std::vector<GridOn<D>>& grids) = 0;

  /// Where the cells of a grid are in rhs() and solution().
  virtual CellStrides strides(std::int64_t grid) const = 0;

  /// Vectors for several columns on the same tables, good until the next setup(); none from solvers that take one
  /// column at a time.
  virtual std::unique_ptr<Together> vectors_together() const { return nullptr; }

  /// How long vectors of solve() have travelled since setup(), s; only where host and device share the work.
  virtual double transfer_seconds() const { return 0; }

  virtual double traffic() const = 0;  ///< bytes that solve() moves
  virtual std::vector<LevelSummary> levels() const = 0;
};

}  // namespace gridiron
