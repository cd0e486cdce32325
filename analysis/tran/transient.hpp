// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analysis/model/design.hpp"
#include "analysis/results/em/em_settings.hpp"
#include "analysis/results/em_limits.hpp"
#include "analysis/results/limits.hpp"
#include "analysis/solve/solver.hpp"
#include "analysis/tran/steps/device_steps.hpp"
#include "analysis/tran/storage.hpp"
#include "analysis/tran/tran_report.hpp"
#include "netlist/circuit.hpp"
#include "netlist/tables/waveform_table.hpp"

namespace gridiron {

struct TranOptions : DesignOptions, SolverOptions {
  Context context;
  std::function<void(int64_t done, int64_t all)> part = [](int64_t, int64_t) {};  ///< rows so far
  std::string net;                                                                ///< report this net only; empty: all
  std::vector<LimitRequest> limits;                                               ///< as parse_tran_limit() reads them
  std::vector<EmLimit> em_average, em_rms, em_peak;  ///< on the current of every segment over time
  std::optional<EmSettings> em;                      ///< rules that they are judged by, too
  bool segments = false;                             ///< measure the currents of segments, also without limits
  bool accept_estimate = false;                      ///< see SummaryOptions
  Method method = Method::trapezoidal;
  std::optional<double> step_s = {}, start_s = {}, stop_s = {}, largest_step_s = {};  ///< .tran's unless given
  std::optional<WaveformTable> waveforms;            ///< what sources draw instead of what the deck says
  std::optional<double> time_tolerance_v = {};       ///< fractions of steps whose estimated error is below this
  double window_s = 0;                               ///< report the worst drop of every window of this length; 0: none
  std::vector<std::string> probes;                   ///< nodes to record besides those of .print
  MakeStates make_states = states_on_engine_device;  ///< empty: on the host
  std::vector<std::string> why;                      ///< nodes to explain at the worst moment, see node_to_explain()
  int worst_probes = 0;  ///< also record the nodes that drop most, this many; takes a second run
};

/// Sets the DC values of sources with waveforms to what they are at the start, from where a transient run begins. The
/// options tell the step and the end, where .tran does not.
void start_at_time_zero(Circuit& circuit, const TranOptions& options = {});

/// Dynamic IR drop of a circuit, from the operating point of its sources' DC values on, or with `uic` on its .tran card
/// from the initial conditions of its capacitors and inductors. The report refers to `circuit`, which must stay alive.
/// Errors: InputError where there is no step or stop, a probe is unknown, `uic` comes with an .ic card or with currents
/// that have no way, or waveforms do not fit the circuit; those of analyse_ir_drop(). Missing the tolerance does not
/// throw: see tolerance_miss().
TranReport analyse_transient(const Circuit& circuit, const TranOptions& options);

/// Empty if every step meets the requested accuracy, otherwise one line that describes the shortfall.
std::string tolerance_miss(const TranReport& report, const SolverOptions& options);

}  // namespace gridiron
