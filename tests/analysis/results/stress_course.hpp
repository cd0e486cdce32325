// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "analysis/results/stress/stress_mesh.hpp"

namespace gridiron::test {

/// The stress of a tree by many steps in time: the independent method that StressModes are judged by.
class StressCourse {
 public:
  /// From `residual_pa` everywhere.
  StressCourse(const StressMesh& mesh, double residual_pa)
      : mesh_(&mesh),
        potential_(mesh.drive_pa().begin(), mesh.drive_pa().end()),
        surplus_(potential_.size()),
        of_whole_(mesh.elimination()),
        of_half_(mesh.elimination()) {
    for (double& potential : potential_) potential += residual_pa;
  }

  double time() const { return time_; }
  double stress_pa(int32_t node) const { return potential_[node] - mesh_->drive_pa()[node]; }
  int32_t worst_node() const {
    int32_t worst = 0;
    for (int32_t n = 1; n < mesh_->nodes(); ++n)
      if (stress_pa(n) > stress_pa(worst)) worst = n;
    return worst;
  }

  /// One step of backward Euler's method and two of half the length, extrapolated to second order.
  void step(double length) {
    const std::span<const double> volume = mesh_->volume_um3();
    const auto factor = [&](GraphFactor& of, double step) {
      for (size_t i = 0; i < volume.size(); ++i) surplus_[i] = volume[i] / step;
      of.factor(surplus_, mesh_->weight_um());
    };
    whole_ = potential_;
    factor(of_whole_, length);
    advance(of_whole_, length, whole_);
    factor(of_half_, 0.5 * length);
    for (int k = 0; k < 2; ++k) advance(of_half_, 0.5 * length, potential_);
    for (size_t i = 0; i < potential_.size(); ++i) potential_[i] += potential_[i] - whole_[i];
    time_ += length;
  }

 private:
  void advance(const GraphFactor& factor, double length, std::vector<double>& potential) const {
    const std::span<const double> volume = mesh_->volume_um3();
    for (size_t i = 0; i < potential.size(); ++i) potential[i] *= volume[i] / length;
    factor.solve(potential);
  }

  const StressMesh* mesh_;
  double time_ = 0;
  std::vector<double> potential_;  ///< φ
  std::vector<double> surplus_, whole_;
  GraphFactor of_whole_, of_half_;
};

}  // namespace gridiron::test
