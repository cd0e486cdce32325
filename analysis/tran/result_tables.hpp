// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "analysis/model/statistics.hpp"
#include "analysis/solve/elimination_rounds.hpp"
#include "device/host_device.hpp"

namespace gridiron {

/// Nominal voltages above, below, at 0.
enum class Drop : uint8_t { none, below, above, bounce, inverted_bounce };
GRIDIRON_HOST_DEVICE constexpr bool is_bounce(Drop kind) { return kind >= Drop::bounce; }
/// The sign by which a deviation counts as a drop.
GRIDIRON_HOST_DEVICE constexpr double sign_of(Drop kind) {
  return kind == Drop::below || kind == Drop::inverted_bounce ? -1 : 1;
}

/// Nodes that drop alike at all times, because ties hold them together, as one.
struct DropClasses {
  /// Consecutive classes, of one net and kind.
  struct Range {
    int64_t begin, end;
    int32_t net;
    Drop kind;
    bool moves;  ///< no: sources hold these classes
  };
  std::vector<Range> ranges;
  std::vector<int32_t> lowest;  ///< per class: its lowest node,
  std::vector<int32_t> place;   ///< where to find its deviation: a merged node, or a node; −1 where it stays
  std::vector<double> at_rest;  ///< the drop, or signed bounce, of the operating point, V
  int64_t size() const { return std::ssize(lowest); }
};

/// The drop of a node by the deviation at a place: at_rest + sign · deviation, and of a bounce its magnitude. The
/// sign is 0 where there is no such place.
struct Follower {
  int32_t place = 0;
  bool is_bounce = false;
  double at_rest = 0, sign = 0;
  template <class Volts>
  GRIDIRON_HOST_DEVICE double drop(const Volts& volts) const {
    const double with_sign = sign == 0 ? at_rest : at_rest + sign * volts[place];
    return is_bounce ? std::abs(with_sign) : with_sign;
  }
};
/// An instance's nodes, and its worst moment, V and s.
struct InstanceWorst {
  Follower power, ground;
  double drop = -HUGE_VAL, bounce = 0, time = 0;
  template <class Volts>
  GRIDIRON_HOST_DEVICE void take(const Volts& volts, double now) {
    const double its_drop = power.drop(volts), its_bounce = ground.drop(volts);
    if (its_drop + its_bounce > drop + bounce) drop = its_drop, bounce = its_bounce, time = now;
  }
};

/// What is known of every class over time.
struct DropFigures {
  std::vector<double> worst, worst_time;  ///< worst: with the sign of the bounce
  std::vector<double> least;              ///< the smallest drop below 0, with the sign of the bounce, V
  std::vector<int32_t> worst_scenario;
  std::vector<double> average, rms;  ///< the largest of any scenario, V
};

/// A current over time: A·s, A²·s, A, s.
struct CurrentOverTime {
  double amperes = 0, squares = 0, peak = 0, peak_time = 0;
  double forward = 0;  ///< of `amperes` what flows forward
  double before = 0;   ///< the current taken last
  /// `seconds` that the current stands for, half of the steps before and after it. Where the current was a straight
  /// line in the `step` before, its square is (i₀² + i₀ i₁ + i₁²) / 3 on average, a sixth of (i₁ − i₀)² less than by
  /// trapezoids; 0: it was not.
  GRIDIRON_HOST_DEVICE void take(double current, double seconds, double now, double step = 0) {
    amperes += seconds * current;
    squares += seconds * current * current - step * (current - before) * (current - before) / 6;
    before = current;
    if (current > 0) forward += seconds * current;
    if (std::abs(current) <= std::abs(peak)) return;
    peak = current;
    peak_time = now;
  }
};

/// How the currents of pads follow from a state. Sums of currents come first: one for each tied node, whose children
/// come before it, then what ground takes from the grid.
struct PadTables {
  struct Resistor {
    int32_t from, into;  ///< nodes, or merged nodes of the steps where no source moves; −1: sources hold it
    double conductance;
  };
  struct Given {
    int32_t current;  ///< as in StepTables
    float sign;
  };
  struct Pad {
    int32_t tied = -1;     ///< the current towards its parent,
    int32_t current = -1;  ///< that of an inductor, as in StepTables,
    int32_t node = -1;     ///< or of a resistor from ground to this place,
    double factor = 0;     ///< with this sign, and conductance
  };
  std::vector<int64_t> first_resistor, first_given;  ///< of every sum and the end
  std::vector<Resistor> resistor;
  std::vector<Given> given;
  SumRounds tree;                   ///< from tied nodes to their parents
  std::vector<int32_t> on_ground;   ///< tied nodes that hang on ground
  std::vector<double> into_ground;  ///< per load: 1 or −1 where it ends at ground, by which way it draws
  std::vector<Pad> pads;
  int64_t tied() const { return std::ssize(first_resistor) - 2; }
};

/// Segments: merged nodes of their ends (−1: held), and conductance with the sign by which they are reported.
struct SegmentTables {
  std::vector<int32_t> a, b;
  std::vector<double> conductance, at_rest_a;
};

/// What is measured of every state. Scenarios other than the first are shifted to deviate from the same state.
struct ResultTables {
  const DropClasses& classes;
  std::span<const InstanceWorst> instances;
  int32_t nets = 0;
  const PadTables& pads;
  std::span<const double> pads_at_rest_a;
  const SegmentTables* segments = nullptr;  ///< none: they are not asked for
  std::vector<double> shift_v;              ///< merged nodes × (scenarios − 1)
  std::vector<double> pad_shift_a;          ///< pads × (scenarios − 1)
};

/// What is measured of one state.
struct StateFigures {
  std::vector<Largest> worst;      ///< drop per net, with its node
  double supplied = 0, drawn = 0;  ///< A, not shifted
};

/// What was measured over time.
struct Figures {
  DropFigures drops;
  std::vector<InstanceWorst> instances;
  std::vector<CurrentOverTime> pads, segments;  ///< × scenarios
};

}  // namespace gridiron
