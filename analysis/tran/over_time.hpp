// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "analysis/ir/instances.hpp"
#include "analysis/ir/ir_report.hpp"
#include "analysis/ir/topology.hpp"
#include "analysis/tran/tran_report.hpp"

namespace gridiron {

/// Statistics of drops over time: every node's worst, average and root mean square, every net's worst row by row, every
/// instance's worst.
class OverTime {
 public:
  /// `dc`: the operating point; it must outlive this.
  OverTime(const IrReport& dc, const Topology& topology, std::int64_t scenarios);

  /// A state of scenario j: deviations from the operating point (V per node) at `time`, which stand for `weight`
  /// seconds.
  void add(std::int64_t j, std::span<const double> deviation, double time, double weight);

  /// Ends a row of the nets' series.
  void end_row();

  /// Moves everything into the report, whose `worst` must be a copy of `dc`.
  void finish(TranReport& report) &&;

 private:
  enum class Drop : std::uint8_t {
    none,
    below,
    above,
    bounce,
    inverted_bounce
  };  ///< nominal voltages above, below, at 0

  double signed_drop(std::size_t n, double deviation) const;
  struct NetWorst {
    double drop = -HUGE_VAL;
    NodeId node = kGround;
  };

  const IrReport& dc_;
  std::vector<Drop> kind_;                  ///< per node
  std::vector<double> at_rest_;             ///< per node: the drop, or signed bounce, of the operating point, V
  std::vector<double> drops_;               ///< scratch: of the state just added
  std::vector<double> worst_, worst_time_;  ///< worst_: with the sign of the bounce
  bool is_first_ = true;
  std::vector<std::int32_t> worst_scenario_;
  std::vector<double> sum_, squares_;  ///< nodes × scenarios: V·s, V²·s
  double seconds_ = 0;                 ///< weight of scenario 0
  std::vector<NetWorst> row_;
  std::vector<NetOverTime> nets_;
  std::vector<InstanceResult> instances_;
};

}  // namespace gridiron
