// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "analysis/solve/solver_call.hpp"
#include "support/error.hpp"
#include "support/parallel_arrays.hpp"
#include "support/shown_number.hpp"

namespace gridiron {
namespace {

constexpr double kAskedFor = 1e-10, kLeast = 1e-12, kAccepted = 1e-6;  ///< relative residuals
constexpr std::int64_t kMostAtOnce = 32, kEntriesAtOnce = std::int64_t{1} << 28;

void require_path(const System& system, NodeId node) {
  const Topology& t = system.topology();
  if (node == kGround || t.parts.anchored[t.parts.part[node]]) return;
  throw GridError(fmt::format("node {} floats: no path leads from it to a voltage source",
                              system.design()->circuit->node_name(node)));
}

}  // namespace

std::vector<UnitResponse> Solver::respond(std::span<const NodeId> nodes, double error_ohm) {
  const ThreadCount threads(context_.threads);
  const OneCall call(*this);
  for (const NodeId node : nodes) require_path(system_, node);
  const auto at_once = static_cast<std::size_t>(
      std::clamp<std::int64_t>(kEntriesAtOnce / std::max<std::int64_t>(1, system_.network().nodes), 1, kMostAtOnce));
  const bool had_room_there = has_room_there_;
  std::vector<UnitResponse> responses;
  for (std::size_t first = 0; first < nodes.size(); first += at_once)
    for (UnitResponse& response :
         respond_block(nodes.subspan(first, std::min(at_once, nodes.size() - first)), error_ohm))
      responses.push_back(std::move(response));
  // Blocks of loads are smaller, and may find room where these did not.
  if (had_room_there && !has_room_there_) {
    has_room_there_ = true;
    there_for_ = -1;
  }
  if (there_) there_->release_vectors();
  return responses;
}

std::vector<UnitResponse> Solver::respond_block(std::span<const NodeId> nodes, double error_ohm) {
  if (!is_set_up_) set_up(*info_, system_);
  engine_->set_context(engine_context());
  find_barrier();
  const Merge& merge = system_.topology().merge;
  const std::int64_t rows = system_.network().nodes, columns = static_cast<std::int64_t>(nodes.size());
  std::vector<std::int32_t> driven;  // the merged nodes; −1 where sources hold the potential
  for (const NodeId node : nodes) driven.push_back(merge.group[node] < merge.unknowns ? merge.group[node] : -1);
  // No residual is larger than their norm, which is a share of 1 A.
  const double residual = certifier_->has_barrier() ? certifier_->residual_for(error_ohm) : kAskedFor;
  const StopRule stop{.relative_residual = std::clamp(residual, kLeast, kAskedFor),
                      .max_iterations = options_.max_iterations,
                      .from_zero = true};
  std::vector<double> volts, injection, rest;
  make_room_in_parallel(volts, rows * columns);
  std::optional<SolveStats> stats = solve_units_there(driven, {volts.data(), rows, columns}, stop);
  std::vector<FineResidual> measured;
  if (stats) measured = measured_there();
  if (measured.empty()) {
    assign_in_parallel(injection, rows * columns, 0.0);
    for (std::int64_t k = 0; k < columns; ++k)
      if (driven[k] >= 0) injection[k * rows + driven[k]] = 1;
  }
  if (!stats)
    stats = system_.solve(*engine_, {injection.data(), rows, columns}, {volts.data(), rows, columns}, stop, scratch_);
  if (certifier_->has_levels()) rest.resize(volts.size(), 0.0);
  solved_for_ = made_certifiers();

  std::vector<UnitResponse> responses;
  for (std::int64_t k = 0; k < columns; ++k) {
    const bool is_driven = driven[k] >= 0;
    if (is_driven && !(stats->columns[k].relative_residual <= kAccepted))
      throw SolverError(fmt::format("engine {} does not converge for a current into node {}: relative residual {:.2e}",
                                    info_->name, system_.design()->circuit->node_name(nodes[k]),
                                    Shown{stats->columns[k].relative_residual}));
    const auto column = [&](std::vector<double>& block) {
      return block.empty() ? std::span<double>() : std::span(block).subspan(k * rows, rows);
    };
    const std::span<double> source = column(injection), value = column(volts), fine = column(rest);
    if (!fine.empty()) certifier_->settle(source, value, fine);
    const Certificate certificate =
        measured.empty() ? certifier_->certify({value, fine}, source) : certifier_->certify(measured[k]);
    UnitResponse& response = responses.emplace_back();
    response.node = nodes[k];
    response.error_ohm = certificate.valid ? certificate.max_error_v : std::numeric_limits<double>::infinity();
    make_room_in_parallel(response.ohm, std::ssize(merge.group));
    parallel_each(std::ssize(merge.group), [&](std::int64_t n) {
      const std::int32_t group = merge.group[n];
      const bool rises = is_driven && n != kGround && group < merge.unknowns && system_.connected_system()[group] >= 0;
      response.ohm[n] = rises ? value[group] : 0.0;
    });
  }
  return responses;
}

}  // namespace gridiron
