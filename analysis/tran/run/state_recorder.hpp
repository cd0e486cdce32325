// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "analysis/tran/run/run_meters.hpp"
#include "analysis/tran/run/step_drives.hpp"
#include "analysis/tran/steps/integrator.hpp"
#include "analysis/tran/tran_report.hpp"

namespace gridiron {

/// A state, and what it stands for, s.
struct RecordedState {
  double time;
  double seconds;            ///< half of the steps before and after it
  double seconds_of_charge;  ///< in which charge flows as it does in the state
  double step;               ///< since the recorded state before; 0 of the first
  bool is_first;             ///< of those that are recorded
};

/// Measures the present states of a simulation where they are kept.
class StateRecorder {
 public:
  virtual ~StateRecorder() = default;

  /// Whether states may be read while the next ones are made, and so are measured then.
  virtual bool records_beside_steps() const = 0;
  virtual void record(const RecordedState& state) = 0;
  /// Deviations of nodes from their operating points, V, nodes × scenarios.
  virtual std::vector<double> deviations(std::span<const NodeId> nodes) = 0;
  /// Once, after the last state: the meters have all that was measured. Adds to the report where time went on a device.
  virtual void finish(TranReport& report) = 0;
};

/// In loops made for a processor. All must outlive this.
std::unique_ptr<StateRecorder> make_host_recorder(const Integrator& integrator, RunMeters& meters, HostDrives& drives,
                                                  bool is_from_rest);
/// On the device of the integrator. Both must outlive this.
std::unique_ptr<StateRecorder> make_device_recorder(const Integrator& integrator, RunMeters& meters);

}  // namespace gridiron
