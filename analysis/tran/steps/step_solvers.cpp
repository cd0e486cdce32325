// SPDX-License-Identifier: Apache-2.0
#include "analysis/tran/steps/step_solvers.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/tran/steps/any_steps.hpp"
#include "support/memory.hpp"
#include "support/stopwatch.hpp"

namespace gridiron {
namespace {

void add(const Solver::Work& work, Solver::Work& sum) {
  sum.setups += work.setups;
  sum.updates += work.updates;
  sum.barriers += work.barriers;
  sum.vectors += work.vectors;
  sum.setup_s += work.setup_s;
  sum.solve_s += work.solve_s;
  sum.certify_s += work.certify_s;
}

}  // namespace

StepSolvers::StepSolvers(std::shared_ptr<const Design> design, const Storage& storage, Topology any, Method method,
                         SolverOptions options, Context context, std::shared_ptr<const AnySteps> any_matrix)
    : design_(std::move(design)),
      storage_(storage),
      any_topology_(std::move(any)),
      method_(method),
      options_(std::move(options)),
      context_(std::move(context)),
      any_matrix_(std::move(any_matrix)) {}

const Topology& StepSolvers::topology() const {
  if (any_topology_) return *any_topology_;
  return formed_ ? formed_->system.topology() : kept_.front().solver->system().topology();
}

/// Conductances of the storage are those of the last edges.
System StepSolvers::system_for(const std::vector<double>& conductance) {
  const Stopwatch watch;
  Topology step = any_topology_ ? std::move(*any_topology_) : Topology(topology());
  any_topology_.reset();
  std::ranges::copy(conductance, step.grid.network.conductance.end() - std::ssize(conductance));
  System system(design_, std::make_shared<const Topology>(std::move(step)), true);
  system_seconds_.reduce += watch.seconds() - system.seconds().assemble;
  system_seconds_.assemble += system.seconds().assemble;
  return system;
}

const System& StepSolvers::form(double h) {
  if (!formed_ || formed_->h != h) formed_ = Formed{h, system_for(storage_.conductance(method_, h))};
  return formed_->system;
}

size_t StepSolvers::use(double h) {
  constexpr int64_t kShare = 4;       ///< of the memory: engines are kept in at most this fraction
  constexpr double kSameSize = 1e-9;  ///< relative
  ++uses_;
  for (size_t slot = 0; slot < kept_.size(); ++slot) {
    if (std::abs(kept_[slot].h - h) > kSameSize * h) continue;
    kept_[slot].last_use = uses_;
    return slot;
  }
  ++sizes_;
  if (any_matrix_) return slot_of_any(h);
  std::vector<double> conductance = storage_.conductance(method_, h);
  System system = formed_ && formed_->h == h ? std::move(formed_->system) : system_for(conductance);
  formed_.reset();
  int64_t bytes = 0;
  for (const Slot& slot : kept_) bytes += slot.solver->bytes();
  if (kept_.size() < 2 || (kept_.size() < kMost && bytes < usable_memory_bytes() / kShare)) {
    auto solver = std::make_unique<Solver>(std::move(system), options_, context_);
    kept_.push_back({h, std::move(conductance), std::move(solver), uses_});
    return kept_.size() - 1;
  }
  const auto oldest =
      std::ranges::min_element(kept_, [](const Slot& a, const Slot& b) { return a.last_use < b.last_use; });
  oldest->h = -1;  // should the update fail
  oldest->solver->update(std::move(system));
  *oldest = {h, std::move(conductance), std::move(oldest->solver), uses_};
  return static_cast<size_t>(oldest - kept_.begin());
}

/// In place of the size that was used least recently, if there are too many.
size_t StepSolvers::slot_of_any(double h) {
  std::vector<double> conductance = storage_.conductance(method_, h);
  std::shared_ptr<AnyStep> any = any_matrix_->make(conductance, options_, context_);
  if (kept_.size() < kMost) kept_.push_back({});
  const auto slot = std::ranges::min_element(kept_, {}, &Slot::last_use);
  if (slot->any) add(slot->any->work(), dropped_);
  *slot = {h, std::move(conductance), nullptr, uses_, std::move(any)};
  return static_cast<size_t>(slot - kept_.begin());
}

Solver::Work StepSolvers::work() const {
  Solver::Work sum = dropped_;
  for (const Slot& slot : kept_) add(slot.any ? slot.any->work() : slot.solver->work(), sum);
  return sum;
}

}  // namespace gridiron
