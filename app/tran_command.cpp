// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <climits>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "analysis/ir/ir_drop.hpp"
#include "analysis/tran/tran_limits.hpp"
#include "analysis/tran/transient.hpp"
#include "app/analysis_options.hpp"
#include "app/commands.hpp"
#include "app/common_arguments.hpp"
#include "app/progress.hpp"
#include "netlist/reader.hpp"
#include "reports/tran_report.hpp"
#include "support/error.hpp"
#include "support/memory.hpp"
#include "support/output_file.hpp"
#include "support/stopwatch.hpp"

namespace gridiron {
namespace {

constexpr std::string_view kMethods[] = {"trapezoidal", "backward-euler"};

struct TranArguments : NetlistArguments {
  std::string engine = "auto", device = "auto", tolerance = "10uV", out, formats;
  std::string method = "trapezoidal", step, start, stop, max_step, time_tolerance, window, waveforms;
  int max_iterations = 500, worst_probes = 0;
  std::vector<std::string> settings, limits, em_limits, em_rms_limits, em_peak_limits, probes;
  bool segments = false, strict = false, quiet = false, no_progress = false;
};

double positive_seconds(const std::string& option, const std::string& text) {
  const double value = parse_seconds(option, text);
  if (!(value > 0)) throw InputError(fmt::format("{} {}: expected a time above 0", field(option), text));
  return value;
}

TranOptions options_of(const TranArguments& arguments) {
  TranOptions options;
  arguments.apply(options);
  options.context.device = arguments.device;
  options.engine = arguments.engine;
  options.tolerance_v = parse_tolerance(arguments.tolerance);
  options.max_iterations = arguments.max_iterations;
  options.settings = parse_settings(arguments.settings);
  for (const std::string& text : arguments.limits) options.limits.push_back(parse_tran_limit(text));
  options.em_average = parse_em_limits(arguments.em_limits);
  options.em_rms = parse_em_limits(arguments.em_rms_limits);
  options.em_peak = parse_em_limits(arguments.em_peak_limits);
  options.segments = arguments.segments;
  options.method = arguments.method == kMethods[0] ? Method::trapezoidal : Method::backward_euler;
  if (!arguments.step.empty()) options.step_s = positive_seconds("step", arguments.step);
  if (!arguments.stop.empty()) options.stop_s = positive_seconds("stop", arguments.stop);
  if (!arguments.start.empty()) options.start_s = parse_seconds("start", arguments.start);
  if (!arguments.max_step.empty()) options.largest_step_s = positive_seconds("max_step", arguments.max_step);
  if (!arguments.window.empty()) options.window_s = positive_seconds("window", arguments.window);
  if (!arguments.time_tolerance.empty()) {
    options.time_tolerance_v = parse_volts(field("time_tolerance"), arguments.time_tolerance);
    if (!(*options.time_tolerance_v > 0))
      throw InputError(
          fmt::format("{} {}: expected a positive voltage", field("time_tolerance"), arguments.time_tolerance));
  }
  options.probes = arguments.probes;
  options.worst_probes = arguments.worst_probes;
  if (!arguments.waveforms.empty()) options.waveforms = read_waveforms(arguments.waveforms);
  return options;
}

int run_tran(const TranArguments& arguments) {
  Stopwatch total;
  TranOptions options = options_of(arguments);
  Formats formats = parse_formats(arguments.formats, kTranFormats, arguments.out);
  find_engine(arguments.engine == "auto" ? engines()[0].name : std::string_view(arguments.engine));
  const OutputFolder folder(arguments.out);
  const std::string name = netlist_name(arguments.netlist);
  remove_old_tran_reports(arguments.out, name, formats);
  ProgressLine progress(!arguments.quiet && !arguments.no_progress);
  options.context.progress = [&](std::string_view stage) { progress.stage(stage); };
  options.part = [&](std::int64_t done, std::int64_t all) { progress.part(done, all); };

  progress.stage("read");
  Stopwatch watch;
  Circuit circuit = read_netlist(arguments.netlist, arguments.read_options());
  start_at_time_zero(circuit);
  const double read_s = watch.seconds();
  TranReport report = analyse_transient(circuit, options);
  IrReport& worst = report.worst;
  spell_fields(worst.findings);
  if (arguments.strict) require_no_warnings(worst.findings);
  worst.input_path = arguments.netlist;
  worst.netlist_name = name;
  for (const auto& file : circuit.files) worst.input_bytes += file->bytes_on_disk();
  worst.timings_s.read = read_s;
  const auto take_stock = [&] {
    worst.timings_s.total = total.seconds();
    worst.peak_memory_bytes = peak_memory_bytes();
  };
  take_stock();
  if (!arguments.out.empty()) {
    progress.stage("report");
    Formats closing;
    for (const char* last : {"text", "json"})
      if (formats.erase(last) > 0) closing.insert(last);
    const Stopwatch writing;
    write_tran_reports(report, arguments.out, formats);
    worst.timings_s.report = writing.seconds();
    take_stock();
    write_tran_reports(report, arguments.out, closing);
  }
  progress.finish();
  if (!arguments.quiet) fmt::print("{}", tran_text(report));
  if (const std::string miss = tolerance_miss(report, options); !miss.empty()) throw SolverError(miss);
  return judge_limits(worst);
}

}  // namespace

ToolCommand tran_command() {
  Declaration<TranArguments> tran(
      {.name = "tran",
       .help = "dynamic IR drop of a netlist",
       .description = "Steps the grid through time from its operating point, with its capacitors and inductors and the "
                      "waveforms of its sources, and reports every node at its worst moment.",
       .example = "gridiron tran chip.sp.gz --step 10ps --stop 10ns --limit worst=8% --out reports"});
  add_netlist(tran);
  add_engine(tran, &TranArguments::engine);
  add_device(tran, &TranArguments::device);
  tran.add(&TranArguments::waveforms,
           {.field = "waveforms",
            .value = "FILE",
            .help = "what current sources draw over time, in one or several scenarios: .npz with arrays 'time' (s), "
                    "'templates' (templates x times, A), 'source' (names), and per source, or source x scenario, "
                    "'template' (index), 'delay' (s), 'scale'",
            .path = Argument::Path::file});
  const auto add_time = [&](std::string TranArguments::*member, const char* name, const char* help,
                            const char* initial) {
    tran.add(member, {.field = name, .value = "SECONDS", .unit = "s", .help = help, .initial = initial});
  };
  add_time(&TranArguments::step, "step", "time from one row of results to the next", "that of .tran");
  add_time(&TranArguments::stop, "stop", "end of the simulation", "that of .tran");
  add_time(&TranArguments::start, "start", "when results begin; the simulation begins at 0", "that of .tran, or 0");
  add_time(&TranArguments::max_step, "max_step", "largest step to take", "that of .tran, or the step");
  tran.add(&TranArguments::method, {.field = "method",
                                    .value = "NAME",
                                    .help = "trapezoidal is of second order; backward-euler of first, and damps",
                                    .choices = {std::begin(kMethods), std::end(kMethods)}});
  tran.add(&TranArguments::tolerance, {.field = "tolerance",
                                       .value = "VOLTS",
                                       .unit = "V",
                                       .help = "certified error of every solution to reach, step by step"});
  tran.add(
      &TranArguments::time_tolerance,
      {.field = "time_tolerance",
       .value = "VOLTS",
       .unit = "V",
       .help = "halve steps until the estimated error of each is below this; otherwise steps are as given, and end "
               "at corners of sources"});
  add_max_iterations(tran, &TranArguments::max_iterations);
  add_settings(tran, &TranArguments::settings);
  tran.add(
      &TranArguments::limits,
      {.field = "limit",
       .value = "LIMIT",
       .help = "largest allowed drop over time, 5% or 50mV, or [NET:[LAYER:]]QUANTITY=LIMIT with worst, average, "
               "p50, p95, p99, p99.9 over the nodes, or with time-average, rms and overshoot of any node; exit "
               "code 1 when exceeded, 4 when the certified bound does not decide",
       .suggestions = {"worst=", "average=", "p50=", "p95=", "p99=", "p99.9=", "time-average=", "rms=", "overshoot="}});
  const auto add_em = [&](std::vector<std::string> TranArguments::*member, const char* name, const char* help) {
    tran.add(member, {.field = name, .value = "LIMIT", .help = help, .path = Argument::Path::file});
  };
  add_em(&TranArguments::em_limits, "em_limit",
         "largest average current of a segment over time, LAYER=CURRENT like M1=5mA or M1-M2=300uA, or a CSV table "
         "layer,a_per_um,width_um; exit codes as for the limits on drops");
  add_em(&TranArguments::em_rms_limits, "em_rms_limit", "the same for the root mean square");
  add_em(&TranArguments::em_peak_limits, "em_peak_limit", "the same for the peak");
  tran.add(&TranArguments::segments,
           {.field = "segments", .help = "measure the currents of segments (segments.csv) without limits on them too"});
  tran.add(&TranArguments::window, {.field = "window",
                                    .value = "SECONDS",
                                    .unit = "s",
                                    .help = "report the worst drop in every window of this length"});
  tran.add(&TranArguments::probes,
           {.field = "probe", .value = "NODE", .help = "record the waveform of this node besides those of .print"});
  tran.add(&TranArguments::worst_probes, {.field = "worst_probes",
                                          .value = "N",
                                          .unit = "1",
                                          .help = "record the nodes that drop most as well, this many; simulates twice",
                                          .check = whole_number(1, 1000)});
  add_strict(tran);
  add_out(tran, "write the reports into this folder");
  add_formats(tran, "which of text,csv,output,raw,json,png,html (default: all); output is IBM's form, raw ngspice's",
              {std::begin(kTranFormats), std::end(kTranFormats)});
  add_quiet(tran);
  return std::move(tran).run_by(run_tran);
}

}  // namespace gridiron
