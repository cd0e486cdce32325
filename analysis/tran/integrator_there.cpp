// SPDX-License-Identifier: Apache-2.0
// Steps of states that are kept on a device.
#include <algorithm>
#include <utility>

#include "analysis/tran/integrator.hpp"
#include "support/error.hpp"
#include "support/stopwatch.hpp"

namespace gridiron {

std::unique_ptr<DeviceSteps> keep_beside_engine(const StepTables& tables, bool is_on_gpu, void* stream) {
  return is_on_gpu ? make_steps_on_cuda(tables, stream) : nullptr;
}

/// Without memory for them there, states stay on the host.
void Integrator::choose_place(const System& system) {
  if (!keep_) return;
  const EngineInfo& engine = choose_engine(options_.engine, *system.problem(), {context_.device, options_.solves});
  const bool is_on_gpu = choose_device(engine, context_.device) == "cuda";
  try {
    device_ = keep_(tables(), is_on_gpu, context_.stream);
  } catch (const ResourceError&) {
  }
  if (!device_) return make_room();
  if (is_on_gpu) context_.stream = device_->stream();
}

DeviceSteps* Integrator::device(double h, bool is_damped) {
  use_size(size_of_matrix(h, is_damped));
  return device_.get();
}

StepTables Integrator::tables() const {
  StepTables tables;
  tables.nodes = merge_.unknowns;
  tables.loads = design_->circuit->current_sources.size();
  tables.capacitors = storage_.capacitors;
  tables.scenarios = scenarios_;
  currents_->list(tables);
  const auto place = [&](std::int32_t group) { return group < merge_.unknowns ? group : -1; };
  for (std::int64_t e = 0; e < storage_.size(); ++e) {
    tables.group_a.push_back(place(group_a_[e]));
    tables.group_b.push_back(place(group_b_[e]));
  }
  return tables;
}

/// Made again when the solver has set up an engine anew.
DeviceSteps::Size& Integrator::on_device(Sized& sized, const QuickResidual* residual) {
  const std::int64_t certifier = sized.solver->made_certifiers();
  if (!sized.on_device || sized.certified_by != certifier) {
    sized.on_device = device_->prepare(sized.solver->system().elimination(), residual, sized.conductance);
    sized.certified_by = certifier;
  }
  return *sized.on_device;
}

std::vector<Accuracy> Integrator::step_there(double h, bool is_damped, const Meanwhile& meanwhile) {
  rule_ = is_damped ? Method::backward_euler : method_;
  use_size(size_of_matrix(h, is_damped));
  Sized& sized = kept_[now_];
  const QuickResidual* const residual = sized.solver->quick_residual();
  DeviceSteps::Size& size = on_device(sized, residual);
  Stopwatch watch;
  if (history_of_ != sized.h || history_rule_ != rule_) device_->find_history(size, rule_);
  history_of_ = sized.h;
  history_rule_ = rule_;
  next_.time = present_.time + h;
  keep_injections();
  const DeviceSteps::Blocks blocks = device_->unknowns(size, guesses());
  device_->finish();
  seconds_.right_hand_side += watch.seconds();
  if (residual && (blocks.b.memory == Memory::host || sized.solver->takes_device_memory())) {
    if (std::optional<std::vector<Accuracy>> accuracy = solve_there(sized, blocks, meanwhile))
      return std::move(*accuracy);
  } else if (meanwhile) {
    meanwhile();
  }
  return solve_by_host(*sized.solver);
}

/// None where it misses the tolerance in a scenario, or the engine fails.
std::optional<std::vector<Accuracy>> Integrator::solve_there(Sized& sized, const DeviceSteps::Blocks& blocks,
                                                             const Meanwhile& meanwhile) {
  Stopwatch watch;
  SolveStats stats;
  try {
    stats = sized.solver->solve_unknowns(blocks.b, blocks.x, meanwhile);
  } catch (const Stopped&) {
    throw;
  } catch (const SolverError&) {
    return std::nullopt;
  } catch (const InputError&) {  // entries that the engine scales, which it does on the host
    return std::nullopt;
  }
  seconds_.solve += watch.lap();
  device_->recover(*sized.on_device);
  device_->finish();
  seconds_.recover += watch.lap();
  const std::vector<ResidualSums> residuals = device_->residuals(*sized.on_device);
  const double certify = watch.lap();
  seconds_.certify += certify;
  std::vector<Accuracy> all;
  for (std::int64_t j = 0; j < scenarios_; ++j) {
    const std::optional<Accuracy> accuracy =
        sized.solver->certified(stats.columns[j], residuals[j], certify / static_cast<double>(scenarios_));
    if (!accuracy) return std::nullopt;
    all.push_back(*accuracy);
  }
  return all;
}

/// Solves with all that the host has to reach the tolerance.
std::vector<Accuracy> Integrator::solve_by_host(Solver& solver) {
  const Stopwatch watch;
  const std::int64_t rows = merge_.unknowns;
  std::vector<double>& injection = next_flow_.injection;
  injection.resize(static_cast<std::size_t>(rows * scenarios_));
  next_.volts.resize(injection.size());
  device_->injection_to(injection);
  device_->present_to(next_.volts);
  std::vector<Accuracy> accuracy =
      solver.solve({injection.data(), rows, scenarios_}, {next_.volts.data(), rows, scenarios_});
  device_->next_from(next_.volts);
  seconds_.solve += watch.seconds();
  return accuracy;
}

void Integrator::fetch() {
  if (!device_) return;
  present_.volts.resize(static_cast<std::size_t>(merge_.unknowns * scenarios_));
  device_->present_to(present_.volts);
}

}  // namespace gridiron
