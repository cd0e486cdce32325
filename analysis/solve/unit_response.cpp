// SPDX-License-Identifier: Apache-2.0
#include "analysis/solve/unit_response.hpp"

#include <algorithm>
#include <optional>

#include "analysis/solve/fine_batch.hpp"
#include "support/error_text.hpp"
#include "support/lists.hpp"
#include "support/parallel_arrays.hpp"
#include "support/shown_number.hpp"

namespace gridiron {
namespace {

constexpr double kAskedFor = 1e-10, kLeast = 1e-12, kAccepted = 1e-6;  ///< relative residuals
constexpr int64_t kMostAtOnce = 32, kEntriesAtOnce = int64_t{1} << 28;

void require_path(const System& system, NodeId node) {
  const Topology& t = system.topology();
  if (node == kGround || t.parts.anchored[t.parts.part[node]]) return;
  throw grid_error("node {} floats: no path leads from it to a voltage source",
                   system.design()->circuit->node_name(node));
}

/// Solves for unit currents into a few nodes at once.
class UnitSolve {
 public:
  UnitSolve(ReadyEngine& ready, std::span<const NodeId> nodes, double error_ohm)
      : ready_(ready), system_(ready.system()), nodes_(nodes) {
    const Merge& merge = system_.topology().merge;
    for (const NodeId node : nodes) driven_.push_back(merge.group[node] < merge.unknowns ? merge.group[node] : -1);
    // No residual is larger than their norm, which is a share of 1 A.
    const double residual = ready.certifier.has_barrier() ? ready.certifier.residual_for(error_ohm) : kAskedFor;
    stop_ = {.relative_residual = std::clamp(residual, kLeast, kAskedFor),
             .max_iterations = ready.options->max_iterations,
             .from_zero = true};
    make_room_in_parallel(volts_, rows() * columns());
  }

  std::vector<UnitResponse> responses(System::Scratch& scratch) {
    const SolveStats stats = solve(scratch);
    FineBatch solved(ready_.certifier, batch());
    std::vector<UnitResponse> all;
    for (int64_t k = 0; k < columns(); ++k) {
      if (driven_[k] >= 0) require_convergence(stats.columns[k], nodes_[k]);
      solved.settle(k);
      const Certificate certificate =
          measured_.empty() ? solved.certificate(k) : ready_.certifier.certify(measured_[k]);
      all.push_back(response(k));
      all.back().error_ohm = certificate.bound_v();
    }
    return all;
  }

 private:
  int64_t rows() const { return system_.network().nodes; }
  int64_t columns() const { return std::ssize(nodes_); }
  Batch batch() { return {{injection_.data(), rows(), columns()}, {volts_.data(), rows(), columns()}, true}; }

  SolveStats solve(System::Scratch& scratch) {
    std::optional<SolveStats> stats;
    if ((columns() > 1 || ready_.has_solved) && ready_.on_device.prepare(*ready_.engine, system_, ready_.certifier))
      stats = ready_.on_device.solve_units(*ready_.engine, driven_, batch().voltage, stop_);
    if (stats) measured_ = ready_.on_device.residuals();
    if (measured_.empty()) {
      assign_in_parallel(injection_, rows() * columns(), 0.0);
      for (int64_t k = 0; k < columns(); ++k)
        if (driven_[k] >= 0) injection_[k * rows() + driven_[k]] = 1;
    }
    if (!stats) stats = system_.solve(*ready_.engine, batch().injection, batch().voltage, stop_, scratch);
    ready_.has_solved = ready_.certifier.has_looked();
    return *stats;
  }

  void require_convergence(const ColumnStats& stats, NodeId node) const {
    if (stats.relative_residual <= kAccepted) return;
    throw solver_error("engine {} does not converge for a current into node {}: relative residual {:.2e}",
                       ready_.info->name, system_.design()->circuit->node_name(node), Shown{stats.relative_residual});
  }

  UnitResponse response(int64_t k) const {
    const Merge& merge = system_.topology().merge;
    const std::span<const double> volts = std::span(volts_).subspan(k * rows(), rows());
    UnitResponse response;
    response.node = nodes_[k];
    make_room_in_parallel(response.ohm, std::ssize(merge.group));
    parallel_each(std::ssize(merge.group), [&](int64_t n) {
      const int32_t group = merge.group[n];
      const bool rises =
          driven_[k] >= 0 && n != kGround && group < merge.unknowns && system_.connected_system()[group] >= 0;
      response.ohm[n] = rises ? volts[group] : 0.0;
    });
    return response;
  }

  ReadyEngine& ready_;
  const System& system_;
  std::span<const NodeId> nodes_;
  std::vector<int32_t> driven_;  ///< the merged nodes; −1 where sources hold the potential
  StopRule stop_;
  std::vector<double> injection_, volts_;
  std::vector<FineResidual> measured_;
};

}  // namespace

std::vector<UnitResponse> unit_responses(EngineSlot& slot, const System& system, std::span<const NodeId> nodes,
                                         double error_ohm, System::Scratch& scratch) {
  for (const NodeId node : nodes) require_path(system, node);
  const auto at_once = static_cast<size_t>(
      std::clamp<int64_t>(kEntriesAtOnce / std::max<int64_t>(1, system.network().nodes), 1, kMostAtOnce));
  ReadyEngine& ready = slot.ready(system);
  const bool had_room = ready.on_device.has_room();
  std::vector<UnitResponse> responses;
  for (size_t first = 0; first < nodes.size(); first += at_once) {
    slot.find_barrier();
    UnitSolve solve(ready, nodes.subspan(first, std::min(at_once, nodes.size() - first)), error_ohm);
    append(responses, solve.responses(scratch));
  }
  // Blocks of loads are smaller, and may find room where these did not.
  if (had_room) ready.on_device.try_again();
  slot.release_vectors();
  return responses;
}

}  // namespace gridiron
