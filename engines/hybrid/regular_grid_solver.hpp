// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "engines/engine.hpp"
#include "engines/hybrid/grid_on.hpp"
#include "linalg/block_columns.hpp"

namespace gridiron {

/// How the cells of a grid are laid out in the vectors of a solver: cell (x, y) of layer l is entry first + l·plane +
/// y·row + x.
struct CellStrides {
  int64_t first, row, plane;
};

/// The vectors that regular grids are solved on, with entries V: scalars, or packs for several columns.
template <class D, class V>
class RegularGridVectors {
 public:
  virtual ~RegularGridVectors() = default;

  /// The right-hand side, A; zero at first. Entries without a cell must stay zero.
  virtual View<D, V> rhs() = 0;

  /// Computes the voltages for the currents in rhs(), V. Every call must run the same kernels on the same arrays, as it
  /// is recorded.
  virtual void solve() = 0;
  virtual View<D, const V> solution() const = 0;

  virtual int64_t bytes() const = 0;
};

/// Solves the regular grids of a Regularization approximately, all in one batch, on device D in precision T. The
/// operation must be linear, and symmetric or nearly so, to serve as a preconditioner for flexible CG. Its own vectors,
/// zero after setup(), are for one column; bytes() counts everything it holds.
template <class D, class T>
class RegularGridSolver : public RegularGridVectors<D, T> {
 public:
  using Together = RegularGridVectors<D, Columns<T, kColumnsTogether<T>>>;

  /// Sets up for the conductance tables of the grids, which may be freed afterwards.
  virtual void setup(const std::vector<GridOn<D>>& grids) = 0;

  /// Takes new values in the tables of setup(); all arrays stay in place, and recordings stay valid.
  virtual void update(const std::vector<GridOn<D>>& grids) = 0;

  /// Where the cells of a grid are in rhs() and solution().
  virtual CellStrides strides(int64_t grid) const = 0;

  /// Vectors for several columns on the same tables, valid until the next setup(); null for solvers that handle one
  /// column at a time.
  virtual std::unique_ptr<Together> vectors_together() const { return nullptr; }
  /// Whether two of them may be solved on at the same time, on two queues.
  virtual bool has_no_scratch() const { return true; }

  /// Time spent transferring vectors in solve() since setup(), s; nonzero only where host and device share the work.
  virtual double transfer_seconds() const { return 0; }

  virtual double traffic() const = 0;  ///< bytes that solve() moves
  virtual std::vector<LevelSummary> levels() const = 0;
  virtual MethodFigures figures() const { return {}; }  ///< Engine::figures()
};

}  // namespace gridiron
