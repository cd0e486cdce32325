// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "netlist/waves/waveform.hpp"

namespace gridiron {

/// A waveform in begin ≤ t < end, s: value + slope · (t − begin).
struct LinearPiece {
  double begin, end, value, slope;

  bool covers(double t) const { return t >= begin && t < end; }
  double at(double t) const { return value + slope * (t - begin); }
};

/// The piece of a PULSE or PWL that covers t ≥ 0; none for other waveforms, and on the short ramp that stands for a
/// jump of a PWL. Agrees with value_at() but for rounding.
std::optional<LinearPiece> linear_piece(const Waveform& waveform, double t, const TimeFrame& frame);

}  // namespace gridiron
