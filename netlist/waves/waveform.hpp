// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <utility>
#include <variant>
#include <vector>

namespace gridiron {

/// Marks an omitted trailing argument, whose default is up to the simulator.
inline constexpr double kUnset = NAN;

/// PULSE(v1 v2 td tr tf pw per np): volts or amperes, seconds; after `pulses` of them the value stays at `initial`.
struct Pulse {
  double initial = 0, pulsed = 0, delay = kUnset, rise = kUnset, fall = kUnset, width = kUnset, period = kUnset,
         pulses = kUnset;
};

/// PWL(t1 v1 t2 v2 …) R=T: seconds, volts or amperes; times do not decrease.
struct Pwl {
  std::vector<std::pair<double, double>> points;
  double repeat = kUnset;  ///< the time from 0 to the last point from which on the points recur for ever

  bool repeats() const { return repeat >= 0; }
  double period() const { return points.back().first - repeat; }
};

/// SIN(offset amplitude frequency delay damping phase): Hz, seconds, 1/s, degrees.
struct Sin {
  double offset = 0, amplitude = 0, frequency = kUnset, delay = kUnset, damping = kUnset, phase = kUnset;
};

/// EXP(v1 v2 td1 tau1 td2 tau2): seconds.
struct Exp {
  double initial = 0, pulsed = 0, rise_delay = kUnset, rise_tau = kUnset, fall_delay = kUnset, fall_tau = kUnset;
};

using Waveform = std::variant<Pulse, Pwl, Sin, Exp>;

/// What omitted times default to, s: the step and the end of the simulation, both above 0.
struct TimeFrame {
  double step = 0, stop = 0;
};

/// Value at time t ≥ 0 as ngspice has it: omitted arguments, and zeros where a time must be above zero, take their
/// defaults from the frame. A jump of a PWL, such as that to where it repeats, is a ramp of a thousandth of a step
/// after it.
double value_at(const Waveform& waveform, double t, const TimeFrame& frame);

/// Appends the times in (0, frame.stop) where the value or its slope jumps, ascending. None of a waveform that
/// outruns() the steps.
void append_corners(const Waveform& waveform, const TimeFrame& frame, std::vector<double>& times);

/// Appends, ascending, the times in (0, frame.stop) between corners where the value turns: crests and troughs of a SIN
/// whose period is at most `longest_period`, s, and of an EXP. None of a waveform that outruns() the steps.
void append_turns(const Waveform& waveform, const TimeFrame& frame, double longest_period, std::vector<double>& times);

/// Whether a waveform repeats itself more than a thousand times within a step, and over more than a thousand periods.
bool outruns(const Waveform& waveform, const TimeFrame& frame);

/// Whether the value changes before frame.stop.
bool varies(const Waveform& waveform, const TimeFrame& frame);

/// The frame of what is never simulated: edges without a time are steep, pulses without a width last.
inline constexpr TimeFrame kNoFrame{0, 1e300};

/// Value at time zero, which is the DC value of a source that does not specify one.
double value_at_start(const Waveform& waveform, const TimeFrame& frame = kNoFrame);

/// The value of largest magnitude that a waveform may have at any time: of a damped SIN, as if it were not.
double peak_of(const Waveform& waveform);

/// Multiplies the volts or amperes by `factor`.
void scale(Waveform& waveform, double factor);

}  // namespace gridiron
