// SPDX-License-Identifier: Apache-2.0
#include "analysis/tran/integrator.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/tran/sources_over_time.hpp"
#include "support/error.hpp"
#include "support/freed_memory.hpp"
#include "support/memory.hpp"
#include "support/parallel_arrays.hpp"
#include "support/stopwatch.hpp"

namespace gridiron {
namespace {

constexpr std::int64_t kShare = 4;  ///< of the memory: engines are kept in at most this fraction
constexpr double kSameSize = 1e-9;  ///< relative

/// The largest |c[0] · v[0] + … + c[3] · v[3]| of an entry in [begin, end).
double largest_of(const double (&c)[4], std::array<const double*, 4> v, std::int64_t begin, std::int64_t end) {
  const double c0 = c[0], c1 = c[1], c2 = c[2], c3 = c[3];
  const double *const v0 = v[0], *const v1 = v[1], *const v2 = v[2], *const v3 = v[3];
  double largest = 0;
#pragma omp simd reduction(max : largest)
  for (std::int64_t i = begin; i < end; ++i) {
    const double size = std::abs(c0 * v0[i] + c1 * v1[i] + c2 * v2[i] + c3 * v3[i]);
    largest = largest < size ? size : largest;
  }
  return largest;
}

}  // namespace

Integrator::Integrator(std::shared_ptr<const Design> design, Method method, SolverOptions options, Context context,
                       std::int64_t scenarios, KeepStates keep)
    : design_(std::move(design)),
      method_(method),
      rule_(method),
      options_(std::move(options)),
      context_(std::move(context)),
      scenarios_(scenarios),
      keep_(do_sources_move(*design_->circuit) ? KeepStates() : std::move(keep)),
      storage_((design_->throw_first_error(), *design_->circuit)) {
  if (scenarios < 1) throw InputError("a simulation takes at least one scenario");
  any_topology_ = step_topology(*design_, storage_, std::vector<double>(storage_.value.size(), 1.0));
  merge_ = any_topology_->merge;
  currents_.emplace(merge_, design_->circuit->current_sources, storage_);
  for (std::int64_t e = 0; e < storage_.size(); ++e) {
    group_a_.push_back(merge_.group[storage_.a[e]]);
    group_b_.push_back(merge_.group[storage_.b[e]]);
  }
  if (!keep_) make_room();
}

void Integrator::make_room() {
  const auto entries = [&](std::int64_t rows) { return static_cast<std::size_t>(rows * scenarios_); };
  for (State* state : {&next_, &present_, &before_, &before2_, &before3_})
    state->volts.assign(entries(merge_.unknowns), 0.0);
  for (Flow* flow : {&next_flow_, &flow_}) {
    flow->injection.assign(entries(merge_.unknowns), 0.0);
    for (std::vector<double>* of_storage : {&flow->history, &flow->volts, &flow->amperes})
      of_storage->assign(entries(storage_.size()), 0.0);
  }
  history_after_ = flow_.history;
  if (scenarios_ > 1) return;
  own_volts_ = next_.volts;
  own_injection_ = flow_.injection;
  own_amperes_ = flow_.amperes;
}

const Topology& Integrator::topology() const {
  if (any_topology_) return *any_topology_;
  return formed_ ? formed_->system.topology() : kept_.front().solver->system().topology();
}

/// Sizes differ in the conductances of the storage, which are the last edges.
System Integrator::system_for(const std::vector<double>& conductance) {
  const Stopwatch watch;
  Topology step = any_topology_ ? std::move(*any_topology_) : topology();
  any_topology_.reset();
  std::ranges::copy(conductance, step.grid.network.conductance.end() - std::ssize(conductance));
  System system(design_, std::make_shared<const Topology>(std::move(step)), true);
  system_seconds_.reduce += watch.seconds() - system.seconds().assemble;
  system_seconds_.assemble += system.seconds().assemble;
  return system;
}

void Integrator::form_system(double h, bool is_damped) {
  const double size = size_of_matrix(h, is_damped);
  formed_ = Formed{size, system_for(storage_.conductance(method_, size))};
}

void Integrator::use_size(double h) {
  ++uses_;
  for (now_ = 0; now_ < kept_.size(); ++now_) {
    if (std::abs(kept_[now_].h - h) > kSameSize * h) continue;
    kept_[now_].last_use = uses_;
    return;
  }
  ++sizes_;
  std::vector<double> conductance = storage_.conductance(method_, h);
  System system = formed_ && formed_->h == h ? std::move(formed_->system) : system_for(conductance);
  formed_.reset();
  std::int64_t bytes = 0;
  for (const Sized& sized : kept_) bytes += sized.solver->bytes();
  if (kept_.empty()) choose_place(system);
  if (kept_.size() < 2 || (kept_.size() < kMostSizes && bytes < usable_memory_bytes() / kShare)) {
    auto solver = std::make_unique<Solver>(std::move(system), options_, context_);
    kept_.push_back({h, std::move(conductance), std::move(solver), uses_});
    return;
  }
  const auto oldest = std::min_element(kept_.begin(), kept_.end(),
                                       [](const Sized& a, const Sized& b) { return a.last_use < b.last_use; });
  now_ = static_cast<std::size_t>(oldest - kept_.begin());
  oldest->h = -1;  // should the update fail
  oldest->solver->update(std::move(system));
  *oldest = {h, std::move(conductance), std::move(oldest->solver), uses_};
}

/// Edges whose ends hang on voltage sources, whichever of these move.
void Integrator::find_held_edges() {
  const Topology& topology = kept_[now_].solver->system().topology();
  const Network& network = topology.grid.network;
  std::vector<char> is_held(static_cast<std::size_t>(network.nodes), 0);
  for (std::size_t k = 0; k < merge_.order.size(); ++k) {
    const std::int32_t n = merge_.order[k];
    const Grid::TieElement element = topology.grid.tie_elements[merge_.order_tie[k]];
    is_held[n] = element.kind == kVoltageSource || is_held[merge_.parent[n]];
  }
  for (std::int64_t k = 0; k < network.edges(); ++k)
    if (is_held[network.a[k]] || is_held[network.b[k]]) held_edges_.push_back(k);
}

void Integrator::hold(std::span<const double> volts) {
  if (volts.empty() && held_.empty()) return;
  const Topology& topology = kept_[now_].solver->system().topology();
  if (held_.empty()) {
    held_.assign(static_cast<std::size_t>(nodes()), 0.0);
    find_held_edges();
  }
  for (std::size_t k = 0; k < merge_.order.size(); ++k) {
    const std::int32_t n = merge_.order[k];
    const std::int64_t tie = merge_.order_tie[k];
    const Grid::TieElement element = topology.grid.tie_elements[tie];
    const double more = element.kind == kVoltageSource && !volts.empty() ? volts[element.index] : 0.0;
    held_[n] = held_[merge_.parent[n]] + (topology.grid.network.tie_a[tie] == n ? more : -more);
  }
}

/// What a step of h seconds from the present state injects.
void Integrator::find_flow(double h, Block<const double> load, std::span<const double> volts) {
  hold(volts);
  find_history();
  find_injection(load);
  next_.time = present_.time + h;
}

/// After a step of the present size and rule, find_stored() has left it.
void Integrator::find_history() {
  const Sized& sized = kept_[now_];
  if (history_of_ == sized.h && history_rule_ == rule_) return;
  history_of_ = sized.h;
  history_rule_ = rule_;
  const std::int64_t size = storage_.size();
  for (std::int64_t j = 0; j < scenarios_; ++j)
    parallel_ranges(size, [&](std::int64_t begin, std::int64_t end) {
      storage_.histories(rule_, begin, end, sized.conductance.data(), flow_.volts.data() + j * size,
                         flow_.amperes.data() + j * size, next_flow_.history.data() + j * size);
    });
}

void Integrator::find_injection(Block<const double> load) {
  const std::int64_t merged = merge_.unknowns;
  // Nodes into which nothing flows stay at 0 unless sources move.
  currents_->sum(load, {next_flow_.history.data(), storage_.size(), scenarios_},
                 {next_flow_.injection.data(), merged, scenarios_}, !held_.empty());
  if (held_.empty()) return;
  const Network& network = kept_[now_].solver->system().topology().grid.network;
  for (const std::int64_t k : held_edges_) {
    const double driven = network.conductance[k] * (held_[network.a[k]] - held_[network.b[k]]);
    const std::int32_t a = merge_.group[network.a[k]], b = merge_.group[network.b[k]];
    if (driven == 0 || a == b) continue;
    for (std::int64_t j = 0; j < scenarios_; ++j) {
      if (a < merged) next_flow_.injection[j * merged + a] -= driven;
      if (b < merged) next_flow_.injection[j * merged + b] += driven;
    }
  }
}

Guesses Integrator::guesses() const {
  const double times[Guesses::kMost] = {present_.time, before_.time, before2_.time};
  const auto known = static_cast<std::size_t>(std::min(accepted_ + 1, Guesses::kMost));
  Guesses guesses = Guesses::through(std::span(times).first(known), next_.time);
  guesses.are_comparable =
      keeps_injections_ && alike_ >= Guesses::kMost && kept_[now_].h == made_h_ && rule_ == present_rule_;
  return guesses;
}

/// From the first step on, for an engine that begins with a guess, where there is memory for them.
void Integrator::keep_injections() {
  if (keeps_injections_ || accepted_ > 0 || kept_[now_].solver->is_direct()) return;
  if (device_) {
    try {
      device_->keep_injections();
    } catch (const ResourceError&) {
      return;
    }
  } else {
    injected_before_.assign(next_flow_.injection.size(), 0.0);
    injected_before2_ = injected_before_;
  }
  keeps_injections_ = true;
}

int Integrator::best_of(const Guesses& guesses) const {
  const std::vector<double>&b = next_flow_.injection, &b0 = flow_.injection;
  return Guesses::best(parallel_sum<Sums<Guesses::kMost>>(std::ssize(b), [&](std::int64_t i) {
    return guesses.squares(b[i], b0[i], injected_before_[i], injected_before2_[i]);
  }));
}

void Integrator::guess() {
  if (kept_[now_].solver->is_direct()) {  // since the first step, perhaps
    keeps_injections_ = false;
    free_memory(injected_before_, injected_before2_);
    return;
  }
  const Guesses guesses = this->guesses();
  const double* const c = guesses.weight[guesses.are_comparable ? best_of(guesses) : guesses.count - 1];
  parallel_ranges(std::ssize(next_.volts), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i)
      next_.volts[i] = c[0] * present_.volts[i] + c[1] * before_.volts[i] + c[2] * before2_.volts[i];
  });
}

void Integrator::choose_step(double h, Block<const double> load, bool is_damped) {
  if (load.rows != design_->circuit->current_sources.size() || load.columns != scenarios_ ||
      load.memory != Memory::host)
    throw InputError("a step takes the loads of every source in every scenario, in host memory");
  has_next_ = false;
  next_uncertified_.reset();
  next_accuracy_.clear();
  rule_ = is_damped ? Method::backward_euler : method_;
  use_size(size_of_matrix(h, is_damped));
}

std::vector<Accuracy> Integrator::step(double h, Block<const double> load, std::span<const double> volts,
                                       bool is_damped, const Meanwhile& meanwhile) {
  settle();
  choose_step(h, load, is_damped);
  keep_injections();
  find_flow(h, load, volts);
  guess();
  std::vector<Accuracy> accuracy =
      kept_[now_].solver->solve({next_flow_.injection.data(), merge_.unknowns, scenarios_},
                                {next_.volts.data(), merge_.unknowns, scenarios_}, meanwhile);
  find_stored(kept_[now_], next_, held_, next_flow_, history_after_);
  has_next_ = true;
  return accuracy;
}

/// What a step leaves the storage with, and the history of a step of this size and rule after it.
void Integrator::find_stored(const Sized& sized, const State& state, const std::vector<double>& held, Flow& flow,
                             std::vector<double>& history) const {
  constexpr std::int64_t kFewElements = 1 << 11;
  const std::int64_t size = storage_.size();
  for (std::int64_t j = 0; j < scenarios_; ++j) {
    const Potentials v{column(state.volts, merge_.unknowns, j), merge_.group, held};
    parallel_ranges(
        size,
        [&, g = sized.conductance.data(), s = flow.history.data() + j * size, volts = flow.volts.data() + j * size,
         amperes = flow.amperes.data() + j * size,
         after = history.data() + j * size](std::int64_t begin, std::int64_t end) {
          for (std::int64_t e = begin; e < end; ++e) {
            double across = v.of_group(group_a_[e]) - v.of_group(group_b_[e]);
            if (!held.empty()) across += held[storage_.a[e]] - held[storage_.b[e]];
            volts[e] = across;
            amperes[e] = g[e] * across - s[e];
          }
          storage_.histories(rule_, begin, end, g, volts, amperes, after);
        },
        kFewElements);
  }
}

std::vector<Accuracy> Integrator::start_from_initial(double h, Block<const double> load,
                                                     std::span<const double> volts) {
  const auto set = [&](std::int64_t e_begin, std::int64_t e_end, std::vector<double>& of_storage) {
    for (std::int64_t j = 0; j < scenarios_; ++j)
      std::copy(storage_.initial.begin() + e_begin, storage_.initial.begin() + e_end,
                of_storage.begin() + j * storage_.size() + e_begin);
    history_of_ = -1;
  };
  const auto set_initial = [&] {
    set(0, storage_.capacitors, flow_.volts);
    set(storage_.capacitors, storage_.size(), flow_.amperes);
  };
  set_initial();
  std::vector<Accuracy> accuracy = step(h, load, volts, true);
  accept();
  set_initial();
  present_.time = 0;
  accepted_ = alike_ = 0;
  return accuracy;
}

std::array<const Integrator::State*, 4> Integrator::last() const {
  if (device_ || has_next_) return {&next_, &present_, &before_, &before2_};
  return {&present_, &before_, &before2_, &before3_};
}

std::optional<double> Integrator::local_error() const {
  const std::optional<Weights> weights = local_error_weights();
  return weights ? std::optional(largest_of_states(*weights)) : std::nullopt;
}

std::optional<Integrator::Weights> Integrator::local_error_weights() const {
  const bool is_ahead = device_ || has_next_, is_third = (is_ahead ? rule_ : present_rule_) == Method::trapezoidal;
  if (accepted_ < (is_third ? 2 : 1) + (is_ahead ? 0 : 1)) return std::nullopt;
  const auto [v0, v1, v2, v3] = last();
  // The divided difference is the sum of c times the states.
  const double h = v0->time - v1->time, h1 = v1->time - v2->time, h2 = v2->time - v3->time;
  const double of_first = 1 / (h + h1), of_second = is_third ? 1 / (h1 + h2) : 0.0,
               of_both = is_third ? 1 / (h + h1 + h2) : 1.0;
  const double scale = is_third ? h * h * h / 2 : h * h;
  return Weights{{of_both * of_first / h, -of_both * (of_first / h + of_first / h1 + of_second / h1),
                  of_both * (of_first / h1 + of_second / h1 + (is_third ? of_second / h2 : 0.0)),
                  is_third ? -of_both * of_second / h2 : 0.0},
                 scale};
}

std::optional<double> Integrator::curvature() const {
  constexpr double kAlike = 4;  ///< sizes of steps
  const std::optional<Weights> weights = curvature_weights();
  if (!weights) return std::nullopt;
  const double found = largest_of_states(*weights);
  const auto [v0, v1, v2, v3] = last();
  // What is left of the error of a solution would count for a curve after a tiny step.
  const bool is_after_short = v0->time - v1->time > kAlike * (v1->time - v2->time);
  return is_after_short ? std::min(found, largest_change()) : found;
}

std::optional<Integrator::Weights> Integrator::curvature_weights() const {
  constexpr double kAlike = 4;
  if (accepted_ < (device_ || has_next_ ? 1 : 2)) return std::nullopt;
  const auto [v0, v1, v2, v3] = last();
  const double h = v0->time - v1->time, h1 = v1->time - v2->time;
  const double longest = h1 > kAlike * h ? h : std::max(h, h1), scale = longest * longest / (2 * (h + h1));
  return Weights{{1 / h, -(1 / h + 1 / h1), 1 / h1, 0}, scale};
}

std::array<std::span<const double>, 4> Integrator::last_states(std::int64_t scenario) const {
  std::array<std::span<const double>, 4> states;
  const auto all = last();
  for (std::size_t k = 0; k < states.size(); ++k) states[k] = column(all[k]->volts, merge_.unknowns, scenario);
  return states;
}

double Integrator::largest_change() const { return largest_of_states({{1, -1, 0, 0}}); }

/// Of the last step's end, its begin and the states before: the largest weighted sum.
double Integrator::largest_of_states(const Weights& weight) const {
  const double c[4] = {weight.of[0], weight.of[1], weight.of[2], weight.of[3]};
  if (device_) return weight.scale * device_->largest_of(c);
  const auto v = last();
  return weight.scale *
         joined_ranges<double>(
             std::ssize(present_.volts),
             [&](std::int64_t begin, std::int64_t end) {
               return largest_of(c, {v[0]->volts.data(), v[1]->volts.data(), v[2]->volts.data(), v[3]->volts.data()},
                                 begin, end);
             },
             [](double& all, double some) { all = std::max(all, some); });
}

void Integrator::accept() {
  if (device_) device_->accept(*kept_[now_].on_device, rule_);
  std::swap(before3_, before2_);
  std::swap(before2_, before_);
  std::swap(before_, present_);
  std::swap(present_, next_);
  std::swap(flow_, next_flow_);
  std::swap(next_flow_.history, history_after_);
  if (!injected_before_.empty()) {
    std::swap(injected_before2_, injected_before_);
    std::swap(injected_before_, next_flow_.injection);
  }
  alike_ = kept_[now_].h == made_h_ && rule_ == present_rule_ ? alike_ + 1 : 1;
  made_h_ = kept_[now_].h;
  held_now_ = held_;
  uncertified_ = std::exchange(next_uncertified_, std::nullopt);
  accuracy_ = std::move(next_accuracy_);
  made_ = now_;
  present_rule_ = rule_;
  has_next_ = false;
  ++accepted_;
}

Solver::Work Integrator::work() const {
  Solver::Work sum;
  for (const Sized& sized : kept_) {
    const Solver::Work& work = sized.solver->work();
    sum.setups += work.setups;
    sum.updates += work.updates;
    sum.barriers += work.barriers;
    sum.vectors += work.vectors;
    sum.setup_s += work.setup_s;
    sum.solve_s += work.solve_s;
    sum.certify_s += work.certify_s;
  }
  return sum;
}

}  // namespace gridiron
