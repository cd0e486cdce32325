// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace gridiron {

/// The SGML paper's algorithms as it prints them, on one full mesh of 2ⁿ + 1 points per side of the unit square, for
/// ∇²u = f with u = 0 on the boundary: what the engine's cycle is held against. It has no code in common with it.
class PlainSgml {
 public:
  using Field = std::vector<double>;  ///< of all points, those on the boundary included, x fastest

  /// Before the last relaxation of a visit of a level.
  struct Visit {
    int level = 0;           ///< ν
    int64_t work = 0;        ///< full-mesh operations of the cycle so far: averages and relaxation-interpolations
    double diagnostic = 0;   ///< largest residual of the level's points with their restricted sources
    const Field& increment;  ///< u of this cycle so far
  };

  explicit PlainSgml(int doublings, int relaxations = 2);

  int64_t points() const { return points_; }  ///< per side

  /// Algorithm 3 from zero: an approximation to e of δL(e) = f.
  Field cycle(
      const Field& sources, const std::function<void(const Visit&)>& visit = [](const Visit&) {});
  /// What the next cycle is to solve for: f − δL(e).
  Field residual(const Field& sources, const Field& e) const;
  /// Of all cycle() so far.
  int64_t work() const { return work_; }

 private:
  /// f_ν − δL(u) at a point of a level.
  double residual_at(const Field& sources, const Field& u, int64_t at, int64_t step) const;
  void average(int64_t distance);
  void restrict_sources(const Field& sources, int level);
  double relax_and_interpolate(int level, bool is_measured);

  int doublings_, relaxations_;
  int64_t points_, work_ = 0;
  Field u_, averages_, spare_, increments_;
};

}  // namespace gridiron
