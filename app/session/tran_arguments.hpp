// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/tran/transient.hpp"
#include "app/session/common_arguments.hpp"
#include "app/session/em_arguments.hpp"

namespace gridiron {

inline constexpr std::string_view kTranMethods[] = {"trapezoidal", "backward-euler"};

/// How to simulate, as typed.
struct TranArguments : EmArguments {
  std::string engine = "auto", device = "auto", tolerance = "10uV", net;
  std::string method = "trapezoidal", step, start, stop, max_step, time_tolerance, window, waveforms;
  int max_iterations = 500, worst_probes = 0;
  std::vector<std::string> settings, limits, em_limits, em_rms_limits, em_peak_limits, probes, why;
  bool segments = false, accept_estimate = false;
};

/// What words say, without the waveforms. Errors: InputError.
TranOptions tran_options(const TranArguments& arguments);

/// The waveforms. Errors: InputError.
void read_tables(const TranArguments& arguments, TranOptions& options);

/// The files that are named, apart from the netlist.
std::vector<std::string> table_files(const TranArguments& arguments);

/// Lists them among the options of a run, but for those that are not given.
void add_tran_options(RunFacts& run, const TranArguments& arguments);

/// How steps are taken.
template <class Args>
void add_step_arguments(Declaration<Args>& to) {
  to.add(&TranArguments::waveforms,
         file("waveforms",
              "what current sources draw over time, in one or several scenarios: .npz with arrays 'time' (s), "
              "'templates' (templates x times, A), 'source' (names), and per source, or source x scenario, "
              "'template' (index), 'delay' (s), 'scale'"));
  const auto add_time = [&](std::string TranArguments::*member, const char* name, const char* help,
                            const char* initial) {
    to.add(member, {.field = name, .value = "SECONDS", .unit = "s", .help = help, .initial = initial});
  };
  add_time(&TranArguments::step, "step", "time from one row of results to the next", "that of .tran");
  add_time(&TranArguments::stop, "stop", "end of the simulation", "that of .tran");
  add_time(&TranArguments::start, "start", "when results begin; the simulation begins at 0", "that of .tran, or 0");
  add_time(&TranArguments::max_step, "max_step", "largest step to take", "that of .tran, or the step");
  to.add(&TranArguments::method, {.field = "method",
                                  .value = "NAME",
                                  .help = "trapezoidal is of second order; backward-euler of first, and damps",
                                  .choices = {std::begin(kTranMethods), std::end(kTranMethods)}});
  add_tolerance(to, &TranArguments::tolerance, "certified error of every solution to reach, step by step");
  to.add(
      &TranArguments::time_tolerance,
      voltage("time_tolerance",
              "halve steps until the estimated error of each is below this; otherwise steps are as given, and end at "
              "corners of sources"));
}

template <class Args>
void add_tran_arguments(Declaration<Args>& to) {
  add_engine(to, &TranArguments::engine);
  add_device(to, &TranArguments::device);
  add_step_arguments(to);
  add_max_iterations(to, &TranArguments::max_iterations);
  add_settings(to, &TranArguments::settings);
  add_limits(
      to, &TranArguments::limits,
      "largest allowed drop over time, 5% or 50mV, or [NET:[LAYER:]]QUANTITY=LIMIT with worst, average, "
      "p50, p95, p99, p99.9 over the nodes, or with time-average, rms and overshoot of any node, or with "
      "worst@FROM..TO in a window of time like worst@2ns..4ns, or em=100% of rules; exit code 1 when exceeded, 4 when "
      "the "
      "certified bound does not decide",
      {"worst=", "worst@", "average=", "p50=", "p95=", "p99=", "p99.9=", "time-average=", "rms=", "overshoot=", "em="});
  const auto add_em = [&](std::vector<std::string> TranArguments::*member, const char* name, const char* help) {
    to.add(member, file(name, help, "LIMIT"));
  };
  add_em(&TranArguments::em_limits, "em_limit",
         "largest average current of a segment over time, LAYER=CURRENT like M1=5mA or M1-M2=300uA, or a CSV table "
         "layer,a_per_um,width_um; exit codes as for the limits on drops");
  add_em(&TranArguments::em_rms_limits, "em_rms_limit", "the same for the root mean square");
  add_em(&TranArguments::em_peak_limits, "em_peak_limit", "the same for the peak");
  add_em_rules(to);
  to.add(&EmArguments::em_recovery,
         {.field = "em_recovery",
          .value = "R",
          .unit = "1",
          .help = "share of the average of current the other way that heals what rules on averages judge",
          .initial = "0"});
  to.add(&TranArguments::segments,
         {.field = "segments", .help = "measure the currents of segments (segments.csv) without limits on them too"});
  to.add(&TranArguments::accept_estimate,
         {.field = "accept_estimate",
          .help = "keep limits by estimated errors, too, where none can be proved: coupled inductors, controlled "
                  "sources and negative values; otherwise exit code 4"});
  to.add(&TranArguments::window, {.field = "window",
                                  .value = "SECONDS",
                                  .unit = "s",
                                  .help = "report the worst drop in every window of this length"});
  to.add(&TranArguments::probes,
         {.field = "probe", .value = "NODE", .help = "record the waveform of this node besides those of .print"});
  to.add(
      &TranArguments::why,
      {.field = "why",
       .value = "NODE",
       .help = "explain the drop of this node, or of the 'worst' one, at the worst moment of the run: path to a pad, "
               "loads, capacitors and inductors, and segments that would lower it by being wider"});
  to.add(&TranArguments::worst_probes,
         whole_number("worst_probes", "record the nodes that drop most as well, this many; simulates twice", 1, 1000));
}

}  // namespace gridiron
