// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "analysis/ir/instances.hpp"
#include "analysis/ir/ir_report.hpp"
#include "analysis/ir/topology.hpp"
#include "analysis/tran/potentials.hpp"
#include "analysis/tran/tran_report.hpp"

namespace gridiron {

/// The largest drop of a net in a state, and the lowest node that has it.
struct NetWorst {
  double drop = -HUGE_VAL;
  NodeId node = kGround;
  void take(const NetWorst& other) {
    if (other.drop > drop || (other.drop == drop && other.node < node)) *this = other;
  }
};

/// Statistics of drops over time: every node's worst, average, root mean square and overshoot, every net's worst row by
/// row, every instance's worst. Nodes that drop alike at all times, because ties hold them together, are counted as
/// one.
class OverTime {
 public:
  /// `dc`: the operating point; it must outlive this. `merge`: that of the steps.
  OverTime(const IrReport& dc, const Topology& topology, const Merge& merge, std::int64_t scenarios);

  /// A state of scenario j at `time`, which stands for `weight` seconds. Returns the worst of every net in it, valid
  /// until the next call.
  std::span<const NetWorst> add(std::int64_t j, const Potentials& deviation, double time, double weight);

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
  static constexpr bool is_bounce(Drop kind) { return kind >= Drop::bounce; }

  /// Consecutive classes of nodes, of one net and kind.
  struct Range {
    std::int64_t begin, end;
    std::int32_t net;
    Drop kind;
    bool moves;  ///< no: sources hold these classes
  };

  /// The classes of an instance's nodes, and its worst moment, V.
  struct InstanceWorst {
    std::int32_t power, ground;
    double drop, bounce;
  };

  void find_classes(const Topology& topology, const Merge& merge);
  void order_classes();
  template <Drop kKind>
  NetWorst add_range(const Range& range, const double* volts, std::int64_t j, double time, double weight);
  double drop_of(std::int32_t c) const { return c < 0 ? 0.0 : drops_[c]; }

  const IrReport& dc_;
  bool do_sources_move_;                ///< then every node is a class of its own, at a place of its own
  std::vector<std::int32_t> class_of_;  ///< per node; −1: none
  std::vector<Range> ranges_;
  std::vector<NodeId> lowest_;       ///< per class: its lowest node,
  std::vector<std::int32_t> place_;  ///< where to find its deviation: a merged node, or a node; −1 where it stays
  std::vector<Drop> kind_;
  std::vector<double> at_rest_;             ///< the drop, or signed bounce, of the operating point, V
  std::vector<double> drops_;               ///< scratch: in the state just added
  std::vector<double> of_nodes_;            ///< scratch: deviations of nodes, where sources move
  std::vector<double> worst_, worst_time_;  ///< worst_: with the sign of the bounce
  std::vector<double> least_;               ///< the smallest drop below 0, with the sign of the bounce, V
  bool is_first_ = true;
  std::vector<std::int32_t> worst_scenario_;
  std::vector<double> sum_, squares_;                ///< classes × scenarios: V·s, V²·s
  double seconds_ = 0;                               ///< weight of scenario 0
  std::vector<NetWorst> row_, of_state_, of_range_;  ///< per net; per range
  std::vector<NetOverTime> nets_;
  std::vector<InstanceWorst> of_instance_;
};

}  // namespace gridiron
