// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "analysis/pde/fields/curve.hpp"
#include "analysis/pde/fields/grid_field.hpp"

namespace gridiron {

/// A mesh of quadrilaterals; node (i, j) is points[j * columns + i].
struct Mesh {
  int64_t columns = 0, rows = 0;
  std::vector<PlanePoint> points;
  std::vector<PlanePoint> curve;    ///< that attracts the nodes
  std::vector<double> area_shares;  ///< per cell, relative to an undeformed one

  // What is checked:
  int64_t folded = 0;       ///< cells with an inverted corner
  double least_area = 0;    ///< of a cell, relative to an undeformed one
  double largest_area = 0;  ///< the same
  double total_area = 0;    ///< of the box: 1
  double time = 0;          ///< pseudo-time reached, kDeformationTime unless the motion stopped early
  int steps = 0;            ///< forward Euler steps

  void visit(auto& v) const {
    v("cells", area_shares.size())("folded_cells", folded)("least_area", least_area)("largest_area", largest_area);
    v("total_area", total_area)("euler_steps", steps)("time", time);
  }
};

inline constexpr double kDeformationTime = 1;

/// The curve that attracts the nodes: through the points of a file, or a circle without one.
std::vector<PlanePoint> deformation_curve(const std::string& file);

/// ∇²u + a u = f − mean of f, with no flow through the faces of the unit square; eq. (10) of the SGML paper. f falls
/// from 16 on the curve linearly to 0 at a distance of 1/16, about 1 per length of the curve, so that grids of all
/// sizes deform alike: a delta function one cell wide would end the motion the earlier, the finer the grid. It is a
/// function of the distance rather than a sum along the curve, which would accumulate inside bends. Grids of fewer than
/// 33 points use a distance of two spacings.
PdeModel deformation_model(const RegularGrid& grid, const std::vector<PlanePoint>& curve);

/// Moves the nodes of the grid with v = −∇u / (t f + ∫f), eq. (11), by forward Euler from t = 0 to kDeformationTime, by
/// 1/640 per step at most. Motion stops before the step that would leave a corner of a cell with less than a hundredth
/// of its area; that happens for curves with sharp bends.
Mesh deform(const PdeModel& model, std::span<const double> solution, const std::vector<PlanePoint>& curve);

/// Fills in folds and areas of a mesh whose points are known.
void check(Mesh& mesh);

}  // namespace gridiron
