// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "engines/hybrid/regular_grid_solver.hpp"
#include "support/stopwatch.hpp"

namespace gridiron {

/// A solver on device D for an original grid that stays on the host, following the division of work of Feng and Li: in
/// every cycle currents are copied to the device and voltages back, column by column. The solver works in a queue of
/// its own.
template <class D, class T>
class AcrossDevices : public RegularGridSolver<CpuDevice, T> {
 public:
  explicit AcrossDevices(std::unique_ptr<RegularGridSolver<D, T>> solver) : solver_(std::move(solver)) {}

  void setup(const std::vector<GridOn<CpuDevice>>& grids) override {
    if (!queue_) queue_.emplace(nullptr);
    const typename D::Scope scope(*queue_);
    recording_ = std::make_unique<typename D::Recording>();
    transfer_seconds_ = 0;
    solver_->setup(UploadedGrids<D>(grids).grids());
    rhs_ = Array<CpuDevice, T>(solver_->rhs().size());
    solution_ = Array<CpuDevice, T>(solver_->rhs().size());
    std::fill_n(rhs_.view().data(), rhs_.size(), T(0));
  }
  void update(const std::vector<GridOn<CpuDevice>>& grids) override {
    const typename D::Scope scope(*queue_);
    solver_->update(UploadedGrids<D>(grids).grids());
  }
  CellStrides strides(int64_t grid) const override { return solver_->strides(grid); }

  View<CpuDevice, T> rhs() override { return rhs_.view(); }
  void solve() override {
    const typename D::Scope scope(*queue_);
    Stopwatch watch;
    D::copy_to_device(solver_->rhs().data(), rhs_.view().data(), rhs_.size());
    transfer_seconds_ += watch.lap();
    recording_->run([this] { solver_->solve(); });
    D::synchronize();
    watch.lap();
    D::copy_to_host(solution_.view().data(), solver_->solution().data(), solution_.size());
    transfer_seconds_ += watch.lap();
  }
  View<CpuDevice, const T> solution() const override { return solution_.view(); }

  double transfer_seconds() const override { return transfer_seconds_; }
  int64_t bytes() const override { return bytes_of(rhs_, solution_, solver_); }
  double traffic() const override { return solver_->traffic() + 2.0 * rhs_.bytes(); }
  std::vector<LevelSummary> levels() const override { return solver_->levels(); }

 private:
  std::optional<typename D::Queue> queue_;
  std::unique_ptr<RegularGridSolver<D, T>> solver_;
  std::unique_ptr<typename D::Recording> recording_;
  Array<CpuDevice, T> rhs_, solution_;
  double transfer_seconds_ = 0;
};

}  // namespace gridiron
