// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "netlist/waves/waveform.hpp"

namespace gridiron {

/// In which time a SIN turns around, s: its period, or six times what it fades away in; infinite for one that does
/// nothing before frame.stop or outruns() the steps, and for others.
double period_of(const Waveform& waveform, const TimeFrame& frame);

/// The time constant of an EXP, s: the shorter one; infinite for one that does nothing before frame.stop, and for
/// others.
double time_constant_of(const Waveform& waveform, const TimeFrame& frame);

/// Appends the times in (0, frame.stop) between which an EXP is straight to a 250th of its height, where steps of
/// `step` seconds are too long for that.
void append_curve(const Waveform& waveform, const TimeFrame& frame, double step, std::vector<double>& times);

}  // namespace gridiron
