// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "analysis/model/design.hpp"
#include "analysis/results/currents.hpp"
#include "analysis/tran/potentials.hpp"
#include "analysis/tran/result_tables.hpp"
#include "analysis/tran/storage.hpp"
#include "analysis/tran/tran_report.hpp"

namespace gridiron {

/// What flows into a grid in one state of a simulation, as deviations from the operating point, A.
struct PadState {
  std::vector<double> pad;  ///< into the grid, in the order of the pads
  double supplied = 0;      ///< from ground through sources, resistors and inductors
  double drawn = 0;         ///< by loads that return to ground
};

/// Measures the currents of pads in the states of a simulation without forming those of the whole grid.
class PadMeter {
 public:
  /// `pads`: those of the operating point, with ties of the design's network. `step`: see step_topology();
  /// `are_nodes_apart`: see Integrator. Both the design and the storage must outlive this.
  PadMeter(const Design& design, const Topology& step, bool are_nodes_apart, const Storage& storage,
           std::span<const PadCurrent> pads);

  /// `volts`: per node, `storage_a`: per element of the storage, `load`: per current source. Valid until the next call.
  PadState& measure(const Potentials& volts, std::span<const double> storage_a, std::span<const double> load);

  /// Σ C·v of capacitors that end at ground: what they hold more than at the operating point, C.
  double stored_charge(const Potentials& volts) const;
  /// The same where capacitors have the voltages of their initial conditions.
  double initial_charge() const;

  /// What it measures, for other places where states are kept. Not where sources move.
  const PadTables& tables() const { return tables_; }

 private:
  struct PadAt {
    int32_t tied = -1;     ///< the current towards its parent,
    double sign = 1;       ///< with this sign,
    int64_t storage = -1;  ///< that of an inductor,
    int64_t edge = -1;     ///< or of a resistor from ground
    NodeId node = kGround;
    double turn = 1;  ///< −1 where the sinks of a ground net are written as sources
  };

  std::vector<PadAt> find_tied_nodes(const Topology& step, std::span<const PadCurrent> pads);
  /// Lists the nodes of trees of ties whose roots are wanted, children before parents; returns the tie of each to its
  /// parent.
  std::vector<int64_t> list_tied_nodes(const Merge& merge, std::span<const int32_t> root,
                                       std::span<const char> is_wanted);
  void find_entries(const Merge& merge);
  void find_pads(const Merge& merge, const std::vector<PadAt>& pads);
  int32_t place(const Merge& merge, NodeId node) const;
  template <class VoltsAt, class CurrentOf>
  void measure(VoltsAt volts_at, CurrentOf current_of, std::span<const double> load);

  const Design& design_;
  const Storage& storage_;
  bool are_nodes_apart_;               ///< then places are nodes
  std::vector<int32_t> tied_of_node_;  ///< trees of ties that feed pads or hang on ground, children before parents
  PadTables tables_;
  std::vector<double> sum_;  ///< scratch
  PadState state_;
};

/// Averages, root mean squares and peaks of pads, and the balance of charge, over time.
class PadsOverTime {
 public:
  /// `dc`: the pads at the operating point, `supplied_a` and `drawn_a` their sum and that of the loads.
  PadsOverTime(std::span<const PadCurrent> dc, double supplied_a, double drawn_a, int64_t scenarios);

  /// The state of scenario j at `time`, which stands for `weight` seconds.
  void add(int64_t j, const PadState& state, double time, double weight);
  /// The same of what flows at all, where pads are measured elsewhere: take() is to be told in the end.
  void add_flow(int64_t j, double supplied, double drawn, double weight);
  void take(std::vector<CurrentOverTime> pads) { sums_ = std::move(pads); }
  std::span<const double> at_rest() const { return at_rest_; }

  /// Adds what capacitors hold at the end.
  void add_stored(double coulombs) { charge_.stored_c += coulombs; }

  /// One entry per pad, in the order given.
  std::vector<PadOverTime> take_pads() const;
  const ChargeBalance& charge() const { return charge_; }

 private:
  std::vector<double> at_rest_;
  double supplied_at_rest_, drawn_at_rest_;
  int64_t scenarios_;
  std::vector<CurrentOverTime> sums_;  ///< pads × scenarios
  double seconds_ = 0;                 ///< weight of scenario 0
  ChargeBalance charge_;
};

}  // namespace gridiron
