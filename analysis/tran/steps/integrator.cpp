// SPDX-License-Identifier: Apache-2.0
#include "analysis/tran/steps/integrator.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/tran/sources_over_time.hpp"
#include "analysis/tran/steps/any_steps.hpp"
#include "analysis/tran/steps/device_states.hpp"
#include "analysis/tran/steps/host_states.hpp"
#include "support/context.hpp"
#include "support/error.hpp"
#include "support/side_by_side.hpp"

namespace gridiron {

std::unique_ptr<DeviceSteps> states_on_engine_device(const StepTables& tables, bool is_on_gpu, void* stream) {
  return is_on_gpu ? make_steps_on_cuda(tables, stream) : nullptr;
}

namespace {

/// Every node by itself, but for those that independent sources hold, which have no error: these go with ground. The
/// first `sources` voltage sources are independent.
Merge apart(const Topology& step, int64_t sources) {
  Network ties, held;
  ties.nodes = held.nodes = step.grid.network.nodes;
  ties.fixed = held.fixed = step.grid.network.fixed;
  ties.fixed_volts = held.fixed_volts = step.grid.network.fixed_volts;
  const auto tie = [](Network& network, int32_t a, int32_t b) {
    network.tie_a.push_back(a);
    network.tie_b.push_back(b);
    network.tie_volts.push_back(0);
  };
  for (size_t t = 0; t < step.grid.tie_elements.size(); ++t)
    if (step.grid.tie_elements[t].kind != kVoltageSource || step.grid.tie_elements[t].index < sources)
      tie(ties, step.grid.network.tie_a[t], step.grid.network.tie_b[t]);
  const Merge merge = merge_ties(ties);
  for (int32_t n = 1; n < ties.nodes; ++n)
    if (merge.group[n] >= merge.unknowns) tie(held, n, kGround);
  return merge_ties(held);
}

bool are_on_host(const Circuit& circuit, bool is_any) {
  return is_any || do_sources_move(circuit) || !circuit.couplings.empty();
}

}  // namespace

Integrator::Integrator(std::shared_ptr<const Design> design, Method method, SolverOptions options, Context context,
                       int64_t scenarios, MakeStates make_states, const Circuit* any_matrix)
    : design_(std::move(design)),
      method_(method),
      scenarios_(scenarios),
      make_states_(are_on_host(*design_->circuit, any_matrix != nullptr) ? MakeStates() : std::move(make_states)),
      storage_((design_->throw_first_error(), *design_->circuit)),
      is_any_(any_matrix != nullptr) {
  if (scenarios < 1) throw InputError("a simulation takes at least one scenario");
  Topology any = step_topology(*design_, storage_, std::vector<double>(storage_.value.size(), 1.0));
  nodes_.emplace(is_any_ ? apart(any, any_matrix->voltage_sources.size()) : any.merge,
                 design_->circuit->current_sources, storage_);
  std::shared_ptr<const AnySteps> any_steps;
  if (is_any_) any_steps = std::make_shared<const AnySteps>(*any_matrix, storage_);
  solvers_.emplace(design_, storage_, std::move(any), method, std::move(options), std::move(context),
                   std::move(any_steps));
  if (!make_states_) make_states_on_host();
}

void Integrator::make_states_on_host() {
  states_ = std::make_unique<HostStates>(*nodes_, storage_, CoupledInductors(*design_->circuit, storage_),
                                         design_->circuit->current_sources.size(), scenarios_);
}

/// Without memory for them on the device, states stay on the host.
void Integrator::place_states(const System& first) {
  const Context& context = solvers_->context();
  const SolverOptions& options = solvers_->options();
  const ExpectedUse use = {context.device, options.solves};
  const EngineInfo& engine = choose_engine(options.engine, *first.problem(), use);
  const bool is_on_gpu = choose_device(engine, context.device, use.unknowns_of(*first.problem())) == "cuda";
  std::unique_ptr<DeviceSteps> device;
  try {
    device = make_states_(nodes_->tables(design_->circuit->current_sources, storage_, scenarios_), is_on_gpu,
                          context.stream);
  } catch (const ResourceError&) {
  }
  if (!device) return make_states_on_host();
  if (is_on_gpu) solvers_->set_stream(device->stream());
  states_ = std::make_unique<DeviceStates>(std::move(device), nodes_->merge.unknowns, scenarios_);
}

double Integrator::size_of_matrix(const StepSize& size) const {
  return size.is_damped && method_ == Method::trapezoidal ? 2 * size.h : size.h;
}

void Integrator::form_system(const StepSize& first) { solvers_->form(size_of_matrix(first)); }

void Integrator::set_up(const StepSize& first) { use(size_of_matrix(first)); }

size_t Integrator::use(double h) {
  if (!states_) place_states(solvers_->form(h));
  return solvers_->use(h);
}

MadeStep Integrator::begin(const StepSize& size) {
  const size_t slot = use(size_of_matrix(size));
  const Method rule = size.is_damped ? Method::backward_euler : method_;
  return {history_.now() + size.h, {(*solvers_)[slot].h, rule}, slot};
}

StepForm Integrator::form(const MadeStep& made, const StepDrive& drive) const {
  return {drive, made.kind.rule, history_.guesses(made.end, made.kind), history_.is_at_start()};
}

MadeStep Integrator::step(const StepSize& size, const StepDrive& drive, const Meanwhile& meanwhile) {
  settle();
  MadeStep made = begin(size);
  made.accuracy = states_->step((*solvers_)[made.slot], form(made, drive), meanwhile);
  return made;
}

MadeStep Integrator::step_ahead(const StepSize& size, const StepDrive& drive, const Meanwhile& meanwhile) {
  MadeStep made = begin(size);
  StepSolvers::Slot& slot = (*solvers_)[made.slot];
  HostStates* const host = states_->on_host();
  if (goes_ahead_ && host && slot.solver && host->can_step_ahead(*slot.solver)) {
    const ThreadCount threads(solvers_->context().threads);
    bool is_certified = false;
    side_by_side([&] { made.uncertified = host->step_ahead(slot, form(made, drive)); },
                 [&] {
                   is_certified = certify();
                   if (is_certified && meanwhile) meanwhile();
                 });
    if (is_certified) return made;
  }
  return step(size, drive, meanwhile);
}

void Integrator::accept(MadeStep made) {
  states_->accept((*solvers_)[made.slot], made.kind.rule);
  history_.accept(made.end, made.kind);
  present_ = std::move(made);
}

/// The solver of the present state is among those that were used last, and so still there.
void Integrator::settle() {
  if (certify()) return;
  goes_ahead_ = false;
  present_.accuracy = states_->on_host()->solve_again((*solvers_)[present_.slot]);
  present_.uncertified.reset();
}

/// Whether the present state is known to meet the tolerance, or was made by step().
bool Integrator::certify() {
  if (!present_.uncertified) return true;
  const std::optional<Accuracy> accuracy =
      states_->on_host()->certified(*(*solvers_)[present_.slot].solver, *present_.uncertified);
  if (!accuracy) return false;
  present_.accuracy = {*accuracy};
  present_.uncertified.reset();
  return true;
}

std::vector<Accuracy> Integrator::start_from_initial(double h, const StepDrive& drive) {
  HostStates& host = *states_->on_host();
  host.set_initial();
  MadeStep made = step({h, true}, drive);
  std::vector<Accuracy> accuracy = made.accuracy;
  accept(std::move(made));
  host.set_initial();
  history_.restart();
  present_.end = 0;
  return accuracy;
}

/// By the method, as damping hides what grows. What grows in the long run is told by the last quarter of the steps,
/// beside the second one.
Integrator::Growth Integrator::growth(double seconds) {
  constexpr double kMost = 512, kLargest = 1e20;
  HostStates states(*nodes_, storage_, CoupledInductors(*design_->circuit, storage_),
                    design_->circuit->current_sources.size(), 1);
  states.disturb();
  StepSolvers::Slot& slot = (*solvers_)[present_.slot];
  const std::vector<double> rest(design_->circuit->current_sources.value.size(), 0.0);
  const StepForm form{{{rest.data(), std::ssize(rest), 1}, {}, true}, method_, {}, false};
  const double all = seconds / slot.h, first = states.stored();
  const auto steps = static_cast<int64_t>(std::min(kMost, std::ceil(all)));
  double most = first, before = 0, after = 0;
  for (int64_t k = 0; k < steps; ++k) {
    try {
      states.step(slot, form, {});
    } catch (const SolverError&) {
      return {kLargest, kLargest};
    }
    states.accept(slot, method_);
    const double now = states.stored();
    if (!(now < kLargest * first)) return {kLargest, kLargest};
    most = std::max(most, now);
    if (k >= steps / 4 && k < steps / 2) before = std::max(before, now);
    if (k >= steps - steps / 4) after = std::max(after, now);
  }
  if (!(before > 0)) return {};
  const double in_long_run = std::pow(after / before, 1 / static_cast<double>(steps - steps / 2));
  const double later = std::pow(in_long_run, all - static_cast<double>(steps));
  return {std::min(kLargest, most / first * std::max(1.0, later)), std::min(kLargest, std::pow(in_long_run, all))};
}

StepErrors Integrator::errors(const MadeStep& made) const {
  return {*states_, StepStates::Newest::next, history_.times(made.end), made.kind.rule};
}

StepErrors Integrator::errors() const {
  return {*states_, StepStates::Newest::present, history_.times(), present_.kind.rule};
}

Potentials Integrator::voltage(int64_t scenario) const {
  HostStates* const host = states_->on_host();
  return {states_->volts(scenario), nodes_->merge.group, host ? host->held() : std::span<const double>()};
}

std::span<const double> Integrator::current(int64_t scenario) const { return states_->on_host()->amperes(scenario); }

std::span<const double> Integrator::drawn(int64_t scenario) const { return states_->on_host()->drawn(scenario); }

bool Integrator::are_nodes_apart() const { return is_any_ || do_sources_move(*design_->circuit); }

EngineRun Integrator::engine_run() const {
  const StepSolvers::Slot& slot = (*solvers_)[present_.slot];
  return slot.any ? slot.any->engine_run() : slot.solver->engine_run();
}

}  // namespace gridiron
