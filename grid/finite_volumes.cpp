// SPDX-License-Identifier: Apache-2.0
#include "grid/finite_volumes.hpp"

namespace gridiron {
namespace {

int axis_of(const StencilOffset& o) { return o.x != 0 ? 0 : o.y != 0 ? 1 : 2; }

}  // namespace

FiniteVolumes::FiniteVolumes(const RegularGrid& grid, const StencilWeights& weights)
    : grid_(grid), weights_(weights), neighbours_(gridiron::neighbours(grid.dimensions, weights.all_around)) {
  for (int axis = 0; axis < 3; ++axis) {
    first_[axis] = grid.first_unknown(axis);
    count_[axis] = grid.unknowns(axis);
  }
  for (const StencilOffset& o : neighbours_) {
    step_.push_back((o.z * count_[1] + o.y) * count_[0] + o.x);
    const std::vector<double>& sigma = grid.sigma[weights.all_around ? 0 : axis_of(o)];
    const bool varies = sigma.size() > 1;
    couplings_.push_back({factor(grid.spacing, o), sigma.data(), varies, varies ? grid.number({o.x, o.y, o.z}) : 0});
  }
}

double FiniteVolumes::conductances(const Index& at, double (&to)[kMostNeighbours]) const {
  const int64_t point = grid_.number(at);
  double sum = 0;
  if (is_inside(at)) {
    for (size_t n = 0; n < couplings_.size(); ++n) {
      to[n] = couplings_[n].factor * mean(couplings_[n], point);
      sum += to[n];
    }
    return sum;
  }
  const Widths width = widths(at);
  for (size_t n = 0; n < couplings_.size(); ++n) {
    const StencilOffset& o = neighbours_[n];
    to[n] = is_in_grid(beyond(at, o)) ? factor(width, o) * mean(couplings_[n], point) : beyond_face(at, o);
    sum += to[n];
  }
  return sum;
}

bool FiniteVolumes::is_in_grid(const Index& at) const {
  for (int axis = 0; axis < 3; ++axis)
    if (at[axis] < 0 || at[axis] >= grid_.size[axis]) return false;
  return true;
}

bool FiniteVolumes::is_inside(const Index& at) const {
  for (int axis = 0; axis < grid_.dimensions; ++axis)
    if (at[axis] <= 0 || at[axis] + 1 >= grid_.size[axis]) return false;
  return true;
}

double FiniteVolumes::factor(const Widths& width, const StencilOffset& o) const {
  if (!weights_.all_around) {
    const int axis = axis_of(o);
    return face_area(axis, width) / grid_.spacing[axis];
  }
  const double h = grid_.spacing[0];
  double extent = 1;
  for (int axis = 0; axis < grid_.dimensions; ++axis) extent *= o[axis] == 0 ? width[axis] : grid_.spacing[axis];
  return weights_.by_steps[o.steps()] * extent / (h * h);
}

double FiniteVolumes::mean(const Coupling& to, int64_t point) const {
  if (!to.varies) return *to.sigma;
  const double* const sigma = to.sigma + point;
  if (weights_.mean == StencilWeights::Mean::harmonic) return harmonic_mean(sigma[0], sigma[to.step]);
  return (sigma[0] + sigma[to.step]) / 2;
}

/// From a cell to its Dirichlet face, half a spacing away. (Grid points lie on such faces themselves.) Beyond a Neumann
/// face is the mirror image of an inner neighbour: halving the widths along the face accounts for both.
double FiniteVolumes::beyond_face(const Index& at, const StencilOffset& o) const {
  const int axis = axis_of(o);
  if (is_neumann(axis, o[axis] > 0) || !has_cells()) return 0;
  const std::vector<double>& sigma = grid_.sigma[axis];
  return 2 * face_area(axis, widths(at)) / grid_.spacing[axis] * sigma[sigma.size() > 1 ? grid_.number(at) : 0];
}

Point FiniteVolumes::on_face(const Index& at, int axis, int end) const {
  Point place = place_of(at);
  place[axis] = end == 0 ? 0.0 : grid_.size[axis] * grid_.spacing[axis];
  return place;
}

Point FiniteVolumes::boundary_towards(const Index& at, const StencilOffset& o) const {
  const Index there = beyond(at, o);
  return is_in_grid(there) ? place_of(there) : on_face(at, axis_of(o), o[axis_of(o)] > 0);
}

}  // namespace gridiron
