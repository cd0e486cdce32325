// SPDX-License-Identifier: Apache-2.0
#include "analysis/tran/sources_over_time.hpp"

#include "support/parallel.hpp"

namespace gridiron {

SourcesOverTime::SourcesOverTime(const Circuit& circuit, const TimeFrame& frame) : circuit_(circuit), frame_(frame) {
  const auto drives_of = [&](const Sources& sources) {
    std::vector<Drive> drives;
    for (std::int64_t i = 0; i < sources.size(); ++i)
      if (sources.waveform[i] >= 0) drives.push_back(drive(i, sources.waveform[i], 1, 0));
    return drives;
  };
  loads_ = drives_of(circuit.current_sources);
  volts_ = drives_of(circuit.voltage_sources);
}

SourcesOverTime::Drive SourcesOverTime::drive(std::int64_t at, std::int32_t waveform, double scale,
                                              double delay) const {
  Drive drive{at, waveform, scale, delay, 0};
  drive.at_start = value(drive, 0);
  return drive;
}

double SourcesOverTime::value(const Drive& drive, double t) const {
  return drive.scale * value_at(circuit_.waveforms[drive.waveform], t - drive.delay, frame_) - drive.at_start;
}

std::vector<double> SourcesOverTime::corners() const {
  std::vector<double> corners;
  for (const std::vector<Drive>* drives : {&loads_, &volts_})
    for (const Drive& drive : *drives) {
      const std::size_t first = corners.size();
      append_corners(circuit_.waveforms[drive.waveform], frame_, corners);
      for (std::size_t k = first; k < corners.size(); ++k) corners[k] += drive.delay;
    }
  return corners;
}

void SourcesOverTime::loads_at(double t, std::span<double> load) const {
  parallel_ranges(
      static_cast<std::int64_t>(loads_.size()),
      [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t k = begin; k < end; ++k) load[loads_[k].at] = value(loads_[k], t);
      },
      1 << 10);
}

bool SourcesOverTime::volts_at(double t, std::span<double> volts) const {
  for (const Drive& drive : volts_) volts[drive.at] = value(drive, t);
  return !volts_.empty();
}

}  // namespace gridiron
