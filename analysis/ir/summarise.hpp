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
  std::vector<LimitRequest> limits;  ///< what the nets are held against
};

/// Nodes, nets, layers, pads, instances, limits and the current balance of an answer to the loads `amperes` (A, one per
/// current source). What concerns the run (engine, timings, input) is left empty. Errors: InputError when there is no
/// such net, or a limit cannot be applied.
IrReport summarise(const System& system, std::span<const double> amperes, const Answer& answer,
                   const SummaryOptions& options = {});

/// The worst of many load vectors, node by node, from their answers one after the other; see IrReport. Memory does not
/// grow with their number beyond a row per vector and net.
class WorstCase {
 public:
  explicit WorstCase(System system);

  void add(std::span<const double> amperes, const Answer& answer);

  /// At least one vector must have been added. Errors: as summarise().
  IrReport report(const SummaryOptions& options) &&;

 private:
  System system_;
  std::vector<InstancePins> pins_;
  std::vector<std::optional<InstanceResult>> instances_;  ///< per pins the worst
  std::vector<PadCurrent> pads_;
  IrReport worst_;
};

}  // namespace gridiron
