// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "analysis/ir/ir_report.hpp"
#include "analysis/ir/topology.hpp"
#include "analysis/tran/potentials.hpp"
#include "analysis/tran/signed_drops.hpp"
#include "analysis/tran/tran_report.hpp"

namespace gridiron {

/// The largest drop of every net in every scenario, overshoots, and the state of the grid at its worst moment.
class Extremes {
 public:
  /// `dc`: the operating point; it must outlive this.
  Extremes(const IrReport& dc, const Topology& topology, std::int64_t scenarios);

  /// A state of scenario j: deviations from the operating point at `time`.
  void add(std::int64_t j, const Potentials& deviation, double time);

  /// Moves everything into the report. `names`: of the scenarios; empty: their numbers.
  void finish(TranReport& report, const std::vector<std::string>& names) &&;

 private:
  const IrReport& dc_;
  std::size_t scenarios_;
  SignedDrops drops_;
  std::vector<ScenarioNet> worst_;  ///< scenarios × nets
  std::vector<double> least_;       ///< per node: its smallest drop, with the sign of the bounce, V
  double worst_moment_ = 0;         ///< the largest drop of all, V
  Moment moment_;
  std::vector<double> deviation_;  ///< then
};

}  // namespace gridiron
