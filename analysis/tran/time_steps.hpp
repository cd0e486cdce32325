// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace gridiron {

inline constexpr double kMostSteps = 1 << 30;
inline constexpr double kOneTime = 1e-6;  ///< of a step: times closer than this are one

struct TimeStep {
  double end = 0, size = 0;  ///< s
  bool is_row = true;        ///< ends at a multiple of the step asked for, or at the stop: results are printed there
  bool is_damped = false;    ///< see Integrator::step()
};

/// The steps from 0 to `stop`: of `step` seconds, but none reaches over a corner. Corners within a millionth of a step
/// of the end of a step count as lying there, and sizes that differ by less are made equal, so that few distinct sizes
/// arise. Errors: InputError unless 0 < step ≤ stop, both finite, and there are at most kMostSteps.
std::vector<TimeStep> time_steps(double step, double stop, std::vector<double> corners);

/// Divides the first two steps into damped halves. The trapezoidal rule keeps its order, and what a start from initial
/// conditions leaves out of balance does not ring on (R. Rannacher, Numer. Math. 43, 1984).
void damp_start(std::vector<TimeStep>& steps);

}  // namespace gridiron
