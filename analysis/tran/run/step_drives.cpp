// SPDX-License-Identifier: Apache-2.0
#include "analysis/tran/run/step_drives.hpp"

#include "support/stopwatch.hpp"

namespace gridiron {

HostDrives::HostDrives(const Circuit& circuit, const SourcesOverTime& sources, const LoadsOverTime& loads)
    : sources_(sources), loads_(loads) {
  present_.assign(circuit.current_sources.value.size() * loads.scenarios(), 0.0);
  next_ = prefetched_ = present_;
  volts_.assign(circuit.voltage_sources.value.size(), 0.0);
}

void HostDrives::prefetch(double t) {
  loads_.at(t, block(prefetched_));
  prefetched_for_ = t;
}

StepDrive HostDrives::at(double t) {
  if (prefetched_for_ != t) prefetch(t);
  next_.swap(prefetched_);
  prefetched_for_ = -1;
  const bool do_volts_vary = sources_.volts_at(t, volts_);
  return {block(next_), do_volts_vary ? std::span<const double>(volts_) : std::span<const double>()};
}

DeviceDrives::DeviceDrives(const LoadsOverTime& loads, DeviceSteps& device) : loads_(loads), device_(device) {
  loads_.start(device_);
}

void DeviceDrives::prefetch(double t) {
  changes_ = loads_.changes(t);
  changes_for_ = t;
}

StepDrive DeviceDrives::at(double t) {
  const Stopwatch watch;
  if (changes_for_ != t) prefetch(t);
  loads_.at(t, changes_, device_);
  device_.finish();
  seconds_ += watch.seconds();
  return {};
}

}  // namespace gridiron
