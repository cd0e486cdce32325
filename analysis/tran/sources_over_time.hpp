// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "analysis/tran/sampling.hpp"
#include "analysis/tran/steps/device_steps.hpp"
#include "netlist/circuit.hpp"
#include "netlist/waves/linear_piece.hpp"

namespace gridiron {

/// Whether a voltage source has a waveform, or all of them rise from 0 V as `uic` has it.
bool do_sources_move(const Circuit& circuit);

/// What the sources of a circuit draw and hold at a time, as deviations from their values at the start; with `uic`, in
/// full.
class SourcesOverTime {
 public:
  /// Those of the deck, whose DC values are those at time 0 (start_at_time_zero()). `circuit` must outlive this.
  SourcesOverTime(const Circuit& circuit, const TimeFrame& frame);

  /// Leaves current sources out, which something else drives.
  void release(std::span<const int64_t> loads);

  /// Times in (0, stop) where a source jumps or bends, and where one turns whose period is at most `longest_period`, s.
  /// Of several within a millionth of a step there is one. Errors: InputError when there are more than a hundred
  /// million. `curves_for`: also times that divide curves for steps of so many seconds, see append_curve(); 0: none.
  Corners corners(double longest_period = HUGE_VAL, double curves_for = 0) const;

  /// The shortest period and time constant of all, s, and whose they are, numbered as in look().
  struct Fastest {
    double period = HUGE_VAL, time_constant = HUGE_VAL;
    int64_t of_period = -1, of_time_constant = -1;
  };
  Fastest fastest() const;

  /// What steps miss of the sources: current sources by their index, voltage sources by −2 − theirs.
  void look(Sampling& sampling) const;

  /// Whether any source varies until the end.
  bool vary() const;
  /// Whether all are linear between corners.
  bool are_linear() const;

  /// Fills load, per current source, A, at time t.
  void loads_at(double t, std::span<double> load);
  /// The same as pieces, for a device that keeps them: those that differ from what the call before left. Not where
  /// sources count in full.
  std::vector<LoadPiece> changed_pieces(double t);
  /// Another device keeps pieces from now on.
  void forget() { pieces_.assign(loads_.size(), {0, 0, 0, 0}); }
  /// How many there are.
  int64_t drives() const { return std::ssize(loads_); }
  bool are_in_full() const { return are_in_full_; }

  /// Fills volts, per voltage source, V. Returns false, and does nothing, where none of them varies.
  bool volts_at(double t, std::span<double> volts) const;

 private:
  struct Drive {
    int64_t source;
    const Waveform* waveform;
    double at_start;
  };
  bool renew(size_t k, double t);
  double value(const Drive& drive, double t) const { return value_at(*drive.waveform, t, frame_) - drive.at_start; }

  TimeFrame frame_;
  bool are_in_full_;
  std::vector<double> constant_loads_, constant_volts_;  ///< in full: per source, 0 for those with waveforms
  std::vector<Drive> loads_, volts_;
  std::vector<LinearPiece> pieces_;  ///< per load: of its deviation, where the last time lay; kept apart to be small
};

}  // namespace gridiron
