// SPDX-License-Identifier: Apache-2.0
#include "analysis/tran/steps/host_states.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/tran/potentials.hpp"
#include "analysis/tran/steps/any_steps.hpp"
#include "support/copy_past_caches.hpp"
#include "support/error.hpp"
#include "support/freed_memory.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron {
namespace {

/// The largest |c[0] · v[0] + … + c[3] · v[3]| of an entry in [begin, end).
double largest_of_range(const double (&c)[4], std::array<const double*, 4> v, int64_t begin, int64_t end) {
  const double c0 = c[0], c1 = c[1], c2 = c[2], c3 = c[3];
  const double *const v0 = v[0], *const v1 = v[1], *const v2 = v[2], *const v3 = v[3];
  double largest = 0;
#pragma omp simd reduction(max : largest)
  for (int64_t i = begin; i < end; ++i) {
    const double size = std::abs(c0 * v0[i] + c1 * v1[i] + c2 * v2[i] + c3 * v3[i]);
    largest = largest < size ? size : largest;
  }
  return largest;
}

}  // namespace

HostStates::HostStates(const StepNodes& nodes, const Storage& storage, CoupledInductors coupled, int64_t loads,
                       int64_t scenarios)
    : nodes_(nodes), storage_(storage), coupled_(std::move(coupled)), loads_(loads), scenarios_(scenarios) {
  const auto entries = [&](int64_t rows) { return static_cast<size_t>(rows * scenarios_); };
  for (std::vector<double>& state : states_) state.assign(entries(nodes_.merge.unknowns), 0.0);
  for (Flow* flow : {&next_flow_, &flow_}) {
    flow->injection.assign(entries(nodes_.merge.unknowns), 0.0);
    for (std::vector<double>* of_storage : {&flow->history, &flow->volts, &flow->amperes})
      of_storage->assign(entries(storage_.size()), 0.0);
  }
  history_after_ = flow_.history;
  if (scenarios_ == 1) own_ = {states_[kNext], flow_.injection, flow_.amperes};
}

void HostStates::check(const StepDrive& drive) const {
  if (drive.load.rows != loads_ || drive.load.columns != scenarios_ || drive.load.memory != Memory::host)
    throw InputError("a step takes the loads of every source in every scenario, in host memory");
}

std::vector<Accuracy> HostStates::step(StepSolvers::Slot& slot, const StepForm& form, const Meanwhile& meanwhile) {
  check(form.drive);
  if (slot.any) {
    if (meanwhile) meanwhile();
    return step_any(slot, form);
  }
  // From the first step on, for an engine that begins with a guess.
  if (form.is_first && injected_.empty() && !slot.solver->is_direct()) {
    injected_.before.assign(next_flow_.injection.size(), 0.0);
    injected_.before2 = injected_.before;
  }
  find_flow(slot, form);
  guess(*slot.solver, form);
  std::vector<Accuracy> accuracy =
      slot.solver->solve(std::as_const(*this).block(next_flow_.injection), block(states_[kNext]), meanwhile);
  if (!coupled_.empty()) {
    for (int64_t j = 0; j < scenarios_; ++j)
      add_coupled(slot, coupled_.settled(slot, nodes_, next_volts_of_coupled(j)), j);
    inject(slot, form);
    accuracy = slot.solver->solve(std::as_const(*this).block(next_flow_.injection), block(states_[kNext]));
  }
  find_stored(slot, form.rule, states_[kNext], held_.next(), next_flow_);
  if (!coupled_.empty()) history_of_ = {};  // it has what couplings added, too
  return accuracy;
}

/// A step where the matrix is no M-matrix.
std::vector<Accuracy> HostStates::step_any(StepSolvers::Slot& slot, const StepForm& form) {
  find_history(slot, form.rule);
  if (!coupled_.empty() && form.rule == Method::trapezoidal) add_past_of_coupled(slot);
  next_flow_.drawn.resize(loads_ * scenarios_);
  const std::span<double> held = held_.moved(nodes_.merge.group.size());
  std::vector<Accuracy> accuracy;
  for (int64_t j = 0; j < scenarios_; ++j) {
    const Block<double> drawn{next_flow_.drawn.data(), loads_, scenarios_};
    accuracy.push_back(slot.any->solve(form.drive, j, column(next_flow_.history, storage_.size(), j),
                                       {nodes_.merge.group, block(states_[kNext]).column(j), held, drawn.column(j)}));
    if (!coupled_.empty()) add_coupled(slot, next_volts_of_coupled(j), j);
  }
  find_stored(slot, form.rule, states_[kNext], held_.next(), next_flow_);
  if (!coupled_.empty()) history_of_ = {};  // it has what couplings added, too
  return accuracy;
}

/// The voltages of coupled inductors, of those of the storage in scenario j.
std::vector<double> HostStates::volts_of_coupled(const std::vector<double>& of_storage, int64_t j) const {
  std::vector<double> volts;
  for (const int64_t e : coupled_.elements()) volts.push_back(of_storage[j * storage_.size() + e]);
  return volts;
}

/// What the voltages before the step add to currents, by the trapezoidal rule.
void HostStates::add_past_of_coupled(const StepSolvers::Slot& slot) {
  for (int64_t j = 0; j < scenarios_; ++j) {
    const std::vector<double> added = coupled_.added(slot, volts_of_coupled(flow_.volts, j));
    for (size_t k = 0; k < added.size(); ++k)
      next_flow_.history[j * storage_.size() + coupled_.elements()[k]] -= added[k];
  }
}

std::vector<double> HostStates::next_volts_of_coupled(int64_t j) const {
  const Potentials v{column(states_[kNext], nodes_.merge.unknowns, j), nodes_.merge.group, held_.next()};
  std::vector<double> volts;
  for (const int64_t e : coupled_.elements()) volts.push_back(v[storage_.a[e]] - v[storage_.b[e]]);
  return volts;
}

/// And those after it.
void HostStates::add_coupled(const StepSolvers::Slot& slot, std::span<const double> volts, int64_t j) {
  const std::vector<double> added = coupled_.added(slot, volts);
  for (size_t k = 0; k < added.size(); ++k)
    next_flow_.history[j * storage_.size() + coupled_.elements()[k]] -= added[k];
}

ColumnStats HostStates::step_ahead(StepSolvers::Slot& slot, const StepForm& form) {
  check(form.drive);
  const bool is_beside = has_several_threads();
  if (is_beside) swap_own();
  find_flow(slot, form);
  ColumnStats stats = slot.solver->solve_ahead(std::as_const(*this).block(next_flow_.injection), block(states_[kNext]));
  find_stored(slot, form.rule, states_[kNext], held_.next(), next_flow_);
  if (is_beside) hand_over();
  return stats;
}

void HostStates::swap_own() {
  states_[kNext].swap(own_.volts);
  next_flow_.injection.swap(own_.injection);
  next_flow_.amperes.swap(own_.amperes);
}

void HostStates::hand_over() {
  swap_own();
  copy_past_caches(own_.volts, states_[kNext]);
  copy_past_caches(own_.injection, next_flow_.injection);
  copy_past_caches(own_.amperes, next_flow_.amperes);
}

std::optional<Accuracy> HostStates::certified(Solver& solver, const ColumnStats& stats) const {
  return solver.certified(stats, flow_.injection, state(kPresent));
}

std::vector<Accuracy> HostStates::solve_again(StepSolvers::Slot& slot) {
  std::vector<Accuracy> accuracy =
      slot.solver->solve(std::as_const(*this).block(flow_.injection), block(states_[kPresent]));
  // The histories that this leaves are void, whatever the rule.
  find_stored(slot, history_of_.rule, states_[kPresent], held_.present(), flow_);
  history_of_ = {};
  return accuracy;
}

/// What a step injects.
void HostStates::find_flow(const StepSolvers::Slot& slot, const StepForm& form) {
  held_.move(slot.solver->system().topology(), form.drive.volts);
  find_history(slot, form.rule);
  if (!coupled_.empty() && form.rule == Method::trapezoidal) add_past_of_coupled(slot);
  inject(slot, form);
}

void HostStates::inject(const StepSolvers::Slot& slot, const StepForm& form) {
  // Nodes into which nothing flows stay at 0 unless sources move.
  nodes_.currents.sum(form.drive.load, {next_flow_.history.data(), storage_.size(), scenarios_},
                      block(next_flow_.injection), !held_.next().empty());
  held_.add_driven(slot.solver->system().topology(), block(next_flow_.injection));
}

/// After a step of the same kind, find_stored() has left it.
void HostStates::find_history(const StepSolvers::Slot& slot, Method rule) {
  const StepKind kind{slot.h, rule};
  if (history_of_ == kind) return;
  history_of_ = kind;
  const int64_t size = storage_.size();
  for (int64_t j = 0; j < scenarios_; ++j)
    parallel_ranges(size, [&](int64_t begin, int64_t end) {
      storage_.histories(rule, begin, end, slot.conductance.data(), flow_.volts.data() + j * size,
                         flow_.amperes.data() + j * size, next_flow_.history.data() + j * size);
    });
}

int HostStates::best_of(const Guesses& guesses) const {
  const std::vector<double>&b = next_flow_.injection, &b0 = flow_.injection;
  return Guesses::best(parallel_sum<Sums<Guesses::kMost>>(std::ssize(b), [&](int64_t i) {
    return guesses.squares(b[i], b0[i], injected_.before[i], injected_.before2[i]);
  }));
}

void HostStates::guess(const Solver& solver, const StepForm& form) {
  if (solver.is_direct()) {  // since the first step, perhaps
    free_memory(injected_.before, injected_.before2);
    return;
  }
  const Guesses& guesses = form.guesses;
  const bool are_comparable = guesses.are_comparable && !injected_.empty();
  const double* const c = guesses.weight[are_comparable ? best_of(guesses) : guesses.count - 1];
  std::vector<double>& next = states_[kNext];
  const std::vector<double>&v0 = states_[kPresent], &v1 = states_[kPresent + 1], &v2 = states_[kPresent + 2];
  parallel_each(std::ssize(next), [&](int64_t i) { next[i] = c[0] * v0[i] + c[1] * v1[i] + c[2] * v2[i]; });
}

/// What a step leaves the storage with, and the history of a step of its kind after it.
void HostStates::find_stored(const StepSolvers::Slot& slot, Method rule, const std::vector<double>& state,
                             const std::vector<double>& held, Flow& flow) {
  constexpr int64_t kFewElements = 1 << 11;
  const int64_t size = storage_.size();
  for (int64_t j = 0; j < scenarios_; ++j) {
    const Potentials v{column(state, nodes_.merge.unknowns, j), nodes_.merge.group, held};
    parallel_ranges(
        size,
        [&, g = slot.conductance.data(), s = flow.history.data() + j * size, volts = flow.volts.data() + j * size,
         amperes = flow.amperes.data() + j * size,
         after = history_after_.data() + j * size](int64_t begin, int64_t end) {
          for (int64_t e = begin; e < end; ++e) {
            double across = v.of_group(nodes_.group_a[e]) - v.of_group(nodes_.group_b[e]);
            if (!held.empty()) across += held[storage_.a[e]] - held[storage_.b[e]];
            volts[e] = across;
            amperes[e] = g[e] * across - s[e];
          }
          storage_.histories(rule, begin, end, g, volts, amperes, after);
        },
        kFewElements);
  }
}

void HostStates::set_initial() {
  const auto set = [&](int64_t begin, int64_t end, std::vector<double>& of_storage) {
    for (int64_t j = 0; j < scenarios_; ++j)
      std::copy(storage_.initial.begin() + begin, storage_.initial.begin() + end,
                of_storage.begin() + j * storage_.size() + begin);
  };
  set(0, storage_.capacitors, flow_.volts);
  set(storage_.capacitors, storage_.size(), flow_.amperes);
  history_of_ = {};
}

void HostStates::disturb() {
  constexpr double kSmall = 1e-20;  ///< √J, so that there is room to grow
  uint32_t random = 1;
  for (int64_t e = 0; e < storage_.size(); ++e) {
    random = random * 1664525 + 1013904223;  // a linear congruential generator; its highest bit is good enough
    const double size = (random >> 31 ? kSmall : -kSmall) / std::sqrt(std::abs(storage_.value[e]));
    (storage_.is_capacitor(e) ? flow_.volts : flow_.amperes)[e] = size;
  }
  history_of_ = {};
}

double HostStates::stored() const {
  double sum = 0;
  for (int64_t e = 0; e < storage_.size(); ++e) {
    const double size = (storage_.is_capacitor(e) ? flow_.volts : flow_.amperes)[e];
    sum += std::abs(storage_.value[e]) * size * size;
  }
  return std::sqrt(sum);
}

std::array<std::span<const double>, 4> HostStates::last(Newest newest, int64_t j) const {
  const size_t first = newest == Newest::next ? kNext : kPresent;
  std::array<std::span<const double>, 4> states;
  for (size_t k = 0; k < states.size(); ++k) states[k] = column(state(first + k), nodes_.merge.unknowns, j);
  return states;
}

double HostStates::largest_of(const double (&c)[4], Newest newest) {
  const size_t first = newest == Newest::next ? kNext : kPresent;
  const std::array<const double*, 4> v = {states_[first].data(), states_[first + 1].data(), states_[first + 2].data(),
                                          states_[first + 3].data()};
  return joined_ranges<double>(
      std::ssize(states_[kPresent]), [&](int64_t begin, int64_t end) { return largest_of_range(c, v, begin, end); },
      [](double& all, double some) { all = std::max(all, some); });
}

void HostStates::accept(StepSolvers::Slot&, Method) {
  std::rotate(states_.begin(), states_.end() - 1, states_.end());
  std::swap(flow_, next_flow_);
  std::swap(next_flow_.history, history_after_);
  if (!injected_.empty()) {
    std::swap(injected_.before2, injected_.before);
    std::swap(injected_.before, next_flow_.injection);
  }
  held_.accept();
}

}  // namespace gridiron
