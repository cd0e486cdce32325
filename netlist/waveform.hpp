// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <utility>
#include <variant>
#include <vector>

namespace gridiron {

/// Marks an omitted trailing argument, whose default is up to the simulator.
inline constexpr double kUnset = std::numeric_limits<double>::quiet_NaN();

/// PULSE(v1 v2 td tr tf pw per): volts or amperes, seconds.
struct Pulse {
  double initial = 0, pulsed = 0, delay = kUnset, rise = kUnset, fall = kUnset, width = kUnset, period = kUnset;
};

/// PWL(t1 v1 t2 v2 …): seconds, volts or amperes; times do not decrease.
struct Pwl {
  std::vector<std::pair<double, double>> points;
};

/// SIN(offset amplitude frequency delay damping): Hz, seconds, 1/s.
struct Sin {
  double offset = 0, amplitude = 0, frequency = kUnset, delay = kUnset, damping = kUnset;
};

/// EXP(v1 v2 td1 tau1 td2 tau2): seconds.
struct Exp {
  double initial = 0, pulsed = 0, rise_delay = kUnset, rise_tau = kUnset, fall_delay = kUnset, fall_tau = kUnset;
};

using Waveform = std::variant<Pulse, Pwl, Sin, Exp>;

/// Value at time zero, which is the DC value of a source that does not specify one.
double value_at_start(const Waveform& waveform);

/// Multiplies the volts or amperes by `factor`.
void scale(Waveform& waveform, double factor);

}  // namespace gridiron
