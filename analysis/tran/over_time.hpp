// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "analysis/model/topology.hpp"
#include "analysis/results/instances.hpp"
#include "analysis/results/ir_report.hpp"
#include "analysis/tran/potentials.hpp"
#include "analysis/tran/result_tables.hpp"
#include "analysis/tran/tran_report.hpp"

namespace gridiron {

/// Statistics of drops over time: every node's worst, average, root mean square and overshoot, every net's worst row by
/// row, every instance's worst. Nodes that drop alike at all times, because ties hold them together, are counted as
/// one.
class OverTime {
 public:
  /// Told of every state in turn, once it is counted: the worst of every net in it, and its deviations, which live as
  /// long as the call; their groups as long as the OverTime and the merge of the steps.
  using OnState =
      std::function<void(int64_t j, std::span<const Largest> worst, const Potentials& deviation, double time)>;

  /// `dc`: the operating point, `merge`: that of the steps; both must outlive this.
  OverTime(const IrReport& dc, const Topology& topology, const Merge& merge, bool are_nodes_apart, int64_t scenarios,
           OnState on_state = {});

  /// A state of scenario j at `time`, which stands for `weight` seconds.
  void add(int64_t j, const Potentials& deviation, double time, double weight);

  /// Ends a row of the nets' series with the state added last.
  void end_row();

  // The following is for states that are counted elsewhere.

  const DropClasses& classes() const { return classes_; }
  std::span<const InstanceWorst> instances() const { return of_instance_; }
  /// A state of scenario j whose worst drop of every net is known, in place of the other add().
  void add(int64_t j, std::span<const Largest> worst);
  /// What was counted of all states, before finish().
  void take(DropFigures figures, std::vector<InstanceWorst> instances);

  /// Moves everything into the report, whose `worst` must be a copy of `dc`.
  void finish(TranReport& report) &&;

 private:
  using Range = DropClasses::Range;

  struct State {
    int64_t scenario;
    double time, weight;
    std::span<const double> volts;   ///< deviations, by place
    std::span<const int32_t> group;  ///< per node: its place
  };

  void find_classes(const Topology& topology, const Merge& merge);
  void order_classes();
  void make_room();
  void count(const State& state);
  template <Drop kKind>
  Largest count_range(const Range& range, const State& state);
  template <Drop kKind>
  void take_worst(const State& state, int64_t begin, std::span<const double> drop);
  void sum_up();
  Follower follower(int32_t c) const;

  const IrReport& dc_;
  bool are_nodes_apart_;           ///< then every node is a class of its own, at a place of its own
  std::vector<int32_t> class_of_;  ///< per node; −1: none
  DropClasses classes_;
  std::vector<Drop> kind_;
  std::span<const int32_t> group_;  ///< per node: its place
  std::vector<int32_t> nodes_;      ///< 0, 1, …: that where every node is its own,
  std::vector<double> volts_;       ///< and their deviations
  OnState on_state_;
  int64_t scenarios_;
  DropFigures figures_;
  bool is_first_ = true;
  std::vector<double> sum_, squares_;                     ///< classes × scenarios: V·s, V²·s
  double seconds_ = 0;                                    ///< weight of scenario 0
  std::vector<Largest> row_, now_, of_state_, of_range_;  ///< per net: since the last row, at present; per range
  std::vector<NetOverTime> nets_;
  std::vector<InstanceWorst> of_instance_;
};

}  // namespace gridiron
