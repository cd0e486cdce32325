// SPDX-License-Identifier: Apache-2.0
#include "app/session/tran_arguments.hpp"

#include <algorithm>

#include "analysis/run/run_facts.hpp"
#include "analysis/tran/tran_limits.hpp"
#include "app/session/analysis_options.hpp"
#include "netlist/tables/waveform_table.hpp"
#include "support/error_text.hpp"
#include "support/lists.hpp"

namespace gridiron {
namespace {

double positive_seconds(const std::string& option, const std::string& text) {
  const double value = parse_seconds(option, text);
  if (!(value > 0)) throw input_error("{} {}: expected a time above 0", field(option), text);
  return value;
}

}  // namespace

TranOptions tran_options(const TranArguments& arguments) {
  TranOptions options;
  options.context.device = arguments.device;
  options.engine = arguments.engine;
  options.tolerance_v = parse_tolerance(arguments.tolerance);
  options.max_iterations = arguments.max_iterations;
  options.settings = parse_settings(arguments.settings, arguments.engine);
  options.net = arguments.net;
  options.limits = parse_limits(arguments.limits, parse_tran_limit);
  options.em = em_settings(arguments, options.limits);
  if (!options.em && !arguments.em_widths.empty())
    throw field_error("em_layers", "{}: there are no {} that it is for", arguments.em_widths, field("em_rules"));
  options.em_average = parse_em_limits(arguments.em_limits);
  options.em_rms = parse_em_limits(arguments.em_rms_limits, "em_rms_limit");
  options.em_peak = parse_em_limits(arguments.em_peak_limits, "em_peak_limit");
  options.segments = arguments.segments;
  options.accept_estimate = arguments.accept_estimate;
  options.method = arguments.method == kTranMethods[0] ? Method::trapezoidal : Method::backward_euler;
  if (!arguments.step.empty()) options.step_s = positive_seconds("step", arguments.step);
  if (!arguments.stop.empty()) options.stop_s = positive_seconds("stop", arguments.stop);
  if (!arguments.start.empty()) options.start_s = parse_seconds("start", arguments.start);
  if (!arguments.max_step.empty()) options.largest_step_s = positive_seconds("max_step", arguments.max_step);
  if (!arguments.window.empty()) options.window_s = positive_seconds("window", arguments.window);
  if (!arguments.time_tolerance.empty()) {
    options.time_tolerance_v = parse_volts(field("time_tolerance"), arguments.time_tolerance);
    if (!(*options.time_tolerance_v > 0))
      throw field_error("time_tolerance", "{}: expected a positive voltage", arguments.time_tolerance);
  }
  options.probes = arguments.probes;
  options.why = arguments.why;
  options.worst_probes = arguments.worst_probes;
  return options;
}

void read_tables(const TranArguments& arguments, TranOptions& options) {
  if (!arguments.waveforms.empty()) options.waveforms = read_waveforms(arguments.waveforms);
  read_em_tables(arguments, options.em);
}

std::vector<std::string> table_files(const TranArguments& arguments) {
  std::vector<std::string> files;
  if (!arguments.waveforms.empty()) files.push_back(arguments.waveforms);
  for (const auto* limits : {&arguments.em_limits, &arguments.em_rms_limits, &arguments.em_peak_limits})
    append(files, table_files(*limits));
  append(files, arguments.em_tables());
  return files;
}

void add_tran_options(RunFacts& run, const TranArguments& arguments) {
  for (const auto& [name, value] :
       {std::pair("engine", &arguments.engine), std::pair("device", &arguments.device),
        std::pair("tolerance", &arguments.tolerance), std::pair("net", &arguments.net),
        std::pair("method", &arguments.method), std::pair("step", &arguments.step), std::pair("stop", &arguments.stop),
        std::pair("start", &arguments.start), std::pair("max-step", &arguments.max_step),
        std::pair("time-tolerance", &arguments.time_tolerance), std::pair("window", &arguments.window),
        std::pair("waveforms", &arguments.waveforms)})
    add_option(run, name, *value);
  add_option(run, "max-iterations", std::to_string(arguments.max_iterations));
  for (const auto& [name, values] :
       {std::pair("limit", &arguments.limits), std::pair("em-limit", &arguments.em_limits),
        std::pair("em-rms-limit", &arguments.em_rms_limits), std::pair("em-peak-limit", &arguments.em_peak_limits),
        std::pair("set", &arguments.settings)})
    add_option(run, name, *values);
  add_em_options(run, arguments);
  add_option(run, "em-layers", arguments.em_widths);
}

}  // namespace gridiron
