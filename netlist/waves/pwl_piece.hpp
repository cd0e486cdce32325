// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "netlist/waves/waveform.hpp"

namespace gridiron {

/// The line of a PWL from one of its points to the next, around a time t ≥ 0. Internal to netlist/.
struct PwlPiece {
  double begin, end;        ///< s; begin is 0 before the first point, end infinite behind the last one
  double value, end_value;  ///< at begin, after a jump that may be there, and at end
  double before;            ///< at begin before that jump; `value` if there is none

  double at(double t) const {
    return value == end_value ? value : value + (end_value - value) * ((t - begin) / (end - begin));
  }
};

/// What repeats begins with a jump where its end and its beginning differ. `waveform` has a point.
PwlPiece pwl_piece(const Pwl& waveform, double t);

/// Whether it repeats, and not only one value.
bool varies_in_rounds(const Pwl& waveform);

/// Appends the times in (0, frame.stop) of its points, ascending, and of the ends of the ramps, s each, that stand for
/// jumps.
void append_pwl_corners(const Pwl& waveform, const TimeFrame& frame, double ramp, std::vector<double>& times);

}  // namespace gridiron
