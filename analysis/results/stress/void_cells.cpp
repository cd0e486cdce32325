// SPDX-License-Identifier: Apache-2.0
// The cells of a course with voids, which get larger as stress gets smoother.
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "analysis/results/stress/void_course.hpp"

namespace gridiron {
namespace {

/// A segment with the values of its points, from its end a to its end b.
struct Profile {
  std::vector<double> place_um, value;

  double integral() const {
    double sum = 0;
    for (size_t i = 1; i < value.size(); ++i) sum += 0.5 * (place_um[i] - place_um[i - 1]) * (value[i] + value[i - 1]);
    return sum;
  }
  /// Linear between points.
  double at(double place) const {
    const size_t i =
        std::clamp<size_t>(std::ranges::upper_bound(place_um, place) - place_um.begin(), 1, value.size() - 1);
    const double share = (place - place_um[i - 1]) / (place_um[i] - place_um[i - 1]);
    return value[i - 1] + share * (value[i] - value[i - 1]);
  }
};

/// With values(point) of the points within it.
Profile profile(const StressMesh& mesh, int32_t segment, double area_um2, double at_a, double at_b, auto&& values) {
  const int32_t first = mesh.first_edge(segment), last = mesh.first_edge(segment + 1) - 1;
  Profile profile{{0}, {at_a}};
  for (int32_t e = first; e <= last; ++e) {
    profile.place_um.push_back(profile.place_um.back() + area_um2 / mesh.weight_um()[e]);
    profile.value.push_back(e == last ? at_b : values(mesh.nodes() + e - segment));
  }
  return profile;
}

}  // namespace

std::shared_ptr<const StressMesh> VoidCourse::mesh_for(double time) const {
  const double finest_um = cells_.finest_um * std::sqrt(time / scales_.nucleation);
  return std::make_shared<const StressMesh>(*graph_, finest_um, cells_.is_coarse, cells_.growth);
}

/// The drives of points within segments, from those of nodes, and a factor of the mesh.
void VoidCourse::use_mesh() {
  drive_pa_.resize(now_.mesh->volume_um3().size());
  for (int32_t s = 0; s < std::ssize(graph_->segments); ++s) {
    const double from = end_drive({s, false}), to = end_drive({s, true});
    const double area = graph_->segments[s].area_um2, length = graph_->segments[s].length_um;
    const int32_t first = now_.mesh->first_edge(s), last = now_.mesh->first_edge(s + 1) - 1;
    double place = 0;
    for (int32_t e = first; e < last; ++e) {
      place += area / now_.mesh->weight_um()[e];
      drive_pa_[now_.mesh->nodes() + e - s] = from + (to - from) * (place / length);
    }
  }
  if (factor_of_ == now_.mesh) return;
  factor_.emplace(now_.mesh->elimination());
  factor_of_ = now_.mesh;
}

/// Cuts segments again, once diffusion reaches far beyond what cells are for, with no atom lost in any segment.
void VoidCourse::enlarge_cells() {
  constexpr double kFar = 16, kReach = 4;
  if (!(now_.time > kFar * now_.mesh_time)) return;
  now_.mesh_time = now_.time / kReach;
  const std::shared_ptr<const StressMesh> before = std::exchange(now_.mesh, mesh_for(now_.mesh_time));
  std::vector<double> stress = now_.potential;
  for (size_t i = 0; i < stress.size(); ++i) stress[i] -= drive_pa_[i];
  use_mesh();
  now_.potential.resize(drive_pa_.size());
  const StressMesh& mesh = *now_.mesh;
  for (int32_t s = 0; s < std::ssize(graph_->segments); ++s) {
    const StressGraph::Segment& segment = graph_->segments[s];
    const Profile old = profile(*before, s, segment.area_um2, stress[segment.a], stress[segment.b],
                                [&](int32_t point) { return stress[point]; });
    Profile made = profile(mesh, s, segment.area_um2, stress[segment.a], stress[segment.b], [](int32_t) { return 0; });
    const size_t inner = made.value.size() - 2;
    for (size_t i = 1; i <= inner; ++i) made.value[i] = old.at(made.place_um[i]);
    double lost_um = old.integral() - made.integral();
    const double inner_um = 0.5 * (made.place_um[inner + 1] + made.place_um[inner] - made.place_um[1]);
    for (size_t i = 1; i <= inner; ++i) {
      const int32_t point = mesh.nodes() + mesh.first_edge(s) - s + static_cast<int32_t>(i) - 1;
      now_.potential[point] = drive_pa_[point] + made.value[i] + lost_um / inner_um;
    }
    if (inner == 0) keep_atoms(s, lost_um * segment.area_um2);
  }
}

/// Of a segment of a single cell: what its points had goes to its ends, or to the voids there.
void VoidCourse::keep_atoms(int32_t segment, double lost) {
  const StressGraph::Segment& of = graph_->segments[segment];
  for (const SegmentEnd end : {SegmentEnd{segment, false}, SegmentEnd{segment, true}}) {
    const int32_t node = end.is_b ? of.b : of.a;
    if (now_.is_void[node])
      now_.drained[end.index()] += 0.5 * lost;
    else
      now_.potential[node] += 0.5 * lost / now_.mesh->volume_um3()[node];
  }
}

}  // namespace gridiron
