// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "analysis/model/system.hpp"
#include "analysis/tran/extremes.hpp"
#include "analysis/tran/operating_points.hpp"
#include "analysis/tran/over_time.hpp"
#include "analysis/tran/pad_meter.hpp"
#include "analysis/tran/segments_over_time.hpp"
#include "analysis/tran/steps/integrator.hpp"

namespace gridiron {

/// What is measured of the states of a simulation.
struct RunMeters {
  /// All must outlive this. Segments are measured only if they are asked for.
  RunMeters(const System& system, OperatingPoints& start, const Integrator& integrator, bool are_segments_asked_for);
  RunMeters(const RunMeters&) = delete;
  RunMeters& operator=(const RunMeters&) = delete;

  OperatingPoints& start;
  Extremes extremes;
  OverTime over_time;
  std::optional<SegmentMeter> segments;
  PadMeter pad_meter;
  PadsOverTime pads;
};

}  // namespace gridiron
