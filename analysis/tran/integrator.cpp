// SPDX-License-Identifier: Apache-2.0
#include "analysis/tran/integrator.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "support/error.hpp"
#include "support/memory.hpp"
#include "support/parallel.hpp"

namespace gridiron {
namespace {

constexpr std::size_t kMostSizes = 12;  ///< sizes of steps whose engines are kept,
constexpr std::int64_t kShare = 4;      ///< in at most this fraction of the memory
constexpr double kSameSize = 1e-9;      ///< relative

}  // namespace

Integrator::Integrator(std::shared_ptr<const Design> design, Method method, SolverOptions options, Context context,
                       std::int64_t scenarios)
    : design_(std::move(design)),
      method_(method),
      options_(std::move(options)),
      context_(std::move(context)),
      scenarios_(scenarios),
      storage_((design_->throw_first_error(), *design_->circuit)) {
  if (scenarios < 1) throw InputError("a simulation takes at least one scenario");
  merge_ = step_topology(*design_, storage_, std::vector<double>(storage_.value.size(), 1.0)).merge;
  find_entries();
  const auto entries = [&](std::int64_t rows) { return static_cast<std::size_t>(rows * scenarios_); };
  for (State* state : {&next_, &present_, &before_, &before2_}) state->volts.assign(entries(merge_.unknowns), 0.0);
  injection_.assign(entries(merge_.unknowns), 0.0);
  history_.assign(entries(storage_.size()), 0.0);
  amperes_.assign(entries(storage_.size()), 0.0);
  node_volts_.assign(entries(nodes()), 0.0);
}

/// By node, so that threads can sum the currents of different nodes.
void Integrator::find_entries() {
  const Sources& loads = design_->circuit->current_sources;
  const auto for_each = [&](auto&& take) {
    const auto add = [&](NodeId n, std::int64_t origin, float sign) {
      if (merge_.group[n] < merge_.unknowns) take(merge_.group[n], Entry{static_cast<std::int32_t>(origin), sign});
    };
    for (std::int64_t i = 0; i < loads.size(); ++i) add(loads.a[i], i, -1), add(loads.b[i], i, 1);
    for (std::int64_t e = 0; e < storage_.size(); ++e)
      add(storage_.a[e], loads.size() + e, 1), add(storage_.b[e], loads.size() + e, -1);
  };
  first_.assign(static_cast<std::size_t>(merge_.unknowns) + 1, 0);
  for_each([&](std::int32_t group, Entry) { ++first_[group + 1]; });
  for (std::int32_t i = 0; i < merge_.unknowns; ++i) first_[i + 1] += first_[i];
  entries_.resize(static_cast<std::size_t>(first_.back()));
  std::vector<std::int64_t> at(first_.begin(), first_.end() - 1);
  for_each([&](std::int32_t group, Entry entry) { entries_[at[group]++] = entry; });
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
  System system(design_, std::make_shared<const Topology>(step_topology(*design_, storage_, conductance)), true);
  std::int64_t bytes = 0;
  for (const Sized& sized : kept_) bytes += sized.solver->bytes();
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
  for (const std::int32_t n : merge_.order) {
    if (merge_.parent[n] < 0) continue;
    const Grid::TieElement element = topology.grid.tie_elements[merge_.parent_tie[n]];
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
  for (const std::int32_t n : merge_.order) {
    if (merge_.parent[n] < 0) continue;
    const std::int64_t tie = merge_.parent_tie[n];
    const Grid::TieElement element = topology.grid.tie_elements[tie];
    const double more = element.kind == kVoltageSource && !volts.empty() ? volts[element.index] : 0.0;
    held_[n] = held_[merge_.parent[n]] + (topology.grid.network.tie_a[tie] == n ? more : -more);
  }
}

void Integrator::find_history() {
  const std::vector<double>& g = kept_[now_].conductance;
  for (std::int64_t j = 0; j < scenarios_; ++j) {
    const std::span<const double> v = voltage(j), i = current(j);
    double* const s = history_.data() + j * storage_.size();
    parallel_ranges(storage_.size(), [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t e = begin; e < end; ++e)
        s[e] = storage_.history(method_, e, g[e], v[storage_.a[e]] - v[storage_.b[e]], i[e]);
    });
  }
}

void Integrator::find_injection(Block<const double> load) {
  const std::int64_t sources = design_->circuit->current_sources.size(), merged = merge_.unknowns;
  for (std::int64_t j = 0; j < scenarios_; ++j) {
    const double* const drawn = load.data + j * load.rows;
    const double* const s = history_.data() + j * storage_.size();
    double* const injection = injection_.data() + j * merged;
    parallel_ranges(merged, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        double sum = 0;
        for (std::int64_t k = first_[i]; k < first_[i + 1]; ++k) {
          const auto [origin, sign] = entries_[k];
          sum += sign * (origin < sources ? drawn[origin] : s[origin - sources]);
        }
        injection[i] = sum;
      }
    });
  }
  if (held_.empty()) return;
  const Network& network = kept_[now_].solver->system().topology().grid.network;
  for (const std::int64_t k : held_edges_) {
    const double driven = network.conductance[k] * (held_[network.a[k]] - held_[network.b[k]]);
    const std::int32_t a = merge_.group[network.a[k]], b = merge_.group[network.b[k]];
    if (driven == 0 || a == b) continue;
    for (std::int64_t j = 0; j < scenarios_; ++j) {
      if (a < merged) injection_[j * merged + a] -= driven;
      if (b < merged) injection_[j * merged + b] += driven;
    }
  }
}

/// Linear extrapolation.
void Integrator::guess(double h) {
  const double ahead = accepted_ > 0 ? h / (present_.time - before_.time) : 0;
  parallel_ranges(static_cast<std::int64_t>(next_.volts.size()), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i)
      next_.volts[i] = present_.volts[i] + ahead * (present_.volts[i] - before_.volts[i]);
  });
}

std::vector<Accuracy> Integrator::step(double h, Block<const double> load, std::span<const double> volts) {
  if (load.rows != design_->circuit->current_sources.size() || load.columns != scenarios_ ||
      load.memory != Memory::host)
    throw InputError("a step takes the loads of every source in every scenario, in host memory");
  use_size(h);
  hold(volts);
  find_history();
  find_injection(load);
  guess(h);
  next_.time = present_.time + h;
  return kept_[now_].solver->solve({injection_.data(), merge_.unknowns, scenarios_},
                                   {next_.volts.data(), merge_.unknowns, scenarios_});
}

std::optional<double> Integrator::local_error() const {
  const bool is_third = method_ == Method::trapezoidal;
  if (accepted_ < (is_third ? 2 : 1)) return std::nullopt;
  const double h = next_.time - present_.time, h1 = present_.time - before_.time, h2 = before_.time - before2_.time;
  const auto size = static_cast<std::int64_t>(next_.volts.size());
  constexpr std::int64_t kGrain = 1 << 14;
  std::vector<double> largest(static_cast<std::size_t>((size + kGrain - 1) / kGrain), 0.0);
  parallel_ranges(
      size,
      [&](std::int64_t begin, std::int64_t end) {
        double most = 0;
        for (std::int64_t i = begin; i < end; ++i) {
          const double d = (next_.volts[i] - present_.volts[i]) / h, d1 = (present_.volts[i] - before_.volts[i]) / h1;
          double difference = (d - d1) / (h + h1);
          if (is_third)
            difference = (difference - (d1 - (before_.volts[i] - before2_.volts[i]) / h2) / (h1 + h2)) / (h + h1 + h2);
          most = std::max(most, std::abs(difference));
        }
        largest[begin / kGrain] = most;
      },
      kGrain);
  const double most = largest.empty() ? 0.0 : *std::max_element(largest.begin(), largest.end());
  return is_third ? h * h * h / 2 * most : h * h * most;
}

void Integrator::accept() {
  const std::vector<double>& g = kept_[now_].conductance;
  for (std::int64_t j = 0; j < scenarios_; ++j) {
    const double* const merged = next_.volts.data() + j * merge_.unknowns;
    double* const v = node_volts_.data() + j * nodes();
    double* const i = amperes_.data() + j * storage_.size();
    const double* const s = history_.data() + j * storage_.size();
    parallel_ranges(nodes(), [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t n = begin; n < end; ++n) {
        const std::int32_t group = merge_.group[n];
        v[n] = (group < merge_.unknowns ? merged[group] : 0.0) + (held_.empty() ? 0.0 : held_[n]);
      }
    });
    parallel_ranges(storage_.size(), [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t e = begin; e < end; ++e) i[e] = g[e] * (v[storage_.a[e]] - v[storage_.b[e]]) - s[e];
    });
  }
  std::swap(before2_, before_);
  std::swap(before_, present_);
  std::swap(present_, next_);
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
