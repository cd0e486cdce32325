// SPDX-License-Identifier: Apache-2.0
#include "analysis/tran/time_steps.hpp"
#include "support/error_text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace gridiron {
namespace {

void check(double step, double stop) {
  if (!(step > 0) || !std::isfinite(step)) throw field_error("step", "{}: a time step is above 0 s and finite", step);
  if (!(stop > 0) || !std::isfinite(stop))
    throw field_error("stop", "{}: the end of a simulation is above 0 s and finite", stop);
  if (step > stop * (1 + kOneTime)) throw field_error("step", "{} is longer than the simulation, {} s", step, stop);
  if (stop / step > kMostSteps)
    throw field_error("step", "{}: {:.3g} steps to {} s are too many", step, stop / step, stop);
}

}  // namespace

std::vector<TimeStep> time_steps(double step, double stop, std::vector<double> corners) {
  check(step, stop);
  const double nearly = kOneTime * step;
  std::ranges::sort(corners);
  const int64_t rows = std::ceil(stop / step - kOneTime);
  std::vector<TimeStep> steps;
  steps.reserve(rows);
  auto corner = corners.begin();
  double now = 0;
  const auto go_to = [&](double end, bool is_row) {
    const double size = std::round((end - now) / nearly) * nearly;
    steps.push_back({end, std::abs(size - step) < nearly / 2 ? step : size, is_row});
    now = end;
  };
  for (int64_t row = 1; row <= rows; ++row) {
    const double end = row == rows ? stop : row * step;
    for (; corner != corners.end() && *corner < end - nearly; ++corner)
      if (*corner > now + nearly) go_to(*corner, false);
    go_to(end, true);
  }
  return steps;
}

void damp_start(std::vector<TimeStep>& steps) {
  constexpr ptrdiff_t kSteps = 2;
  for (ptrdiff_t k = std::min(kSteps, std::ssize(steps)) - 1; k >= 0; --k) {
    TimeStep& last = steps[k];
    last.size /= 2;
    last.is_damped = true;
    const TimeStep first{last.end - last.size, last.size, false, true};
    steps.insert(steps.begin() + k, first);
  }
}

}  // namespace gridiron
