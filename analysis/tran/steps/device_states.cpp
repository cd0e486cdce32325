// SPDX-License-Identifier: Apache-2.0
#include "analysis/tran/steps/device_states.hpp"

#include <algorithm>
#include <utility>

#include "support/error.hpp"
#include "support/stopwatch.hpp"

namespace gridiron {

/// Made again when the solver has set up an engine anew.
DeviceSteps::Size& DeviceStates::resident(const StepSolvers::Slot& slot, const QuickResidual* residual) {
  auto found = std::ranges::find(residents_, slot.solver.get(), &Resident::of);
  if (found == residents_.end()) found = residents_.insert(found, {slot.solver.get(), -1, nullptr});
  const int64_t certifier = slot.solver->made_certifiers();
  if (found->certifier != certifier) {
    found->size.reset();
    found->certifier = -1;
    found->size = device_->prepare(slot.solver->system().elimination(), residual, slot.conductance);
    found->certifier = certifier;
  }
  return *found->size;
}

/// From the first step on, for an engine that begins with a guess, where there is memory for them.
bool DeviceStates::keeps_injections(const Solver& solver, bool is_first) {
  if (keeps_injections_ || !is_first || solver.is_direct()) return keeps_injections_;
  try {
    device_->keep_injections();
    keeps_injections_ = true;
  } catch (const ResourceError&) {
  }
  return keeps_injections_;
}

std::vector<Accuracy> DeviceStates::step(StepSolvers::Slot& slot, const StepForm& form, const Meanwhile& meanwhile) {
  Solver& solver = *slot.solver;
  const QuickResidual* const residual = solver.quick_residual();
  const DeviceSteps::Size& size = resident(slot, residual);
  Stopwatch watch;
  const StepKind kind{slot.h, form.rule};
  if (history_of_ != kind) device_->find_history(size, form.rule);
  history_of_ = kind;
  Guesses guesses = form.guesses;
  guesses.are_comparable &= keeps_injections(solver, form.is_first);
  const DeviceSteps::Blocks blocks = device_->unknowns(size, guesses);
  device_->finish();
  seconds_.right_hand_side += watch.seconds();
  if (residual && (blocks.b.memory == Memory::host || solver.takes_device_memory())) {
    if (std::optional<std::vector<Accuracy>> accuracy = solve_on_device(solver, size, blocks, meanwhile))
      return std::move(*accuracy);
  } else if (meanwhile) {
    meanwhile();
  }
  return solve_on_host(solver);
}

/// None where it misses the tolerance in a scenario, or the engine fails.
std::optional<std::vector<Accuracy>> DeviceStates::solve_on_device(Solver& solver, const DeviceSteps::Size& size,
                                                                   const DeviceSteps::Blocks& blocks,
                                                                   const Meanwhile& meanwhile) {
  Stopwatch watch;
  SolveStats stats;
  try {
    stats = solver.solve_unknowns(blocks.b, blocks.x, meanwhile);
  } catch (const Stopped&) {
    throw;
  } catch (const SolverError&) {
    return std::nullopt;
  } catch (const InputError&) {  // entries that the engine scales, which it does on the host
    return std::nullopt;
  }
  seconds_.solve += watch.lap();
  device_->recover(size);
  device_->finish();
  seconds_.recover += watch.lap();
  const std::vector<ResidualSums> residuals = device_->residuals(size);
  const double certify = watch.lap();
  seconds_.certify += certify;
  std::vector<Accuracy> all;
  for (int64_t j = 0; j < scenarios_; ++j) {
    const std::optional<Accuracy> accuracy =
        solver.certified(stats.columns[j], residuals[j], certify / static_cast<double>(scenarios_));
    if (!accuracy) return std::nullopt;
    all.push_back(*accuracy);
  }
  return all;
}

std::vector<Accuracy> DeviceStates::solve_on_host(Solver& solver) {
  const Stopwatch watch;
  std::vector<double> injection(nodes_ * scenarios_), volts(injection.size());
  device_->injection_to(injection);
  device_->present_to(volts);
  std::vector<Accuracy> accuracy =
      solver.solve({injection.data(), nodes_, scenarios_}, {volts.data(), nodes_, scenarios_});
  device_->next_from(volts);
  seconds_.solve += watch.seconds();
  return accuracy;
}

void DeviceStates::accept(StepSolvers::Slot& slot, Method rule) {
  device_->accept(*std::ranges::find(residents_, slot.solver.get(), &Resident::of)->size, rule);
  present_.clear();
}

double DeviceStates::largest_of(const double (&c)[4], Newest newest) {
  if (newest != Newest::next) throw InputError("errors of steps on a device are estimated before these are accepted");
  return device_->largest_of(c);
}

std::span<const double> DeviceStates::volts(int64_t j) {
  if (present_.empty()) {
    present_.resize(nodes_ * scenarios_);
    device_->present_to(present_);
  }
  return {present_.data() + j * nodes_, static_cast<size_t>(nodes_)};
}

}  // namespace gridiron
