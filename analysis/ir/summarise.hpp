// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/ir/currents.hpp"
#include "analysis/ir/instances.hpp"
#include "analysis/ir/ir_report.hpp"
#include "analysis/ir/solver.hpp"
#include "analysis/ir/statistics.hpp"

namespace gridiron {

struct SummaryOptions {
  std::string net;                   ///< report this net only; empty: all
  std::vector<LimitRequest> limits;  ///< limits that the nets are checked against
};

/// Nodes, nets, layers, pads, instances, limits and the current balance of a solution for the loads `amperes` (A, one
/// per current source). Data about the run (engine, timings, input) are left empty. Errors: InputError if there is no
/// such net, or a limit cannot be applied.
IrReport summarise(const System& system, std::span<const double> amperes, const Answer& answer,
                   const SummaryOptions& options = {});

/// The worst case over many load vectors, node by node, accumulated from their solutions; see IrReport. Memory grows
/// only by a row per vector and net.
class WorstCase {
 public:
  explicit WorstCase(System system);

  void add(std::span<const double> amperes, const Answer& answer);

  /// At least one vector must have been added. Errors: as summarise().
  IrReport report(const SummaryOptions& options) &&;

 private:
  System system_;
  std::vector<InstancePins> pins_;
  std::vector<std::optional<InstanceResult>> instances_;  ///< the worst per pair of pins
  std::vector<PadCurrent> pads_;
  IrReport worst_;
};

}  // namespace gridiron
