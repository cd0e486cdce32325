// SPDX-License-Identifier: Apache-2.0
#include "analysis/diff/moment_changes.hpp"

#include "support/error_text.hpp"

namespace gridiron {
namespace {

bool step_alike(const RunData::Simulation& a, const RunData::Simulation& b) {
  return a.method == b.method && a.step_s == b.step_s && a.largest_step_s == b.largest_step_s && a.steps == b.steps;
}

}  // namespace

void require_same_kind(const RunData& before, const RunData& after) {
  if (before.simulation.has_value() == after.simulation.has_value()) return;
  const auto [dynamic, of_rest] = before.simulation ? std::pair(&before, &after) : std::pair(&after, &before);
  throw input_error("{}: is a dynamic run, of 'tran', and {} a static one, of 'ir'; compare two runs of one kind",
                    dynamic->title, of_rest->title);
}

double errors_in_time_v(const RunData& before, const RunData& after) {
  const auto &a = before.simulation, &b = after.simulation;
  if (!a || !b || step_alike(*a, *b)) return 0;
  return a->time_error_v + b->time_error_v;
}

std::optional<MomentChange> moment_change(const RunData& before, const RunData& after, int32_t net_before,
                                          int32_t net_after) {
  if (!before.simulation || !after.simulation) return std::nullopt;
  MomentChange change;
  if (net_before >= 0) change.before = before.simulation->worst[net_before];
  if (net_after >= 0) change.after = after.simulation->worst[net_after];
  return change;
}

std::optional<SimulationChange> simulation_change(const RunData& before, const RunData& after) {
  if (!before.simulation || !after.simulation) return std::nullopt;
  return SimulationChange{*before.simulation, *after.simulation, step_alike(*before.simulation, *after.simulation)};
}

}  // namespace gridiron
