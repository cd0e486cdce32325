// SPDX-License-Identifier: Apache-2.0
#pragma once

// The engine on a device D; instantiated once per device.

#include <algorithm>
#include <cmath>

#include "engines/gpuhmd/params.hpp"
#include "engines/gpuhmd/pde_tables.hpp"
#include "engines/gpuhmd/table_cg.hpp"
#include "support/error.hpp"

namespace gridiron::gpuhmd {

template <class D, class T>
class GmdOn : public Engine {
 public:
  explicit GmdOn(GmdParams params) : params_(std::move(params)), gmd_(params_.coarse_size) {}

  void setup(const Problem& problem) override {
    size_ = problem.matrix.rows;
    if (size_ == 0) return;
    const std::vector<GridTables> grids{tables_of(problem.matrix, std::get<RegularGrid>(problem.structure))};
    gmd_.setup(grids);
    equations_.shape = gmd_.finest_grid();
    const BatchShape layout(grids);
    equations_.gh = laid_out<D, double>(grids, &GridTables::gh, layout);
    equations_.gv = laid_out<D, double>(grids, &GridTables::gv, layout);
    equations_.diagonal = laid_out<D, double>(grids, &GridTables::gz, layout);
    add_conductances(equations_);
  }

  SolveStats solve(Block<const double> b, Block<double> x, const StopRule& stop) override {
    SolveStats worst;
    worst.converged = true;
    for (std::int64_t j = 0; j < b.columns; ++j) {
      const SolveStats stats = solve_column(b.column(j), x.column(j), stop);
      const bool all_converged = worst.converged && stats.converged;
      if (j == 0 || stats.relative_residual > worst.relative_residual) worst = stats;
      worst.converged = all_converged;
    }
    return worst;
  }

  std::int64_t bytes() const override { return size_ > 0 ? equations_.bytes() + gmd_.bytes() : 0; }
  std::vector<LevelSummary> levels() const override { return gmd_.levels(); }
  ParamList parameters() const override { return list_params(params_); }

 private:
  SolveStats solve_column(std::span<const double> b, std::span<double> x, const StopRule& stop) {
    if (b.empty()) return {.converged = true, .history = {0.0}};
    const Array<D, double> b_device = in_layout(b);
    Array<D, double> x_device = in_layout(x);
    const SolveStats stats =
        TableCg<D, T>(equations_, gmd_, stop).solve(b_device.view(), x_device.view(), params_.cycle == "cg");
    if (!std::isfinite(stats.relative_residual))
      throw SolverError("gmd: the iteration broke down; is the matrix singular, or not positive definite?");
    const std::vector<double> solution = x_device.to_host();
    for_each_row([&](std::int64_t unknown, std::int64_t entry, std::int64_t count) {
      std::copy_n(solution.begin() + entry, count, x.begin() + unknown);
    });
    return stats;
  }

  Array<D, double> in_layout(std::span<const double> v) const {
    std::vector<double> out(equations_.entries(), 0.0);
    for_each_row([&](std::int64_t unknown, std::int64_t entry, std::int64_t count) {
      std::copy_n(v.begin() + unknown, count, out.begin() + entry);
    });
    return Array<D, double>(out);
  }

  template <class F>
  void for_each_row(F f) const {
    const GridShape& shape = equations_.shape;
    for (std::int64_t y = 0; y < shape.used_ny; ++y) f(y * shape.used_nx, shape.first + y * shape.nx, shape.used_nx);
  }

  GmdParams params_;
  std::int64_t size_ = 0;
  TableEquations<D> equations_;
  Gmd<D, T> gmd_;
};

}  // namespace gridiron::gpuhmd
