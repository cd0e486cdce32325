// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "analysis/model/topology.hpp"
#include "analysis/results/ir_report.hpp"
#include "analysis/tran/over_time.hpp"
#include "analysis/tran/potentials.hpp"
#include "analysis/tran/tran_report.hpp"

namespace gridiron {

/// The largest drop of every net in every scenario, and the state of the grid at its worst moment.
class Extremes {
 public:
  /// `dc`: the operating point. Both it and the topology must outlive this.
  Extremes(const IrReport& dc, const Topology& topology, int64_t scenarios);

  /// A state of scenario j at `time`: the worst of every net in it. Returns whether it is the worst moment so far,
  /// which keep() is to be told of in the end.
  bool add(int64_t j, std::span<const Largest> worst, double time);
  /// The worst moment's deviations from the operating point; their groups must outlive this.
  void keep(const Potentials& deviation);

  /// Moves everything into the report. `names`: of the scenarios; empty: their numbers.
  void finish(TranReport& report, const std::vector<std::string>& names) &&;

 private:
  const IrReport& dc_;
  const Topology& topology_;
  size_t scenarios_;
  std::vector<ScenarioNet> worst_;  ///< scenarios × nets
  double worst_moment_;             ///< the largest drop of all, V
  Moment moment_;
  std::vector<double> merged_, held_;  ///< then: the deviations
  std::span<const int32_t> group_;
};

}  // namespace gridiron
