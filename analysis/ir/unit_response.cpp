// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "analysis/ir/solver_call.hpp"
#include "support/error.hpp"

namespace gridiron {
namespace {

constexpr double kAskedFor = 1e-10, kAccepted = 1e-6;  ///< relative residuals
constexpr std::int64_t kAtOnce = 32;

void require_path(const System& system, NodeId node) {
  const Topology& t = system.topology();
  if (node == kGround || t.parts.anchored[t.parts.part[node]]) return;
  throw GridError(fmt::format("node {} floats: no path leads from it to a voltage source",
                              system.design()->circuit->node_name(node)));
}

}  // namespace

std::vector<UnitResponse> Solver::respond(std::span<const NodeId> nodes) {
  const ThreadCount threads(context_.threads);
  const OneCall call(*this);
  for (const NodeId node : nodes) require_path(system_, node);
  std::vector<UnitResponse> responses;
  for (std::size_t first = 0; first < nodes.size(); first += kAtOnce)
    for (UnitResponse& response :
         respond_block(nodes.subspan(first, std::min<std::size_t>(kAtOnce, nodes.size() - first))))
      responses.push_back(std::move(response));
  return responses;
}

std::vector<UnitResponse> Solver::respond_block(std::span<const NodeId> nodes) {
  if (!is_set_up_) set_up(*info_, system_);
  engine_->set_context(engine_context());
  find_barrier();
  const Merge& merge = system_.topology().merge;
  const std::int64_t rows = system_.network().nodes, columns = static_cast<std::int64_t>(nodes.size());
  std::vector<double> injection(static_cast<std::size_t>(rows * columns), 0.0), volts(injection.size(), 0.0), rest;
  for (std::int64_t k = 0; k < columns; ++k)
    if (const std::int32_t group = merge.group[nodes[k]]; group < merge.unknowns) injection[k * rows + group] = 1;
  StopRule stop;
  stop.max_iterations = options_.max_iterations;
  stop.relative_residual = kAskedFor;
  const SolveStats stats =
      system_.solve(*engine_, {injection.data(), rows, columns}, {volts.data(), rows, columns}, stop, scratch_);
  if (certifier_->has_levels()) rest.resize(volts.size(), 0.0);

  std::vector<UnitResponse> responses;
  for (std::int64_t k = 0; k < columns; ++k) {
    const bool is_driven = merge.group[nodes[k]] < merge.unknowns;
    if (is_driven && !(stats.columns[k].relative_residual <= kAccepted))
      throw SolverError(fmt::format("engine {} does not converge for a current into node {}: relative residual {:.2e}",
                                    info_->name, system_.design()->circuit->node_name(nodes[k]),
                                    stats.columns[k].relative_residual));
    const auto at = static_cast<std::size_t>(k * rows), size = static_cast<std::size_t>(rows);
    const std::span<const double> source = std::span<const double>(injection).subspan(at, size);
    const std::span<double> value = std::span(volts).subspan(at, size),
                            fine = rest.empty() ? std::span<double>() : std::span(rest).subspan(at, size);
    if (!rest.empty()) certifier_->settle(source, value, fine);
    const Certificate certificate = certifier_->certify({value, fine}, source);
    UnitResponse& response = responses.emplace_back();
    response.node = nodes[k];
    response.error_ohm = certificate.valid ? certificate.max_error_v : std::numeric_limits<double>::infinity();
    response.ohm.assign(merge.group.size(), 0.0);
    for (std::size_t n = 1; n < merge.group.size(); ++n)
      if (is_driven && merge.group[n] < merge.unknowns && system_.connected_system()[merge.group[n]] >= 0)
        response.ohm[n] = value[merge.group[n]];
  }
  return responses;
}

}  // namespace gridiron
