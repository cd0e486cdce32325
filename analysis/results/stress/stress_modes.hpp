// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/results/stress/stress_mesh.hpp"

namespace gridiron {

/// The stress of a tree at any time about a given one, without steps in time: φ(t) = exp(−t A) φ(0) by its projection
/// on the Krylov space of (1 + γ A)⁻¹, which takes one factorization (I. Moret, P. Novati, BIT 44, 2004). A, which is
/// made of the mesh's volumes and Laplacian, is symmetric in the inner product of volumes.
class StressModes {
 public:
  static constexpr double kReach = 4;  ///< times from scale / kReach to scale · kReach are meant

  /// From `residual_pa` everywhere.
  StressModes(const StressMesh& mesh, double residual_pa, double scale);

  struct Worst {
    int32_t node;
    double stress_pa;
  };
  /// The node of the tree with the largest stress: within segments there is none larger.
  Worst worst(double time);
  double stress_pa(int32_t node, double time) const;
  /// How fast that rises, Pa/µm².
  double slope(int32_t node, double time) const;
  /// What the last quarter of the Krylov space adds to it.
  double error_pa(int32_t node, double time) const;
  /// No stress gets ever above the difference of this and the least drive.
  double largest_potential_pa(double time);

 private:
  /// Of the projection on the first vectors of the basis.
  struct Modes {
    int size = 0;
    std::vector<double> decay;    ///< per mode, 1/µm²
    std::vector<double> vectors;  ///< column by column, of the projection

    /// Of φ(t) − its mean, per vector of the basis; `power`: of −d/dt, 0 or 1.
    std::vector<double> weights(double time, int power = 0) const;
  };

  void span_space(double shift);
  Modes find_modes(int size, double shift) const;
  double of_node(int32_t node, std::span<const double> weights) const;
  std::span<const double> potentials(double time, int32_t nodes);

  const StressMesh* mesh_;
  double mean_ = 0, norm_ = 0;              ///< of φ(0), and of what differs from that
  std::vector<std::vector<double>> basis_;  ///< orthonormal
  std::vector<double> diagonal_, beside_;   ///< the projection, which is tridiagonal
  Modes all_, most_;
  std::vector<double> potential_;
};

}  // namespace gridiron
