// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "analysis/tran/steps/device_steps.hpp"
#include "analysis/tran/steps/step_history.hpp"
#include "analysis/tran/steps/step_states.hpp"

namespace gridiron {

/// States that are kept on the device that an engine works on. Where the engine misses the tolerance there, the host
/// solves with all that it has to reach it.
class DeviceStates final : public StepStates {
 public:
  DeviceStates(std::unique_ptr<DeviceSteps> device, int64_t nodes, int64_t scenarios)
      : device_(std::move(device)), nodes_(nodes), scenarios_(scenarios) {}

  std::vector<Accuracy> step(StepSolvers::Slot& slot, const StepForm& form, const Meanwhile& meanwhile) override;
  void accept(StepSolvers::Slot& slot, Method rule) override;
  double largest_of(const double (&c)[4], Newest newest) override;
  std::span<const double> volts(int64_t j) override;
  DeviceSteps* on_device() override { return device_.get(); }
  StepSeconds seconds() const override { return seconds_; }

 private:
  /// Tables on the device of a solver's system.
  struct Resident {
    const Solver* of;
    int64_t certifier;  ///< number of the certifier they were made for
    std::unique_ptr<DeviceSteps::Size> size;
  };
  DeviceSteps::Size& resident(const StepSolvers::Slot& slot, const QuickResidual* residual);
  std::optional<std::vector<Accuracy>> solve_on_device(Solver& solver, const DeviceSteps::Size& size,
                                                       const DeviceSteps::Blocks& blocks, const Meanwhile& meanwhile);
  std::vector<Accuracy> solve_on_host(Solver& solver);
  bool keeps_injections(const Solver& solver, bool is_first);

  std::unique_ptr<DeviceSteps> device_;
  int64_t nodes_, scenarios_;
  std::vector<Resident> residents_;
  StepKind history_of_;  ///< the kind of step that the histories on the device are for
  bool keeps_injections_ = false;
  std::vector<double> present_;  ///< a copy of the present state; empty: none was asked for
  StepSeconds seconds_;
};

}  // namespace gridiron
