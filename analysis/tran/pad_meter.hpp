// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/ir/currents.hpp"
#include "analysis/ir/design.hpp"
#include "analysis/tran/potentials.hpp"
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
  /// `pads`: those of the operating point, with ties of the design's network. `step`: see step_topology(). Both the
  /// design and the storage must outlive this.
  PadMeter(const Design& design, const Topology& step, const Storage& storage, std::span<const PadCurrent> pads);

  /// `volts`: per node, `storage_a`: per element of the storage, `load`: per current source. Valid until the next call.
  PadState& measure(const Potentials& volts, std::span<const double> storage_a, std::span<const double> load);

  /// Σ C·v of capacitors that end at ground: what they hold more than at the operating point, C.
  double stored_charge(const Potentials& volts) const;
  /// The same where capacitors have the voltages of their initial conditions.
  double initial_charge() const;

 private:
  /// A node of a tree of ties that feeds a pad or hangs on ground, with what flows into it.
  struct TiedNode {
    std::int32_t node, parent;  ///< parent: index into tied_, −1 at a root
    bool hangs_on_ground;
  };
  /// Currents into a sum: one for each tied node, then what ground takes from the grid.
  struct Resistor {
    std::int32_t sum, from, into;  ///< from and into: nodes, or merged nodes of the steps where no source moves
    double conductance;
  };
  struct Given {
    std::int32_t sum, index;  ///< index: of the element of the storage, or the load
    float sign;
  };
  struct PadAt {
    std::int32_t tied = -1;     ///< the current towards its parent,
    double sign = 1;            ///< with this sign,
    std::int64_t storage = -1;  ///< that of an inductor,
    std::int64_t edge = -1;     ///< or of a resistor from ground
    NodeId node = kGround;
    double turn = 1;  ///< −1 where the sinks of a ground net are written as sources
  };

  void find_tied_nodes(const Topology& step, std::span<const PadCurrent> pads);
  void find_entries(const Merge& merge);
  const Design& design_;
  const Storage& storage_;
  bool do_sources_move_;
  std::vector<TiedNode> tied_;  ///< children before parents
  std::vector<std::int32_t> tied_of_node_;
  std::vector<Resistor> resistors_;
  std::vector<Given> stored_, drawn_;
  std::vector<double> into_ground_;  ///< per load: 1 or −1 where it ends at ground, by which way it draws
  std::vector<double> sum_;          ///< scratch
  PadState state_;
  std::vector<PadAt> pads_;
};

/// Averages, root mean squares and peaks of pads, and the balance of charge, over time.
class PadsOverTime {
 public:
  /// `dc`: the pads at the operating point, `supplied_a` and `drawn_a` their sum and that of the loads.
  PadsOverTime(std::span<const PadCurrent> dc, double supplied_a, double drawn_a, std::int64_t scenarios);

  /// The state of scenario j at `time`, which stands for `weight` seconds.
  void add(std::int64_t j, const PadState& state, double time, double weight);

  /// Adds what capacitors hold at the end.
  void add_stored(double coulombs) { charge_.stored_c += coulombs; }

  /// One entry per pad, in the order given.
  std::vector<PadOverTime> take_pads() const;
  const ChargeBalance& charge() const { return charge_; }

 private:
  struct Sums {
    double amperes = 0, squares = 0, peak = 0, peak_time = 0;
  };
  std::vector<double> at_rest_;
  double supplied_at_rest_, drawn_at_rest_;
  std::vector<Sums> sums_;  ///< pads × scenarios
  double seconds_ = 0;      ///< weight of scenario 0
  ChargeBalance charge_;
};

}  // namespace gridiron
