// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/tran/loads_over_time.hpp"
#include "analysis/tran/sources_over_time.hpp"
#include "analysis/tran/steps/device_steps.hpp"
#include "analysis/tran/steps/step_states.hpp"

namespace gridiron {

/// What sources do at the ends of steps, found where states are kept.
class StepDrives {
 public:
  virtual ~StepDrives() = default;

  /// Finds beforehand what at() takes for a step that ends at time t, s. This may go on while another step is made.
  virtual void prefetch(double t) = 0;
  /// For a step that ends at time t, s; valid until the next call.
  virtual StepDrive at(double t) = 0;
  /// The step of the last at() was accepted: this is what drives the present state.
  virtual void accept() = 0;
  /// What at() took on a device, s.
  virtual double seconds() const { return 0; }
};

class HostDrives final : public StepDrives {
 public:
  /// All must outlive this.
  HostDrives(const Circuit& circuit, const SourcesOverTime& sources, const LoadsOverTime& loads);

  void prefetch(double t) override;
  StepDrive at(double t) override;
  void accept() override { present_.swap(next_); }

  /// What loads draw in the present state.
  std::span<const double> load(int64_t j) { return block(present_).column(j); }

 private:
  Block<double> block(std::vector<double>& loads) const {
    return {loads.data(), std::ssize(loads) / loads_.scenarios(), loads_.scenarios()};
  }

  const SourcesOverTime& sources_;
  const LoadsOverTime& loads_;
  std::vector<double> present_, next_, prefetched_;  ///< loads × scenarios, A
  double prefetched_for_ = -1;                       ///< s
  std::vector<double> volts_;                        ///< of voltage sources, V
};

/// Only where no voltage source moves.
class DeviceDrives final : public StepDrives {
 public:
  /// Both must outlive this.
  DeviceDrives(const LoadsOverTime& loads, DeviceSteps& device);

  void prefetch(double t) override;
  StepDrive at(double t) override;
  void accept() override {}
  double seconds() const override { return seconds_; }

 private:
  const LoadsOverTime& loads_;
  DeviceSteps& device_;
  std::vector<LoadPiece> changes_;
  double changes_for_ = -1;  ///< s
  double seconds_ = 0;
};

}  // namespace gridiron
