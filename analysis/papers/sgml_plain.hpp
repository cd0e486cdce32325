// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace gridiron {

/// Where the letter of the SGML paper's Algorithms 1 and 2 leaves a choice, or converges slowly.
struct SgmlReading {
  /// Of the pseudo-time, of the diagonal's inverse: with the default the relaxation damps eigenvalues from 0.67 to 1.42
  /// of the diagonal most, as the engine's does; high frequencies of the nine-point stencil have 0.71 to 1.41. The
  /// paper's bound, (2^ν h)²/2, is 1.41, with which the highest is not damped at all.
  double step = 2 / (0.67 + 1.42);
  /// Averages of a restriction to level ν beyond ν. Algorithm 1 counts from 0 to ν, one more, which would average the
  /// sources of the finest level too, where the paper says that its residual is that of the full mesh.
  int more_averages = 0;
  bool ends_with_given = false;  ///< the last relaxations of a cycle take sources without any average
};

/// The SGML paper's Algorithms 1 to 3, on one full mesh of 2ⁿ + 1 points per side of the unit square, for ∇²u = f with
/// u = 0 on the boundary: what the engine's cycle is held against. It has no code in common with it.
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

  explicit PlainSgml(int doublings, SgmlReading reading = {}, int relaxations = 2);

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

  SgmlReading reading_;
  int doublings_, relaxations_;
  int64_t points_, work_ = 0;
  Field u_, averages_, spare_, increments_;
};

}  // namespace gridiron
