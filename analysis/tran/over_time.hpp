// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
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
/// one. States are kept until there are a few, so that what is known of a node is read and written once for all of
/// them.
class OverTime {
 public:
  /// Told of every state in turn, once it is counted: the worst of every net in it, and its deviations, whose groups
  /// live as long as the OverTime and the merge of the steps.
  using OnState =
      std::function<void(std::int64_t j, std::span<const NetWorst> worst, const Potentials& deviation, double time)>;

  /// `dc`: the operating point, `merge`: that of the steps; both must outlive this.
  OverTime(const IrReport& dc, const Topology& topology, const Merge& merge, std::int64_t scenarios,
           OnState on_state = {});

  /// A state of scenario j at `time`, which stands for `weight` seconds.
  void add(std::int64_t j, const Potentials& deviation, double time, double weight);

  /// Ends a row of the nets' series with the state added last.
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

  /// The drop of a node by the deviation at a place: at_rest + sign · deviation, and of a bounce its magnitude. The
  /// sign is 0 where there is no such place.
  struct Follower {
    std::int32_t place = 0;
    bool is_bounce = false;
    double at_rest = 0, sign = 0;
    double drop(const double* volts) const {
      const double with_sign = sign == 0 ? at_rest : at_rest + sign * volts[place];
      return is_bounce ? std::abs(with_sign) : with_sign;
    }
  };
  /// An instance's nodes, and its worst moment, V.
  struct InstanceWorst {
    Follower power, ground;
    double drop, bounce;
  };

  static constexpr int kTogether = 8;
  struct State {
    std::int64_t scenario = 0;
    double time = 0, weight = 0;
    bool ends_row = false;
    std::vector<double> volts;  ///< deviations, by place
  };

  void find_classes(const Topology& topology, const Merge& merge);
  void order_classes();
  void count_states();
  template <Drop kKind>
  void count_range(const Range& range, NetWorst* worst);
  template <Drop kKind, bool kAreOfOneScenario>
  void count_range(const Range& range, NetWorst* worst);
  void take_worst(std::int64_t c, const double* drop, const double* with_sign);
  Follower follower(std::int32_t c) const;

  const IrReport& dc_;
  bool do_sources_move_;                ///< then every node is a class of its own, at a place of its own
  std::vector<std::int32_t> class_of_;  ///< per node; −1: none
  std::vector<Range> ranges_;
  std::vector<NodeId> lowest_;       ///< per class: its lowest node,
  std::vector<std::int32_t> place_;  ///< where to find its deviation: a merged node, or a node; −1 where it stays
  std::vector<Drop> kind_;
  std::vector<double> at_rest_;          ///< the drop, or signed bounce, of the operating point, V
  std::span<const std::int32_t> group_;  ///< per node: its place
  std::vector<std::int32_t> nodes_;      ///< 0, 1, …: that where every node is its own
  std::array<State, kTogether> states_;  ///< not counted yet,
  int waiting_ = 0;                      ///< this many
  OnState on_state_;
  std::vector<double> worst_, worst_time_;  ///< worst_: with the sign of the bounce
  std::vector<double> least_;               ///< the smallest drop below 0, with the sign of the bounce, V
  bool is_first_ = true;
  std::vector<std::int32_t> worst_scenario_;
  std::vector<double> sum_, squares_;                ///< classes × scenarios: V·s, V²·s
  double seconds_ = 0;                               ///< weight of scenario 0
  std::vector<NetWorst> row_, of_state_, of_range_;  ///< per net; per range and state
  std::vector<NetOverTime> nets_;
  std::vector<InstanceWorst> of_instance_;
};

}  // namespace gridiron
